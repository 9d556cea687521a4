"""The complete state of a game of Nord, and its immediate consequences."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from referee.games.game import CHANCE, Document, Seat, Value
from referee.games.nord.board import Board, Geometry, geometry
from referee.games.nord.orders import SYMBOLS
from referee.value import add_at

Phase: TypeAlias = Literal["start", "turn", "attack", "over"]
PHASES: Final[tuple[Phase, ...]] = get_args(Phase)

NEUTRAL: Final = "neutral"
"""The colour of a jarl without an owner."""

NO_JARL: Final = ""
NO_TILE: Final = ""

TILES_PER_SYMBOL: Final = 6

MEN: Final = 25
"""Figures of each colour, the one on the score track included."""


class Position(Value):
    """The complete state of a game at one moment.

    Tuples run by seat, by settlement in board order (``jarls``, ``warriors``), by stone pile in
    board order (``treasures``) or by symbol (``supply``, ``discards``, each hand). ``workers`` are
    masks. ``seat`` is the index of who acts, or of who acts once chance is done. ``unplayed`` holds
    a bit for each action whose first tile, dealt in the set-up, a seat must still hold because it
    never played one; everybody may know it. ``played`` is the tile played this turn; ``linked``
    says, while an attack is owed, which settlements were connected at the start of the turn: a
    number per settlement with a bit for each other.
    """

    board: Board
    seats: tuple[Seat, ...]
    seat: int
    phase: Phase
    chance: bool
    scorings: int
    jarls: tuple[str, ...]
    warriors: tuple[tuple[int, ...], ...]
    workers: tuple[int, ...]
    treasures: tuple[str, ...]
    supply: tuple[int, ...]
    discards: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    large_boat: tuple[str, ...]
    men: tuple[int, ...]
    points: tuple[int, ...]
    fishing_boats: int
    unplayed: tuple[int, ...]
    played: str = ""
    linked: tuple[int, ...] = ()

    @property
    def geometry(self) -> Geometry:
        """The tables of the board."""
        return geometry(self.board)

    @property
    def colour(self) -> Seat:
        """The seat that acts, or acts once chance is done."""
        return self.seats[self.seat]

    @property
    def all_workers(self) -> int:
        """Every space with a worker on it."""
        mask = 0
        for own in self.workers:
            mask |= own
        return mask


def to_act(position: Position) -> Seat | None:
    """Return the seat that acts now, CHANCE, or None after the end."""
    if position.phase == "over":
        return None
    return CHANCE if position.chance else position.colour


def add_to(
    rows: tuple[tuple[int, ...], ...], row: int, index: int, change: int
) -> tuple[tuple[int, ...], ...]:
    """Return rows of numbers, such as hands, with one number changed."""
    return (*rows[:row], add_at(rows[row], index, change), *rows[row + 1 :])


def settlements_of(position: Position, seat: int) -> list[int]:
    """Return the settlements where a seat has a warrior."""
    return [i for i, counts in enumerate(position.warriors) if counts[seat]]


def boat_has_room(position: Position) -> bool:
    """Whether the large boat has an empty place."""
    return len(position.large_boat) < len(position.board.boat_numbers)


def tiles_by_symbol(counts: tuple[int, ...]) -> Document:
    """Count the tiles of each symbol, leaving out symbols without any."""
    return {symbol: n for symbol, n in zip(SYMBOLS, counts, strict=True) if n}
