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

INSECTS: Final[Mapping[str, str]] = {
    "Q": "M50 30Q66 32 66 54Q64 76 50 82Q36 76 34 54Q34 32 50 30M35 47H65M34 58H66M38 69H62"
    "M43 30L36 18M57 30L64 18",
    "A": "M50 19A8 8 0 0 1 50 35A8 8 0 0 1 50 19M50 35A7 7 0 0 1 50 49A7 7 0 0 1 50 35"
    "M50 49A11 16 0 0 1 50 81A11 16 0 0 1 50 49M43 40L27 31M43 43L25 46M41 57L26 66"
    "M57 40L73 31M57 43L75 46M59 57L74 66",
    "G": "M28 68L60 30Q72 26 74 36L42 76ZM50 44L30 34L24 58M60 58L76 58L68 82M68 30L78 20",
    "S": "M50 37A14 14 0 0 1 50 65A14 14 0 0 1 50 37M40 41L27 29L22 37M37 47L19 47M37 55L20 60"
    "M40 62L28 76M60 41L73 29L78 37M63 47L81 47M63 55L80 60M60 62L72 76",
    "B": "M50 28Q70 32 68 58Q64 78 50 81Q36 78 32 58Q30 32 50 28M50 42V81M35 42H65"
    "M32 46L20 40M32 60H18M37 73L26 81M68 46L80 40M68 60H82M63 73L74 81",
    "M": "M50 34V80M50 34V14M50 42Q26 28 20 50Q34 60 50 46M50 42Q74 28 80 50Q66 60 50 46"
    "M50 58L34 76M50 58L66 76",
    "L": "M50 26A25 27 0 0 1 50 80A25 27 0 0 1 50 26M50 40V80M32 40H68M39 51H42M58 51H61"
    "M38 64H41M59 64H62",
    "P": "M50 21Q69 24 69 51Q68 79 50 81Q32 79 31 51Q31 24 50 21M35 36H65M32 46H68M31 56H69"
    "M33 66H67M41 75H59",
}
"""The lines of each insect on its tile."""

_PIP: Final = "M{0} 84.4A2.8 2.8 0 0 1 {0} 90A2.8 2.8 0 0 1 {0} 84.4"
_PIPS: Final = {"1": (50,), "2": (44, 56), "3": (39, 50, 61)}


def figure(tile: str, *, raised: bool = False) -> Figure:
    """Return the shape of a tile, such as ``A1``: its insect, and as many dots below.

    One that lies upon another has a second rim.
    """
    dots = "".join(map(_PIP.format, _PIPS.get(tile[1:], ())))
    return Figure(_HEXAGON, INSECTS[tile[0]] + dots + (_RIM if raised else ""))


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
