"""The rules of Pebbles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from referee.games.defaults import Defaults
from referee.games.game import (
    CHANCE,
    BadDocument,
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
    Value,
    View,
    replace,
)
from referee.games.play import nearest
from referee.games.policies import Expired, Policy
from referee_pebbles import policies, scene
from referee_pebbles import position as positions
from referee_pebbles.orders import COLOURS, KINDS, NOTATION, Bar, Draw, Let, Pass, Peek, Put
from referee_pebbles.position import BOARD, MOST_COLUMNS, ROWS, Position


class Pebbles(Defaults, Value):
    """The game in one edition."""

    edition: int
    name: ClassVar[str] = "pebbles"
    colours: ClassVar[tuple[Seat, ...]] = COLOURS
    seats: ClassVar[range] = range(2, 4)
    max_orders: ClassVar[int] = 40
    endings: ClassVar[frozenset[str]] = frozenset({"full", "passed"})
    options: ClassVar[Mapping[str, Option]] = {
        "hand": Option(2, "how many pebbles everybody holds", least=1, most=3)
    }
    order_types: ClassVar[Mapping[str, type[Order]]] = KINDS
    resources: ClassVar[str] = "referee_pebbles"
    draws: ClassVar[bool] = True

    def board(
        self, seats: Sequence[Seat], options: Options, given: Board | None, rng: Random
    ) -> Board:
        board = {**BOARD, **(given or {})}
        if board["rows"] not in range(1, len(ROWS) + 1):
            raise BadDocument("$.rows", "one or two rows")
        if board["columns"] not in range(1, MOST_COLUMNS + 1):
            raise BadDocument("$.columns", "one to five columns")
        return board

    def start(
        self, seats: Sequence[Seat], options: Options, board: Board | None = None
    ) -> Position:
        if len(seats) not in self.seats or len(set(seats)) != len(seats):
            raise ValueError("Pebbles is played by two or three different seats")
        return positions.load(
            {"seats": list(seats), "board": dict(board or BOARD), "hand": int(options["hand"])}
        )

    def to_act(self, position: Position) -> Seat | None:
        if position.ending():
            return None
        return CHANCE if position.drawing() else position.actor

    def orders(self, position: Position) -> Sequence[Order]:
        if position.asked:
            return [Let(), *(Bar(weight) for weight in sorted(set(position.hand(position.asked))))]
        seat, spaces = position.turn, position.open()
        said: list[str | None] = [None] if len(spaces) == 1 else [*spaces]
        puts = [Put(weight, s) for weight in sorted(set(position.hand(seat))) for s in said]
        peeks = [Peek(other) for other in position.seats if not _no_peek(position, other)]
        return [*puts, *peeks, Pass()]

    def chance(self, position: Position) -> Sequence[tuple[Order, int]]:
        seat = position.drawing() or ""
        return [(Draw(seat, weight), many) for weight, many in sorted(position.deck().items())]

    def refusal(self, position: Position, order: Order) -> Refusal | None:
        code, rule = _why_not(position, order)
        if not code:
            return None
        return Refusal(code, rule, legal=nearest(order, self.orders(position)))

    def apply(self, position: Position, order: Order) -> tuple[Position, tuple[Fact, ...]]:
        seat = position.turn
        match order:
            case Draw():
                return _drawn(position, order)
            case Put():
                return _put(position, order)
            case Peek() if self.edition == 1:
                return _peeked(position, order.seat)
            case Peek():
                told = Fact("asked", {"seat": seat, "at": order.seat})
                return replace(position, asked=order.seat), (told,)
            case Let():
                return _peeked(replace(position, asked=None), position.actor)
            case Bar():
                return _barred(position, order)
            case _:
                out = replace(position, passed=(*position.passed, seat))
                return replace(out, turn=out.after(seat)), (Fact("passed", {"seat": seat}),)

    def forced(self, position: Position) -> Order | None:
        acting = self.to_act(position) == position.turn
        return Pass() if acting and not position.hand(position.turn) else None

    def idle(self, position: Position) -> Order | None:
        if self.to_act(position) != position.actor:
            return None
        return Let() if position.asked else Pass()

    def view(self, position: Position, seat: Seat | None) -> View:
        document: Any = positions.dump(position)
        hands, seen = document.pop("hands"), document.pop("seen")
        document["held"] = {each: len(hand) for each, hand in hands.items()}
        document["peeked"] = sorted(seen)
        document["deck"] = position.deck().total()
        document["to_act"] = self.to_act(position)
        document["points"] = dict(self.points(position))
        document["own"] = hands.get(seat)
        document["seen"] = seen.get(seat)
        return View(seat, document)

    def scene(self, view: View) -> Scene:
        return scene.scene(view)

    def points(self, position: Position) -> Mapping[Seat, int]:
        points = dict.fromkeys(position.seats, 0)
        last = ROWS[position.rows - 1]
        for space, seat, weight in position.stones:
            points[seat] += weight * (2 if self.edition > 1 and space[0] == last else 1)
        return points

    def result(self, position: Position) -> Result | None:
        ending = position.ending()
        if ending is None:
            return None
        points = self.points(position)
        ranked = sorted(points.values(), reverse=True)
        return Result(ending, points, {s: ranked.index(n) + 1 for s, n in points.items()})

    def redeal(self, position: Position, seat: Seat | None, rng: Random) -> Position:
        known = [_known(position, seat, other) for other in position.seats]
        hidden = [Counter(h) - Counter(k) for h, k in zip(position.hands, known, strict=True)]
        pool = [*position.deck().elements(), *(w for each in hidden for w in each.elements())]
        rng.shuffle(pool)
        hands = tuple(
            tuple(sorted((*kept, *(pool.pop() for _ in range(each.total())))))
            for kept, each in zip(known, hidden, strict=True)
        )
        seen = tuple(
            (by, of, what if seat in (by, of) else _imagined(position, hands, of, what))
            for by, of, what in position.seen
        )
        return replace(position, hands=hands, seen=seen)

    def parse(self, line: str, language: str) -> Order:
        return NOTATION.parse(line, language)

    def format(self, order: Order, language: str) -> str:
        return NOTATION.format(order, language)

    @property
    def policies(self) -> Mapping[str, type[Policy]]:
        return policies.KINDS if self.edition > 1 else {}

    def parse_policy(self, line: str, language: str) -> Policy:
        return policies.parse(line, language, self.policies)

    def format_policy(self, policy: Policy, language: str) -> str:
        return policies.format(policy, language)

    def opening(self, policy: Policy) -> Order | None:
        return Peek(policy.seat) if isinstance(policy, policies.PeekOrPass) else None

    def follow(self, position: Position, seat: Seat, policy: Policy) -> Order | Expired | None:
        return policies.follow(position, seat, policy, acts=self.to_act(position) == seat)

    def never(self, position: Position, order: Order) -> Refusal | None:
        return None

    def interrupted(self, position: Position) -> Seat | None:
        return position.turn if position.asked else None

    def canonical(self, position: Position, order: Order) -> Order:
        sole = isinstance(order, Put) and [order.space] == position.open()
        return replace(order, space=None) if sole else order  # type: ignore[call-arg]

    def load(self, document: Json) -> Position:
        return positions.load(document)

    def dump(self, position: Position) -> Document:
        return {"game": self.name, "edition": self.edition, **positions.dump(position)}

    def check(self, document: Json) -> Sequence[Fault]:
        return positions.check(document)

    def pieces(self, position: Position) -> Mapping[str, int]:
        return {}


def _why_not(position: Position, order: Order) -> tuple[str, str]:
    spaces = position.open()
    match order:
        case Bar(weight) if position.asked:
            held = weight in position.hand(position.asked)
            return "" if held else "not-held", "Pebbles 7"
        case Let() | Bar():
            return "" if position.asked else "not-asked", "Pebbles 7"
        case _ if position.asked:
            return "asked", "Pebbles 7"
        case Put(weight, _) if weight not in position.hand(position.turn):
            return "not-held", "Pebbles 2"
        case Put(_, None):
            return ("", "") if len(spaces) == 1 else ("which-space", "Pebbles 2")
        case Put(_, space):
            return ("", "") if space in spaces else ("not-open", "Pebbles 2")
        case Peek(seat):
            return _no_peek(position, seat), "Pebbles 3"
        case Pass():
            return "", ""
        case _:
            return "not-yours", "Pebbles 2"


def _no_peek(position: Position, other: Seat) -> str:
    """Return why the seat to act may not peek at another; depends on what everybody sees."""
    if any(by == position.turn for by, _, _ in position.seen):
        return "peeked"
    if other == position.turn or other not in position.seats or other in position.passed:
        return "nobody"
    return "" if position.hand(other) and position.hand(position.turn) else "empty-hand"


def _peeked(position: Position, other: Seat) -> tuple[Position, tuple[Fact, ...]]:
    seat, saw = position.turn, position.hand(other)
    facts = (
        Fact("peeked", {"seat": seat, "at": other}),
        Fact("saw", {"seat": other, "hand": list(saw)}, frozenset({seat}), news=True),
    )
    return replace(position, seen=tuple(sorted((*position.seen, (seat, other, saw))))), facts


def _barred(position: Position, order: Bar) -> tuple[Position, tuple[Fact, ...]]:
    seat = position.actor
    hand = Counter(position.hand(seat)) - Counter([order.weight])
    after = replace(
        position,
        asked=None,
        hands=_with_hand(position, seat, hand),
        seen=tuple(sorted((*_forgotten(position, seat, order.weight), (position.turn, seat, ())))),
    )
    return after, (Fact("barred", {"seat": seat, "weight": order.weight, "at": position.turn}),)


def _put(position: Position, order: Put) -> tuple[Position, tuple[Fact, ...]]:
    seat, space = position.turn, order.space or position.open()[0]
    hands = _with_hand(position, seat, Counter(position.hand(seat)) - Counter([order.weight]))
    after = replace(
        position,
        hands=hands,
        seen=_forgotten(position, seat, order.weight),
        stones=tuple(sorted((*position.stones, (space, seat, order.weight)))),
        turn=position.after(seat),
    )
    return after, (Fact("put", {"seat": seat, "weight": order.weight, "space": space}),)


def _drawn(position: Position, order: Draw) -> tuple[Position, tuple[Fact, ...]]:
    hand = Counter(position.hand(order.seat)) + Counter([order.weight])
    told = Fact("drew", {"weight": order.weight}, frozenset({order.seat}), news=True)
    facts = (Fact("drawn", {"seat": order.seat}), told)
    return replace(position, hands=_with_hand(position, order.seat, hand)), facts


def _with_hand(position: Position, seat: Seat, hand: Counter[int]) -> tuple[tuple[int, ...], ...]:
    new = tuple(sorted(hand.elements()))
    return tuple(
        new if each == seat else old
        for each, old in zip(position.seats, position.hands, strict=True)
    )


def _forgotten(
    position: Position, seat: Seat, weight: int
) -> tuple[tuple[Seat, Seat, tuple[int, ...]], ...]:
    """Return what has been seen, without a pebble that left somebody's hand."""
    return tuple(
        (by, of, _without(what, weight) if of == seat else what) for by, of, what in position.seen
    )


def _without(hand: tuple[int, ...], weight: int) -> tuple[int, ...]:
    return tuple((Counter(hand) - Counter([weight])).elements())


def _known(position: Position, seat: Seat | None, other: Seat) -> tuple[int, ...]:
    """Return what a seat knows of a hand: all of its own, what it saw and was not put since."""
    if seat == other:
        return position.hand(other)
    saw = [what for by, of, what in position.seen if by == seat and of == other]
    return saw[0] if saw else ()


def _imagined(
    position: Position, hands: tuple[tuple[int, ...], ...], of: Seat, what: tuple[int, ...]
) -> tuple[int, ...]:
    """Return what somebody else may have seen: as many of the hand now dealt."""
    return hands[position.seats.index(of)][: len(what)]
