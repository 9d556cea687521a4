"""The calendar entry that goes with a report: put in, moved, and taken out again."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.desk.matches.ledger import Sitting
from referee.mail.composing import Attachment
from referee.render.deadlines import CONTENT_TYPE, NAME, Deadline, calendar_file
from referee.render.moments import moment
from referee.render.wording import Wording
from referee.store.people.players import PlayerRow
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.play.seats import SeatRow
from referee.store.post import outbox

MAILED: Final = "mailed"
"""Under this key of a match's clock stands how many mails went to a seat before it moved here."""


def mailed(connection: Connection, row: MatchRow) -> int:
    """Return what no seat of a match has been written more mails than, here and before."""
    seats = matches.seats(connection, row.id)
    most = max(outbox.written_to(connection, row.id, each.seat) for each in seats)
    before: int = json.loads(row.clock).get(MAILED, 0)
    return before + most + 1


def entry(
    desk: Desk, connection: Connection, sitting: Sitting, seat: SeatRow, player: PlayerRow
) -> Attachment | None:
    """Return the end of a seat's time as a file for calendars; None where there is none to tell.

    A seat that has acted since its last report is sent the entry once more, as cancelled.
    """
    row = sitting.row
    if player.no_calendar:
        return None
    if sitting.live.turn.seat == seat.seat:
        if row.due is None:
            return None
        return _file(desk, connection, row, seat, player, row.due, over=False)
    before = matches.turn_at(connection, row.id, seat.reported_seq)
    if before is None or before.seat != seat.seat or before.due is None:
        return None
    return _file(desk, connection, row, seat, player, before.due, over=True)


def changed(
    desk: Desk,
    connection: Connection,
    row: MatchRow,
    seat: SeatRow,
    player: PlayerRow,
    *,
    holds: bool = True,
) -> Attachment | None:
    """Return the entry as it is after somebody moved a deadline, or ended it, between reports.

    ``holds``: the player has the seat still. None where his calendar has no entry.
    """
    if player.no_calendar:
        return None
    if holds and row.to_act == seat.seat and row.due is not None:
        return _file(desk, connection, row, seat, player, row.due, over=False)
    turns = matches.turns(connection, row.id)
    told = [each.due for each in turns if each.seat == seat.seat and each.due is not None]
    return _file(desk, connection, row, seat, player, told[-1], over=True) if told else None


def _file(
    desk: Desk,
    connection: Connection,
    row: MatchRow,
    seat: SeatRow,
    player: PlayerRow,
    due: datetime,
    *,
    over: bool,
) -> Attachment:
    wording = Wording(desk.find_game(row.game, row.edition), player.language)
    say = wording.catalogue.say
    fields = {"match": row.name, "game": wording.word("game", "name")}
    fields |= {"seat": wording.seat(seat.seat), "turn": str(row.turn)}
    due_text = moment(due, player.zone, wording.catalogue)
    # None shrinks, whatever the clock does, and with each mail the last one grows.
    before = json.loads(row.clock).get(MAILED, 0)
    sequence = row.seq + before + outbox.written_to(connection, row.id, seat.seat)
    deadline = Deadline(
        uid=f"{row.name}-{seat.seat}@{desk.domain}",
        sequence=sequence,
        written=desk.now(),
        due=due,
        summary=say("clock.entry", **fields),
        text=say("clock.entry_over" if over else "clock.entry_text", due=due_text, **fields),
        address=desk.address,
        name=desk.name,
        over=over,
    )
    return Attachment(NAME, CONTENT_TYPE, calendar_file(deadline))
