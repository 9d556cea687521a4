"""Origo as a game of the referee: the rules behind the protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

from referee.games.documents import Node
from referee.games.game import (
    CHANCE,
    Board,
    Document,
    Fact,
    Fault,
    Json,
    Move,
    Option,
    Options,
    Order,
    Refusal,
    Result,
    Scene,
    Scoresheet,
    Seat,
    View,
    replace,
)
from referee.games.origo import check, documents, listing, loading, policies, scene, tables, view
from referee.games.origo.boards import RECONSTRUCTED, make, read_board
from referee.games.origo.orders import (
    COLOURS,
    NOTATION,
    ORDER_TYPES,
    Attack,
    Done,
    Exchange,
    Pass,
    Yield,
)
from referee.games.origo.position import COMBAT, OVER, START, TURN, Position
from referee.games.origo.refusals import nearest_legal, never, why_not
from referee.games.origo.rules import path
from referee.games.origo.rules.combat import has_no_answer
from referee.games.origo.rules.piles import outcomes
from referee.games.origo.rules.rounds import ENDINGS, QUIET, end_due
from referee.games.origo.rules.setup import first_position
from referee.games.origo.rules.turn import after_order
from referee.games.policies import Expired, Policy


class Origo:
    """The rules of Origo, first edition."""

    name: str = "origo"
    edition: int = 1
    colours: tuple[Seat, ...] = COLOURS
    seats: range = range(2, 6)
    max_orders: int = 500_000
    endings: frozenset[str] = frozenset(ENDINGS)
    options: Mapping[str, Option] = MappingProxyType(
        {"board": Option(default=RECONSTRUCTED, about="the board; a board file takes its place")}
    )
    order_types: Mapping[str, type[Order]] = MappingProxyType(ORDER_TYPES)
    policies: Mapping[str, type[Policy]] = MappingProxyType(policies.POLICY_TYPES)
    resources: str = "referee.games.origo"

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
        return first_position(tuple(seats), read_board(Node(board)))

    def to_act(self, position: Position) -> Seat | None:
        if position.phase == OVER:
            return None
        return CHANCE if position.chance else position.seats[position.actor]

    def orders(self, position: Position) -> Sequence[Order]:
        return listing.legal_orders(position)

    def chance(self, position: Position) -> Sequence[tuple[Order, int]]:
        return outcomes(position)

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
        if position.phase == COMBAT:
            return Yield()
        if position.phase == TURN:
            return Done() if position.turn.begun else Pass()
        return None

    def view(self, position: Position, seat: Seat | None) -> View:
        return view.view(position, seat)

    def scene(self, view: View) -> Scene:
        return scene.scene(view)

    def scoresheets(self, facts: Sequence[Fact]) -> Sequence[Fact | Scoresheet]:
        """Return facts, those of each scoring replaced by its sheet."""
        return tuple(tables.tribe_sheets(facts))

    def moves(self, facts: Sequence[Fact]) -> Sequence[Move]:
        """Return the ways that facts tell of."""
        return tuple(tables.shield_ways(facts))

    def points(self, position: Position) -> Mapping[Seat, int]:
        return dict(zip(position.seats, position.path, strict=True))

    def result(self, position: Position) -> Result | None:
        if position.phase != OVER:
            return None
        ranks = dict(zip(position.seats, path.path_places(position), strict=True))
        return Result(end_due(position) or QUIET, self.points(position), ranks)

    def redeal(self, position: Position, seat: Seat | None, rng: Random) -> Position:
        return view.redeal(position, seat, rng)

    def parse(self, line: str, language: str) -> Order:
        return NOTATION.parse(line, language)

    def format(self, order: Order, language: str) -> str:
        return NOTATION.format(order, language)

    def canonical(self, position: Position, order: Order) -> Order:  # noqa: ARG002 - no context
        if isinstance(order, Attack | Exchange):
            # The sequence of cards means nothing, and a repeat must be known as one.
            return replace(order, cards=tuple(sorted(order.cards)))
        return order

    def parse_policy(self, line: str, language: str) -> Policy:  # noqa: ARG002 - read in any
        return policies.read_policy(line)

    def format_policy(self, policy: Policy, language: str) -> str:
        return policies.write_policy(policy, language)

    def opening(self, policy: Policy) -> Order | None:
        return policies.opening(policy)

    def follow(self, position: Position, seat: Seat, policy: Policy) -> Order | Expired | None:
        return policies.follow_policy(position, seat, policy)

    def interrupted(self, position: Position) -> Seat | None:
        # The turn's owner, also while they are the one to answer: what their letter holds below the
        # attack waits until the combat is over. To name a start player is no turn (Origo 4).
        return position.colour if position.phase in {COMBAT, START} else None

    def never(self, position: Position, order: Order) -> Refusal | None:
        return never(position, order)

    def load(self, document: Json) -> Position:
        return loading.load(document)

    def dump(self, position: Position) -> Document:
        return documents.dump(position)

    def check(self, document: Json) -> Sequence[Fault]:
        return check.check(document)

    def pieces(self, position: Position) -> Mapping[str, int]:
        return check.shields(position)
