"""Origo as a game of the referee: the rules behind the protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, get_args

from referee.games.defaults import Defaults
from referee.games.game import Board, Fact, Option, Options, Order, Refusal, Result, Seat, replace
from referee.games.origo.board import RECONSTRUCTED, make
from referee.games.origo.documents import check, dump, first_position, load, redeal, shields, view
from referee.games.origo.legal import legal_orders, nearest_legal, never, why_not
from referee.games.origo.orders import (
    COLOURS,
    NOTATION,
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
from referee.games.origo.policies import (
    POLICY_TYPES,
    follow_policy,
    opening,
    read_policy,
    write_policy,
)
from referee.games.origo.position import Position, to_act
from referee.games.origo.rules import rounds
from referee.games.origo.rules.combat import add_card, give_up, has_no_answer, open_combat
from referee.games.origo.rules.moves import expand, move_shield, place_shield
from referee.games.origo.scene import scene, shield_ways, tribe_sheets
from referee.games.play import places
from referee.games.policies import Policy

ACTS: Final[Mapping[type[Order], Callable[[Position, Any], tuple[Position, list[Fact]]]]] = {
    Migrate: move_shield,
    Sail: move_shield,
    Draw: rounds.draw_card,
    Expand: expand,
    Place: place_shield,
    Attack: open_combat,
    Exchange: rounds.exchange,
    Start: rounds.name_start,
}
"""The functions that play the kinds of orders which are the same whatever was before."""


def after_order(position: Position, order: Order) -> tuple[Position, list[Fact]]:
    """Return the position after a legal order, and the facts."""
    if act := ACTS.get(type(order)):
        return act(position, order)
    if position.combat is not None:
        if isinstance(order, Add):
            return add_card(position, position.combat, order)
        return give_up(position, position.combat)
    # The turn ends, and cards are drawn next. Without any action it is a pass, whatever its name.
    passed = not position.turn.begun
    fact = Fact("passed" if passed else "done", {"seat": position.colour})
    after = replace(
        position,
        turn=position.turn._replace(ended=True),
        passed=position.passed | 1 << position.seat if passed else position.passed,
    )
    after, more = rounds.settle(after)
    return after, [fact, *more]


class Origo(Defaults):
    """The rules of Origo, first edition."""

    name: str = "origo"
    edition: int = 1
    colours: tuple[Seat, ...] = COLOURS
    seats: range = range(2, 6)
    max_orders: int = 500_000
    endings: frozenset[str] = frozenset(get_args(rounds.Ending))
    options: Mapping[str, Option] = {
        "board": Option(default=RECONSTRUCTED, about="the board; a board file takes its place")
    }
    order_types: Mapping[str, type[Order]] = NOTATION.order_types
    policies: Mapping[str, type[Policy]] = POLICY_TYPES
    resources: str = "referee.games.origo"

    to_act = staticmethod(to_act)
    orders = staticmethod(legal_orders)
    chance = staticmethod(rounds.outcomes)
    view = staticmethod(view)
    redeal = staticmethod(redeal)
    scene = staticmethod(scene)
    scoresheets = staticmethod(tribe_sheets)
    moves = staticmethod(shield_ways)
    parse = staticmethod(NOTATION.parse)
    format = staticmethod(NOTATION.format)
    format_policy = staticmethod(write_policy)
    opening = staticmethod(opening)
    follow = staticmethod(follow_policy)
    never = staticmethod(never)
    load = staticmethod(load)
    dump = staticmethod(dump)
    check = staticmethod(check)
    pieces = staticmethod(shields)

    def board(
        self, seats: Sequence[Seat], options: Options, given: Board | None, rng: Random
    ) -> Board:
        del seats, rng
        return make(str(options["board"]), given)

    def start(
        self, seats: Sequence[Seat], options: Options, board: Board | None = None
    ) -> Position:
        if board is None:
            board = make(str(options["board"]), None)
        return first_position(seats, board)

    def refusal(self, position: Position, order: Order) -> Refusal | None:
        refused = why_not(position, self.canonical(position, order))
        if refused is None:
            return None
        return replace(refused, legal=nearest_legal(order, self.orders(position)))

    def apply(self, position: Position, order: Order) -> tuple[Position, tuple[Fact, ...]]:
        after, facts = after_order(position, order)
        return after, tuple(facts)

    def forced(self, position: Position) -> Order | None:
        combat = position.combat
        return Yield() if combat is not None and has_no_answer(position, combat) else None

    def idle(self, position: Position) -> Order | None:
        if position.chance:
            return None
        # Whoever is out of time gives up; a card must be the player's own choice (Origo 7).
        if position.phase == "combat":
            return Yield()
        if position.phase == "turn":
            return Done() if position.turn.begun else Pass()
        return None

    def points(self, position: Position) -> Mapping[Seat, int]:
        return dict(zip(position.seats, position.path, strict=True))

    def result(self, position: Position) -> Result | None:
        if position.phase != "over":
            return None
        points = self.points(position)
        return Result(rounds.end_due(position) or "quiet", points, places(points))

    def canonical(self, position: Position, order: Order) -> Order:  # noqa: ARG002 - no context
        if isinstance(order, Attack | Exchange):
            # The sequence of cards means nothing, and a repeat must be known as one.
            return replace(order, cards=tuple(sorted(order.cards)))
        return order

    def parse_policy(self, line: str, language: str) -> Policy:  # noqa: ARG002 - read in any
        return read_policy(line)

    def interrupted(self, position: Position) -> Seat | None:
        # The turn's owner, also while they are the one to answer: what their letter holds below the
        # attack waits until the combat is over. To name a start player is no turn (Origo 4).
        return position.colour if position.phase in {"combat", "start"} else None
