"""Nord as a game of the referee: the rules behind the protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from referee.games.defaults import Defaults
from referee.games.game import Board, Fact, Option, Options, Order, Refusal, Result, Seat, replace
from referee.games.grid import parse_space
from referee.games.nord.board import make
from referee.games.nord.documents import check, dump, first_position, load, redeal, view
from referee.games.nord.orders import COLOURS, NOTATION, Attack, Place
from referee.games.nord.position import Position, to_act
from referee.games.nord.rules import turn
from referee.games.nord.rules.attack import canonical_attack
from referee.games.nord.rules.piles import outcomes
from referee.games.nord.rules.scoring import final_places
from referee.games.nord.scene import attack_ways, scene, scored_sheets
from referee.games.play import nearest

SCORED = "scored"
"""The only ending of Nord: the fourth scoring and the treasures."""


class Nord(Defaults):
    """The rules of Nord, first edition."""

    name: str = "nord"
    edition: int = 1
    colours: tuple[Seat, ...] = COLOURS
    seats: range = range(2, 5)
    max_orders: int = 5000
    endings: frozenset[str] = frozenset({SCORED})
    options: Mapping[str, Option] = {
        "island": Option(
            default="standard",
            about="standard, variable, or the name of an island in the board file",
        ),
        "margin": Option(default=2, about="spaces of sea around the island", least=1, most=4),
    }
    order_types: Mapping[str, type[Order]] = NOTATION.order_types
    resources: str = "referee.games.nord"

    to_act = staticmethod(to_act)
    orders = staticmethod(turn.legal_orders)
    chance = staticmethod(outcomes)
    forced = staticmethod(turn.forced_order)
    view = staticmethod(view)
    redeal = staticmethod(redeal)
    scene = staticmethod(scene)
    scoresheets = staticmethod(scored_sheets)
    moves = staticmethod(attack_ways)
    parse = staticmethod(NOTATION.parse)
    format = staticmethod(NOTATION.format)
    load = staticmethod(load)
    dump = staticmethod(dump)
    check = staticmethod(check)

    def board(
        self, seats: Sequence[Seat], options: Options, given: Board | None, rng: Random
    ) -> Board:
        return make(len(seats), str(options["island"]), int(options["margin"]), given, rng)

    def start(
        self, seats: Sequence[Seat], options: Options, board: Board | None = None
    ) -> Position:
        if board is None:
            if options["island"] == "variable":
                raise ValueError("a variable island needs the board built for the match")
            # A standard island draws nothing, so any generator will do.
            board = self.board(seats, options, None, Random(0))
        return first_position(seats, board)

    def refusal(self, position: Position, order: Order) -> Refusal | None:
        # Sorted, as the sequence of the spaces does not matter (Nord A1).
        refused = turn.why_not(position, _in_board_order(order))
        if refused is None:
            return None
        return replace(refused, legal=nearest(order, self.orders(position)))

    def apply(self, position: Position, order: Order) -> tuple[Position, tuple[Fact, ...]]:
        after, facts = turn.after_order(position, order)
        return after, tuple(facts)

    def idle(self, position: Position) -> Order | None:  # noqa: ARG002 - the rules know no such order
        return None

    def points(self, position: Position) -> Mapping[Seat, int]:
        return dict(zip(position.seats, position.points, strict=True))

    def result(self, position: Position) -> Result | None:
        if position.phase != "over":
            return None
        return Result(SCORED, self.points(position), final_places(position))

    def canonical(self, position: Position, order: Order) -> Order:
        if isinstance(order, Attack) and position.phase == "attack":
            return canonical_attack(position, order)
        return _in_board_order(order)

    def pieces(self, position: Position) -> Mapping[str, int]:  # noqa: ARG002 - none can leave
        return {}


def _in_board_order(order: Order) -> Order:
    """Return a placement with its spaces in board order, other orders unchanged."""
    if not isinstance(order, Place):
        return order
    try:
        return Place(tuple(sorted(order.spaces, key=parse_space)))
    # Left as written: the refusal then names the space that is none.
    except ValueError:
        return order
