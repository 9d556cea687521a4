"""What the banks of a match hold, as every report tells it."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection

from referee.desk import timing
from referee.desk.desk import Desk
from referee.desk.ledger import Sitting
from referee.games.game import Seat
from referee.render.layout import capital
from referee.render.moments import span
from referee.render.wording import Wording
from referee.store import matches as tables


def holdings(desk: Desk, connection: Connection, sitting: Sitting) -> dict[Seat, timedelta]:
    """Return what each seat has in its bank now; nothing where a match has no banks."""
    row = sitting.row
    bank = timing.pace_of(row).bank
    if bank is None:
        return {}
    clock = timing.clock_of(desk, connection, row)
    found = {}
    for seat in tables.seats(connection, row.id):
        held = bank if seat.bank is None else timedelta(seconds=max(seat.bank, 0))
        acts = seat.seat == row.to_act and clock.left is not None
        found[seat.seat] = clock.left if acts and clock.left is not None else held
    return found


def sentences(
    desk: Desk, connection: Connection, sitting: Sitting, wording: Wording
) -> tuple[str, ...]:
    """Return one sentence about all banks, or none."""
    held = holdings(desk, connection, sitting)
    if not held or sitting.live.turn.over:
        return ()
    say = wording.catalogue.say
    each = [
        say("clock.bank", seat=wording.seat(seat), span=span(left, wording.catalogue))
        for seat, left in held.items()
    ]
    return (capital(say("clock.banks", banks=", ".join(each))),)
