"""Cards, as every card game here reads, writes and sorts them.

A card is two letters, its rank and its suit: ``QS``, ``TH`` for the ten. Mails show ``Q♠`` and
``10♥``, German ones ``D♠``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from referee.games.game import Card, Mark, Secret, Sentence, Value

RANKS: Final = "AKQJT98765432"
SUITS: Final = "SHCD"
PACK: Final = tuple(f"{rank}{suit}" for suit in SUITS for rank in RANKS)
"""All cards, as a hand is sorted."""

PLACES: Final[Mapping[str, int]] = {card: place for place, card in enumerate(PACK)}

SIGNS: Final[Mapping[str, str]] = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}

RANK_WORDS: Final[Mapping[str, str]] = {
    "A": "a ace as ass", "K": "k king könig koenig", "Q": "q queen dame", "J": "j jack knave bube",
    "T": "t 10 ten zehn", "9": "9 nine neun", "8": "8 eight acht", "7": "7 seven sieben",
    "6": "6 six sechs", "5": "5 five fünf fuenf", "4": "4 four vier", "3": "3 three drei",
    "2": "2 two deuce zwei",
}  # fmt: skip
SUIT_WORDS: Final[Mapping[str, str]] = {
    "S": "♠ ♤ spades spade pik", "H": "♥ ♡ hearts heart herz",
    "C": "♣ ♧ clubs club kreuz treff", "D": "♦ ♢ diamonds diamond karo",
}  # fmt: skip

WRITTEN_RANKS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {"T": "10"},
    "de": {"T": "10", "Q": "D", "J": "B"},
}
"""How the ranks are written that are not their own letter, by language."""

_RANK_OF: Final = {word: rank for rank, words in RANK_WORDS.items() for word in words.split()}
_SUIT_OF: Final = {word: suit for suit, words in SUIT_WORDS.items() for word in words.split()}


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


_RANK, _SUIT = _any_of(_RANK_OF), _any_of(_SUIT_OF)
# German letters of ranks are letters of suits too, so they need a sign or a word beside them; and
# a suit's letter stands before a number alone, for "ha" is no ace of hearts, nor is "a heart".
_CARD: Final = (
    rf"(?<!\w)(?!a\s(?:spade|heart|club|diamond)\b)(?:(?:the|die|das|den)\s)?"
    rf"(?:(?:{_RANK}|[db])(?:\sof\s|\s?-?\s?)(?:{_SUIT})(?!\w)"
    rf"|(?:[akqjt2-9]|10)[shcd](?!\w)"
    rf"|(?:{_SUIT})\s?-?\s?(?:{_RANK}|[db])(?!\w)"
    r"|[shcd](?:10|[2-9])(?!\w))"
)
SIGHS: Final = frozenset({"ah", "Ah"})
"""Talk, though it could be the ace of hearts: that is "AH" or "play ah"."""

_ONE: Final = re.compile(_CARD)
_SEVERAL: Final = re.compile(rf"{_CARD}(?:[\s,;+&]+(?:(?:and|und)\s)?{_CARD})*")


@lru_cache(maxsize=2048)
def read_cards(text: str) -> tuple[str, ...]:
    """Return the cards that a text names, in any usual spelling; none if it is anything else."""
    said = " ".join(text.casefold().replace("\ufe0f", "").split())
    if not _SEVERAL.fullmatch(said):
        return ()
    return tuple(_read_card(written[0]) for written in _ONE.finditer(said))


def _read_card(text: str) -> str:
    said = re.sub(r"^(?:the|die|das|den)\s|\sof\s|[\s-]", "", text)
    for at in range(1, len(said)):
        for rank, suit in ((said[:at], said[at:]), (said[at:], said[:at])):
            of = _SUIT_OF.get(suit, suit.upper() if suit in {*"shcd"} else None)
            german = {"d": "Q", "b": "J"} if suit in _SUIT_OF else {}
            if of is not None and (rank in _RANK_OF or rank in german):
                return f"{_RANK_OF.get(rank) or german[rank]}{of}"
    raise AssertionError(f"no card: {text!r}")


def write_card(card: str, language: str) -> str:
    """Return a card as people read it: ``Q♠``."""
    return f"{write_rank(card[0], language)}{SIGNS[card[1]]}"


def write_rank(rank: str, language: str) -> str:
    """Return the letter or number of a rank in a language."""
    return WRITTEN_RANKS.get(language, WRITTEN_RANKS["en"]).get(rank, rank)


def in_order(cards: Iterable[str]) -> list[str]:
    """Return cards as a hand is sorted."""
    return sorted(cards, key=PLACES.__getitem__)


def said_card(card: str | None) -> Sentence | None:
    """Return a card as it stands in a table."""
    return None if card is None else Sentence("card", {"card": card})


def card_on_table(card: str | None) -> tuple[Mark, ...]:
    """Return the mark of a card that lies open, if there is one."""
    return () if card is None else (Mark(f"{card[0]}{SIGNS[card[1]]}", "card"),)


def hand_of(title: str, cards: Sequence[str]) -> Secret:
    """Return a hand as only its seat sees it."""
    return Secret(title, tuple(Card(Sentence("card", {"card": card})) for card in cards))


class Trick(Value):
    """A trick of four: the number of the player who led, and the cards in sequence."""

    leader: int
    cards: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether everybody has played."""
        return len(self.cards) == 4

    @property
    def player(self) -> int:
        """Who plays the next card."""
        return (self.leader + len(self.cards)) % 4

    @property
    def by_player(self) -> list[tuple[int, str]]:
        """The cards in sequence, each with its player."""
        return [((self.leader + number) % 4, card) for number, card in enumerate(self.cards)]

    @property
    def winner(self) -> int:
        """Who takes it without a trump: the highest card of the suit led."""
        suited = (
            (PLACES[card], player) for player, card in self.by_player if card[1] == self.cards[0][1]
        )
        return min(suited)[1]
