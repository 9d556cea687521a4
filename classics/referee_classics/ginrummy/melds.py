"""Melds, deadwood, and what the players lay down when one of them has knocked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, TypeAlias

from referee.games.game import Value
from referee_classics.cards import RANKS, SUITS, in_order

ASCENDING: Final = RANKS[0] + RANKS[:0:-1]
"""The ranks of a run: here the ace is the lowest."""

Meld: TypeAlias = tuple[str, ...]


class Layout(Value):
    """Cards that are laid down: melds, what is laid off on another's, and what is left over."""

    melds: tuple[Meld, ...]
    laid: tuple[str, ...]
    rest: tuple[str, ...]

    @property
    def deadwood(self) -> int:
        return sum(map(value_of, self.rest))


def value_of(card: str) -> int:
    """Return the points of a card: an ace is one, and a court card ten."""
    return min(ASCENDING.index(card[0]) + 1, 10)


def _melds() -> Iterator[Meld]:
    """Yield every set of three or four cards, and run of three to five: longer ones are two."""
    for rank in ASCENDING:
        for size in (3, 4):
            yield from combinations([f"{rank}{suit}" for suit in SUITS], size)
    for suit in SUITS:
        whole = [f"{rank}{suit}" for rank in ASCENDING]
        for size in range(3, 6):
            yield from (tuple(whole[at : at + size]) for at in range(len(whole) - size + 1))


MELDS: Final = tuple(_melds())
"""All melds there are."""


def ways_to_meld(cards: frozenset[str], melds: Sequence[Meld]) -> Iterator[tuple[Meld, ...]]:
    """Yield all ways to lay some of these melds of cards, none at all among them."""
    yield ()
    for number, meld in enumerate(melds):
        if cards.issuperset(meld):
            for more in ways_to_meld(cards.difference(meld), melds[number + 1 :]):
                yield (meld, *more)


def layouts(cards: frozenset[str], onto: tuple[Meld, ...] = ()) -> Iterator[Layout]:
    """Yield all ways to lay cards down, as many as can be laid off onto another's melds."""
    for melds in ways_to_meld(cards, [meld for meld in MELDS if cards.issuperset(meld)]):
        left = in_order(cards.difference(*melds))
        laid = laid_off(left, onto)
        yield Layout(melds, laid, tuple(card for card in left if card not in laid))


@lru_cache(maxsize=4096)
def best(cards: frozenset[str], onto: tuple[Meld, ...] = ()) -> Layout:
    """Return the layout of cards with the least deadwood."""
    return min(layouts(cards, onto), key=lambda layout: (layout.deadwood, len(layout.melds)))


def laid_down(own: frozenset[str], other: frozenset[str]) -> tuple[Layout, Layout]:
    """Return the layouts of both hands after a knock: of the one that knocked, and of the other.

    Of ways that leave the one who knocked equally little it is that which leaves the other most.
    Onto gin nothing is laid off.
    """
    least = best(own).deadwood
    ways = [layout for layout in layouts(own) if layout.deadwood == least]
    pairs = [(layout, best(other, layout.melds if layout.rest else ())) for layout in ways]
    return max(pairs, key=lambda pair: pair[1].deadwood)


def laid_off(cards: Iterable[str], onto: Iterable[Meld]) -> tuple[str, ...]:
    """Return those of the cards that go on with another's melds, in the sequence they are laid."""
    # A set takes one card and ends, a run may take several: so runs have the first choice.
    grown = sorted((list(meld) for meld in onto), key=lambda meld: meld[0][0] == meld[1][0])
    left, laid = list(cards), list[str]()
    while fitting := [(card, meld) for meld in grown for card in left if goes_on(meld, card)]:
        card, meld = fitting[0]
        meld.append(card)
        left.remove(card)
        laid.append(card)
    return tuple(laid)


def goes_on(meld: Sequence[str], card: str) -> bool:
    """Return whether a card may be laid on a meld."""
    if meld[0][0] == meld[1][0]:
        return card[0] == meld[0][0]
    ranks = sorted(ASCENDING.index(laid[0]) for laid in meld)
    return card[1] == meld[0][1] and ASCENDING.index(card[0]) in {ranks[0] - 1, ranks[-1] + 1}
