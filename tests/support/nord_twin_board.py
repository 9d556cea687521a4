"""Answers which sign stands on which space of a board document, as a map of rows."""

from __future__ import annotations

from typing import Any

Space = tuple[int, int]

ROWS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def space_of(name: str) -> Space:
    """Return the row and column a name like ``C5`` stands for, both from 0."""
    return ROWS.index(name[0]), int(name[1:]) - 1


def space_name(space: Space) -> str:
    """Return the row letter and the column number, ``C5``."""
    row, column = space
    return f"{ROWS[row]}{column + 1}"


def map_of(board: dict[str, Any]) -> list[str]:
    """Return the rows of a board document."""
    rows: list[str] = board["map"]
    return rows
