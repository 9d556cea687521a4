"""The legal orders of the seat to act, canonical and complete.

Orders are made once and shared. Squares are looked up a row at a time, because the pattern of one
row returns far more often than that of a whole board.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final

from referee.games.game import Order, Seat
from referee.games.grid import components
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
from referee.games.origo.squares import ALL, MASK, NAME, ROW, SIDE, WIDTH, beside, square_names

_SHIFTS: Final = tuple(r * WIDTH for r in range(SIDE))
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
    return _turn(position)


@lru_cache(maxsize=16)
def _start(seat: Seat) -> Start:
    return Start(seat)


@lru_cache(maxsize=1024)
def _add(card: str) -> Add:
    return Add(card)


def _turn(position: Position) -> list[Order]:
    turn = position.turn
    orders: list[Order] = []
    if turn.actions < ACTIONS and position.supply[position.seat]:
        # Equal cards allow the same orders, which must not be listed twice.
        for card in dict.fromkeys(position.hands[position.seat]):
            for row, pattern in _patterns(allowed(position, card)):
                orders += _expansions(position.board.cards[card], row, pattern)
        for square, cards in attackable(position):
            orders += _attacks(NAME[square], tuple(position.board.named(cards)))
    _add_moves(position, orders)
    # A turn has one migration or one exchange, not both.
    if not turn.migrated and not turn.exchanged:
        orders += _exchanges(tuple(position.board.named(position.hands[position.seat])))
    orders.append(_DONE if turn.begun else _PASS)
    return orders


def allowed(position: Position, card: int) -> int:
    """Return the free squares a card lets the seat expand to."""
    board = position.board
    own = position.shields[position.seat]
    mask = beside(own) if card == board.people else board.allows[card]
    return mask & ~position.occupied


def _patterns(mask: int) -> Iterator[tuple[int, int]]:
    """Yield the non-empty rows of a mask, with the squares of each."""
    for row, shift in enumerate(_SHIFTS):
        if pattern := mask >> shift & ROW:
            yield row, pattern


@lru_cache(maxsize=2048)
def _squares(row: int, pattern: int) -> tuple[str, ...]:
    return tuple(square_names(pattern << _SHIFTS[row]))


@lru_cache(maxsize=16384)
def _expansions(card: str, row: int, pattern: int) -> tuple[Expand, ...]:
    return tuple(Expand(square, card) for square in _squares(row, pattern))


@lru_cache(maxsize=16384)
def _migrations(start: str, row: int, pattern: int) -> tuple[Migrate, ...]:
    return tuple(Migrate(start, goal) for goal in _squares(row, pattern))


@lru_cache(maxsize=16384)
def _sailings(start: str, row: int, pattern: int) -> tuple[Sail, ...]:
    return tuple(Sail(start, goal) for goal in _squares(row, pattern))


def _add_moves(position: Position, orders: list[Order]) -> None:
    """Add migrations and sailings."""
    turn, sea = position.turn, position.board.sea
    own, free = position.shields[position.seat], ALL & ~position.occupied
    migrating = 0 if turn.migrated or turn.exchanged else own & ~sea
    sailing = own & sea & ~turn.sailed
    # All shields of a chain reach the same squares (Origo 3), so they are computed once for each.
    for part in components(own, WIDTH):
        patterns = list(_patterns(beside(part) & free))
        for start in square_names(part & migrating):
            for row, pattern in patterns:
                orders += _migrations(start, row, pattern)
        for start in square_names(part & sailing):
            for row, pattern in patterns:
                orders += _sailings(start, row, pattern)


@lru_cache(maxsize=4096)
def _exchanges(hand: tuple[str, ...]) -> tuple[Exchange, ...]:
    return tuple(Exchange(pair) for pair in dict.fromkeys(combinations(hand, 2)))


@lru_cache(maxsize=512)
def _attacks(square: str, cards: tuple[str, ...]) -> tuple[Attack, ...]:
    """Return an attack for every distinct choice among some sorted cards."""
    # Every subset may open an attack: the attacker adds as many cards as they like (Origo 3).
    choices = (choice for size in range(1, len(cards) + 1) for choice in combinations(cards, size))
    return tuple(Attack(square, choice) for choice in dict.fromkeys(choices))
