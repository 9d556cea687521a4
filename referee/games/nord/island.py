"""Islands of land tiles: their rules, and their conversion to maps (Nord 9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final, TypeAlias

from referee.games.game import BadDocument, Fault, Value
from referee.games.grid import MOST_ROWS, distance

Coordinates: TypeAlias = tuple[int, int]
"""A row and a column, possibly negative before it is a map."""

Tiles: TypeAlias = Mapping[str, tuple[str, ...]]
"""Land tiles by name: rows of signs, with ``.`` outside the tile."""

PIECES: Final = {
    name: piece
    for piece, pair in enumerate(("1A", "2B", "3C", "4D", "5E", "6F", "7G", "8H"))
    for name in pair
}
"""Piece numbers by tile name. Front and back are one piece: 1 and A, 2 and B, … 8 and H."""

TILE_SPACES: Final = 8

LEAST_DISTANCE: Final = 3


class Laid(Value, order=True):
    """A land tile on the table: quarter turns clockwise, and the top left of its box."""

    tile: str
    rotation: int
    row: int
    column: int


class Island(Value):
    """An island: land tiles, the small boat, settlements, any starts in seat order."""

    tiles: tuple[Laid, ...]
    boat: Coordinates
    settlements: tuple[Coordinates, ...]
    starts: tuple[Coordinates, ...] = ()


def turned(rows: tuple[str, ...], rotation: int) -> tuple[str, ...]:
    """Return a tile's rows after so many quarter turns clockwise."""
    for _ in range(rotation):
        # Columns read from the bottom up are the rows of the tile turned clockwise.
        rows = tuple("".join(column) for column in zip(*reversed(rows), strict=True))
    return rows


def spaces_of(tiles: Tiles, laid: Laid) -> dict[Coordinates, str]:
    """Return the spaces a laid tile covers and their signs."""
    return {
        (laid.row + r, laid.column + c): sign
        for r, row in enumerate(turned(tiles[laid.tile], laid.rotation))
        for c, sign in enumerate(row)
        if sign != "."
    }


def land_of(tiles: Tiles, island: Island) -> dict[Coordinates, str]:
    """Return all land spaces and their signs."""
    land: dict[Coordinates, str] = {}
    for laid in island.tiles:
        land |= spaces_of(tiles, laid)
    return land


def neighbours(place: Coordinates) -> list[Coordinates]:
    """Return the four neighbours of a place."""
    row, column = place
    return [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]


def box(places: Mapping[Coordinates, str]) -> tuple[int, int, int, int]:
    """Return the bounding box: top, left, height, width."""
    rows = [row for row, _ in places]
    columns = [column for _, column in places]
    top, left = min(rows), min(columns)
    return top, left, max(rows) - top + 1, max(columns) - left + 1


def island_faults(tiles: Tiles, island: Island, players: int, path: str) -> Iterator[Fault]:
    """Yield every broken rule of an island, each with its path."""
    wanted = players + 4
    if len(island.tiles) != wanted:
        yield Fault(f"{path}.tiles", f"{players} players need {wanted} tiles")
    yield from _tile_faults(tiles, island, f"{path}.tiles")
    land = land_of(tiles, island)
    if not land:
        return
    _, _, height, width = box(land)
    # Whole numbers on both sides, because 1.6 has no exact binary fraction.
    if 10 * max(height, width) > 16 * min(height, width):
        message = f"the island is {height} by {width}: the longer side may be 1.6 times the shorter"
        yield Fault(f"{path}.tiles", message)
    if island.boat in land:
        yield Fault(f"{path}.boat", "the small boat stands on sea")
    if not in_middle(land, island.boat):
        message = "the small boat stands in the middle third of the island, both ways"
        yield Fault(f"{path}.boat", message)
    if not any(near in land for near in neighbours(island.boat)):
        yield Fault(f"{path}.boat", "the small boat needs a neighbouring land space")
    for i, place in enumerate(island.settlements):
        if place not in land:
            yield Fault(f"{path}.settlements[{i}]", "a settlement stands on land")
        elif not at_shore(land, place, island.boat):
            message = "a settlement needs a neighbouring sea space other than the small boat's"
            yield Fault(f"{path}.settlements[{i}]", message)
        if distance(place, island.boat) < LEAST_DISTANCE:
            message = "a settlement is 3 steps or more from the small boat"
            yield Fault(f"{path}.settlements[{i}]", message)
    for (i, one), (j, other) in combinations(enumerate(island.settlements), 2):
        if distance(one, other) < LEAST_DISTANCE:
            message = f"is less than 3 steps from settlement [{i}]"
            yield Fault(f"{path}.settlements[{j}]", message)
    for i, laid in enumerate(island.tiles):
        own = spaces_of(tiles, laid)
        number = sum(place in own for place in island.settlements)
        if number != 1:
            message = f"tile {laid.tile} ([{i}]) has {number} settlements and needs one"
            yield Fault(f"{path}.settlements", message)
    if island.starts and not len(island.starts) == len(set(island.starts)) == players:
        message = f"{players} players need {players} different starts, or none at all"
        yield Fault(f"{path}.starts", message)
    for i, place in enumerate(island.starts):
        if place not in island.settlements:
            yield Fault(f"{path}.starts[{i}]", "a start is one of the settlements")


def _tile_faults(tiles: Tiles, island: Island, path: str) -> Iterator[Fault]:
    covered: set[Coordinates] = set()
    pieces: dict[int, str] = {}
    every = [set(spaces_of(tiles, laid)) for laid in island.tiles]
    land = set().union(*every)
    for i, (laid, own) in enumerate(zip(island.tiles, every, strict=True)):
        other = pieces.setdefault(PIECES[laid.tile], laid.tile)
        # Front and back are one piece of cardboard and cannot both lie on the table.
        if laid.tile in {earlier.tile for earlier in island.tiles[:i]} or other != laid.tile:
            yield Fault(f"{path}[{i}]", f"the piece of tile {laid.tile} is already used")
        if own & covered:
            yield Fault(f"{path}[{i}]", "the tile overlaps an earlier one")
        covered |= own
        # The small boat's space is no land and so counts as sea here (Nord 9).
        if all(near in land for place in own for near in neighbours(place)):
            yield Fault(f"{path}[{i}]", "the tile must touch the sea")
    # From the first tile over edges to all others.
    reached, rest = set().union(*every[:1]), every[1:]
    while rest:
        border = {near for place in reached for near in neighbours(place)}
        joining = [own for own in rest if own & border]
        if not joining:
            yield Fault(path, "all tiles must be linked edge to edge")
            break
        rest = [own for own in rest if not own & border]
        reached.update(*joining)


def in_middle(land: Mapping[Coordinates, str], place: Coordinates) -> bool:
    """Whether a space's middle lies in the island's middle third both ways, borders included."""
    top, left, height, width = box(land)
    row, column = place[0] - top, place[1] - left
    # The space's middle is row + 1/2; multiplied by 6, thirds and halves become whole.
    return 2 * height <= 6 * row + 3 <= 4 * height and 2 * width <= 6 * column + 3 <= 4 * width


def at_shore(land: Mapping[Coordinates, str], place: Coordinates, boat: Coordinates) -> bool:
    """Whether a land space has a sea neighbour. The small boat's space does not count."""
    return any(near not in land and near != boat for near in neighbours(place))


def draw_map(tiles: Tiles, island: Island, margin: int) -> tuple[list[str], Coordinates]:
    """Return the map's rows, and the place that became ``A1``.

    Sea surrounds the island. Raises BadDocument when it has more rows than letters.
    """
    land = land_of(tiles, island)
    # After the land: a settlement covers the space of its tile.
    land |= dict.fromkeys(island.settlements, "S") | {island.boat: "D"}
    top, left, height, width = box(land)
    if height + 2 * margin > MOST_ROWS:
        raise BadDocument("$.margin", f"the map would have more than {MOST_ROWS} rows")
    rows = range(top - margin, top + height + margin)
    columns = range(left - margin, left + width + margin)
    lines = ["".join(land.get((row, column), "~") for column in columns) for row in rows]
    return lines, (top - margin, left - margin)
