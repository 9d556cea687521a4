"""The clock of the seat to act: when it stands still, goes on, and is given more time."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection

from referee.desk import reach
from referee.desk.desk import Desk
from referee.games.play import canonical_json
from referee.store import matches as tables
from referee.store.matches import MatchRow

PAUSED: Final = "paused"
"""Under this key of a match's clock stand the turn and the seconds left while it is paused."""


def stop(desk: Desk, connection: Connection, row: MatchRow) -> None:
    """Let the match's clock stand still from now on; one that stands is left as it is."""
    clock: dict[str, Any] = json.loads(row.clock)
    if PAUSED in clock:
        return
    left = None if row.due is None else int((row.due - desk.now()).total_seconds())
    clock[PAUSED] = {"turn": row.turn, "left": left}
    _keep(connection, row, clock, None)


def go_on(desk: Desk, connection: Connection, row: MatchRow) -> None:
    """Let the match's clock go on from now with what was left; one that runs is left as it is.

    Whose time was up has none left.
    """
    clock: dict[str, Any] = json.loads(row.clock)
    stopped = clock.pop(PAUSED, None)
    if stopped is None:
        return
    left, now = stopped["left"], desk.now()
    due = None if left is None else now + timedelta(seconds=max(left, 0))
    _keep(connection, row, clock, due)
    reach.settle_clock(connection, tables.by_id(connection, row.id), now)


def grant(desk: Desk, connection: Connection, row: MatchRow, span: timedelta) -> None:
    """Give the seat to act so much more time for this turn, whether its clock runs or stands.

    Whose time was up has so much from now on. Whoever calls this logs why.
    """
    clock: dict[str, Any] = json.loads(row.clock)
    seconds = int(span.total_seconds())
    for key in (PAUSED, "stopped"):
        if key in clock and clock[key]["left"] is not None:
            clock[key]["left"] = max(clock[key]["left"], 0) + seconds
    due = None if row.due is None else max(row.due, desk.now()) + span
    _keep(connection, row, clock, due)
    turn = tables.turn(connection, row.id, row.turn)
    if turn is not None:
        tables.update_turn(connection, turn.id, credit=turn.credit + seconds, due=due)


def _keep(
    connection: Connection, row: MatchRow, clock: dict[str, Any], due: datetime | None
) -> None:
    tables.set_clock(
        connection,
        row.id,
        due=due,
        time_per_turn=row.time_per_turn,
        clock=canonical_json(clock),
    )
