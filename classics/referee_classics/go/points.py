"""The points of a board of go: their names, handicap stones, and what lies beside what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from referee_classics.above import connected

LETTERS: Final = "ABCDEFGHJKLMNOPQRST"
"""The names of the lines from left to right: there is no I."""

STARS: Final[Mapping[int, tuple[str, ...]]] = {
    9: ("G7", "C3", "G3", "C7", "E5"),
    13: ("K10", "D4", "K4", "D10", "G7", "D7", "K7", "G10", "G4"),
    19: ("Q16", "D4", "Q4", "D16", "K10", "D10", "Q10", "K16", "K4"),
}
"""The points of handicap stones: the corners, the middle, the sides."""


def handicap_points(size: int, number: int) -> tuple[str, ...]:
    """Return where handicap stones stand: none for fewer than two."""
    points = STARS[size]
    corners, middle, sides = points[:4], points[4:5], points[5:]
    if number < 5:
        return corners[:number] if number > 1 else ()
    even = (*corners, *sides)[: number - number % 2]
    return (*even, *middle) if number % 2 else even


def apart(point: str, other: str) -> int:
    """Return how many lines lie between two points."""
    across = LETTERS.index(point[0]) - LETTERS.index(other[0])
    return abs(across) + abs(int(point[1:]) - int(other[1:]))


class Signs(dict[str, str]):
    """The sign of each point, row by row from the highest: ``X`` black, ``O`` white, ``+`` free."""

    def beside(self, point: str) -> list[str]:
        """Return the points next to one."""
        return [near for near in _around(point) if near in self]

    def region(self, *points: str) -> set[str]:
        """Return the points that hang together with some and hold the same."""
        return connected(points, lambda at: (by for by in self.beside(at) if self[by] == self[at]))

    def regions(self, signs: str) -> Iterator[set[str]]:
        """Yield the regions that hold one of some signs."""
        left = {point for point, sign in self.items() if sign in signs}
        while left:
            yield (part := self.region(next(iter(left))))
            left -= part

    def breathes(self, point: str) -> bool:
        """Return whether the stones that hang together with one have a free point beside them."""
        return any(self[by] == "+" for stone in self.region(point) for by in self.beside(stone))


@cache
def _around(point: str) -> tuple[str, ...]:
    column, row = LETTERS.index(point[0]), int(point[1:])
    around = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return tuple(f"{LETTERS[x]}{y}" for x, y in around if 0 <= x < 19)


def sgf_point(pair: str, size: int) -> str:
    """Return the point that SGF names by two letters, from the upper left corner."""
    column, row = (ord(letter) - ord("a") for letter in pair)
    return f"{LETTERS[column]}{size - row}" if max(column, row) < size else pair


def pair_of(point: str, size: int) -> str:
    """Return the two letters by which SGF names a point."""
    return chr(97 + LETTERS.index(point[0])) + chr(97 + size - int(point[1:]))
