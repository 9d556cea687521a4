"""Answers which rules of a variable island a board breaks, by the sentences of §9 and §10."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from support.nord_map import Space, beside, contiguous

PAIRS = dict(zip("12345678", "ABCDEFGH", strict=True))


def turned(box: list[str], rotation: int) -> list[str]:
    """Return a tile's box after quarter turns clockwise, (r, c) → (c, height − 1 − r); §10."""
    for _ in range(rotation):
        height, width = len(box), len(box[0])
        box = ["".join(box[height - 1 - c][r] for c in range(height)) for r in range(width)]
    return box


def spaces_of(tiles: dict[str, list[str]], laid: dict[str, Any]) -> dict[Space, str]:
    """Return the land spaces of a laid tile with their signs; §10."""
    box = turned(tiles[laid["tile"]], laid["rotation"])
    return {
        (laid["row"] + r, laid["column"] + c): sign
        for r, row in enumerate(box)
        for c, sign in enumerate(row)
        if sign != "."
    }


def steps(one: Space, other: Space) -> int:
    """Return the orthogonal steps between two spaces."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def broken(
    tiles: dict[str, list[str]],
    laid: list[dict[str, Any]],
    boat: Space,
    settlements: set[Space],
    players: int,
) -> set[str]:
    """Return the names of the rules an island breaks; §9."""
    parts = [set(spaces_of(tiles, each)) for each in laid]
    land = set().union(*parts)
    found: set[str] = set()
    if len(laid) != players + 4:
        found.add("number of tiles")
    if sum(map(len, parts)) != len(land):
        found.add("overlap")
    if len({PAIRS.get(each["tile"], each["tile"]) for each in laid}) != len(laid):
        found.add("piece used twice")
    if not contiguous(land):
        found.add("not linked")
    found |= _boat_rules(land, boat)
    if any(all(beside(s) <= land for s in part) for part in parts):
        found.add("tile without sea")
    found |= _settlement_rules(parts, land, boat, settlements)
    return found


def _boat_rules(land: set[Space], boat: Space) -> set[str]:
    found: set[str] = set()
    lines = [sorted(s[axis] for s in land) for axis in (0, 1)]
    sides = [line[-1] - line[0] + 1 for line in lines]
    for axis in (0, 1):
        offset = boat[axis] - lines[axis][0]
        if not sides[axis] <= 3 * offset + 3 * 0.5 <= 2 * sides[axis]:
            found.add("boat off the middle")
    if boat in land:
        found.add("boat on land")
    if not beside(boat) & land:
        found.add("boat without land")
    if max(sides) > 1.6 * min(sides):
        found.add("narrow")
    return found


def _settlement_rules(
    parts: list[set[Space]], land: set[Space], boat: Space, settlements: set[Space]
) -> set[str]:
    found: set[str] = set()
    if any(len(part & settlements) != 1 for part in parts):
        found.add("one settlement per tile")
    if any(beside(s) <= land | {boat} for s in settlements):
        found.add("settlement without sea")
    if any(steps(one, other) < 3 for one, other in combinations([*settlements, boat], 2)):
        found.add("too close")
    return found
