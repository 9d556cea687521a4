"""What happens when time runs short: a reminder, and what was agreed for a seat out of time.

A deadline acts only when nothing can still be under way: after a poll of the mailbox that began
after it, with every letter handled that arrived before it, and by a clock that is right.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk import gaps, health, leaving, ledger, played_for, playing, timing, urging
from referee.desk.desk import Desk
from referee.desk.ledger import Sitting
from referee.desk.timing import Clock
from referee.matches import match
from referee.matches.log import AnyMatch
from referee.matches.match import Submitted
from referee.store import matches as tables
from referee.store.matches import MatchRow

log = logging.getLogger(__name__)

AGAIN: Final = timedelta(seconds=30)
"""How long to wait for letters still on their way before a deadline is looked at again."""


def next_look(desk: Desk, connection: Connection, row: MatchRow) -> datetime | None:
    """Return when a match must be looked at for its clock; None when that stands or is done."""
    if not timing.runs(row):
        return None
    clock = timing.clock_of(desk, connection, row)
    look = clock.next_look
    if look is None or gaps.lasting(connection) is not None:
        return None
    if look > desk.now():
        return look
    return None if _is_told(connection, clock) else desk.now() + AGAIN


def act(desk: Desk, connection: Connection, sitting: Sitting) -> bool:
    """Do what the clock of the seat to act asks for now; tell whether something was done."""
    if not timing.runs(sitting.row):
        return False
    clock = timing.clock_of(desk, connection, sitting.row)
    look, now = clock.next_look, desk.now()
    if look is None or look > now or gaps.lasting(connection) is not None:
        return False
    ended = clock.run.moment_with(-clock.pace.grace, clock.calendar) if clock.run else None
    if ended is None or ended > now:
        return urging.remind(desk, connection, sitting, clock)
    if not health.all_letters_known(desk, connection, ended):
        return False
    if _played_for(desk, connection, sitting, clock):
        return True
    if _is_told(connection, clock):
        return False
    urging.tell_late(desk, connection, sitting)
    log.info("%s: time is up", sitting.row.name, extra={"action": "late"})
    return True


def _played_for(desk: Desk, connection: Connection, sitting: Sitting, clock: Clock) -> bool:
    """Play a seat's turn for it, as was agreed; tell whether anything could be played."""
    seat, turn, bot = sitting.live.turn.seat, sitting.live.turn, clock.pace.bot

    def idle(live: AnyMatch) -> Submitted | None:
        return match.play_idle(live, ledger.stamp(desk.now()))

    def chosen(live: AnyMatch) -> Submitted | None:
        return playing.bot_plays(desk, live, seat or "", bot, ledger.stamp(desk.now()))

    if seat is not None and clock.pace.late == "resign":
        urging.tell_resigned(desk, connection, sitting, seat)
        leaving.resign(desk, connection, sitting.row, seat)
        return True
    play = {"idle": idle, "bot": chosen}.get(clock.pace.late)
    if seat is None or play is None:
        return False
    live, logged, orders = playing.to_the_end_of_turn(sitting.live, play)
    if not logged:
        return False
    after = ledger.save(desk, connection, sitting, live, logged)
    played_for.note(connection, after.row, turn.number)
    urging.tell_played(desk, connection, after, seat, turn.number, orders)
    told = "; ".join(ledger.text_of(sitting.game, orders))
    log.info("%s: time is up for %s: %s", sitting.row.name, seat, told, extra={"action": "late"})
    return True


def _is_told(connection: Connection, clock: Clock) -> bool:
    """Whether it has been told that the time of the turn is up."""
    turn = tables.turn(connection, clock.row.id, clock.row.turn)
    return turn is not None and turn.late_told_at is not None
