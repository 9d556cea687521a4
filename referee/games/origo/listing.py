"""The legal orders of the seat to act, canonical and complete, each made once and shared."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from referee.games.game import Order, Seat
from referee.games.grid import bits, components
from referee.games.origo.orders import (
    Add,
    Attack,
    Done,
    Exchange,
    Expand,
    Migrate,
    Pass,
    Place,
    Sail,
    Start,
    Yield,
)
from referee.games.origo.position import (
    ACTIONS,
    OVER,
    PLACE,
    START,
    Position,
)
from referee.games.origo.rules.combat import attackable, valid_cards
from referee.games.origo.rules.moves import open_squares
from referee.games.origo.squares import ALL, MASK, NAME, WIDTH, beside

_DONE: Final = Done()
_PASS: Final = Pass()
_YIELD: Final = Yield()
_PLACES: Final = {mask: Place(square) for square, mask in MASK.items()}


def legal_orders(position: Position) -> list[Order]:
    """Return every legal order of the seat to act, canonical and in a stable sequence."""
    if position.chance or position.phase == OVER:
        return []
    if position.phase == PLACE:
        free = open_squares(position)
        return [order for mask, order in _PLACES.items() if mask & free]
    if position.phase == START:
        return [_start(seat) for seat in position.seats]
    if position.combat is not None:
        cards = valid_cards(position, position.actor, position.combat.square)
        named = position.board.cards
        # Yielding is always open, and never forced: an answer without choice would tell the hand.
        return [*(_add(named[card]) for card in dict.fromkeys(cards)), _YIELD]
    turn, sea = position.turn, position.board.sea
    own, free = position.shields[position.seat], ALL & ~position.occupied
    orders: list[Order] = []
    if turn.actions < ACTIONS and position.supply[position.seat]:
        # Equal cards allow the same orders, which must not be listed twice.
        for card in dict.fromkeys(position.hands[position.seat]):
            expansion = _expansions(position.board.cards[card])
            orders += map(expansion.__getitem__, bits(allowed(position, card)))
        for square, cards in attackable(position):
            orders += _attacks(NAME[square], tuple(position.board.named(cards)))
    migrating = 0 if turn.migrated or turn.exchanged else own & ~sea
    sailing = own & sea & ~turn.sailed
    # All shields of a chain reach the same squares (Origo 3), so they are computed once for each.
    for part in components(own, WIDTH):
        goals = tuple(bits(beside(part) & free))
        for start in bits(part & migrating):
            orders += map(_moves(Migrate, start).__getitem__, goals)
        for start in bits(part & sailing):
            orders += map(_moves(Sail, start).__getitem__, goals)
    # A turn has one migration or one exchange, not both.
    if not turn.migrated and not turn.exchanged:
        orders += _exchanges(tuple(position.board.named(position.hands[position.seat])))
    orders.append(_DONE if turn.begun else _PASS)
    return orders


@lru_cache(maxsize=16)
def _start(seat: Seat) -> Start:
    return Start(seat)


@lru_cache(maxsize=1024)
def _add(card: str) -> Add:
    return Add(card)


def allowed(position: Position, card: int) -> int:
    """Return the free squares a card lets the seat expand to."""
    board = position.board
    own = position.shields[position.seat]
    mask = beside(own) if card == board.people else board.allows[card]
    return mask & ~position.occupied


@lru_cache(maxsize=1024)
def _expansions(card: str) -> dict[int, Expand]:
    """Return the expansions with a card, by square."""
    return {mask: Expand(square, card) for mask, square in NAME.items()}


@cache
def _moves(kind: type[Migrate | Sail], start: int) -> dict[int, Order]:
    """Return the moves from a square, by the square they reach."""
    return {mask: kind(NAME[start], square) for mask, square in NAME.items()}


@lru_cache(maxsize=4096)
def _exchanges(hand: tuple[str, ...]) -> tuple[Exchange, ...]:
    return tuple(Exchange(pair) for pair in dict.fromkeys(combinations(hand, 2)))


@lru_cache(maxsize=512)
def _attacks(square: str, cards: tuple[str, ...]) -> tuple[Attack, ...]:
    """Return an attack for every distinct choice among some sorted cards."""
    # Every subset may open an attack: the attacker adds as many cards as they like (Origo 3).
    choices = (choice for size in range(1, len(cards) + 1) for choice in combinations(cards, size))
    return tuple(Attack(square, choice) for choice in dict.fromkeys(choices))
