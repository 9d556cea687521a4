"""The drawing of a view: cells with marks, panels beside the map."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal

from referee.games.game import (
    CHANCE,
    Cell,
    Ground,
    Json,
    Mark,
    Panel,
    Place,
    Scene,
    Seat,
    Sentence,
    Track,
    View,
    Word,
)
from referee.games.grid import format_space
from referee.games.nord.orders import SYMBOLS, action_of
from referee.games.nord.position import NEUTRAL, NO_JARL, OVER
from referee.games.nord.tables import map_tables, tiles_held, tiles_in_hand

GROUNDS: Final = MappingProxyType(
    {
        "~": "sea",
        "D": "sea",
        "f": "forest",
        "m": "mountain",
        "k": "karst",
        "K": "karst",
        "S": "settlement",
    }
)

SIGNS: Final = MappingProxyType(
    {"sea": ".", "forest": "f", "mountain": "m", "karst": "k", "settlement": "#"}
)

PALETTE: Final = MappingProxyType(
    {
        "sea": "#d6ebf7",
        "forest": "#cfe8c8",
        "mountain": "#dedede",
        "karst": "#f3e7c9",
        "settlement": "#f6d5c3",
    }
)

DRAWN: Final = MappingProxyType(
    {
        "sea": Ground("sea"),
        "forest": Ground("forest"),
        "mountain": Ground("mountain"),
        "karst": Ground("rock"),
        "settlement": Ground("walls"),
    }
)
"""How each ground is drawn in pictures."""

SCORINGS: Final = ("resources", "warriors", "resources", "warriors")


def scene(view: View) -> Scene:
    """Return a view described for drawing."""
    document: Any = view.document
    rows: tuple[str, ...] = tuple(document["board"]["map"])
    # Only the spaces where something stands are drawn anew.
    cells = dict(_empty(rows))
    settlements, workers, tiles = (document[n] for n in ("settlements", "workers", "treasures"))
    for space in {*settlements, *workers, *tiles}:
        bare, here = cells[space], settlements.get(space, {})
        settled = here.get("jarl"), tuple(here.get("warriors", {}).items())
        sign = rows[bare.row][bare.column]
        seat, tile = workers.get(space), space in tiles
        cells[space] = _drawn(space, bare.row, bare.column, sign, settled, seat, tile=tile)

    grounds = {cell.ground for cell in cells.values()}
    signs = [(sign, "ground", name) for name, sign in SIGNS.items() if name in grounds]
    letters: dict[str, tuple[str, str, str]] = {}
    for mark in (mark for cell in cells.values() for mark in cell.marks):
        section, word = ("seat", mark.seat) if mark.seat else ("mark", mark.word)
        letters.setdefault(mark.letter, (mark.letter, section, word))

    taken = document["large_boat"]
    places = []
    for place, number in enumerate(document["board"]["boat_numbers"]):
        marks: tuple[Mark, ...] = ()
        if place < len(taken):
            kind, owner = taken[place].split(":")
            marks = (Mark(_letter(owner), kind, owner, "banner" if kind == "jarl" else "token"),)
        places.append(Place(str(number), marks, _stage(place, len(taken))))
    boat = Track("places", "large-boat", tuple(places))

    done = document["scorings_done"]
    course = (
        Place(str(n + 1), (), _stage(n, done), word=Word("mark", kind))
        for n, kind in enumerate(SCORINGS)
    )
    return Scene(
        rows=len(rows),
        columns=len(rows[0]),
        cells=tuple(cells.values()),
        panels=_panels(document, view.seat),
        palette=PALETTE,
        legend=(*signs, *(letters[letter] for letter in sorted(letters))),
        grounds=DRAWN,
        tracks=(boat, Track("course", "course", tuple(course))),
        tables=map_tables(document, boat),
        secrets=tiles_in_hand(document, view.seat),
    )


@lru_cache(maxsize=16)
def _empty(rows: tuple[str, ...]) -> Mapping[str, Cell]:
    """Return the spaces of a map in board order, nobody on them; all scenes of a match share it."""
    return {
        space: _drawn(space, r, c, sign, (None, ()), None, tile=False)
        for r, row in enumerate(rows)
        for c, sign in enumerate(row)
        for space in (format_space(r, c),)
    }


@lru_cache(maxsize=4096)
def _drawn(
    space: str,
    row: int,
    column: int,
    sign: str,
    settled: tuple[Seat | None, tuple[tuple[Seat, int], ...]],
    seat: Seat | None,
    *,
    tile: bool,
) -> Cell:
    """Return a space with its pieces; ``settled``: the jarl and the warriors of a settlement.

    Cached, since most look alike in scene after scene.
    """
    ground = GROUNDS[sign]
    jarl, warriors = settled
    marks = [Mark(_letter(jarl), "jarl", jarl, "banner")] if jarl and jarl != NO_JARL else []
    marks += [Mark(_letter(owner), "warrior", owner, "count", n) for owner, n in warriors]
    if sign == "D":
        marks.append(Mark("D", "boat", shape="boat"))
    if seat:
        afloat = ground == "sea"
        marks.append(Mark(_letter(seat), "worker", seat, "token", afloat=afloat))
    if tile:
        marks.append(Mark("?", "tile", shape="tile", hidden=True, corner=bool(seat)))
    elif sign == "K":
        marks.append(Mark("o", "pile", shape="heap", corner=bool(seat)))
    return Cell(space, row, column, ground, SIGNS[ground], tuple(marks))


def _letter(seat: Seat) -> str:
    return "n" if seat == NEUTRAL else seat[0].upper()


def _panels(document: Any, seat: Seat | None) -> tuple[Panel, ...]:
    players, settlements = [], []
    for player in document["seats"]:
        fields: dict[str, Json] = {
            "seat": player,
            "points": document["points"][player],
            "men": document["men"][player],
            "tiles": tiles_held(document, player),
        }
        players.append(Sentence("player", fields))
    for space, here in document["settlements"].items():
        counts = here.get("warriors", {}).items()
        warriors: list[Json] = [{"seat": owner, "number": number} for owner, number in counts]
        fields = {"space": space, "jarl": here.get("jarl"), "warriors": warriors}
        settlements.append(Sentence("settlement", fields))
    numbers: list[int] = document["board"]["boat_numbers"]
    taken: list[str] = document["large_boat"]
    boat = []
    for number, piece in zip(numbers, taken, strict=False):
        kind, owner = piece.split(":")
        boat.append(Sentence(f"boat-{kind}", {"number": number, "seat": owner}))
    free: list[Json] = list(numbers[len(taken) :])
    boat.append(Sentence("boat-free" if free else "boat-full", {"numbers": free}))
    panels = [
        Panel("players", tuple(players)),
        Panel("settlements", tuple(settlements)),
        Panel("large-boat", tuple(boat)),
    ]
    if seat is not None and seat in document["hands"]:
        hand = document["hands"][seat]
        tiles = tuple(
            Sentence("tile", {"tile": symbol, "number": hand[symbol], "action": action_of(symbol)})
            for symbol in SYMBOLS
            if symbol in hand
        )
        panels.append(Panel("hand", tiles or (Sentence("no-tiles"),)))
    panels.append(Panel("course", _course(document)))
    return tuple(panels)


def _stage(number: int, done: int) -> Literal["done", "next", "later"]:
    return "done" if number < done else "next" if number == done else "later"


def _course(document: Any) -> tuple[Sentence, ...]:
    done = document["scorings_done"]
    supplies: dict[str, Json] = {
        "boats": document["fishing_boats"],
        "tiles": document["supply"],
        "discards": [
            {"tile": symbol, "number": document["discards"][symbol]}
            for symbol in SYMBOLS
            if symbol in document["discards"]
        ],
    }
    if document["phase"] == OVER:
        return Sentence("over"), Sentence("supplies", supplies)
    fields: dict[str, Json] = {"number": done + 1, "kind": SCORINGS[done]}
    sentences = [Sentence("next-scoring", fields), Sentence("supplies", supplies)]
    acting = document["to_act"]
    if acting != CHANCE:
        played = document["turn"].get("played")
        sentences.append(Sentence(f"to-{document['phase']}", {"seat": acting}, pending=True))
        if played:
            fields = {"tile": played, "action": action_of(played)}
            sentences.append(Sentence("tile-played", fields))
    return tuple(sentences)
