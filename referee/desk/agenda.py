"""The agenda: everything due in matches, found from the database alone.

Chance, forced orders, standing orders, bots, deadlines and reports are done here, one transaction
for each step. No list of things to do is kept outside the database, so a daemon killed at any
moment goes on where it stopped.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Final, TypeAlias

from referee.desk import deadlines, health
from referee.desk.desk import Change, Desk, carried_through
from referee.desk.mails.report import write_reports, write_spectator_reports
from referee.desk.matches import bots, broken, ledger, standing_orders, told
from referee.desk.matches.time import clock
from referee.desk.seats import handover
from referee.matches import match
from referee.store.play import matches
from referee.store.play import standins as play_standins
from referee.store.states import ATTENDED
from referee.store.tables.post import LetterRow
from referee.value import replace

log = logging.getLogger(__name__)

AT_ONCE: Final = timedelta()

FindDue: TypeAlias = Callable[[Change], int | None]
"""The way the next match due is found."""


def do_due_steps(
    desk: Desk, most: int = 1000, seconds: float = math.inf, *, since: timedelta = AT_ONCE
) -> int:
    """Do the steps that are due, each in its own transaction; return how many.

    At most ``most`` are done. After ``seconds`` the rest waits for the next call; at least one step
    is done, so a slow machine still gets on. ``since``: only what has been due for so long.
    """
    until = time.monotonic() + seconds
    find = partial(_due, since=since)
    with desk.reading() as change:
        due = find(change)
    done = 0
    while due is not None and done < most:
        due = _tried(desk, due, find)
        done += 1
        if time.monotonic() >= until:
            break
    return done


def has_due_step(desk: Desk, *, since: timedelta = AT_ONCE) -> bool:
    """Return whether anything is due now, and has been for so long."""
    with desk.reading() as change:
        return _due(change, since) is not None


def follow_sender(desk: Desk, letter: LetterRow) -> None:
    """Bring the matches of a letter's sender to rest.

    It is called before the next letter is judged. So it makes no difference whether letters came
    together or one by one. Matches of other players go on by themselves later.
    """
    with desk.reading() as change:
        mine = matches.due_of_sender(change.connection, letter.id, desk.now())
    _bring_to_rest(desk, mine, arrived=letter.arrived)


def catch_up(desk: Desk, arrived: datetime) -> None:
    """Do, in its sequence, all that was due before a letter's arrival.

    It is called before that letter is handled. Seats change hands, and its writer may have another
    say; orders that were held are played. Read again after a restore, letters find the match as
    they found it the first time. A mail server whose clock is ahead brings no day before it comes.
    """
    arrived = min(arrived, desk.now())
    with desk.reading() as change:
        held = matches.matches_held_before(change.connection, arrived)
        passed_on = play_standins.matches_with_stand_in_due(change.connection, arrived)
        behind = {*held, *passed_on}
        if behind:
            behind -= {*broken.broken_reasons(change.connection)}
    _bring_to_rest(desk, sorted(behind), before=arrived)


def _bring_to_rest(
    desk: Desk,
    numbers: Iterable[int],
    *,
    before: datetime | None = None,
    arrived: datetime | None = None,
) -> None:
    """Advance each match until nothing is due, on behalf of a moment or of a letter's arrival."""
    for number in numbers:
        due: int | None = number
        while due is not None:
            due = _tried(desk, due, partial(_still_due, match_id=number), before, arrived)


def _still_due(change: Change, match_id: int) -> int | None:
    at = matches.get_match(change.connection, match_id).agenda_at
    return match_id if at is not None and at <= change.desk.now() else None


def _due(change: Change, since: timedelta) -> int | None:
    rows = matches.needing_attention(change.connection, change.desk.now() - since, limit=1)
    return rows[0].id if rows else None


def _tried(
    desk: Desk,
    match_id: int,
    due: FindDue,
    before: datetime | None = None,
    arrived: datetime | None = None,
) -> int | None:
    """Advance one match by one step without delaying the others; return the next match due."""
    try:
        return carried_through(lambda: _step(desk, match_id, due, before, arrived))
    except Exception as fault:
        # A full disk or a lost database would set every match aside; it is told as trouble of ours.
        if broken.is_machine_fault(fault):
            raise
        # The match cannot go on: that is noted, and its clock stops.
        with desk.writing() as change:
            row = matches.lock_match(change.connection, match_id)
            extra = {"action": "broken", "match": row.name}
            line = broken.broken_line(row.name, fault)
            log.exception("%s", line, extra=extra)
            broken.note_broken(change.connection, row, fault)
            matches.set_agenda(change.connection, match_id, desk.now() + broken.AGAIN)
            following = due(change)
        # In a transaction of its own: the note must stay even if the clock fails with the match.
        try:
            with desk.writing() as change:
                clock.stop_clock(change, row, clock.BROKEN)
        except Exception as trouble:
            if broken.is_machine_fault(trouble):
                raise
            log.exception("the clock of %s cannot be stopped", row.name, extra=extra)
        return following


def _step(
    desk: Desk, match_id: int, due: FindDue, before: datetime | None, arrived: datetime | None
) -> int | None:
    """Advance one match by one step; return the next match due."""
    # What a loss of power undoes is due again, and comes out the same.
    with desk.writing(lasting=False) as bare:
        change = replace(bare, arrived=arrived)
        row = matches.lock_match(change.connection, match_id)
        # While it was waited for, another may have brought the match to rest.
        if before is None and (row.agenda_at is None or row.agenda_at > desk.now()):
            return due(change)
        # If a match that was set aside goes on now, so does its clock.
        if match_id in broken.broken_reasons(change.connection):
            broken.forget_broken(change.connection, match_id)
            clock.resume_clock(change, row, clock.BROKEN)
            row = matches.get_match(change.connection, match_id)
        if row.state not in ATTENDED:
            matches.set_agenda(change.connection, row.id, None)
        else:
            _attend(change, ledger.load_match(change, row), before)
        return due(change)


def _attend(change: Change, loaded: ledger.LoadedMatch, before: datetime | None) -> None:
    """Take the first step due, in the order of the lines below.

    Chance and forced orders come before standing orders, these before a bot, and reports come last,
    when nothing else can move.
    """
    # After a restore the folders may hold letters the database has forgotten. Until they are read,
    # nothing that depends on time may happen.
    known = not health.is_rereading_asked(change.connection)
    if known:
        loaded = ledger.give_credit(change, loaded)
    moment = ledger.moment_of(change.connection, loaded)
    live, logged = match.settle_match(loaded.live, moment)
    if logged:
        after = ledger.save_match(change, loaded, live, logged)
        if match.begins_anew((loaded.live, live)):
            ledger.renew_time(change, after)
        return
    # Before a letter is read again the seats change hands as they did then.
    if (known or before) and handover.pass_next_seat(change, loaded.row, before):
        return
    if live.turn.over:
        standing_orders.void_all(change, loaded)
    elif acting := standing_orders.act_once(change, loaded, moment, before=before):
        # Its seat gets a report of it, even if it already had one for this turn.
        after, acted = acting
        told.owe_report(change.connection, after.seat(acted.standing.seat), after.live.turn.number)
        return
    seat = None if live.turn.seat is None else loaded.seat(live.turn.seat)
    if seat is not None and seat.bot is not None:
        live, logged, _ = bots.play_turn(change.desk, live, seat.bot, moment)
        ledger.save_match(change, loaded, live, logged)
        return
    # Until when its orders are held; those that wait for its yes have no such moment.
    kept = standing_orders.held_orders(change.connection, loaded, live.turn.seat)
    until = None if kept is None else kept.until
    # Whoever has ordered in time is not late, even if nobody has been told yet.
    if seat is not None and known and until is None and deadlines.act_on_clock(change, loaded):
        return
    written = write_reports(change, loaded)
    written += write_spectator_reports(change, loaded)
    # A report that waits for its reader's hours has started the clock.
    row = matches.get_match(change.connection, loaded.row.id)
    now, moments = change.desk.now(), [until or deadlines.next_look(change, row)]
    moments += [
        later.until
        for later in standing_orders.kept_standing_orders(change.connection, loaded)
        if later.kind != "held"
    ]
    moments += handover.next_moments(change.connection, loaded.row)
    looks = [deadlines.look_at(moment, now) for moment in moments if moment is not None]
    matches.set_agenda(change.connection, loaded.row.id, min(looks, default=None))
    extra = {"action": "rest", "match": row.name}
    said = "%s rests at turn %d, %d reports written"
    log.info(said, row.name, live.turn.number, written, extra=extra)
