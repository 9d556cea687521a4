"""A match's clock when its turns end and begin: banks charged, new time given."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.matches.time import clock as matches_clock
from referee.desk.matches.time import outages, stoppages
from referee.matches.time.calendar import NONE
from referee.matches.time.moments import SECOND
from referee.matches.time.turn_clock import UNTOLD, Running
from referee.store.play import matches
from referee.store.post import reports
from referee.store.tables.play import MatchRow
from referee.value import replace


def follow_turns(
    change: Change,
    before: MatchRow,
    after: MatchRow,
    moment: datetime,
    *,
    earned: Mapping[str, int] | None = None,
    unwritten: Mapping[str, object] | None = None,
) -> MatchRow:
    """Let the clocks follow a turn's end or beginning; return the match.

    ``moment`` is when the letter arrived that ended the turn. After a correction of the position,
    ``earned`` is how many more (or fewer) turns each seat has begun by it: their increments go into
    its bank, or out of it, and the turn brings none by itself. ``unwritten`` are the columns of
    ``after`` that are still to be written.
    """
    begun = (after.turn, after.turn_began_seq) != (before.turn, before.turn_began_seq)
    over = after.state == "over" or after.to_act is None
    if not (begun or over) and unwritten:
        return matches.change_match(change.connection, after.id, **unwritten)
    if not (begun or over):
        return after
    if (bank := matches_clock.bank_of(before)) is not None:
        clock = matches_clock.clock_of(change, before)
        if clock.run is not None and before.to_act is not None:
            # The turn is charged up to the letter's arrival, not to its handling.
            left = clock.run.left_by(min(moment, clock.now), clock.calendar) - clock.run.owed
            seconds = left // SECOND
            matches.change_seat(change.connection, before.id, before.to_act, bank=seconds)
        gained = earned or {}
        for seat in matches.seats(change.connection, before.id):
            if turns := gained.get(seat.seat):
                # What was used of an increment that is taken back is owed.
                kept = bank if seat.bank is None else seat.bank
                kept += turns * matches_clock.increment_of(before)
                matches.change_seat(change.connection, before.id, seat.seat, bank=kept)
    was = before.clock.get(matches_clock.RUN)
    # A reminder that has not left would come after the turn it is about.
    if before.to_act is not None and was is not None and was["reminded"] is not None:
        reports.withdraw_reports(change.connection, before.id, before.to_act)
    clock = matches_clock.clock_of(change, after)
    run = None if over else _begun(change.connection, clock, earns=earned is None)
    if run is not None:
        for why in stoppages.reasons_to_stand(change.connection, after, clock.seat):
            run = run.stopped(why, clock.now, clock.calendar)
    return matches_clock.keep(change.connection, replace(clock, run=run), unwritten)


def _begun(connection: Connection, clock: matches_clock.Clock, *, earns: bool) -> Running | None:
    """Return the clock of a new turn; it waits for its report."""
    row, pace = clock.row, clock.pace
    has = pace.per_turn
    if pace.bank is not None and clock.seat is not None:
        kept = None if clock.seat.bank is None else timedelta(seconds=clock.seat.bank)
        has = (pace.bank if kept is None else kept) + (pace.increment if earns else NONE)
    if has is None:
        return None
    allowed, owed = max(has, NONE), max(-has, NONE)
    # No time runs before the player can know about the turn.
    stops = {UNTOLD, matches_clock.PAUSED} if row.state == "paused" else {UNTOLD}
    # Outages before the turn took nothing from it.
    seen = outages.last_outage_over(connection)
    began = row.turn_began_seq
    return Running(
        row.turn, began, allowed, allowed, stops=frozenset(stops), outage=seen, owed=owed
    )
