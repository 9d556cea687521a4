"""Outlines around sets of cells, as paths with rounded corners."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from math import sqrt
from typing import Final, TypeAlias

from referee.games.grid import bits, components

Spot: TypeAlias = tuple[int, int]
"""A cell by row and column, or a corner between cells."""

EAST, SOUTH, WEST, NORTH = range(4)

_STEPS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Row and column of a step in each direction, clockwise from east."""

_SIDES: Final = ((0, 0, -1, 0), (0, 1, 0, 1), (1, 1, 1, 0), (1, 0, 0, -1))
"""For the side of a cell that runs in each direction: its first corner, and the cell beyond."""


def loops(cells: AbstractSet[Spot]) -> Iterator[list[tuple[Spot, int]]]:
    """Yield each closed outline of a set, clockwise around its cells; holes run the other way.

    It is made of straight edges, each told by its first corner and its direction. Cells that touch
    at a corner only stay apart.
    """
    left = {
        ((row + down, column + right), way)
        for row, column in cells
        for way, (down, right, r, c) in enumerate(_SIDES)
        if (row + r, column + c) not in cells
    }
    while left:
        corner, way = min(left)
        loop: list[tuple[Spot, int]] = []
        while (corner, way) in left:
            left.remove((corner, way))
            # One edge for each run in the same direction.
            if not loop or loop[-1][1] != way:
                loop.append((corner, way))
            corner = (corner[0] + _STEPS[way][0], corner[1] + _STEPS[way][1])
            # A turn to the right first: it stays with the same cell where two touch.
            turns = ((way + turn) % 4 for turn in (1, 0, 3))
            way = next((turn for turn in turns if (corner, turn) in left), way)
        if len(loop) > 1 and loop[0][1] == loop[-1][1]:
            loop[0] = loop.pop()
        yield loop


def path(cells: AbstractSet[Spot], unit: float, *, radius: float = 0, inset: float = 0) -> str:
    """Return the outlines of a set as data of an SVG path.

    All lengths are in units of the drawing. ``radius`` rounds the corners; ``inset`` moves
    the outline inwards.
    """
    parts = []
    for loop in loops(cells):
        for number, ((row, column), way) in enumerate(loop):
            last = loop[number - 1][1]
            before, after = _STEPS[(last + 1) % 4], _STEPS[(way + 1) % 4]
            y = row * unit + inset * (before[0] + after[0])
            x = column * unit + inset * (before[1] + after[1])
            start = "L" if number else "M"
            if not radius:
                parts.append(f"{start}{x:g} {y:g}")
                continue
            into, out = _STEPS[last], _STEPS[way]
            parts.append(
                f"{start}{x - into[1] * radius:g} {y - into[0] * radius:g}"
                f"Q{x:g} {y:g} {x + out[1] * radius:g} {y + out[0] * radius:g}"
            )
        parts.append("Z")
    return "".join(parts)


def corners(cells: AbstractSet[Spot], unit: float, radius: float) -> str:
    """Return the parts of cells beyond a rounded outline, as path data."""
    parts = []
    for loop in loops(cells):
        for number, ((row, column), way) in enumerate(loop):
            last = loop[number - 1][1]
            # Only where the outline turns right does a cell stand out.
            if (way - last) % 4 == 1:
                before, after = _STEPS[last], _STEPS[way]
                x, y = column * unit, row * unit
                parts.append(
                    f"M{x:g} {y:g}L{x - before[1] * radius:g} {y - before[0] * radius:g}"
                    f"Q{x:g} {y:g} {x + after[1] * radius:g} {y + after[0] * radius:g}Z"
                )
    return "".join(parts)


def between(cells: AbstractSet[Spot], others: AbstractSet[Spot], unit: float) -> str:
    """Return the sides at which two sets touch, as path data."""
    sides = []
    for row, column in sorted(cells):
        for way, (down, right, r, c) in enumerate(_SIDES):
            if (row + r, column + c) in others:
                y, x = (row + down) * unit, (column + right) * unit
                step = _STEPS[way]
                sides.append(f"M{x:g} {y:g}l{step[1] * unit:g} {step[0] * unit:g}")
    return "".join(sides)


def run_from(cells: AbstractSet[Spot], spot: Spot, way: int) -> int:
    """Return how many cells follow each other from the first of a run on; 0 in its middle."""
    (row, column), (down, right) = spot, _STEPS[way]
    length = 0
    if (row - down, column - right) not in cells:
        while (row + down * length, column + right * length) in cells:
            length += 1
    return length


def grid(cells: AbstractSet[Spot], unit: float) -> str:
    """Return the sides that cells share, as path data of straight lines."""
    above = {(row, column) for row, column in cells if (row + 1, column) in cells}
    before = {(row, column) for row, column in cells if (row, column + 1) in cells}
    sides = []
    for row, column in sorted(cells):
        y, x = row * unit, column * unit
        if length := run_from(above, (row, column), EAST):
            sides.append(f"M{x:g} {y + unit:g}H{(column + length) * unit:g}")
        if length := run_from(before, (row, column), SOUTH):
            sides.append(f"M{x + unit:g} {y:g}V{(row + length) * unit:g}")
    return "".join(sides)


def web(cells: AbstractSet[Spot], unit: float) -> str:
    """Return the lines that join the middles of neighbouring cells, as path data."""
    lines = []
    for row, column in sorted(cells):
        y, x = (row + 0.5) * unit, (column + 0.5) * unit
        for way in (EAST, SOUTH):
            down, right = _STEPS[way]
            length = (run_from(cells, (row, column), way) - 1) * unit
            if length > 0:
                lines.append(f"M{x:g} {y:g}l{right * length:g} {down * length:g}")
    return "".join(lines)


def hexagon(x: float, y: float, unit: float) -> str:
    """Return a hexagon of a width around a point, as path data; it stands on a corner."""
    high, side = unit / sqrt(3), unit / 2
    return (
        f"M{x:.1f} {y - high:.1f}l{side:.1f} {high / 2:.1f}v{high:.1f}l{-side:.1f} {high / 2:.1f}"
        f"l{-side:.1f} {-high / 2:.1f}v{-high:.1f}z"
    )


def regions(cells: AbstractSet[Spot]) -> Iterator[frozenset[Spot]]:
    """Yield the connected parts of a set; corners do not connect."""
    # A column more than there are, as masks of grids need.
    width = 2 + max((column for _, column in cells), default=0)
    for part in components(sum(1 << row * width + column for row, column in cells), width):
        yield frozenset(divmod(bit.bit_length() - 1, width) for bit in bits(part))
