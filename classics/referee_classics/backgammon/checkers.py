"""The ways of checkers, as players write them: ``24/20/14``, ``bar/20*``, ``8/4(2)``, ``6/off``.

Points are numbered from the side of whoever moves, 24 to 1; the bar is 25, and off the board is 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

BAR: Final = 25
OFF: Final = 0

Stop: TypeAlias = tuple[int, bool]
"""A point where a checker stops, and whether it hits there."""

Way: TypeAlias = tuple[Stop, ...]
"""The way of one checker, from its point on; stops in between may be left out."""

PART: Final = re.compile(
    r"((?:bar|\d{1,2})(?:[/-](?:\d{1,2}|off|aus)\*?)+)(?: ?(?:\(([1-4])x?\)|[x×]([1-4])))?"
)
"""The way of some checkers, in small letters, and how many go it."""

_WORDS: Final = {"bar": BAR, "off": OFF, "aus": OFF}


@lru_cache(maxsize=2000)
def read_ways(text: str) -> list[Way]:
    """Return the way of every checker that a line of small letters names."""
    ways: list[Way] = []
    for part, times, also in PART.findall(text):
        names = [(name.rstrip("*"), name.endswith("*")) for name in re.split("[/-]", part)]
        points = (_WORDS[name] if name in _WORDS else int(name) for name, _ in names)
        ways += [tuple(zip(points, (hits for _, hits in names), strict=True))] * int(
            times or also or 1
        )
    return ways


def write_ways(ways: Sequence[Way]) -> str:
    """Return ways as a line, the same ones together."""
    texts = Counter(
        "/".join(
            f"{ {BAR: 'bar', OFF: 'off'}.get(point, point) }{'*' * hits}" for point, hits in way
        )
        for way in ways
    )
    return " ".join(text if times == 1 else f"{text}({times})" for text, times in texts.items())


@lru_cache(maxsize=20_000)
def joined(steps: tuple[tuple[int, Stop], ...]) -> str:
    """Return single steps, each from a point to a stop, as a line in the one spelling.

    Of a checker's way only those stops are left where it hits. Where two checkers meet it does not
    matter which one goes on, so whatever plays a roll to the same position comes out the same.
    """
    hits = {point for _, (point, hit) in steps if hit}
    chains: list[list[int]] = []
    for start, (stop, _) in sorted(steps, reverse=True):
        chain = next((chain for chain in chains if chain[-1] == start), None)
        if chain is None:
            chains.append([start, stop])
        else:
            chain.append(stop)
    chains.sort(reverse=True, key=lambda chain: (chain[0], chain[-1]))
    ways: list[Way] = []
    for at, (start, *between, last) in enumerate(chains):
        if at and chains[at] == chains[at - 1]:
            ways.append(ways[-1])
            continue
        stops = *((stop, True) for stop in between if stop in hits), (last, last in hits)
        ways.append(((start, False), *stops))
        hits -= {point for point, _ in stops}
    return write_ways(ways)


def net(ways: Iterable[Way]) -> Counter[int]:
    """Return how many checkers more, or less, stand on each point in the end."""
    change: Counter[int] = Counter()
    for way in ways:
        change[way[0][0]] -= 1
        change[way[-1][0]] += 1
    return change


def hits_of(ways: Iterable[Way]) -> frozenset[int]:
    """Return the points where ways hit."""
    return frozenset(point for way in ways for point, hits in way if hits)
