"""What the others are told of turns that were played for a seat out of time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from sqlalchemy import Connection

from referee.desk import timing
from referee.games.game import Seat
from referee.render.layout import capital
from referee.render.parts import who
from referee.render.wording import Wording
from referee.store import matches as tables
from referee.store.matches import MatchRow

PLAYING: Final = frozenset({"bot", "idle"})
"""What can be agreed on for who is late so that his turn is played."""


def note(connection: Connection, row: MatchRow, number: int) -> None:
    """Note that a turn was ended for its seat: it was told late at the very moment it ended."""
    turn = tables.turn(connection, row.id, number)
    if turn is not None and turn.ended_at is not None:
        tables.update_turn(connection, turn.id, late_told_at=turn.ended_at)


def told(
    connection: Connection,
    row: MatchRow,
    after: int,
    wording: Wording,
    names: Mapping[Seat, str],
    mine: Seat | None,
) -> tuple[str, ...]:
    """Return a sentence about each turn played for another seat that ended after an event."""
    late = timing.pace_of(row).late
    if late not in PLAYING:
        return ()
    return tuple(
        wording.catalogue.say(
            f"clock.played_{late}", who=capital(who(seat, names, wording)), turn=number
        )
        for number, seat in _ended(connection, row, after)
        if seat != mine
    )


def _ended(connection: Connection, row: MatchRow, after: int) -> Iterator[tuple[int, Seat]]:
    for each in tables.turns(connection, row.id):
        known = each.state == "done" and each.ended_seq is not None and each.ended_seq > after
        if known and each.late_told_at == each.ended_at and each.seat is not None:
            yield each.number, each.seat
