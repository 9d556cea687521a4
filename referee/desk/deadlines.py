"""Deadlines: the reminder, the notice that time is up, the move for a late seat.

A deadline acts only when nothing can still be under way: after a poll of the mailbox that began
after it, with every letter handled that arrived before it, and by a clock that is right.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk import health
from referee.desk.desk import Change, stamp
from referee.desk.mails import report
from referee.desk.mails.post import notify
from referee.desk.matches import bots, ledger, standing_orders
from referee.desk.matches.time import clock as matches_clock
from referee.desk.matches.time import departure, outages
from referee.desk.players import names_of, players_of
from referee.desk.seats import handover
from referee.matches import match
from referee.matches.time.moments import DAY
from referee.render.answers import answer
from referee.render.layout import Joined
from referee.render.words.wording import Wording
from referee.store.play import matches
from referee.store.tables.play import MatchRow
from referee.value import replace

log = logging.getLogger(__name__)

SOON: Final = timedelta(seconds=3)
"""How long to wait at first when something may be done once all letters are known."""

AGAIN: Final = timedelta(seconds=30)
"""The longest to wait for letters still on their way before looking again."""


def look_at(moment: datetime, now: datetime) -> datetime:
    """Return when to look for a moment; after it, soon again, for letters may be under way."""
    # Each look doubles the wait, so that a long outage costs few of them.
    return moment if moment > now else now + min(max(now - moment, SOON), AGAIN)


def next_look(change: Change, row: MatchRow) -> datetime | None:
    """Return when a match's clock needs attention, perhaps in the past; None if it needs none."""
    if not matches_clock.clock_runs(row):
        return None
    clock = matches_clock.clock_of(change, row)
    look = clock.next_look
    if look is None or outages.lasting_outage(change.connection) is not None:
        return None
    return None if look <= change.desk.now() and _is_told(change.connection, clock) else look


def act_on_clock(change: Change, loaded: ledger.LoadedMatch) -> bool:
    """Do the next thing a turn's clock asks for; return whether there was one."""
    if not matches_clock.clock_runs(loaded.row):
        return False
    clock = matches_clock.clock_of(change, loaded.row)
    look, now = clock.next_look, change.desk.now()
    if look is None or look > now or outages.lasting_outage(change.connection) is not None:
        return False
    late_at = clock.late_at
    if late_at is None or late_at > now:
        return remind_player(change, loaded, clock)
    # A letter that arrived in time may still lie unread; it must be played before time is up.
    if not health.all_letters_known(change, late_at):
        return False
    if _played_for(change, loaded, clock):
        return True
    if _is_told(change.connection, clock):
        return False
    tell_late(change, loaded)
    log.info("%s: time is up", loaded.row.name, extra={"action": "late", "match": loaded.row.name})
    return True


def _played_for(change: Change, loaded: ledger.LoadedMatch, clock: matches_clock.Clock) -> bool:
    """Play a late seat's turn as agreed; return whether anything was played."""
    seat, turn = loaded.live.turn.seat, loaded.live.turn
    if seat is not None and clock.pace.late == "resign":
        if handover.sitting_for(change.connection, loaded.row.id, seat):
            # The seat goes back to its player, who has had no time for this turn.
            again = clock.pace.per_turn or DAY
            ledger.give_time(change, loaded, again, "the stand-in ran out of time")
            handover.return_seat(change, loaded.row, seat)
        else:
            # Told first: afterwards the seat belongs to the player no longer.
            if clock.player is not None:
                said = answer("late-resigned", turn=loaded.row.turn)
                notify(change, loaded.row, loaded.seat(seat), clock.player, said, box=False)
            handover.resign(change, loaded.row, seat, late=True)
        return True
    if seat is None or clock.pace.late == "wait":
        return False
    kept = standing_orders.kept_standing_orders(change.connection, loaded, seat)
    listed = any(entry.kind != "policy" for entry in kept)
    moment, bot = stamp(change.desk.now()), clock.pace.bot
    live, logged, orders = bots.play_turn(change.desk, loaded.live, bot, moment, listed=listed)
    # The rules may know no idle order here; then the match waits.
    if not logged:
        return False
    after = ledger.save_match(change, loaded, live, logged)
    played_turn = matches.find_turn(change.connection, after.row.id, turn.number)
    # Told at the very moment it ended: by this mark reports know that it was played for its seat.
    if played_turn is not None and (ended := played_turn.ended_at) is not None:
        matches.update_turn(change.connection, played_turn.id, late_told_at=ended)
    if clock.player is not None:
        wording = Wording(loaded.game, clock.player.language)
        played = Joined("; ".join(wording.order(order) for order in orders))
        said = answer("late", turn=turn.number, order=played)
        notify(change, after.row, after.seat(seat), clock.player, said, box=False)
    if match.begins_anew((loaded.live, live)):
        ledger.renew_time(change, after)
    # Not what was played, which may be hidden.
    extra = {"action": "late", "match": loaded.row.name}
    log.info("%s: time is up for %s, played for them", loaded.row.name, seat, extra=extra)
    return True


def _is_told(connection: Connection, clock: matches_clock.Clock) -> bool:
    """Return whether the players know that this turn's time is up."""
    turn = matches.find_turn(connection, clock.row.id, clock.row.turn)
    return turn is not None and turn.late_told_at is not None


def remind_player(change: Change, loaded: ledger.LoadedMatch, clock: matches_clock.Clock) -> bool:
    """Remind the player to act; return whether the reminder was written.

    Each moment agreed for a reminder brings one, and several that came together bring one in all.
    Days away and days off pass without reminders.
    """
    run, left, seat = clock.run, clock.left, clock.seat
    if run is None or left is None or seat is None or clock.calendar.rests(change.desk.now()):
        return False
    owed = [span for span, moment in clock.reminders.items() if moment <= clock.now]
    if not owed:
        return False
    # Noted first, and for blocked players too: the moment is over, whoever reads of it. One that
    # came before quiet hours had more time left than it was for.
    reminded = replace(run, reminded=min(left, *owed))
    matches_clock.keep(change.connection, replace(clock, run=reminded))
    if (
        clock.player is not None
        and not clock.player.blocked
        # The digest tells of the turn again, in good time.
        and departure.way_of(change, clock.player, "turn", clock.due) == "mail"
    ):
        report.write_to_seats(change, loaded, [seat], reminder=True)
    return True


def tell_late(change: Change, loaded: ledger.LoadedMatch) -> None:
    """Tell all players that time is up and that the match waits."""
    row = loaded.row
    turn = matches.find_turn(change.connection, row.id, row.turn)
    if turn is not None:
        matches.update_turn(change.connection, turn.id, late_told_at=change.desk.now())
    # Others wait too, and should know for whom.
    names = names_of(change.connection, loaded.seats)
    for seat, player in players_of(change.connection, loaded.seats).items():
        if seat == row.to_act:
            kept = standing_orders.held_orders(change.connection, loaded, seat)
            asked = kept is not None and kept.is_asked
            said = answer("late-waits", turn=row.turn, asked=asked)
            notify(change, row, loaded.seat(seat), player, said, acts=True)
        elif row.to_act is not None:
            said = answer("late-other", who=names[row.to_act], seat=row.to_act)
            notify(change, row, loaded.seat(seat), player, said, box=False)
