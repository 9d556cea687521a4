"""Variable islands, laid out by chance (Nord 9)."""

from __future__ import annotations

from random import Random
from typing import Final, TypeVar

from referee.games.game import BadDocument, replace
from referee.games.grid import distance
from referee.games.nord.island import (
    LEAST_DISTANCE,
    PIECES,
    Coordinates,
    Island,
    Laid,
    Tiles,
    at_shore,
    island_faults,
    land_of,
    neighbours,
    spaces_of,
)

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
    """Return an island that satisfies every rule, and most preferences.

    Raises BadDocument when the tiles allow none.
    """
    best: tuple[int, Island] | None = None
    for number in range(MOST_TRIES):
        # A legal island is enough after so many tries; without one the search goes on.
        if best is not None and number >= TRIES:
            break
        laid = _lay_tiles(tiles, players, rng)
        if laid is None:
            continue
        island = Island(tuple(laid), BOAT, ())
        settlements = _settle(tiles, island, rng)
        if settlements is None:
            continue
        island = replace(island, settlements=settlements)
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
    kinds = {place: sign.lower() for place, sign in land.items() if place not in island.settlements}
    return on_piles + sum(
        1
        for place, kind in kinds.items()
        if all(kinds.get(near) != kind for near in neighbours(place))
    )


def _lay_tiles(tiles: Tiles, players: int, rng: Random) -> list[Laid] | None:
    """Lay tiles around the boat's space, edge to edge; None if that fails."""
    pieces = sorted({PIECES[name] for name in tiles})
    if len(pieces) < players + 4:
        return None
    land: dict[Coordinates, str] = {}
    laid: list[Laid] = []
    for piece in shuffled(pieces, rng)[: players + 4]:
        # Sorted before each draw: the order of a set would differ between runs.
        sides = sorted(name for name in tiles if PIECES[name] == piece)
        name = sides[rng.randrange(len(sides))]
        # Compact islands come from near places, variety from drawing among several.
        nearest = sorted(_choices(tiles, name, land))[:NEAREST]
        if not nearest:
            return None
        spoilt = [(_lonely_after(tiles, land, choice), choice) for _, choice in nearest]
        least = min(spoilt)[0]
        fitting = [choice for lonely, choice in spoilt if lonely == least]
        chosen = fitting[rng.randrange(len(fitting))]
        laid.append(chosen)
        land |= spaces_of(tiles, chosen)
    return laid


def _lonely_after(tiles: Tiles, land: dict[Coordinates, str], laid: Laid) -> int:
    """Count the spaces in and around a tile it would leave without a neighbour of their kind."""
    own = spaces_of(tiles, laid)
    after = land | own
    around = {near for place in own for near in (place, *neighbours(place)) if near in after}
    return sum(
        1
        for place in around
        if not any(_is(after, near, after[place].lower()) for near in neighbours(place))
    )


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


def _settle(tiles: Tiles, island: Island, rng: Random) -> tuple[Coordinates, ...] | None:
    """Return a settlement per tile, in tile order, harmless places first, or None."""
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


def _settlements(options: list[list[Coordinates]]) -> tuple[Coordinates, ...] | None:
    # The tile with the fewest places first, so that dead ends show early.
    order = sorted(range(len(options)), key=lambda i: len(options[i]))
    chosen = _search([options[i] for i in order], (), [SETTLEMENT_STEPS])
    if chosen is None:
        return None
    by_tile = dict(zip(order, chosen, strict=True))
    return tuple(by_tile[i] for i in range(len(options)))


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
) -> tuple[Coordinates, ...] | None:
    if len(chosen) == len(options):
        return chosen
    for place in options[len(chosen)]:
        # Shared by all branches: the whole search is bounded, not each path.
        steps[0] -= 1
        if steps[0] < 0:
            return None
        if all(distance(place, other) >= LEAST_DISTANCE for other in chosen):
            found = _search(options, (*chosen, place), steps)
            if found is not None:
                return found
    return None


def shuffled(values: list[T], rng: Random) -> list[T]:
    """Return the values in random order; only ``Random.randrange`` is used."""
    rest = list(values)
    return [rest.pop(rng.randrange(len(rest))) for _ in values]
