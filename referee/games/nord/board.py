"""Maps as the rules use them: terrain, regions, gates, sets of spaces."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from referee.games.game import Refusal, Value
from referee.games.grid import around, bits, components, connected_sets, format_space, spread
from referee.games.nord.orders import Place

BOAT_NUMBERS: Final = (2, 4, 6, 8, 10, 12, 14, 16, 18, 20)
"""Spaces of the large boat, unless a document names others."""

SIGNS: Final = "~fmkKSD"
"""The signs of a map.

Sea, forest, mountain, karst, karst with a stone pile, settlement, sea with the small boat.
"""

LAND: Final = "land"
TWO_REGIONS: Final = "two-regions"
SEA: Final = "sea"


class Board(Value, cache_hash=True):
    """A map: rows of :data:`SIGNS`, equally long, and the large boat's numbers."""

    rows: tuple[str, ...]
    boat_numbers: tuple[int, ...] = BOAT_NUMBERS


class Geometry(Value, eq=False):
    """Everything about a board that never changes, as masks (see ``referee.games.grid``).

    ``piles``, ``settlements``, ``gates`` and ``surroundings`` are in board order; ``index`` finds a
    settlement by name.
    """

    width: int
    mask: dict[str, int]
    name: dict[int, str]
    sea: int
    land: int
    mountain: int
    forests: tuple[int, ...]
    regions: tuple[int, ...]
    piles: tuple[int, ...]
    settlements: tuple[str, ...]
    index: dict[str, int]
    gates: tuple[int, ...]
    surroundings: tuple[int, ...]
    boats: int
    boat_gates: int

    def names(self, mask: int) -> tuple[str, ...]:
        """Return the spaces of a mask by name, in board order."""
        return tuple(self.name[bit] for bit in bits(mask))


@lru_cache(maxsize=256)
def geometry(board: Board) -> Geometry:
    """Return the tables of a board."""
    # One bit more than a row has spaces, so that steps never wrap into the next row.
    width = len(board.rows[0]) + 1
    of: dict[str, int] = dict.fromkeys(SIGNS, 0)
    mask: dict[str, int] = {}
    for r, row in enumerate(board.rows):
        for c, sign in enumerate(row):
            bit = 1 << (r * width + c)
            mask[format_space(r, c)] = bit
            of[sign] |= bit
    name = {bit: space for space, bit in mask.items()}
    # A stone pile stands on karst and belongs to its region.
    karst = of["k"] | of["K"]
    forests = tuple(components(of["f"], width))
    others = components(of["m"], width) + components(karst, width)
    # Nothing lies beyond the grid (Nord 1, ruling), so steps off the map are masked out.
    grid = sum(mask.values())
    stands = tuple(bits(of["S"]))
    settlements = tuple(name[bit] for bit in stands)
    return Geometry(
        width=width,
        mask=mask,
        name=name,
        sea=of["~"],
        # A space under a settlement belongs to no region and counts as no land (Nord 1).
        land=of["f"] | of["m"] | karst,
        mountain=of["m"],
        forests=forests,
        regions=forests + tuple(others),
        piles=tuple(bits(of["K"])),
        settlements=settlements,
        index={space: i for i, space in enumerate(settlements)},
        gates=tuple(spread(bit, width) & grid for bit in stands),
        surroundings=tuple(around(bit, width) & grid for bit in stands),
        boats=of["D"],
        boat_gates=spread(of["D"], width) & grid,
    )


def no_settlement(geo: Geometry, space: str, rule: str) -> Refusal | None:
    """Return the refusal of an order that names a space where no settlement is, else None."""
    if space in geo.index:
        return None
    code = "no-settlement" if space in geo.mask else "no-such-space"
    return Refusal(code, rule, {"space": space})


@lru_cache(maxsize=512)
def sets_to_place(board: Board, kind: str, most: int) -> tuple[tuple[int, Place], ...]:
    """Return every connected set of up to ``most`` spaces of one kind, and the order placing it.

    ``kind`` is LAND (one region), TWO_REGIONS (at most two) or SEA. Small sets come first.
    """
    geo = geometry(board)
    if kind == SEA:
        masks = connected_sets(geo.sea, most, geo.width)
    elif kind == LAND:
        # Within each region apart: far fewer sets than over all the land.
        masks = [m for part in geo.regions for m in connected_sets(part, most, geo.width)]
    else:
        every = connected_sets(geo.land, most, geo.width)
        masks = [m for m in every if len(regions_of(geo, m)) <= 2]
    pairs = [(m, Place(geo.names(m))) for m in masks]
    # A stable sequence, as the protocol asks of legal orders.
    return tuple(sorted(pairs, key=lambda pair: (pair[0].bit_count(), tuple(bits(pair[0])))))


def regions_of(geo: Geometry, mask: int) -> list[int]:
    """Return the land regions a set of spaces reaches into."""
    return [part for part in geo.regions if part & mask]
