"""Tables beside the map, tiles in hand, scorings and ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from referee.games.game import (
    Card,
    CellValue,
    Fact,
    Mark,
    Move,
    Row,
    Scoresheet,
    Seat,
    Secret,
    Sentence,
    Table,
    Word,
)
from referee.games.nord.orders import SYMBOLS, action_of
from referee.games.nord.position import NEUTRAL, NO_JARL

PLAYER_HEADS: Final = tuple(
    Word("column", key) for key in ("player", "points", "men", "workers", "tiles")
)
SETTLEMENT_HEADS: Final = (Word("column", "settlement"), Word("column", "jarl"))


def map_tables(document: Any, boat: tuple[tuple[str, tuple[Mark, ...]], ...]) -> tuple[Table, ...]:
    """Return the tables of a view; ``boat``: number and pieces of each place of the large boat."""
    return _players(document), _settlements(document), _large_boat(boat)


def _players(document: Any) -> Table:
    placed = Counter(document["workers"].values())
    rows = []
    for seat in document["seats"]:
        hand = document["hands"][seat]
        # A number where the view hides the hand, symbols where it shows it.
        tiles = hand if isinstance(hand, int) else sum(hand.values())
        points, men = document["points"][seat], document["men"][seat]
        rows.append(Row((Word("seat", seat), points, men, placed[seat], tiles)))
    return Table("players", PLAYER_HEADS, tuple(rows))


def _settlements(document: Any) -> Table:
    seats = document["seats"]
    heads: tuple[CellValue, ...] = (*SETTLEMENT_HEADS, *(Word("seat", s) for s in seats))
    rows = []
    for space, here in document["settlements"].items():
        jarl, warriors = here.get("jarl"), here.get("warriors", {})
        seated = Word("seat", jarl) if jarl and jarl != NO_JARL else None
        counts: list[CellValue] = [warriors.get(seat) or None for seat in seats]
        rows.append(Row((space, seated, *counts), space))
    return Table("settlements", heads, tuple(rows))


def _large_boat(boat: tuple[tuple[str, tuple[Mark, ...]], ...]) -> Table:
    numbers: list[CellValue] = [number for number, _ in boat]
    on_it: list[CellValue] = [marks[0] if marks else None for _, marks in boat]
    row = Row((Word("column", "on-it"), *on_it))
    return Table("large-boat", (Word("column", "place"), *numbers), (row,))


def tiles_in_hand(document: Any, seat: Seat | None) -> tuple[Secret, ...]:
    """Return the tiles in the hand of the view's seat."""
    if seat is None or seat not in document["hands"] or seat == NEUTRAL:
        return ()
    hand = document["hands"][seat]
    cards = tuple(
        Card(
            Sentence("tile-name", {"tile": symbol}),
            Sentence("tile-action", {"action": action_of(symbol)}),
            count=hand[symbol],
            kind="tile",
        )
        for symbol in SYMBOLS
        if symbol in hand
    )
    return (Secret("hand", cards, () if cards else (Sentence("no-tiles"),)),)


SCORED = frozenset({"scored-resources", "scored-warriors", "treasures-scored"})

DETAILS = frozenset({"starved", "cave-in", "storm", "boat-emptied"})
"""Facts of a scoring that stand below its table."""


def scored_sheets(facts: Sequence[Fact]) -> Iterator[Fact | Scoresheet]:
    """Yield facts, those of each scoring replaced by its sheet."""
    found = list(facts)
    while found:
        first = found[0].fact
        if first not in {"scoring", "treasures-scored"}:
            yield found.pop(0)
            continue
        known = {first} if first == "treasures-scored" else (SCORED | DETAILS) - {first}
        title = None if first == "treasures-scored" else found.pop(0)
        number = next((n for n, each in enumerate(found) if each.fact not in known), len(found))
        number = min(number, _end(found, title))
        part, found = found[:number], found[number:]
        yield from _sheet(title, part)


def _end(facts: Sequence[Fact], title: Fact | None) -> int:
    """Return where a scoring ends: treasures follow the last one as a sheet of their own."""
    if title is None:
        return len(facts)
    ends = (n for n, each in enumerate(facts) if each.fact == "treasures-scored")
    return next(ends, len(facts))


def _sheet(title: Fact | None, facts: Sequence[Fact]) -> Iterator[Fact | Scoresheet]:
    scored = [each for each in facts if each.fact in SCORED]
    if not scored:
        yield from ((title, *facts) if title else facts)
        return
    told: list[dict[str, Any]] = [dict(each.fields) for each in scored]
    yield Scoresheet(
        title=title or Word("panel", "treasures"),
        seats=tuple(each["seat"] for each in told),
        rows=tuple(_treasures(told) if title is None else _parts(told)),
        sums=((Word("column", "points"), tuple(each["points"] for each in told)),),
        notes=tuple(each for each in facts if each.fact in DETAILS),
        part=Word("mark", str(title.fields["kind"])) if title else Word("panel", "treasures"),
    )


def _parts(told: list[dict[str, Any]]) -> Iterator[tuple[str, tuple[int | None, ...]]]:
    by_seat = [{part["space"]: part["points"] for part in each["parts"]} for each in told]
    spaces = dict.fromkeys(space for points in by_seat for space in points)
    for space in sorted(spaces):
        yield space, tuple(points.get(space) for points in by_seat)


def _treasures(told: list[dict[str, Any]]) -> Iterator[tuple[Word, tuple[int | None, ...]]]:
    symbols = dict.fromkeys(symbol for each in told for symbol in each["tiles"])
    for symbol in symbols:
        yield Word("mark", symbol), tuple(each["tiles"].get(symbol) for each in told)


def attack_ways(facts: Sequence[Fact]) -> Iterator[Move]:
    """Yield the ways of attacks and of warriors that moved."""
    for each in facts:
        told: Any = each.fields
        if each.fact == "attacked":
            yield Move(told["seat"], (told["start"], *told["path"], told["goal"]))
        elif each.fact == "moved":
            yield Move(told["seat"], (told["start"], told["goal"]))
