"""Grids: coordinates, and sets of spaces as bit masks.

A mask holds one bit per space: row times *width* plus column. The width of a grid is one more than
its columns, so that a step to the side never wraps into another row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

MOST_ROWS: Final = 26
"""Rows are named by one letter."""

MOST_COLUMNS: Final = 99
"""Columns are named by at most two digits."""

_SPACE: Final = re.compile(r"([A-Z])([1-9][0-9]?)", re.IGNORECASE | re.ASCII)


def parse_space(text: str) -> tuple[int, int]:
    """Return row and column, from 0, of a space written ``C5``. Raises ValueError."""
    match = _SPACE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no space: write a row letter and a column number")
    return ord(match[1].upper()) - ord("A"), int(match[2]) - 1


def format_space(row: int, column: int) -> str:
    """Return a space as row letter and column number: ``(2, 4)`` is ``C5``."""
    return f"{chr(ord('A') + row)}{column + 1}"


def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Return the number of orthogonal steps between two spaces."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def bits(mask: int) -> Iterator[int]:
    """Yield the single-space masks of a mask, in board order."""
    while mask:
        # The lowest bit, by two's complement.
        low = mask & -mask
        yield low
        mask ^= low


def spread(mask: int, width: int) -> int:
    """Return the orthogonal neighbours of a mask's spaces, such beyond the grid included."""
    return mask << 1 | mask >> 1 | mask << width | mask >> width


def around(mask: int, width: int) -> int:
    """Return the neighbours of a mask's spaces, diagonal ones and such beyond the grid included."""
    row = mask | mask << 1 | mask >> 1
    return (row | row << width | row >> width) & ~mask


def flood(seed: int, within: int, width: int) -> int:
    """Return all spaces of ``within`` that hang together with one of ``seed``."""
    left, front = within, seed & within
    while front:
        left ^= front
        # Written out, as this is the innermost loop of both games and a call costs more.
        front = (front << 1 | front >> 1 | front << width | front >> width) & left
    return within ^ left


def components(within: int, width: int) -> list[int]:
    """Return the orthogonally connected parts of a mask, in board order of their first space."""
    parts = []
    while within:
        part = flood(within & -within, within, width)
        parts.append(part)
        within &= ~part
    return parts


def connected_sets(within: int, most: int, width: int) -> list[int]:
    """Return every connected set of 1 to ``most`` spaces of a mask, small ones first."""
    level = set(bits(within))
    sets = sorted(level)
    for _ in range(1, most):
        # A set removes the many ways in which one shape can grow.
        level = {part | one for part in level for one in bits(spread(part, width) & within & ~part)}
        sets += sorted(level)
    return sets
