"""The clock of the seat to act: read, stopped, and given more time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.matches.time import departure, outages
from referee.games.game import Seat
from referee.matches.time.calendar import Calendar
from referee.matches.time.pace import Pace
from referee.matches.time.turn_clock import UNTOLD, Outage, TurnClock, known_now, through_outages
from referee.render.words.moments import zone_of
from referee.store.people import players
from referee.store.play import matches
from referee.store.states import PLAYABLE
from referee.store.tables.people import AwayRow, PlayerRow
from referee.store.tables.play import MatchRow, SeatRow
from referee.store.tables.post import OutboxRow
from referee.value import Value, replace

PAUSED: Final = "paused"
"""Reason for a clock to stand: an organiser has paused the match."""

UNREACHABLE: Final = "unreachable"
"""Reason for a clock to stand: no mail reaches the player."""

ASIDE: Final = "aside"
"""Reason for a clock to stand: a letter of the player lies in quarantine."""

BROKEN: Final = "broken"
"""Reason for a clock to stand: its match is broken."""

RUN: Final = "run"
"""The key of the running turn in a match's clock; the rest was agreed."""


class Clock(Value):
    """The clock of a turn: the agreement, its state, its days.

    ``now`` is the moment it goes by; ``run`` is None without a limit or a turn; ``gains`` is the
    time that outages gave it, if that is not kept yet.
    """

    row: MatchRow
    pace: Pace
    run: TurnClock | None
    calendar: Calendar
    now: datetime
    seat: SeatRow | None
    player: PlayerRow | None
    gains: tuple[tuple[Outage, timedelta], ...]

    @property
    def left(self) -> timedelta | None:
        """The time left of the turn."""
        return None if self.run is None else self.run.left_at(self.now, self.calendar)

    @property
    def due(self) -> datetime | None:
        """The moment the turn runs out, or would if its report were delivered now."""
        if self.run is None:
            return None
        # The mail that tells the deadline is the one whose delivery starts the clock.
        if self.run.stops == {UNTOLD} and self.seat is not None and self.seat.holder == "player":
            return self.calendar.runs_out(self.now, self.run.left)
        return self.run.due(self.calendar)

    @property
    def next_look(self) -> datetime | None:
        """The next moment the clock asks for attention: a reminder, or the end."""
        if self.run is None or self.run.since is None or self.row.state != "running":
            return None
        # Nothing happens at the end itself, only when the leeway after it is over, too.
        looks = [self.late_at, *self.reminders.values()]
        return min(moment for moment in looks if moment is not None)

    @property
    def late_at(self) -> datetime | None:
        """The moment at which the turn is late: the leeway, time left below nought, is used up."""
        return None if self.run is None else self.run.due(self.calendar, -self.pace.leeway)

    @property
    def reminders(self) -> dict[timedelta, datetime]:
        """The moments of the reminders still to come, the player's own or the match's.

        They are known by the time then left. No turn begins with one, and none comes twice.
        """
        run, due = self.run, self.due
        if run is None:
            return {}
        own = None if self.player is None else departure.reminders_of(self.player)
        # After one with nothing left none is owed: zero is not None.
        before = run.allowed if run.reminded is None else run.reminded
        moments = {}
        for left in self.pace.reminders if own is None else own:
            moment = run.due(self.calendar, left)
            if moment is None or left >= min(run.allowed, before):
                continue
            if due is not None and self.player is not None:
                moment = departure.before_quiet(self.player, moment, due)
            moments[left] = moment
        return moments


def pace_of(row: MatchRow) -> Pace:
    """Return a match's agreement about time."""
    return Pace.from_document(row.time_per_turn, row.clock)


def bank_holdings(change: Change, row: MatchRow) -> dict[Seat, timedelta]:
    """Return the time in each seat's bank now, by the running clock too; empty without banks."""
    bank = pace_of(row).bank
    if bank is None:
        return {}
    clock = clock_of(change, row)
    holdings = {}
    for seat in matches.seats(change.connection, row.id):
        # A bank may be overdrawn after an undo; nobody is shown less than nothing.
        holdings[seat.seat] = bank if seat.bank is None else timedelta(seconds=max(seat.bank, 0))
        if seat.seat == row.to_act and clock.left is not None:
            holdings[seat.seat] = clock.left
    return holdings


def time_left(change: Change, row: MatchRow) -> dict[Seat, timedelta]:
    """Return the time each seat has left now: in its bank, or without banks that to act.

    A match without a limit, or that is over, has none.
    """
    if row.state not in PLAYABLE or RUN not in row.clock:
        return {}
    left = clock_of(change, row).left
    acting = {} if left is None or row.to_act is None else {row.to_act: left}
    return bank_holdings(change, row) or acting


def time_is_up(row: MatchRow, now: datetime) -> bool:
    """Return whether a running turn has no time left; a leeway may follow."""
    return row.state == "running" and row.due is not None and row.due < now


def calendar_of(connection: Connection, row: MatchRow, seat: SeatRow | None) -> Calendar:
    """Return the days on which a seat's clock runs.

    The turn of a seat keeps the zone it began in, even if its holder sets another.
    """
    off = frozenset(row.clock.get("days_off", ()))
    player = holder_of(connection, seat)
    if seat is None or player is None:
        return Calendar(days_off=off)
    away = players.away_of_all(connection, _holders(connection, seat))[player.id]
    zone = zone_of(_kept_zone(row, seat) or player.zone)
    return Calendar(zone, off, tuple(map(days_of, away)))


def days_of(away: AwayRow) -> tuple[date, date]:
    """Return the first and the last day that a player is away."""
    return date.fromisoformat(away.first_day), date.fromisoformat(away.last_day)


def holder_of(connection: Connection, seat: SeatRow | None) -> PlayerRow | None:
    """Return the player who holds a seat, if one does."""
    if seat is None or seat.player_id is None:
        return None
    return players.get_players(connection, _holders(connection, seat))[seat.player_id]


def _holders(connection: Connection, seat: SeatRow) -> set[int]:
    """Return the players of a seat's match."""
    # Read together: whoever looks at a clock mostly goes on to write to all.
    seats = {seat, *matches.seats(connection, seat.match_id)}
    return {held.player_id for held in seats if held.player_id}


def _kept_zone(row: MatchRow, seat: SeatRow) -> str | None:
    """Return the zone a seat's turn began in, if it differs now."""
    run = row.clock.get(RUN)
    if run is None or "zone" not in run or row.to_act != seat.seat:
        return None
    zone, handed_on = run["zone"]
    return str(zone) if handed_on == seat.handed_on else None


def keep_zone(change: Change, player: PlayerRow, *, kept: bool) -> None:
    """Let a player's present turns go on in their zone, or by the one that is set next.

    If it is ``kept``, a new zone counts from the next turn. Otherwise a weekend could be stretched
    by moving round the world.
    """
    for row in rows_of(change.connection, player.id):
        clock = clock_of(change, row)
        if clock.run is None or clock.seat is None or (kept and _kept_zone(row, clock.seat)):
            continue
        zone = (player.zone, clock.seat.handed_on) if kept else None
        keep(change.connection, replace(clock, run=replace(clock.run, zone=zone)))


def clock_of(change: Change, row: MatchRow) -> Clock:
    """Return the clock of a match's turn; outages that are over are made good."""
    document = row.clock.get(RUN)
    known = outages.latest_outages(change.connection)
    seat = None if row.to_act is None else matches.find_seat(change.connection, row.id, row.to_act)
    calendar = calendar_of(change.connection, row, seat)
    run, gains = None, tuple[tuple[Outage, timedelta], ...]()
    if document is not None:
        run, gains = through_outages(TurnClock.from_document(document), known, calendar)
    now = known_now(change.desk.now(), known)
    player = holder_of(change.connection, seat)
    return Clock(row, pace_of(row), run, calendar, now, seat, player, gains)


def clock_runs(row: MatchRow) -> bool:
    """Return whether the clock of a match's turn runs, days off aside."""
    run = row.clock.get(RUN)
    return run is not None and run["since"] is not None


def start_clock(change: Change, mail: OutboxRow, *, told: bool = True) -> None:
    """Start a turn's clock, because its seat's report was accepted for delivery.

    If nobody knows whether it has ``told`` anything, the clock stands until it has.
    """
    if mail.kind != "report" or mail.match_id is None:
        return
    row = matches.lock_match(change.connection, mail.match_id)
    # Most mails start no clock; this finds out without loading seats and calendars.
    document = row.clock.get(RUN)
    if document is None or mail.seat != row.to_act or told != (UNTOLD in document["stops"]):
        return
    clock = clock_of(change, row)
    run = clock.run
    if run is None or told != (UNTOLD in run.stops):
        return
    # A report from before an undo is about another turn of the same number.
    if (mail.seat, mail.turn) != (row.to_act, run.turn) or (mail.seq or 0) < run.began:
        return
    stands = run.stopped(UNTOLD, clock.now, clock.calendar)
    run = run.released(UNTOLD, clock.now) if told else stands
    keep(change.connection, replace(clock, run=run))


def start_unread(change: Change, row: MatchRow) -> None:
    """Start a turn's clock although its report waits for the player's hours.

    Otherwise hours in which they want no mail would be time given to them.
    """
    resume_clock(change, row, UNTOLD)


def stop_clock(change: Change, row: MatchRow, why: str = PAUSED, *, anew: bool = False) -> None:
    """Stop a match's clock until a reason ends; ``anew``: the turn has all its time again then."""
    clock = clock_of(change, matches.lock_match(change.connection, row.id))
    if clock.run is not None and why not in clock.run.stops:
        run = clock.run.stopped(why, clock.now, clock.calendar)
        if anew:
            run = replace(run, left=run.allowed, reminded=None)
        keep(change.connection, replace(clock, run=run))


def resume_clock(change: Change, row: MatchRow, why: str = PAUSED) -> None:
    """End one reason for a clock to stand; without another one it goes on with the time left."""
    clock = clock_of(change, matches.lock_match(change.connection, row.id))
    if clock.run is not None and why in clock.run.stops:
        keep(change.connection, replace(clock, run=clock.run.released(why, clock.now)))


def grant_time(change: Change, row: MatchRow, span: timedelta) -> None:
    """Give the seat to act more time for this turn.

    Its clock may run or stand; a late seat has ``span`` from now on. The caller logs why.
    """
    clock = clock_of(change, matches.lock_match(change.connection, row.id))
    if clock.run is None:
        return
    keep(change.connection, replace(clock, run=clock.run.given(span, clock.now, clock.calendar)))
    turn = matches.find_turn(change.connection, row.id, row.turn)
    if turn is not None:
        # With the new time the turn is not late any more, and may be told so again.
        matches.update_turn(change.connection, turn.id, late_told_at=None)


def note_held_arrival(change: Change, row: MatchRow, arrived: datetime) -> None:
    """Note the time used when held orders arrived; the bank pays that."""
    clock = clock_of(change, matches.lock_match(change.connection, row.id))
    if clock.run is not None and clock.pace.bank is not None:
        held = clock.run.holding(min(arrived, clock.now), clock.calendar)
        keep(change.connection, replace(clock, run=held))


def is_late(change: Change, row: MatchRow) -> bool:
    """Return whether the turn's time and the leeway after it are up."""
    # Enough for nearly every match, without loading its clock.
    if row.due is None or row.due >= change.desk.now():
        return False
    clock = clock_of(change, row)
    late_at = clock.late_at
    return late_at is not None and late_at < clock.now


@contextmanager
def calendar_change(change: Change, rows: Sequence[MatchRow]) -> Iterator[None]:
    """Let matches' calendars change in the block, as with a new holder, zone or days away.

    The time up to now is settled by the old calendar.
    """
    for row in rows:
        clock = clock_of(change, row)
        if clock.run is not None:
            settled = clock.run.settled(clock.now, clock.calendar)
            keep(change.connection, replace(clock, run=settled))
    yield
    for row in rows:
        keep(change.connection, clock_of(change, matches.lock_match(change.connection, row.id)))


def stops_of(row: MatchRow) -> list[str]:
    """Return the reasons for which a turn's clock stands; none if it runs, or there is none."""
    run = row.clock.get(RUN)
    return [] if run is None else sorted(run["stops"])


def clock_stands(row: MatchRow, why: str) -> bool:
    """Return whether a turn's clock stands for a reason, among others."""
    return why in stops_of(row)


def rows_of(connection: Connection, player_id: int) -> list[MatchRow]:
    """Return the matches where a player is to act, locked, the oldest first."""
    seats = {(seat.match_id, seat.seat) for seat in matches.seats_of_player(connection, player_id)}

    def acts(row: MatchRow) -> bool:
        return (row.id, row.to_act) in seats and row.state in PLAYABLE

    known = [matches.get_match(connection, number) for number in {number for number, _ in seats}]
    acting = [row for row in known if acts(row)]
    acting.sort(key=lambda row: row.id)
    held = [matches.lock_match(connection, row.id) for row in acting]
    return [row for row in held if acts(row)]


def keep(
    connection: Connection, clock: Clock, unwritten: Mapping[str, object] | None = None
) -> MatchRow:
    """Write the clock, its deadline and next look, and columns yet unwritten; return the match."""
    row = clock.row
    written = {key: value for key, value in row.clock.items() if key != RUN}
    if clock.run is not None:
        written[RUN] = clock.run.document()
    changes = dict(unwritten or {})
    if (written, clock.due) != (row.clock, row.due):
        changes |= {"clock": written, "due": clock.due}
    look = clock.next_look
    # Only earlier: something else may be due before.
    if look is not None and (row.agenda_at is None or look < row.agenda_at):
        changes["agenda_at"] = look
    return matches.change_match(connection, row.id, **changes) if changes else row
