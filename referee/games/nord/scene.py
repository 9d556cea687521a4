"""The drawing of a view: cells with marks, panels beside the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from referee.games.game import (
    CHANCE,
    Card,
    Cell,
    CellValue,
    Fact,
    Ground,
    Json,
    Mark,
    Move,
    Panel,
    Place,
    Row,
    Scene,
    Scoresheet,
    Seat,
    Secret,
    Sentence,
    Table,
    Track,
    View,
    Word,
)
from referee.games.grid import format_space
from referee.games.nord.orders import SYMBOLS, action_of
from referee.games.nord.position import NEUTRAL
from referee.games.scene import stage_of

GROUNDS: Final = {
    "sea": ("~D", ".", "#d6ebf7", Ground("sea")),
    "forest": ("f", "f", "#cfe8c8", Ground("forest")),
    "mountain": ("m", "m", "#dedede", Ground("mountain")),
    "karst": ("kK", "k", "#f3e7c9", Ground("rock")),
    "settlement": ("S", "#", "#f6d5c3", Ground("walls")),
}
"""Each ground: its signs in maps, its sign on the text board, colour, and how pictures draw it."""

GROUND_OF: Final = {sign: ground for ground, (signs, *_) in GROUNDS.items() for sign in signs}

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
        jarl, warriors = here.get("jarl"), tuple(here.get("warriors", {}).items())
        sign = rows[bare.row][bare.column]
        seat, tile = workers.get(space), space in tiles
        cells[space] = _drawn(space, bare.row, bare.column, sign, jarl, warriors, seat, tile=tile)

    grounds = {cell.ground for cell in cells.values()}
    signs = [(sign, "ground", name) for name, (_, sign, *_) in GROUNDS.items() if name in grounds]
    letters: dict[str, tuple[str, str, str]] = {}
    for mark in (mark for cell in cells.values() for mark in cell.marks):
        section, word = ("seat", mark.seat) if mark.seat else ("mark", mark.word)
        letters.setdefault(mark.letter, (mark.letter, section, word))

    players, player_table = _players(document)
    settled, settlement_table = _settlements(document)
    boat, boat_table, boat_track = _large_boat(document)
    hand, secrets = _hand(document, view.seat)
    done = document["scorings_done"]
    course = (
        Place(str(n + 1), (), stage_of(n, done), word=Word("mark", kind))
        for n, kind in enumerate(SCORINGS)
    )
    return Scene(
        rows=len(rows),
        columns=len(rows[0]),
        cells=tuple(cells.values()),
        panels=(players, settled, boat, *hand, Panel("course", tuple(_course(document)))),
        palette={name: colour for name, (_, _, colour, _) in GROUNDS.items()},
        legend=(*signs, *(letters[letter] for letter in sorted(letters))),
        grounds={name: drawn for name, (*_, drawn) in GROUNDS.items()},
        tracks=(boat_track, Track("course", "course", tuple(course))),
        tables=(player_table, settlement_table, boat_table),
        secrets=secrets,
    )


@lru_cache(maxsize=16)
def _empty(rows: tuple[str, ...]) -> Mapping[str, Cell]:
    """Return the spaces of a map in board order, nobody on them; all scenes of a match share it."""
    return {
        space: _drawn(space, r, c, sign, None, (), None, tile=False)
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
    jarl: Seat | None,
    warriors: tuple[tuple[Seat, int], ...],
    seat: Seat | None,
    *,
    tile: bool,
) -> Cell:
    """Return a space with its pieces. Cached, since most look alike in scene after scene."""
    ground = GROUND_OF[sign]
    marks = [Mark(_letter(jarl), "jarl", jarl, "banner")] if jarl else []
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
    return Cell(space, row, column, ground, GROUNDS[ground][1], tuple(marks))


def _letter(seat: Seat) -> str:
    return "n" if seat == NEUTRAL else seat[0].upper()


def _players(document: Any) -> tuple[Panel, Table]:
    """Return everybody's points and pieces, in sentences and as a table."""
    placed = Counter(document["workers"].values())
    sentences, rows = [], []
    for seat in document["seats"]:
        points, men, hand = (document[key][seat] for key in ("points", "men", "hands"))
        # The view has the number alone where it hides the hand itself.
        tiles = hand if isinstance(hand, int) else sum(hand.values())
        fields: dict[str, Json] = {"seat": seat, "points": points, "men": men, "tiles": tiles}
        sentences.append(Sentence("player", fields))
        rows.append(Row((Word("seat", seat), points, men, placed[seat], tiles)))
    heads = tuple(Word("column", key) for key in ("player", "points", "men", "workers", "tiles"))
    return Panel("players", tuple(sentences)), Table("players", heads, tuple(rows))


def _settlements(document: Any) -> tuple[Panel, Table]:
    """Return jarls and warriors of each settlement, in sentences and as a table."""
    sentences, rows = [], []
    for space, here in document["settlements"].items():
        jarl, warriors = here.get("jarl"), here.get("warriors", {})
        listed: list[Json] = [{"seat": owner, "number": n} for owner, n in warriors.items()]
        sentences.append(Sentence("settlement", {"space": space, "jarl": jarl, "warriors": listed}))
        counts: list[CellValue] = [warriors.get(seat) for seat in document["seats"]]
        rows.append(Row((space, Word("seat", jarl) if jarl else None, *counts), space))
    seats = (Word("seat", seat) for seat in document["seats"])
    heads = (Word("column", "settlement"), Word("column", "jarl"), *seats)
    return Panel("settlements", tuple(sentences)), Table("settlements", heads, tuple(rows))


def _large_boat(document: Any) -> tuple[Panel, Table, Track]:
    """Return the places of the large boat, in sentences, as a table and as a track."""
    numbers: list[int] = document["board"]["boat_numbers"]
    taken: list[str] = document["large_boat"]
    sentences, marks = [], []
    for number, piece in zip(numbers, taken, strict=False):
        kind, owner = piece.split(":")
        sentences.append(Sentence(f"boat-{kind}", {"number": number, "seat": owner}))
        marks.append(Mark(_letter(owner), kind, owner, "banner" if kind == "jarl" else "token"))
    free: list[Json] = list(numbers[len(taken) :])
    sentences.append(Sentence("boat-free" if free else "boat-full", {"numbers": free}))
    places = tuple(
        Place(str(number), tuple(marks[n : n + 1]), stage_of(n, len(taken)))
        for n, number in enumerate(numbers)
    )
    heads: tuple[CellValue, ...] = (Word("column", "place"), *map(str, numbers))
    row = Row((Word("column", "on-it"), *marks, *[None] * len(free)))
    title = "large-boat"
    return (
        Panel(title, tuple(sentences)),
        Table(title, heads, (row,)),
        Track("places", title, places),
    )


def _hand(document: Any, seat: Seat | None) -> tuple[tuple[Panel, ...], tuple[Secret, ...]]:
    """Return the tiles in the hand of the view's seat, in sentences and as cards."""
    if seat is None or seat not in document["hands"]:
        return (), ()
    sentences, cards = [], []
    for symbol in SYMBOLS:
        if number := document["hands"][seat].get(symbol):
            action = action_of(symbol)
            tile = {"tile": symbol, "number": number, "action": action}
            sentences.append(Sentence("tile", tile))
            name, note = Sentence("tile-name", {"tile": symbol}), {"action": action}
            cards.append(Card(name, Sentence("tile-action", note), count=number, kind="tile"))
    none = () if cards else (Sentence("no-tiles"),)
    return (Panel("hand", (*sentences, *none)),), (Secret("hand", tuple(cards), none),)


def _course(document: Any) -> Iterator[Sentence]:
    over, done, acting = document["phase"] == "over", document["scorings_done"], document["to_act"]
    if over:
        yield Sentence("over")
    else:
        yield Sentence("next-scoring", {"number": done + 1, "kind": SCORINGS[done]})
    supplies: dict[str, Json] = {
        "boats": document["fishing_boats"],
        "tiles": document["supply"],
        "discards": [
            {"tile": symbol, "number": document["discards"][symbol]}
            for symbol in SYMBOLS
            if symbol in document["discards"]
        ],
    }
    yield Sentence("supplies", supplies)
    if over or acting == CHANCE:
        return
    played = document["turn"].get("played")
    # Behind a tile no jarl is challenged (Nord A0).
    due = "place" if played else document["phase"]
    yield Sentence(f"to-{due}", {"seat": acting}, pending=True)
    if played:
        yield Sentence("tile-played", {"tile": played, "action": action_of(played)})


SCORED = frozenset({"scored-resources", "scored-warriors", "treasures-scored"})

DETAILS = frozenset({"starved", "cave-in", "storm", "boat-emptied"})
"""Facts of a scoring that stand below its table."""


def scored_sheets(facts: Sequence[Fact]) -> Iterator[Fact | Scoresheet]:
    """Yield facts, those of each scoring replaced by its sheet."""
    rest = list(facts)
    while rest:
        first = rest[0].fact
        if first not in {"scoring", "treasures-scored"}:
            yield rest.pop(0)
            continue
        treasures = first == "treasures-scored"
        title = None if treasures else rest.pop(0)
        # Treasures follow the last scoring as a sheet of their own.
        known = frozenset({first}) if treasures else (SCORED | DETAILS) - {"treasures-scored"}
        number = next((n for n, fact in enumerate(rest) if fact.fact not in known), len(rest))
        parts, rest = rest[:number], rest[number:]
        told: list[dict[str, Any]] = [dict(fact.fields) for fact in parts if fact.fact in SCORED]
        rows: list[tuple[CellValue, tuple[int | None, ...]]]
        if title is None:
            tiles = [seat["tiles"] for seat in told]
            symbols = dict.fromkeys(symbol for held in tiles for symbol in held)
            rows = [(Word("mark", s), tuple(held.get(s) for held in tiles)) for s in symbols]
        elif told:
            points = [{part["space"]: part["points"] for part in seat["parts"]} for seat in told]
            spaces = sorted({space for own in points for space in own})
            rows = [(space, tuple(own.get(space) for own in points)) for space in spaces]
        else:
            yield from (title, *parts)
            continue
        yield Scoresheet(
            title=title or Word("panel", "treasures"),
            seats=tuple(seat["seat"] for seat in told),
            rows=tuple(rows),
            sums=((Word("column", "points"), tuple(seat["points"] for seat in told)),),
            notes=tuple(fact for fact in parts if fact.fact in DETAILS),
            part=Word("mark", str(title.fields["kind"])) if title else Word("panel", "treasures"),
        )


def attack_ways(facts: Sequence[Fact]) -> Iterator[Move]:
    """Yield the ways of attacks and of warriors that moved."""
    for fact in facts:
        told: Any = fact.fields
        if fact.fact in {"attacked", "moved"}:
            yield Move(told["seat"], (told["start"], *told.get("path", ()), told["goal"]))
