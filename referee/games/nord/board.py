"""Boards: maps as the rules use them, board files, and the board documents of matches."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import combinations, pairwise
from random import Random
from typing import Final, Literal

from referee.games import grid
from referee.games.documents import Node, shipped
from referee.games.game import BadDocument, Document, Json, Refusal, Value
from referee.games.nord.island import (
    PIECES,
    TILE_SPACES,
    Coordinates,
    Island,
    Laid,
    build,
    draw_map,
    island_faults,
)
from referee.games.nord.orders import Place
from referee.value import asdict, replace

BOAT_NUMBERS: Final = (2, 4, 6, 8, 10, 12, 14, 16, 18, 20)
"""Spaces of the large boat, unless a document names others."""

SIGNS: Final = "~fmkKSD"
"""The signs of a map.

Sea, forest, mountain, karst, karst with a stone pile, settlement, sea with the small boat.
"""


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
        return tuple(self.name[bit] for bit in grid.bits(mask))


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
            mask[grid.format_space(r, c)] = bit
            of[sign] |= bit
    name = {bit: space for space, bit in mask.items()}
    # A stone pile stands on karst and belongs to its region.
    karst = of["k"] | of["K"]
    forests = tuple(grid.components(of["f"], width))
    others = grid.components(of["m"], width) + grid.components(karst, width)
    # Nothing lies beyond the grid (Nord 1, ruling), so steps off the map are masked out.
    whole = sum(mask.values())
    stands = tuple(grid.bits(of["S"]))
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
        piles=tuple(grid.bits(of["K"])),
        settlements=settlements,
        index={space: i for i, space in enumerate(settlements)},
        gates=tuple(grid.spread(bit, width) & whole for bit in stands),
        surroundings=tuple(grid.around(bit, width) & whole for bit in stands),
        boats=of["D"],
        boat_gates=grid.spread(of["D"], width) & whole,
    )


def links(geo: Geometry, workers: int) -> tuple[int, ...]:
    """Return the settlements connected to each (Nord 3), as numbers with a bit per settlement."""
    reached = [grid.flood(gates, workers, geo.width) for gates in geo.gates]
    rows = [0] * len(reached)
    for i, j in combinations(range(len(rows)), 2):
        # A settlement is connected if any worker of the part stands at one of its gates.
        if reached[i] & geo.gates[j]:
            rows[i] |= 1 << j
            rows[j] |= 1 << i
    return tuple(rows)


def connected(geo: Geometry, workers: int, one: int, other: int) -> bool:
    """Whether one component touches both settlements."""
    return bool(grid.flood(geo.gates[one], workers, geo.width) & geo.gates[other])


def no_settlement(geo: Geometry, space: str, rule: str) -> Refusal | None:
    """Return the refusal of an order that names a space where no settlement is, else None."""
    if space in geo.index:
        return None
    code = "no-settlement" if space in geo.mask else "no-such-space"
    return Refusal(code, rule, {"space": space})


@lru_cache(maxsize=512)
def sets_to_place(
    board: Board, kind: Literal["land", "two-regions", "sea"], most: int
) -> tuple[tuple[int, Place], ...]:
    """Return every connected set of up to ``most`` spaces of one kind, and the order placing it.

    On land they lie in one region. Small sets come first.
    """
    geo = geometry(board)
    if kind == "sea":
        masks = grid.connected_sets(geo.sea, most, geo.width)
    elif kind == "land":
        # Within each region apart: far fewer sets than over all the land.
        masks = [m for part in geo.regions for m in grid.connected_sets(part, most, geo.width)]
    else:
        every = grid.connected_sets(geo.land, most, geo.width)
        masks = [m for m in every if len(regions_of(geo, m)) <= 2]
    pairs = [(m, Place(geo.names(m))) for m in masks]
    # A stable sequence, as the protocol asks of legal orders.
    return tuple(sorted(pairs, key=lambda pair: (pair[0].bit_count(), tuple(grid.bits(pair[0])))))


def regions_of(geo: Geometry, mask: int) -> list[int]:
    """Return the land regions a set of spaces reaches into."""
    return [part for part in geo.regions if part & mask]


LEAST_PLACES: Final = 9
FARTHEST: Final = 99


class BoardFile(Value):
    """A board file's content: land tiles, islands, and large boat's numbers."""

    name: str
    provenance: str
    boat_numbers: tuple[int, ...]
    tiles: Mapping[str, tuple[str, ...]]
    islands: Mapping[str, tuple[int, Island]]


@cache
def shipped_file() -> BoardFile:
    """Return the board file that comes with the game."""
    return read_file(shipped("referee.games.nord", "boards/reconstructed.json"))


def read_file(document: Json) -> BoardFile:
    """Return a board file, every island judged. Raises BadDocument, naming the place."""
    fields = Node(document).fields(
        ("game", "name", "provenance", "boat_numbers", "tiles", "islands")
    )
    fields["game"].one_of(["nord"])
    tiles = {}
    for name, node in fields["tiles"].members().items():
        if name not in PIECES:
            node.fail("a tile is called 1 to 8 or A to H")
        rows = tuple(row.text() for row in node.elements())
        if not rows or not rows[0] or len({len(row) for row in rows}) != 1:
            node.fail("a tile is a box of rows of equal length")
        if set("".join(rows)) - set("fmkK."):
            node.fail("a tile is made of f, m, k, K and .")
        if sum(1 for sign in "".join(rows) if sign != ".") != TILE_SPACES:
            node.fail(f"a tile has {TILE_SPACES} land spaces")
        width = len(rows[0]) + 1
        signs = enumerate("".join(f"{row}." for row in rows))
        if len(grid.components(sum(1 << n for n, sign in signs if sign != "."), width)) != 1:
            node.fail("a tile is in one piece")
        tiles[name] = rows
    islands = {}
    for name, node in fields["islands"].members().items():
        given = node.fields(("players", "tiles", "boat", "settlements"), ("starts",))
        players = given["players"].whole(2, 4)
        laid = []
        for element in given["tiles"].elements():
            tile = element.fields(("tile", "rotation", "row", "column"))
            laid.append(
                Laid(
                    tile=tile["tile"].one_of(tuple(tiles)),
                    rotation=tile["rotation"].whole(0, 3),
                    row=tile["row"].whole(-FARTHEST, FARTHEST),
                    column=tile["column"].whole(-FARTHEST, FARTHEST),
                )
            )
        island = Island(
            tiles=tuple(laid),
            boat=_place(given["boat"]),
            settlements=tuple(_place(place) for place in given["settlements"].elements()),
            starts=tuple(_place(start) for start in node.field("starts", []).elements()),
        )
        # Judged when the file is read: an organiser hears of it before anybody is invited.
        for fault in island_faults(tiles, island, players, node.path):
            raise BadDocument(fault.path, fault.message)
        islands[name] = players, island
    return BoardFile(
        name=fields["name"].text(),
        provenance=fields["provenance"].text(),
        boat_numbers=read_boat_numbers(fields["boat_numbers"], LEAST_PLACES),
        tiles=tiles,
        islands=islands,
    )


def read_boat_numbers(node: Node, least: int = 1) -> tuple[int, ...]:
    """Return the numbers of the large boat's places. Raises BadDocument."""
    numbers = tuple(number.whole(1) for number in node.elements())
    if len(numbers) < least:
        node.fail(f"the large boat has at least {least} places")
    if any(one >= other for one, other in pairwise(numbers)):
        node.fail("the numbers must rise strictly")
    return numbers


def _place(node: Node) -> Coordinates:
    pair = [number.whole(-FARTHEST, FARTHEST) for number in node.elements()]
    if len(pair) != 2:
        node.fail("must be a row and a column")
    return pair[0], pair[1]


def make(players: int, island: str, margin: int, given: Json, rng: Random) -> Document:
    """Return the complete board document of a match.

    ``given`` is an organiser's board file, or None for the one that ships. Raises BadDocument when
    the file breaks a rule, ValueError when it has no such island for so many players.
    """
    # An organiser's file may bring tiles and islands of its own.
    file = shipped_file() if given is None else read_file(given)
    name = f"standard-{players}" if island == "standard" else island
    if name == "variable":
        chosen = build(file.tiles, players, rng)
    elif name not in file.islands:
        known = ", ".join(["standard", *file.islands, "variable"])
        raise ValueError(f"there is no island {name!r}; there are: {known}")
    else:
        wanted, chosen = file.islands[name]
        if wanted != players:
            raise ValueError(f"the island {name!r} is for {wanted} players, not for {players}")
    rows, (top, left) = draw_map(file.tiles, chosen, margin)
    return {
        "game": "nord",
        "name": file.name,
        "provenance": file.provenance,
        "island": name,
        "players": players,
        "map": list(rows),
        "starts": [grid.format_space(row - top, column - left) for row, column in chosen.starts],
        "boat_numbers": list(file.boat_numbers),
        # Moved like the map, whose first row and column are A and 1.
        "tiles": [
            asdict(replace(laid, row=laid.row - top, column=laid.column - left))
            for laid in chosen.tiles
        ],
    }


def read_map(node: Node) -> tuple[str, ...]:
    """Return the rows of a map. Raises BadDocument."""
    rows = tuple(line.text() for line in node.elements())
    if not 1 <= len(rows) <= grid.MOST_ROWS:
        node.fail(f"a map has 1 to {grid.MOST_ROWS} rows")
    for line, row in zip(node.elements(), rows, strict=True):
        if len(row) != len(rows[0]) or not 1 <= len(row) <= grid.MOST_COLUMNS:
            line.fail(f"all rows are equally long, with 1 to {grid.MOST_COLUMNS} spaces")
        if set(row) - set(SIGNS):
            line.fail(f"a map is made of the signs {SIGNS}")
    return rows


def read_board(node: Node) -> Board:
    """Return a position's board: a map, or an island that ships."""
    # A position may name a shipped island instead of drawing the map.
    if "map" in node.members():
        fields = node.fields(("map",), ("boat_numbers",))
        numbers = read_boat_numbers(node.field("boat_numbers", list[Json](BOAT_NUMBERS)))
        return Board(read_map(fields["map"]), numbers)
    fields = node.fields(("island",), ("margin",))
    file = shipped_file()
    name = fields["island"].one_of(tuple(file.islands))
    margin = node.field("margin", 2).whole(1, 4)
    rows, _ = draw_map(file.tiles, file.islands[name][1], margin)
    return Board(tuple(rows), file.boat_numbers)


def read_match_board(document: Json) -> tuple[Board, int, tuple[str, ...]]:
    """Return the map, number of players and starts of a complete board document."""
    fields = Node(document).fields(
        ("game", "name", "provenance", "island", "players", "map", "starts", "boat_numbers"),
        ("tiles",),
    )
    rows = read_map(fields["map"])
    starts = []
    for start in fields["starts"].elements():
        try:
            row, column = grid.parse_space(start.text())
        except ValueError as error:
            raise BadDocument(start.path, str(error)) from None
        if row >= len(rows) or column >= len(rows[0]) or rows[row][column] != "S":
            start.fail("a start is a settlement of the map")
        starts.append(start.text())
    numbers = read_boat_numbers(fields["boat_numbers"], LEAST_PLACES)
    players = fields["players"].whole(2, 4)
    # None at all is a variable island, on which the seats choose (Nord 2.7).
    if starts and len(set(starts)) != players:
        fields["starts"].fail(f"{players} players need {players} different starts, or none at all")
    return Board(rows, numbers), players, tuple(starts)
