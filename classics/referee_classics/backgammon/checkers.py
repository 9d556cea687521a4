"""The ways of checkers, as players write them: ``24/20/14``, ``bar/20*``, ``8/4(2)``, ``6/off``.

Points are numbered from the side of whoever moves, 24 to 1; the bar is 25, and off the board is 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from referee.games.game import Value

BAR: Final = 25
OFF: Final = 0

_WORDS: Final[Mapping[int, str]] = {BAR: "bar", OFF: "off"}
_NUMBERS: Final[Mapping[str, int]] = {"bar": BAR, "off": OFF, "aus": OFF}

PART: Final = re.compile(
    r"(?P<way>(?:bar|\d{1,2})(?:[/-](?:\d{1,2}|off|aus)\*?)+)"
    r"(?: ?(?:\((?P<times>[1-4])x?\)|[x×](?P<also>[1-4])))?"
)
"""The way of one checker or of several, in small letters."""


class Trip(Value):
    """The way of one checker: the points that are named, in sequence, and those where it hits."""

    points: tuple[int, ...]
    hits: frozenset[int] = frozenset()

    @property
    def text(self) -> str:
        """The way as players write it."""
        return "/".join(
            f"{_WORDS.get(point, point)}{'*' if point in self.hits else ''}"
            for point in self.points
        )


def read_trips(text: str) -> list[Trip]:
    """Return the way of every checker that a text of small letters names."""
    trips: list[Trip] = []
    for part in PART.finditer(text):
        names = [name.rstrip("*") for name in re.split("[/-]", part["way"])]
        points = tuple(_NUMBERS[name] if name in _NUMBERS else int(name) for name in names)
        stars = [name.endswith("*") for name in re.split("[/-]", part["way"])]
        hits = frozenset(point for point, star in zip(points, stars, strict=True) if star)
        trips += [Trip(points, hits)] * int(part["times"] or part["also"] or 1)
    return trips


def write_trips(trips: Sequence[Trip]) -> str:
    """Return ways as a line, the same ones together."""
    texts = Counter(trip.text for trip in trips)
    return " ".join(text if times == 1 else f"{text}({times})" for text, times in texts.items())


def joined(legs: Iterable[tuple[int, int]], hits: frozenset[int]) -> list[Trip]:
    """Return single steps as the ways of whole checkers, the rearmost first.

    Of a way only those points are left on which it hits. Where two checkers meet it does not matter
    which one goes on, so whatever plays a roll to the same position comes out the same.
    """
    ways: list[list[int]] = []
    for start, stop in sorted(legs, reverse=True):
        for way in ways:
            if way[-1] == start:
                way.append(stop)
                break
        else:
            ways.append([start, stop])
    ways.sort(reverse=True, key=lambda way: (way[0], way[-1]))
    whole: list[Trip] = []
    for at, way in enumerate(ways):
        if at and way == ways[at - 1]:
            whole.append(whole[-1])
            continue
        hit = hits.intersection(way[1:])
        whole.append(Trip((way[0], *(stop for stop in way[1:-1] if stop in hit), way[-1]), hit))
        hits -= hit
    return whole


def net(trips: Iterable[Trip]) -> dict[int, int]:
    """Return how many checkers more, or less, stand on each point that ways change."""
    change: Counter[int] = Counter()
    for trip in trips:
        change[trip.points[0]] -= 1
        change[trip.points[-1]] += 1
    return {point: more for point, more in change.items() if more}
