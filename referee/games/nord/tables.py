"""Tables beside the map: players, settlements, the large boat; tiles in hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.games.game import Card, Mark, Row, Seat, Secret, Sentence, Table, Value, Word
from referee.games.nord.orders import SYMBOLS, action_of
from referee.games.nord.position import NEUTRAL, NO_JARL


def tables(document: Any, boat: tuple[tuple[str, tuple[Mark, ...]], ...]) -> tuple[Table, ...]:
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
    return Table("players", columns("player", "points", "men", "workers", "tiles"), tuple(rows))


def _settlements(document: Any) -> Table:
    seats = document["seats"]
    heads: tuple[Value, ...] = (*columns("settlement", "jarl"), *(Word("seat", s) for s in seats))
    rows = []
    for space, here in document["settlements"].items():
        jarl, warriors = here.get("jarl"), here.get("warriors", {})
        seated = Word("seat", jarl) if jarl and jarl != NO_JARL else None
        counts: list[Value] = [warriors.get(seat) or None for seat in seats]
        rows.append(Row((space, seated, *counts), space))
    return Table("settlements", heads, tuple(rows))


def _large_boat(boat: tuple[tuple[str, tuple[Mark, ...]], ...]) -> Table:
    numbers: list[Value] = [number for number, _ in boat]
    on_it: list[Value] = [marks[0] if marks else None for _, marks in boat]
    row = Row((Word("column", "on-it"), *on_it))
    return Table("large-boat", (Word("column", "place"), *numbers), (row,))


def columns(*keys: str) -> tuple[Value, ...]:
    """Return the headings of columns by their keys."""
    return tuple(Word("column", key) for key in keys)


def secrets(document: Any, seat: Seat | None) -> tuple[Secret, ...]:
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
