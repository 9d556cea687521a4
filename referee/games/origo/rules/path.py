"""The path of 100 fields, and the leaders' moves on it (Origo 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.games.game import replace
from referee.games.origo.position import Position
from referee.value import put_at

FIELDS: Final = 100


def field(total: int) -> int:
    """Return the field, from 1, of a leader with this total."""
    return (total - 1) % FIELDS + 1


def advanced(path: tuple[int, ...], seat: int, points: int) -> tuple[int, ...]:
    """Return all totals after one leader's move.

    Fields with other leaders are counted; from an occupied last field the leader goes on to the
    next free one.
    """
    # Without points it does not move, or it would be pushed on by nothing but its neighbours.
    if not points:
        return path
    # Totals, not fields, decide who leads; fields only must be free.
    taken = {field(total) for other, total in enumerate(path) if other != seat}
    total = path[seat] + points
    while field(total) in taken:
        total += 1
    return put_at(path, seat, total)


def move_all(position: Position, points: Mapping[int, int]) -> tuple[Position, list[int]]:
    """Return the position after all leaders moved, and their seats in the order of the moves."""
    path, number = position.path, len(position.seats)
    # Most points first; ties in turn order from the start player.
    order = sorted(points, key=lambda seat: (-points[seat], (seat - position.start) % number))
    for seat in order:
        path = advanced(path, seat, points[seat])
    return replace(position, path=path), order


def last(position: Position) -> int:
    """Return the seat whose leader is last."""
    return min(range(len(position.seats)), key=lambda seat: position.path[seat])
