"""The complete state of a game of Haggle, and its document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from referee.games.game import BadDocument, Board, Document, Fault, Json, Seat, Value
from referee_haggle.orders import COLOURS

SEATS: Final = range(2, 5)
SPARE: Final = 3
MOST_SPARE: Final = 9
MOST_PRIZES: Final = 13
BOARD: Final[Board] = {"prizes": [3, 1, 4, 1, 5, 9]}
FIELDS: Final = frozenset(
    {"game", "edition", "board", "spare", "seats", "hands", "table", "spent", "winners"}
)


class Position(Value):
    """The complete state; ``hands`` and ``table`` follow ``seats``, cards are sorted.

    ``table`` has the cards played in this round, 0 for none, ``spent`` those of earlier rounds,
    ``winners`` who took the prizes so far.
    """

    prizes: tuple[int, ...]
    spare: int
    seats: tuple[Seat, ...]
    hands: tuple[tuple[int, ...], ...]
    table: tuple[int, ...]
    spent: tuple[int, ...] = ()
    winners: tuple[Seat, ...] = ()

    @property
    def over(self) -> bool:
        """Whether all prizes are taken."""
        return len(self.winners) == len(self.prizes)

    @property
    def due(self) -> int | None:
        """The index of the seat dealt the next card, if any."""
        full = len(self.prizes) - len(self.winners)
        sizes = (len(h) + bool(t) for h, t in zip(self.hands, self.table, strict=True))
        return next((seat for seat, size in enumerate(sizes) if size < full), None)

    @property
    def playing(self) -> int:
        """The index of the seat that plays next: from the leader on, the first that has not."""
        leader = self.seats.index(self.winners[-1]) if self.winners else 0
        order: list[int] = [*range(leader, len(self.seats)), *range(leader)]
        return next(seat for seat in order if not self.table[seat])

    @property
    def undealt(self) -> list[int]:
        """The cards in nobody's hand that have not been played."""
        number = len(self.prizes) * len(self.seats) + self.spare
        gone = {*self.spent, *self.table, *(card for hand in self.hands for card in hand)}
        return [card for card in range(1, number + 1) if card not in gone]


def _need(holds: bool, path: str, message: str) -> None:
    if not holds:
        raise BadDocument(path, message)


def _numbers(value: Any, path: str, least: int, most: int) -> tuple[int, ...]:
    """Return a list of whole numbers. Raises BadDocument when it is none."""
    whole = isinstance(value, list) and all(type(n) is int and least <= n <= most for n in value)
    _need(whole, path, f"must be a list of whole numbers from {least} to {most}")
    return tuple(value)


def _colours(value: Any, path: str, known: Iterable[Seat]) -> tuple[Seat, ...]:
    fit = isinstance(value, list) and all(each in known for each in value)
    _need(fit, path, f"must be a list of colours among {', '.join(known)}")
    return tuple(value)


def read_board(board: Any) -> tuple[int, ...]:
    """Return the prizes of a board document. Raises BadDocument."""
    _need(isinstance(board, dict) and set(board) == {"prizes"}, "$", "a board has prizes alone")
    prizes = _numbers(board["prizes"], "$.prizes", 1, 99)
    _need(3 <= len(prizes) <= MOST_PRIZES, "$.prizes", f"must be 3 to {MOST_PRIZES} prizes")
    return prizes


def dump(position: Position) -> Document:
    """Return the complete document of a position."""
    table = zip(position.seats, position.table, strict=True)
    return {
        "game": "haggle",
        "edition": 1,
        "board": {"prizes": list(position.prizes)},
        "spare": position.spare,
        "seats": list(position.seats),
        "hands": {s: list(h) for s, h in zip(position.seats, position.hands, strict=True)},
        "table": {seat: card for seat, card in table if card},
        "spent": list(position.spent),
        "winners": list(position.winners),
    }


def load(document: Json) -> Position:
    """Return the position a document describes. Raises BadDocument."""
    given: dict[str, Any] = dict(document) if isinstance(document, dict) else {}
    ours = given.get("game") == "haggle" and given.get("edition", 1) == 1
    _need(ours, "$.game", "must be haggle, edition 1")
    unknown = sorted(set(given) - FIELDS)
    _need(not unknown, f"$.{unknown[0] if unknown else ''}", "is no field of a position")
    prizes = read_board(given.get("board", BOARD))
    seats = _colours(given.get("seats", list(COLOURS[:2])), "$.seats", COLOURS)
    different = len(set(seats)) == len(seats) in SEATS
    _need(different, "$.seats", "must be two to four different colours")
    most = len(prizes) * len(seats) + MOST_SPARE
    table, hands = given.get("table", {}), given.get("hands", {})
    for path, value in (("$.table", table), ("$.hands", hands)):
        known = isinstance(value, dict) and set(value) <= set(seats)
        _need(known, path, f"must be an object by seat: {', '.join(seats)}")
    position = Position(
        prizes=prizes,
        spare=_numbers([given.get("spare", SPARE)], "$.spare", 0, MOST_SPARE)[0],
        seats=seats,
        hands=tuple(tuple(sorted(_numbers(hands.get(s, []), "$.hands", 1, most))) for s in seats),
        table=_numbers([table.get(seat, 0) for seat in seats], "$.table", 0, most),
        spent=tuple(sorted(_numbers(given.get("spent", []), "$.spent", 1, most))),
        winners=_colours(given.get("winners", []), "$.winners", seats),
    )
    _must_go_on(position)
    return position


def _must_go_on(position: Position) -> None:
    """Refuse a position in which nobody could go on. Raises BadDocument."""
    rounds, table = len(position.winners), [card for card in position.table if card]
    left = len(position.prizes) - rounds
    _need(left >= 0, "$.winners", "must be no more than prizes")
    full = all(
        len(h) + bool(t) <= left for h, t in zip(position.hands, position.table, strict=True)
    )
    _need(full, "$.hands", f"must be at most {left} cards, one for each prize left")
    _need(len(table) < len(position.seats), "$.table", "must not be complete: the round is over")
    few = len(position.spent) <= rounds * len(position.seats)
    _need(few, "$.spent", "must be no more than one card of each seat for each prize taken")
    cards = [*table, *position.spent, *(card for hand in position.hands for card in hand)]
    top = len(position.prizes) * len(position.seats) + position.spare
    there = len(set(cards)) == len(cards) and max(cards, default=0) <= top
    _need(there, "$.hands", f"must be different cards from 1 to {top}, nowhere twice")


def check(document: Json) -> list[Fault]:
    """Return everything that keeps a document from being complete."""
    try:
        position = load(document)
    except BadDocument as error:
        return [Fault(error.path, error.message)]
    return list(_faults(position, set(document) if isinstance(document, dict) else set()))


def _faults(position: Position, given: set[str]) -> Iterator[Fault]:
    yield from (Fault(f"$.{key}", "is missing") for key in sorted(FIELDS - given))
    spent = len(position.winners) * len(position.seats)
    if len(position.spent) != spent:
        yield Fault("$.spent", f"must be {spent} cards, one of each seat for each prize taken")
    if position.due is not None and (position.winners or any(position.table)):
        yield Fault("$.hands", "must be full, as the cards have been dealt")
