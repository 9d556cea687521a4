"""The state of a game of Pebbles, and its document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from referee.games.game import BadDocument, Document, Fault, Json, Seat, Value
from referee_pebbles.orders import COLOURS

DECK: Final = Counter({1: 5, 2: 4, 3: 2})
ROWS: Final = "AB"
MOST_COLUMNS: Final = 5
BOARD: Final[Document] = {"rows": 2, "columns": 5}

Stone = tuple[str, Seat, int]
"""A pebble on the board: its space, whose it is, its weight."""


class Position(Value):
    """Everything, hidden hands included; sequences by seat follow ``seats``, hands are sorted.

    ``asked`` is the seat that must say whether it lets the seat at its turn peek.
    """

    seats: tuple[Seat, ...]
    rows: int
    columns: int
    size: int
    turn: Seat
    hands: tuple[tuple[int, ...], ...]
    stones: tuple[Stone, ...] = ()
    passed: tuple[Seat, ...] = ()
    seen: tuple[tuple[Seat, Seat, tuple[int, ...]], ...] = ()
    asked: Seat | None = None

    @property
    def actor(self) -> Seat:
        """The seat that acts unless chance does."""
        return self.asked or self.turn

    def hand(self, seat: Seat) -> tuple[int, ...]:
        return self.hands[self.seats.index(seat)]

    def open(self) -> list[str]:
        """Return the first free cell of each row that has one."""
        taken = Counter(space[0] for space, _, _ in self.stones)
        rows = ROWS[: self.rows]
        return [f"{row}{taken[row] + 1}" for row in rows if taken[row] < self.columns]

    def deck(self) -> Counter[int]:
        """Return what may still be drawn, by weight."""
        used = Counter(weight for _, _, weight in self.stones)
        used.update(weight for hand in self.hands for weight in hand)
        return DECK - used

    def drawing(self) -> Seat | None:
        """Return who draws next, if anybody."""
        if not self.deck():
            return None
        short = [s for s in self.seats if s not in self.passed and len(self.hand(s)) < self.size]
        return short[0] if short else None

    def ending(self) -> str | None:
        if len(self.passed) == len(self.seats):
            return "passed"
        return None if self.open() else "full"

    def after(self, seat: Seat) -> Seat:
        """Return whose turn follows a seat's; the same seat's if all others have passed."""
        start = self.seats.index(seat) + 1
        order = self.seats[start:] + self.seats[:start]
        return next((each for each in order if each not in self.passed), seat)


def dump(position: Position) -> Document:
    """Return the complete document."""
    asked: Document = {"asked": position.asked} if position.asked else {}
    return {
        **asked,
        "board": {"rows": position.rows, "columns": position.columns},
        "hand": position.size,
        "seats": list(position.seats),
        "turn": position.turn,
        "hands": {seat: list(position.hand(seat)) for seat in position.seats},
        "stones": {space: {"seat": who, "weight": w} for space, who, w in position.stones},
        "passed": list(position.passed),
        "seen": {by: {"seat": of, "hand": list(what)} for by, of, what in position.seen},
    }


def load(document: Json) -> Position:
    """Return the position of a document. Raises BadDocument."""
    given: Any = document
    if not isinstance(given, dict):
        raise BadDocument("$", "a position is an object")
    try:
        return _loaded(given)
    except (TypeError, LookupError, AttributeError, ValueError) as error:
        raise BadDocument("$", f"not a position of Pebbles: {error!r}") from None


def _loaded(given: dict[str, Any]) -> Position:
    seats = tuple(given.get("seats", COLOURS[:2]))
    board, hands, seen = given.get("board", BOARD), given.get("hands", {}), given.get("seen", {})
    if not all(seat in COLOURS for seat in (*seats, *hands, *seen)):
        raise ValueError("unknown seat")
    asked = given.get("asked")
    return Position(
        seats=seats,
        rows=int(board["rows"]),
        columns=int(board["columns"]),
        size=int(given.get("hand", 2)),
        turn=seats[seats.index(given.get("turn", seats[0]))],
        hands=tuple(tuple(sorted(map(int, hands.get(seat, ())))) for seat in seats),
        stones=tuple(
            sorted((s, at["seat"], int(at["weight"])) for s, at in given.get("stones", {}).items())
        ),
        passed=tuple(given.get("passed", ())),
        asked=None if asked is None else seats[seats.index(asked)],
        seen=tuple(
            sorted((by, at["seat"], tuple(sorted(map(int, at["hand"])))) for by, at in seen.items())
        ),
    )


def check(document: Json) -> Sequence[Fault]:
    """Return everything that keeps a document from being complete and within the deck."""
    try:
        position = load(document)
    except BadDocument as error:
        return [Fault(error.path, error.message)]
    missing = [key for key in dump(position) if key not in dict(document)]  # type: ignore[arg-type]
    return [*(Fault(f"$.{key}", "is missing") for key in missing), *_faults(position)]


def _faults(position: Position) -> Iterator[Fault]:
    used = Counter(weight for hand in position.hands for weight in hand)
    used.update(weight for _, _, weight in position.stones)
    if too_many := +(used - DECK):
        yield Fault("$.hands", f"the deck has no more of weight {min(too_many)}")
    for row in ROWS[: position.rows]:
        columns = sorted(space[1:] for space, _, _ in position.stones if space[0] == row)
        if columns != [str(number) for number in range(1, len(columns) + 1)]:
            yield Fault("$.stones", f"row {row} has a gap")
