"""Connections: components of workers, and the settlements they touch (Nord 3)."""

from __future__ import annotations

from referee.games.grid import flood
from referee.games.nord.board import Geometry
from referee.games.nord.position import Position, settlements_of


def links(geo: Geometry, workers: int) -> tuple[int, ...]:
    """Return the settlements connected to each settlement, as numbers with a bit per settlement."""
    rows = []
    for i, gates in enumerate(geo.gates):
        reached = flood(gates, workers, geo.width)
        # A settlement is connected if any worker of the part stands at one of its gates.
        row = sum(1 << j for j, other in enumerate(geo.gates) if j != i and other & reached)
        rows.append(row)
    return tuple(rows)


def connected(geo: Geometry, workers: int, one: int, other: int) -> bool:
    """Whether one component touches both settlements."""
    return bool(flood(geo.gates[one], workers, geo.width) & geo.gates[other])


def touches_boat(geo: Geometry, workers: int, settlement: int) -> bool:
    """Whether a settlement is connected to the small boat."""
    return bool(flood(geo.gates[settlement], workers, geo.width) & geo.boat_gates)


def gates_of(position: Position, seat: int) -> int:
    """Return the gates of all settlements where a seat has a warrior."""
    gates = 0
    for i in settlements_of(position, seat):
        gates |= position.geometry.gates[i]
    return gates
