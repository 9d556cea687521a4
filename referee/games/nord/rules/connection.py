"""Connections: components of workers, and the settlements they touch (Nord 3)."""

from __future__ import annotations

from itertools import combinations

from referee.games.grid import flood
from referee.games.nord.board import Geometry
from referee.games.nord.position import Position


def links(geo: Geometry, workers: int) -> tuple[int, ...]:
    """Return the settlements connected to each settlement, as numbers with a bit per settlement."""
    reached = [flood(gates, workers, geo.width) for gates in geo.gates]
    rows = [0] * len(reached)
    for i, j in combinations(range(len(rows)), 2):
        # A settlement is connected if any worker of the part stands at one of its gates.
        if reached[i] & geo.gates[j]:
            rows[i] |= 1 << j
            rows[j] |= 1 << i
    return tuple(rows)


def connected(geo: Geometry, workers: int, one: int, other: int) -> bool:
    """Whether one component touches both settlements."""
    return bool(flood(geo.gates[one], workers, geo.width) & geo.gates[other])


def touches_boat(geo: Geometry, workers: int, settlement: int) -> bool:
    """Whether a settlement is connected to the small boat."""
    return bool(flood(geo.gates[settlement], workers, geo.width) & geo.boat_gates)


def gates_of(position: Position, seat: int) -> int:
    """Return the gates of all settlements where a seat has a warrior."""
    mask = 0
    for gates, warriors in zip(position.geometry.gates, position.warriors, strict=True):
        if warriors[seat]:
            mask |= gates
    return mask
