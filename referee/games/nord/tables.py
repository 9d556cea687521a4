"""Tables beside the map, tiles in hand, scorings and ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from referee.games.game import (
    Card,
    CellValue,
    Fact,
    Move,
    Row,
    Scoresheet,
    Seat,
    Secret,
    Sentence,
    Table,
    Track,
    Word,
)
from referee.games.nord.orders import SYMBOLS, action_of
from referee.games.nord.position import NEUTRAL, NO_JARL

PLAYER_HEADS: Final = tuple(
    Word("column", key) for key in ("player", "points", "men", "workers", "tiles")
)


def tiles_held(document: Any, seat: Seat) -> int:
    """Return the number of tiles in a hand: the view has it where it hides the hand itself."""
    hand: int | dict[str, int] = document["hands"][seat]
    return hand if isinstance(hand, int) else sum(hand.values())


def map_tables(document: Any, boat: Track) -> tuple[Table, ...]:
    """Return the tables of a view; ``boat`` is the track of the large boat."""
    seats = document["seats"]
    placed = Counter(document["workers"].values())
    players = []
    for seat in seats:
        tiles = tiles_held(document, seat)
        points, men = document["points"][seat], document["men"][seat]
        players.append(Row((Word("seat", seat), points, men, placed[seat], tiles)))
    heads = (Word("column", "settlement"), Word("column", "jarl"))
    settlements = []
    for space, here in document["settlements"].items():
        jarl, warriors = here.get("jarl"), here.get("warriors", {})
        seated = Word("seat", jarl) if jarl and jarl != NO_JARL else None
        counts: list[CellValue] = [warriors.get(seat) or None for seat in seats]
        settlements.append(Row((space, seated, *counts), space))
    numbers: list[CellValue] = [place.label for place in boat.places]
    on_it: list[CellValue] = [place.marks[0] if place.marks else None for place in boat.places]
    row = Row((Word("column", "on-it"), *on_it))
    return (
        Table("players", PLAYER_HEADS, tuple(players)),
        Table("settlements", (*heads, *(Word("seat", seat) for seat in seats)), tuple(settlements)),
        Table("large-boat", (Word("column", "place"), *numbers), (row,)),
    )


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
        if fact.fact == "attacked":
            yield Move(told["seat"], (told["start"], *told["path"], told["goal"]))
        elif fact.fact == "moved":
            yield Move(told["seat"], (told["start"], told["goal"]))
