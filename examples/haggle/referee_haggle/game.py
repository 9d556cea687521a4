"""The rules of Haggle behind the referee's protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from referee.games.defaults import Defaults
from referee.games.game import (
    CHANCE,
    Board,
    Document,
    Fact,
    Fault,
    Json,
    Option,
    Options,
    Order,
    Refusal,
    Result,
    Scene,
    Seat,
    View,
    replace,
)
from referee.games.play import nearest, places
from referee_haggle import position as positions
from referee_haggle.orders import COLOURS, KINDS, NOTATION, Deal, Play
from referee_haggle.position import BOARD, MOST_SPARE, SEATS, SPARE, Position
from referee_haggle.scene import scene


class Haggle(Defaults):
    """The rules of Haggle, first edition."""

    name: str = "haggle"
    edition: int = 1
    colours: tuple[Seat, ...] = COLOURS
    seats: range = SEATS
    max_orders: int = 120
    endings: frozenset[str] = frozenset({"taken"})
    options: Mapping[str, Option] = {
        "spare": Option(SPARE, "how many cards are in nobody's hand", least=0, most=MOST_SPARE)
    }
    order_types: Mapping[str, type[Order]] = KINDS
    resources: str = "referee_haggle"

    def board(
        self, seats: Sequence[Seat], options: Options, given: Board | None, rng: Random
    ) -> Board:
        del seats, options, rng
        return {"prizes": list(positions.read_board(BOARD if given is None else given))}

    def start(
        self, seats: Sequence[Seat], options: Options, board: Board | None = None
    ) -> Position:
        document: Any = {"game": self.name, "seats": list(seats), "spare": options["spare"]}
        return positions.load({**document, "board": board or BOARD})

    def to_act(self, position: Position) -> Seat | None:
        if position.over:
            return None
        return CHANCE if position.due is not None else position.seats[position.playing]

    def orders(self, position: Position) -> Sequence[Order]:
        return [Play(card) for card in position.hands[position.playing]]

    def chance(self, position: Position) -> Sequence[tuple[Order, int]]:
        seat = position.seats[position.due or 0]
        outcomes = [(Deal(seat, card), 1) for card in position.undealt]
        return sorted(outcomes, key=lambda each: self.format(each[0], "en"))

    def refusal(self, position: Position, order: Order) -> Refusal | None:
        if isinstance(order, Play) and order.card in position.hands[position.playing]:
            return None
        legal = nearest(order, self.orders(position))
        if isinstance(order, Play):
            return Refusal("not-held", "Haggle 3", {"card": order.card}, legal)
        return Refusal("only-chance", "Haggle 1", {}, legal)

    def apply(self, position: Position, order: Order) -> tuple[Position, tuple[Fact, ...]]:
        if isinstance(order, Deal):
            return _dealt(position, order)
        if isinstance(order, Play):
            return _played(position, order.card)
        raise TypeError(f"no order of Haggle: {order!r}")

    def forced(self, position: Position) -> Order | None:  # noqa: ARG002 - cards are hidden
        return None

    def idle(self, position: Position) -> Order | None:
        if self.to_act(position) in {None, CHANCE}:
            return None
        return Play(position.hands[position.playing][0])

    def view(self, position: Position, seat: Seat | None) -> View:
        """Return everything but the cards in others' hands; of those, how many."""
        document: Any = positions.dump(position)
        hands = document["hands"]
        document["hands"] = {seat: hands[seat]} if seat in hands else {}
        document["held"] = {each: len(hand) for each, hand in hands.items()}
        document["points"] = dict(self.points(position))
        document["to_act"] = self.to_act(position)
        return View(seat, document)

    def scene(self, view: View) -> Scene:
        return scene(view)

    def points(self, position: Position) -> Mapping[Seat, int]:
        points = dict.fromkeys(position.seats, 0)
        for seat, worth in zip(position.winners, position.prizes, strict=False):
            points[seat] += worth
        return points

    def result(self, position: Position) -> Result | None:
        if not position.over:
            return None
        points = self.points(position)
        return Result("taken", points, places(points))

    def redeal(self, position: Position, seat: Seat | None, rng: Random) -> Position:
        """Return the position, the cards the seat has not seen dealt anew."""
        others = [h for s, h in zip(position.seats, position.hands, strict=True) if s != seat]
        unseen = [*position.undealt, *(card for hand in others for card in hand)]
        rng.shuffle(unseen)
        hands = [
            hand if each == seat else tuple(sorted(unseen.pop() for _ in hand))
            for each, hand in zip(position.seats, position.hands, strict=True)
        ]
        return replace(position, hands=tuple(hands))

    def parse(self, line: str, language: str) -> Order:
        return NOTATION.parse(line, language)

    def format(self, order: Order, language: str) -> str:
        return NOTATION.format(order, language)

    def canonical(self, position: Position, order: Order) -> Order:  # noqa: ARG002 - one spelling
        return order

    def load(self, document: Json) -> Position:
        return positions.load(document)

    def dump(self, position: Position) -> Document:
        return positions.dump(position)

    def check(self, document: Json) -> Sequence[Fault]:
        return positions.check(document)

    def pieces(self, position: Position) -> Mapping[str, int]:  # noqa: ARG002 - none can leave
        return {}


def _dealt(position: Position, order: Deal) -> tuple[Position, tuple[Fact, ...]]:
    """Return the position after a seat was dealt a card; it is told when its hand is full."""
    seat = position.seats.index(order.seat)
    hand = tuple(sorted((*position.hands[seat], order.card)))
    hands = (*position.hands[:seat], hand, *position.hands[seat + 1 :])
    after = replace(position, hands=hands)
    if after.due == seat:
        return after, ()
    return after, (Fact("dealt", {"cards": list(hand)}, frozenset({order.seat}), news=True),)


def _played(position: Position, card: int) -> tuple[Position, tuple[Fact, ...]]:
    """Return the position after a card was played; the last of a round decides it (Haggle 4)."""
    seat = position.playing
    hand = tuple(each for each in position.hands[seat] if each != card)
    hands = (*position.hands[:seat], hand, *position.hands[seat + 1 :])
    table = (*position.table[:seat], card, *position.table[seat + 1 :])
    after = replace(position, hands=hands, table=table)
    played = Fact("played", {"seat": position.seats[seat], "card": card})
    if 0 in table:
        return after, (played,)
    winner = position.seats[table.index(max(table))]
    worth = position.prizes[len(position.winners)]
    after = replace(
        after,
        table=(0,) * len(table),
        spent=tuple(sorted((*position.spent, *table))),
        winners=(*position.winners, winner),
    )
    return after, (played, Fact("won", {"seat": winner, "prize": worth}))
