"""Islands of land tiles: their rules, their conversion to maps, laid out by chance (Nord 9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Final, TypeAlias, TypeVar

from referee.games.game import BadDocument, Fault, Value, replace
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


TRIES: Final = 60
"""Islands laid before one is taken despite unfulfilled preferences."""

MOST_TRIES: Final = 200

SETTLEMENT_STEPS: Final = 2000
"""Steps of the search for settlements before a layout is given up."""

# The boat comes first: in the middle it decides where tiles can lie, not the other way round.
BOAT: Final = (0, 0)

NEAREST: Final = 8
"""Places nearest to the boat among which the next tile is laid."""

T = TypeVar("T")


def build(tiles: Tiles, players: int, rng: Random) -> Island:
    """Return an island that keeps every rule and most preferences. Raises BadDocument if none."""
    best: tuple[int, Island] | None = None
    for number in range(MOST_TRIES):
        # A legal island is enough after so many tries; without one the search goes on.
        if best is not None and number >= TRIES:
            break
        island = Island(tuple(_lay_tiles(tiles, players, rng)), BOAT, ())
        island = replace(island, settlements=_settle(tiles, island, rng))
        # The same judge as for board files, so that no island of ours breaks a rule of theirs.
        if any(True for _ in island_faults(tiles, island, players, "$")):
            continue
        disliked = dislikes(tiles, island)
        if best is None or disliked < best[0]:
            best = disliked, island
        if disliked == 0:
            break
    if best is None:
        raise BadDocument("$.tiles", "no variable island can be built from these tiles")
    return best[1]


def dislikes(tiles: Tiles, island: Island) -> int:
    """Count settlements on stone piles, and land spaces left without a neighbour of their kind."""
    land = land_of(tiles, island)
    on_piles = sum(1 for place in island.settlements if land[place] == "K")
    free = {place: sign for place, sign in land.items() if place not in island.settlements}
    return on_piles + _lonely(free, free)


def _lonely(land: dict[Coordinates, str], places: Iterable[Coordinates]) -> int:
    """Count the places that have no neighbour of their kind on the land."""
    return sum(
        1
        for place in places
        if not any(_is(land, near, land[place].lower()) for near in neighbours(place))
    )


def _lay_tiles(tiles: Tiles, players: int, rng: Random) -> list[Laid]:
    """Lay tiles around the boat's space, edge to edge; none if that fails."""
    pieces = sorted({PIECES[name] for name in tiles})
    if len(pieces) < players + 4:
        return []
    land: dict[Coordinates, str] = {}
    laid: list[Laid] = []
    for piece in shuffled(pieces, rng)[: players + 4]:
        # Sorted before each draw: the order of a set would differ between runs.
        sides = sorted(name for name in tiles if PIECES[name] == piece)
        name = sides[rng.randrange(len(sides))]
        # Compact islands come from near places, variety from drawing among several.
        nearest = sorted(_choices(tiles, name, land))[:NEAREST]
        if not nearest:
            return []
        spoilt = []
        for _, choice in nearest:
            own = spaces_of(tiles, choice)
            # Only in and around the tile can it leave a space without a neighbour of its kind.
            around = {near for place in own for near in (place, *neighbours(place))}
            after = land | own
            spoilt.append((_lonely(after, around & after.keys()), choice))
        least = min(spoilt)[0]
        fitting = [choice for lonely, choice in spoilt if lonely == least]
        chosen = fitting[rng.randrange(len(fitting))]
        laid.append(chosen)
        land |= spaces_of(tiles, chosen)
    return laid


def _choices(tiles: Tiles, name: str, land: dict[Coordinates, str]) -> list[tuple[int, Laid]]:
    """Return places for a tile, each with its distance from the boat."""
    # The first tile lies beside the boat, each later one beside the land.
    border = {near for place in land or {BOAT} for near in neighbours(place)} - set(land) - {BOAT}
    choices = []
    for rotation in range(4):
        shape = sorted(spaces_of(tiles, Laid(name, rotation, 0, 0)))
        # Each space of the tile is tried on each space of the border.
        corners = sorted({(r - a, c - b) for r, c in border for a, b in shape})
        for row, column in corners:
            own = {(row + a, column + b) for a, b in shape}
            if BOAT in own or not own.isdisjoint(land):
                continue
            # Squares, not roots: whole numbers order the same on every machine.
            far = sum(r * r + c * c for r, c in own)
            choices.append((far, Laid(name, rotation, row, column)))
    return choices


def _settle(tiles: Tiles, island: Island, rng: Random) -> tuple[Coordinates, ...]:
    """Return a settlement per tile, in tile order, harmless places first; none if that fails."""
    land = land_of(tiles, island)
    options = [
        [
            place
            for place in shuffled(sorted(spaces_of(tiles, laid)), rng)
            if at_shore(land, place, island.boat) and distance(place, island.boat) >= LEAST_DISTANCE
        ]
        for laid in island.tiles
    ]
    costs = [{place: _cost(land, place) for place in own} for own in options]
    best = [[place for place in cost if cost[place] == min(cost.values())] for cost in costs]
    liked = [[place for place in cost if cost[place] <= 0] for cost in costs]
    # From the strictest preference to none: the rules come first, beauty second.
    return _settlements(best) or _settlements(liked) or _settlements(options)


def _settlements(options: list[list[Coordinates]]) -> tuple[Coordinates, ...]:
    # The tile with the fewest places first, so that dead ends show early.
    order = sorted(range(len(options)), key=lambda i: len(options[i]))
    chosen = _search([options[i] for i in order], (), [SETTLEMENT_STEPS])
    by_tile = dict(zip(order, chosen, strict=False))
    return tuple(by_tile[i] for i in sorted(by_tile))


def _cost(land: dict[Coordinates, str], place: Coordinates) -> int:
    """Count the preferences a settlement would violate: a stone pile, and lonely neighbours.

    A settlement on a space that has no neighbour of its kind removes a violation.
    """
    kind = land[place].lower()
    same = [near for near in neighbours(place) if _is(land, near, kind)]
    left = sum(
        1
        for near in same
        if not any(_is(land, other, kind) for other in neighbours(near) if other != place)
    )
    return left + (land[place] == "K") - (not same)


def _is(land: dict[Coordinates, str], place: Coordinates, kind: str) -> bool:
    return land.get(place, "").lower() == kind


def _search(
    options: list[list[Coordinates]], chosen: tuple[Coordinates, ...], steps: list[int]
) -> tuple[Coordinates, ...]:
    if len(chosen) == len(options):
        return chosen
    for place in options[len(chosen)]:
        # Shared by all branches: the whole search is bounded, not each path.
        steps[0] -= 1
        if steps[0] < 0:
            return ()
        if all(distance(place, other) >= LEAST_DISTANCE for other in chosen) and (
            found := _search(options, (*chosen, place), steps)
        ):
            return found
    return ()


def shuffled(values: list[T], rng: Random) -> list[T]:
    """Return the values in random order; only ``Random.randrange`` is used."""
    rest = list(values)
    return [rest.pop(rng.randrange(len(rest))) for _ in values]
