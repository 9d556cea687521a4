"""Boards of matches: board files, islands, and the complete board document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from itertools import pairwise
from random import Random
from typing import Final

from referee.games.documents import Node
from referee.games.game import BadDocument, Board, Json, Value
from referee.games.grid import MOST_COLUMNS, MOST_ROWS, format_space, parse_space
from referee.games.nord import board as map_board
from referee.games.nord.board import BOAT_NUMBERS, SIGNS
from referee.games.nord.island import (
    PIECES,
    TILE_SPACES,
    Coordinates,
    Island,
    Laid,
    draw_map,
    island_faults,
)
from referee.games.nord.variable import build

STANDARD: Final = "standard"
VARIABLE: Final = "variable"
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
    text = (
        resources.files("referee.games.nord")
        .joinpath("boards/reconstructed.json")
        .read_text(encoding="utf-8")
    )
    return read_file(json.loads(text))


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


def make(players: int, island: str, margin: int, given: Json, rng: Random) -> Board:
    """Return the complete board document of a match.

    ``given`` is an organiser's board file, or None for the one that ships. Raises BadDocument when
    the file breaks a rule, ValueError when it has no such island for so many players.
    """
    # An organiser's file may bring tiles and islands of its own.
    file = shipped_file() if given is None else read_file(given)
    name = f"{STANDARD}-{players}" if island == STANDARD else island
    if name == VARIABLE:
        chosen = build(file.tiles, players, rng)
    elif name not in file.islands:
        known = ", ".join([STANDARD, *file.islands, VARIABLE])
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
        "starts": [format_space(row - top, column - left) for row, column in chosen.starts],
        "boat_numbers": list(file.boat_numbers),
        "tiles": [
            {
                "tile": laid.tile,
                "rotation": laid.rotation,
                # Moved like the map, whose first row and column are A and 1.
                "row": laid.row - top,
                "column": laid.column - left,
            }
            for laid in chosen.tiles
        ],
    }


def read_map(node: Node) -> tuple[str, ...]:
    """Return the rows of a map. Raises BadDocument."""
    rows = tuple(line.text() for line in node.elements())
    if not 1 <= len(rows) <= MOST_ROWS:
        node.fail(f"a map has 1 to {MOST_ROWS} rows")
    for line, row in zip(node.elements(), rows, strict=True):
        if len(row) != len(rows[0]) or not 1 <= len(row) <= MOST_COLUMNS:
            line.fail(f"all rows are equally long, with 1 to {MOST_COLUMNS} spaces")
        if set(row) - set(SIGNS):
            line.fail(f"a map is made of the signs {SIGNS}")
    return rows


def read_board(node: Node) -> map_board.Board:
    """Return a position's board: a map, or an island that ships."""
    # A position may name a shipped island instead of drawing the map.
    if "map" in node.members():
        fields = node.fields(("map",), ("boat_numbers",))
        numbers = read_boat_numbers(node.field("boat_numbers", list[Json](BOAT_NUMBERS)))
        return map_board.Board(read_map(fields["map"]), numbers)
    fields = node.fields(("island",), ("margin",))
    file = shipped_file()
    name = fields["island"].one_of(tuple(file.islands))
    margin = node.field("margin", 2).whole(1, 4)
    rows, _ = draw_map(file.tiles, file.islands[name][1], margin)
    return map_board.Board(tuple(rows), file.boat_numbers)


def read_match_board(document: Json) -> tuple[map_board.Board, int, tuple[str, ...]]:
    """Return the map, number of players and starts of a complete board document."""
    fields = Node(document).fields(
        ("game", "name", "provenance", "island", "players", "map", "starts", "boat_numbers"),
        ("tiles",),
    )
    rows = read_map(fields["map"])
    starts = []
    for start in fields["starts"].elements():
        try:
            row, column = parse_space(start.text())
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
    return map_board.Board(rows, numbers), players, tuple(starts)
