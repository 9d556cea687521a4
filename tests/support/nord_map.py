"""Spaces of a map of Nord by name, and their neighbours."""

from __future__ import annotations

from collections.abc import Iterable

Space = tuple[int, int]

ROWS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def space_of(name: str) -> Space:
    """Return the row and column a name like ``C5`` stands for, both from 0."""
    return ROWS.index(name[0]), int(name[1:]) - 1


def space_name(space: Space) -> str:
    """Return the row letter and the column number, ``C5``."""
    row, column = space
    return f"{ROWS[row]}{column + 1}"


def beside(space: Space) -> set[Space]:
    """Return the up to 4 orthogonally adjacent spaces; §1, neighbours."""
    row, column = space
    return {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}


def contiguous(spaces: Iterable[Space]) -> bool:
    """Tell whether a set hangs together orthogonally by itself; A1.2."""
    rest = set(spaces)
    reached = {min(rest)}
    while more := {s for s in rest - reached if beside(s) & reached}:
        reached |= more
    return reached == rest
