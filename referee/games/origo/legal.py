"""Legal orders, each made once and shared; refusals, each with the paragraph behind it.

Nothing here looks at what is hidden from the seat to act.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from heapq import nsmallest
from itertools import combinations
from typing import Final

from referee.games.game import Json, Order, Refusal
from referee.games.grid import bits, components, flood
from referee.games.origo.orders import (
    Add,
    Attack,
    Done,
    Draw,
    Exchange,
    Expand,
    Migrate,
    Pass,
    Place,
    Sail,
    Start,
    Yield,
)
from referee.games.origo.position import ACTIONS, EXCHANGED, Position, owner_of
from referee.games.origo.rules.combat import attackable, open_areas, valid_cards
from referee.games.origo.rules.moves import open_squares
from referee.games.origo.squares import ALL, MASK, NAME, NEAR, WIDTH, beside
from referee.games.play import nearest as most_alike

_DONE: Final = Done()
_PASS: Final = Pass()
_YIELD: Final = Yield()
_PLACES: Final = {mask: Place(square) for square, mask in MASK.items()}


def legal_orders(position: Position) -> list[Order]:
    """Return every legal order of the seat to act, canonical and in a stable sequence."""
    if position.chance or position.phase == "over":
        return []
    if position.phase == "place":
        free = open_squares(position)
        return [order for mask, order in _PLACES.items() if mask & free]
    if position.phase == "start":
        return [Start(seat) for seat in position.seats]
    if position.combat is not None:
        cards = valid_cards(position, position.actor, position.combat.square)
        named = position.board.cards
        # Yielding is always open, and never forced by the hand: that would tell of it.
        return [*(Add(named[card]) for card in dict.fromkeys(cards)), _YIELD]
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


COMPARED: Final = 60
"""Legal orders that are compared closely with a refused one: those with most words in common."""

SETUP: Final = "Origo §2 Set-up"
TURN_RULE: Final = "Origo §3 A round and a turn"
EXPANSION: Final = "Origo §3 Expansion"
MOVING: Final = "Origo §3 Migration and sailing"
ATTACK: Final = "Origo §3 Attack"
NAMING: Final = "Origo §4 Tribe scoring"


def nearest_legal(order: Order, listed: Sequence[Order]) -> tuple[Order, ...]:
    """Return the legal orders most like one that was refused."""
    wanted, kind = _words(order), type(order)

    def unlike(other: Order) -> tuple[bool, int]:
        return type(other) is not kind, -len(wanted & _words(other))

    # Who ended a turn by the wrong word is shown the right one first.
    if isinstance(order, Done | Pass | Yield):
        listed = sorted(listed, key=lambda other: not isinstance(other, Done | Pass | Yield))
    # A hand can allow a great many attacks; only the closest are compared exactly.
    close = listed if len(listed) <= COMPARED else nsmallest(COMPARED, listed, key=unlike)
    return most_alike(order, close)


def _words(order: Order) -> set[str]:
    values = [getattr(order, name) for name in order.__struct_fields__]
    return {word for value in values for word in (value if isinstance(value, tuple) else (value,))}


def why_not(position: Position, order: Order) -> Refusal | None:
    """Return why the seat to act may not play a canonical order, without suggestions."""
    if isinstance(order, Draw):
        return Refusal("only-chance", TURN_RULE)
    if position.phase == "place":
        if not isinstance(order, Place):
            return Refusal("place-first", SETUP)
        if refused := _no_square(SETUP, order.square) or _occupied(position, SETUP, order.square):
            return refused
        square = MASK[order.square]
        if square & open_squares(position):
            return None
        land = position.board.land_at[square]
        about: dict[str, Json] = {
            "square": order.square,
            "area": position.board.lands[land],
            "most": position.board.limits[land],
        }
        return Refusal("land-capped", SETUP, about)
    if position.phase == "start":
        if not isinstance(order, Start):
            return Refusal("name-start", NAMING)
        known = order.seat in position.seats
        return None if known else Refusal("no-such-seat", NAMING, {"text": order.seat})
    combat = position.combat
    if combat is None:
        return _turn(position, order)
    if isinstance(order, Yield):
        return None
    if not isinstance(order, Add):
        return Refusal("in-combat", ATTACK, {"square": NAME[combat.square]})
    # The actor's own hand may be named: the refusal goes to nobody else.
    cards = (order.card,)
    return _not_held(position, ATTACK, cards) or _not_valid(position, combat.square, cards)


_FOR_GOOD: Final = frozenset(
    {
        "no-actions-left", "no-cards", "no-start-to-name", "no-such-card", "no-such-square",
        "nobody-there", "on-land", "on-sea", "own-shield", "placing-over", "something-done",
        "supply-empty", "two-cards", "already-exchanged", "already-migrated",
    }
)  # fmt: skip
"""Refusals that no combat's end changes within a turn."""


def never(position: Position, order: Order) -> Refusal | None:
    """Return why an order has become impossible in a turn that goes on after its combat."""
    refused = _turn(position, order)
    if refused is None or refused.code in _FOR_GOOD:
        return refused
    # Other refusals may vanish: the combat can free the square or change the hand. But what a card
    # allows is printed on the board, and a shield of others leaves its square only by a combat.
    board, combat = position.board, position.combat
    if isinstance(order, Expand):
        square, card = MASK[order.square], board.number.get(order.card)
        if card is None:
            return Refusal("no-such-card", EXPANSION, {"text": order.card})
        if card != board.people and not square & board.allows[card]:
            about = {"card": order.card, "square": order.square}
            return Refusal("card-elsewhere", EXPANSION, about)
        if combat and square != combat.square and not square & position.shields[position.seat]:
            return _occupied(position, EXPANSION, order.square)
    elif isinstance(order, Attack):
        fitting = board.fitting[MASK[order.square]] | {board.people}
        for name in order.cards:
            if board.number.get(name) not in fitting:
                return Refusal("card-not-valid", ATTACK, {"card": name, "square": order.square})
    return None


def _turn(position: Position, order: Order) -> Refusal | None:
    if isinstance(order, Expand):
        # The hand before the square: a card not held is wrong wherever it was to be played.
        if refused := (
            _card_action(position, EXPANSION, order.square)
            or _not_held(position, EXPANSION, (order.card,))
            or _occupied(position, EXPANSION, order.square)
        ):
            return refused
        card = position.board.number[order.card]
        if MASK[order.square] & allowed(position, card):
            return None
        if card == position.board.people:
            return Refusal("not-next-to-own", EXPANSION, {"square": order.square})
        return Refusal("card-elsewhere", EXPANSION, {"card": order.card, "square": order.square})
    if isinstance(order, Attack):
        return _card_action(position, ATTACK, order.square) or _attack(position, order)
    if isinstance(order, Migrate | Sail):
        return _moving(position, order)
    if isinstance(order, Exchange):
        if refused := _moved(position):
            return refused
        if len(order.cards) != EXCHANGED:
            return Refusal("two-cards", TURN_RULE, {"number": len(order.cards)})
        return _not_held(position, TURN_RULE, order.cards)
    if isinstance(order, Done):
        return None if position.turn.begun else Refusal("nothing-done", TURN_RULE)
    if isinstance(order, Pass):
        return Refusal("something-done", TURN_RULE) if position.turn.begun else None
    if isinstance(order, Place):
        return Refusal("placing-over", SETUP)
    if isinstance(order, Start):
        return Refusal("no-start-to-name", NAMING)
    return Refusal("no-combat", ATTACK)


def _card_action(position: Position, rule: str, square: str) -> Refusal | None:
    """Refuse a card action that this turn no longer allows."""
    if refused := _no_square(rule, square):
        return refused
    if position.turn.actions >= ACTIONS:
        return Refusal("no-actions-left", TURN_RULE, {"most": ACTIONS})
    if not position.supply[position.seat]:
        return Refusal("supply-empty", TURN_RULE)
    return None


def _attack(position: Position, order: Attack) -> Refusal | None:
    square = MASK[order.square]
    area = position.board.area_at[square]
    about: dict[str, Json] = {"square": order.square, "area": area}
    owner = owner_of(position, square)
    if owner < 0:
        return Refusal("nobody-there", ATTACK, about)
    if owner == position.seat:
        return Refusal("own-shield", ATTACK, about)
    if not square & open_areas(position):
        at_sea = square & position.board.sea
        return Refusal("sea-not-full" if at_sea else "land-not-founded", ATTACK, about)
    if not NEAR[square] & position.shields[position.seat]:
        return Refusal("not-next-to-own", ATTACK, about)
    if not order.cards:
        return Refusal("no-cards", ATTACK, about)
    return _not_held(position, ATTACK, order.cards) or _not_valid(position, square, order.cards)


def _not_valid(position: Position, square: int, cards: Sequence[str]) -> Refusal | None:
    """Refuse cards in hand that do not count in this combat."""
    board = position.board
    valid = valid_cards(position, position.actor, square)
    for card in cards:
        if board.number[card] not in valid:
            return Refusal("card-not-valid", ATTACK, {"card": card, "square": NAME[square]})
    return None


def _not_held(position: Position, rule: str, cards: Sequence[str]) -> Refusal | None:
    """Refuse cards that the hand of the seat to act does not hold, or not so often."""
    hand = Counter(position.board.named(position.hands[position.actor]))
    for card, number in Counter(cards).items():
        if card not in position.board.number:
            return Refusal("no-such-card", rule, {"text": card})
        if number > hand[card]:
            about: dict[str, Json] = {"card": card, "held": hand[card], "number": number}
            return Refusal("not-in-hand", rule, about)
    return None


def _moved(position: Position) -> Refusal | None:
    """Refuse a second migration or exchange, and one beside the other."""
    if position.turn.migrated:
        return Refusal("already-migrated", TURN_RULE)
    if position.turn.exchanged:
        return Refusal("already-exchanged", TURN_RULE)
    return None


def _moving(position: Position, order: Migrate | Sail) -> Refusal | None:
    sails, own = isinstance(order, Sail), position.shields[position.seat]
    refused = None if sails else _moved(position)
    if refused := refused or _no_square(MOVING, order.start):
        return refused
    start, about = MASK[order.start], {"square": order.start}
    if not start & own:
        return Refusal("no-own-shield", MOVING, about)
    if sails != bool(start & position.board.sea):
        return Refusal("on-land" if sails else "on-sea", MOVING, about)
    if sails and start & position.turn.sailed:
        return Refusal("already-sailed", MOVING, about)
    if refused := _no_square(MOVING, order.goal) or _occupied(position, MOVING, order.goal):
        return refused
    if MASK[order.goal] & beside(flood(start, own, WIDTH)):
        return None
    return Refusal("out-of-reach", MOVING, {"start": order.start, "goal": order.goal})


def _no_square(rule: str, square: str) -> Refusal | None:
    if square in MASK:
        return None
    return Refusal("no-such-square", rule, {"square": square})


def _occupied(position: Position, rule: str, square: str) -> Refusal | None:
    owner = owner_of(position, MASK[square])
    if owner < 0:
        return None
    return Refusal("occupied", rule, {"square": square, "seat": position.seats[owner]})
