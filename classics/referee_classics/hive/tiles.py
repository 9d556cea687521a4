"""The tiles of hive, where they lie, and what they look like.

A spot is a column and a row, counted from the first tile; each row lies half a tile to the right
of the one above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from string import ascii_lowercase
from types import MappingProxyType
from typing import Final, TypeAlias

from referee.games.game import Figure
from referee_classics.data import data

Spot: TypeAlias = tuple[int, int]

Stacks: TypeAlias = Mapping[Spot, tuple[str, ...]]
"""The tiles on each spot that has any, the lowest first."""

BEHIND: Final[Mapping[str, Spot]] = {"-": (1, 0), "/": (1, -1), "\\": (0, 1)}
BEFORE: Final[Mapping[str, Spot]] = {"-": (-1, 0), "/": (-1, 1), "\\": (0, -1)}
"""Where a tile lies, seen from another: “wQ-” is to the right of it, “-wQ” to the left."""

KINDS: Final[Mapping[str, str]] = {
    "Q": "queen", "A": "ant", "G": "grasshopper", "S": "spider", "B": "beetle",
    "M": "mosquito", "L": "ladybug", "P": "pillbug",
}  # fmt: skip

BASE: Final = ("Q", "A1", "A2", "A3", "G1", "G2", "G3", "S1", "S2", "B1", "B2")
ALL: Final = (*BASE, "M", "L", "P")
"""The tiles of either side, without and with those of the expansions."""

_HEXAGON: Final = "M50 2L92 26V74L50 98L8 74V26Z"
_RIM: Final = "M50 9L86 29.5V70.5L50 91L14 70.5V29.5Z"

_PIP: Final = "M{0} 84.4A2.8 2.8 0 0 1 {0} 90A2.8 2.8 0 0 1 {0} 84.4"
_PIPS: Final = {"1": (50,), "2": (44, 56), "3": (39, 50, 61)}


def figure(tile: str, *, raised: bool = False) -> Figure:
    """Return the shape of a tile, such as ``A1``: its insect, and as many dots below.

    One that lies upon another has a second rim.
    """
    dots = "".join(map(_PIP.format, _PIPS.get(tile[1:], ())))
    return Figure(
        _HEXAGON,
        data("referee_classics.hive")["insects"][tile[0]] + dots + (_RIM if raised else ""),
    )


@lru_cache(maxsize=512)
def stacks_of(moves: tuple[str, ...]) -> Stacks:
    """Return the tiles on the table after moves."""
    stacks: dict[Spot, tuple[str, ...]] = {}
    for move in moves:
        tile, _, beside = move.partition(" ")
        if move == "pass":
            continue
        spot = spot_beside(stacks, beside) if beside else (0, 0)
        for start in [place for place, pile in stacks.items() if tile in pile]:
            stacks[start] = stacks[start][:-1]
            if not stacks[start]:
                del stacks[start]
        stacks[spot] = (*stacks.get(spot, ()), tile)
    return MappingProxyType(stacks)


def spot_of(stacks: Stacks, tile: str) -> Spot | None:
    """Return where a tile lies, if it does."""
    return next((spot for spot, pile in stacks.items() if tile in pile), None)


def spot_beside(stacks: Stacks, beside: str) -> Spot:
    """Return the spot that “wQ-”, “-wQ” or “wQ”, upon that tile, tells. Raises KeyError."""
    before, tile, behind = split_beside(beside)
    spot = spot_of(stacks, tile)
    if spot is None:
        raise KeyError(tile)
    right, down = BEFORE[before] if before else BEHIND[behind] if behind else (0, 0)
    return spot[0] + right, spot[1] + down


def split_beside(beside: str) -> tuple[str, str, str]:
    """Return the sign before a tile, the tile and the sign behind it; either may be empty."""
    before, tile, behind = re.findall(r"^([-/\\]?)(\w+)([-/\\]?)$", beside)[0]
    return before, tile, behind


def around(spot: Spot) -> Iterator[Spot]:
    """Yield the six spots around one."""
    for right, down in (*BEHIND.values(), *BEFORE.values()):
        yield spot[0] + right, spot[1] + down


def is_one_hive(spots: frozenset[Spot]) -> bool:
    """Return whether one can go from every spot to every other by neighbours."""
    reached, ahead = set[Spot](), [*spots][:1]
    while ahead:
        spot = ahead.pop()
        reached.add(spot)
        ahead += [near for near in around(spot) if near in spots and near not in reached]
    return reached == spots


def name_of(spot: Spot) -> str:
    """Return the name of a spot: the first tile lies on n30.

    Numbers have two digits, so that no spot is called like a tile. Behind z stands aa, and before
    a zz.
    """
    column = spot[0] + 13
    before = "" if 0 <= column < 26 else "a" if column > 0 else "z"
    return f"{before}{ascii_lowercase[column % 26]}{spot[1] + 30:02}"
