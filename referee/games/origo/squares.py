"""The hundred squares and their neighbours, as bit masks (Origo 1)."""

from __future__ import annotations

from typing import Final

from referee.games.grid import bits, format_space, spread

SIDE: Final = 10
"""Rows, and columns, of the board."""

WIDTH: Final = SIDE + 1
"""Bits a row takes in a mask: one more than its squares, as ``referee.games.grid`` needs."""

ROW: Final = (1 << SIDE) - 1
"""All squares of the first row."""

ALL: Final = sum(ROW << r * WIDTH for r in range(SIDE))
"""All squares."""

COLUMN: Final = sum(1 << r * WIDTH for r in range(SIDE))
"""All squares of the first column."""

MASK: Final = {format_space(r, c): 1 << r * WIDTH + c for r in range(SIDE) for c in range(SIDE)}
"""The mask of each square by name, in board order."""

NAME: Final = {mask: square for square, mask in MASK.items()}
"""The name of each square by mask."""

NEAR: Final = {mask: spread(mask, WIDTH) & ALL for mask in NAME}
"""The squares orthogonally next to each square."""


def square_names(mask: int) -> list[str]:
    """Return the squares of a mask by name, in board order."""
    return [NAME[square] for square in bits(mask)]


def beside(mask: int) -> int:
    """Return the squares next to any of a mask's. Some may be of the mask themselves."""
    return spread(mask, WIDTH) & ALL
