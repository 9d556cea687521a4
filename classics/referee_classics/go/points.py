"""The points of a board of go: their names, handicap stones, and what lies beside what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

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


def points_of(size: int) -> list[str]:
    """Return the points of a board in the sequence of its rows, the highest first."""
    return [f"{letter}{row}" for row in range(size, 0, -1) for letter in LETTERS[:size]]


@cache
def beside(point: str, size: int) -> list[str]:
    """Return the points next to one."""
    column, row = LETTERS.index(point[0]), int(point[1:])
    around = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return [f"{LETTERS[x]}{y}" for x, y in around if 0 <= x < size and 1 <= y <= size]


def apart(point: str, other: str) -> int:
    """Return how many lines lie between two points."""
    across = LETTERS.index(point[0]) - LETTERS.index(other[0])
    return abs(across) + abs(int(point[1:]) - int(other[1:]))


def region(within: Mapping[str, str], point: str, size: int) -> set[str]:
    """Return the points that hang together with one and hold the same."""
    reached, edge = {point}, [point]
    while edge:
        for other in beside(edge.pop(), size):
            if other not in reached and within.get(other) == within.get(point):
                reached.add(other)
                edge.append(other)
    return reached


def regions(within: Mapping[str, str], points: Iterable[str], size: int) -> Iterator[set[str]]:
    """Yield the regions that points lie in."""
    left = set(points)
    while left:
        yield (part := region(within, next(iter(left)), size))
        left -= part


def breathes(stones: Mapping[str, str], point: str, size: int) -> bool:
    """Return whether the stones that hang together with one have a free point beside them."""
    chain = region(stones, point, size)
    return any(other not in stones for stone in chain for other in beside(stone, size))


def sgf_point(pair: str, size: int) -> str:
    """Return the point that SGF names by two letters, from the upper left corner."""
    column, row = (ord(letter) - ord("a") for letter in pair)
    return f"{LETTERS[column]}{size - row}" if max(column, row) < size else pair


def pair_of(point: str, size: int) -> str:
    """Return the two letters by which SGF names a point."""
    return chr(97 + LETTERS.index(point[0])) + chr(97 + size - int(point[1:]))
