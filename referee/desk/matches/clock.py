"""The clock of the seat to act: when it starts, stands still, goes on, and is given more time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.desk.matches import outages
from referee.games.play import canonical_json
from referee.matches.time.calendar import NONE, Calendar
from referee.matches.time.pace import Pace
from referee.matches.time.turn_clock import UNTOLD, Gap, Running, known_now, through
from referee.render.moments import zone_of
from referee.store.people import players
from referee.store.people.players import PlayerRow
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.play.seats import SeatRow
from referee.store.post import outbox
from referee.store.post.outbox import OutboxRow
from referee.store.states import PLAYABLE

PAUSED: Final = "paused"
"""Why a clock stands while an organiser has stopped the match."""

UNREACHABLE: Final = "unreachable"
"""Why a clock stands while no mail reaches the player."""

ASIDE: Final = "aside"
"""Why a clock stands while a letter of the player lies in quarantine."""

BROKEN: Final = "broken"
"""Why a clock stands while its match cannot go on by itself."""

MOST_BOUNCES: Final = 5
"""For so many mails that came back to a player the clock of one match stands, and no more."""

RUN: Final = "run"
"""Under this key of a match's clock stands how the clock of its turn is; the rest was agreed."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a match's turn: what was agreed, how it stands, and on which days it runs.

    ``now`` is the moment it goes by; ``run`` is None where there is no limit or no turn.
    """

    row: MatchRow
    pace: Pace
    run: Running | None
    calendar: Calendar
    now: datetime
    seat: SeatRow | None

    @property
    def left(self) -> timedelta | None:
        """What is left of the turn."""
        return None if self.run is None else self.run.left_at(self.now, self.calendar)

    @property
    def due(self) -> datetime | None:
        """When the turn runs out; before its report is delivered, when it would if it were now."""
        if self.run is None:
            return None
        if self.run.stops == {UNTOLD} and self.seat is not None and self.seat.holder == "player":
            return self.calendar.runs_out(self.now, self.run.left)
        return self.run.due(self.calendar)

    @property
    def next_look(self) -> datetime | None:
        """When the clock must be looked at next: for a reminder, or because time is up."""
        if self.run is None or self.run.since is None or self.row.state != "running":
            return None
        moments = [-self.pace.grace]
        moments += [each for each in self.pace.reminders if self.owes(each)]
        found = [self.run.moment_with(each, self.calendar) for each in moments]
        return min(each for each in found if each is not None)

    def owes(self, reminder: timedelta) -> bool:
        """Whether a reminder is still to come: no turn begins with one, none comes twice."""
        run = self.run
        return run is not None and reminder < min(run.allowed, run.reminded or run.allowed)


def pace_of(row: MatchRow) -> Pace:
    """Return what a match agreed about time."""
    return Pace.from_document(row.time_per_turn, json.loads(row.clock))


def bank_of(row: MatchRow) -> int | None:
    """Return what each seat of a match has in its bank at first, in seconds; None: no banks."""
    bank = pace_of(row).bank
    return None if bank is None else bank.days * 86_400 + bank.seconds


def increment_of(row: MatchRow) -> int:
    """Return what each turn adds to the bank, in seconds."""
    increment = pace_of(row).increment
    return increment.days * 86_400 + increment.seconds


def calendar_of(connection: Connection, row: MatchRow, seat: SeatRow | None) -> Calendar:
    """Return on which days the clock of a seat runs.

    The turn of a seat keeps the zone it began in, though its holder sets another.
    """
    off = frozenset(json.loads(row.clock).get("days_off", ()))
    if seat is None or seat.player_id is None:
        return Calendar(days_off=off)
    player = players.by_id(connection, seat.player_id)
    away = players.away_of(connection, player.id)
    days = ((date.fromisoformat(a.first_day), date.fromisoformat(a.last_day)) for a in away)
    return Calendar(zone_of(_kept_zone(row, seat) or player.zone), off, tuple(days))


def _kept_zone(row: MatchRow, seat: SeatRow) -> str | None:
    """Return the zone a seat's turn began in, if its holder has set another one since."""
    run = json.loads(row.clock).get(RUN)
    if run is None or "zone" not in run or row.to_act != seat.seat:
        return None
    zone, handed_on = run["zone"]
    return str(zone) if handed_on == seat.handed_on else None


def keep_zone(desk: Desk, connection: Connection, player: PlayerRow) -> None:
    """Let the turns a player has now go on in their zone: one to be set counts from the next.

    Else a weekend would be as long as the days are that go round the world.
    """
    for row in rows_of(connection, player.id):
        clock = clock_of(desk, connection, row)
        if clock.run is not None and clock.seat is not None and not _kept_zone(row, clock.seat):
            zone = (player.zone, clock.seat.handed_on)
            _keep(connection, replace(clock, run=replace(clock.run, zone=zone)))


def forget_zone(desk: Desk, connection: Connection, player: PlayerRow) -> None:
    """Let the turns a player has now go by the zone that is set, from now on."""
    for row in rows_of(connection, player.id):
        clock = clock_of(desk, connection, row)
        if clock.run is not None and clock.run.zone is not None:
            _keep(connection, replace(clock, run=replace(clock.run, zone=None)))


def clock_of(desk: Desk, connection: Connection, row: MatchRow) -> Clock:
    """Return the clock of a match's turn, with the gaps made good that are over."""
    document = json.loads(row.clock).get(RUN)
    known = outages.gaps(connection)
    seat = None if row.to_act is None else matches.seat(connection, row.id, row.to_act)
    calendar = calendar_of(connection, row, seat)
    run = None
    if document is not None:
        run, _ = through(Running.from_document(document), known, calendar)
    return Clock(row, pace_of(row), run, calendar, known_now(desk.now(), known), seat)


def gains_of(connection: Connection, row: MatchRow) -> tuple[tuple[Gap, timedelta], ...] | None:
    """Return what gaps gave the clock of a match's turn that have not been made good yet.

    None: there was no such gap.
    """
    document = json.loads(row.clock).get(RUN)
    if document is None or document["since"] is None:
        return None
    known = outages.gaps(connection)
    if not any(each.number > document["gap"] and each.ended is not None for each in known):
        return None
    seat = None if row.to_act is None else matches.seat(connection, row.id, row.to_act)
    calendar = calendar_of(connection, row, seat)
    return through(Running.from_document(document), known, calendar)[1]


def runs(row: MatchRow) -> bool:
    """Whether the clock of a match's turn runs, days off aside."""
    run = json.loads(row.clock).get(RUN)
    return run is not None and run["since"] is not None


def follow(
    desk: Desk,
    connection: Connection,
    before: MatchRow,
    after: MatchRow,
    moment: datetime,
    *,
    earned: Mapping[str, int] | None = None,
) -> MatchRow:
    """Let the clocks follow what happened in a match: a turn that ended, and one that began.

    Return the match after that.

    ``moment`` is when the letter arrived that ended the turn. Where the position was set and not
    played, ``earned`` tells how many turns more, or less, each seat has begun by that: their
    increments go into its bank, or out of it, and the turn brings none by itself.
    """
    begun = (after.turn, after.turn_began_seq) != (before.turn, before.turn_began_seq)
    over = after.state == "over" or after.to_act is None
    if not (begun or over):
        return after
    if pace_of(before).bank is not None:
        _charge(desk, connection, before, moment)
        _credit(connection, before, earned or {})
    was = json.loads(before.clock).get(RUN)
    if before.to_act is not None and was is not None and was["reminded"] is not None:
        outbox.supersede_reports(connection, before.id, before.to_act)
    clock = clock_of(desk, connection, after)
    run = None if over else _begun(connection, clock, earns=earned is None)
    if run is not None and _out_of_reach(connection, after, clock.seat):
        run = run.stopped(UNREACHABLE, clock.now, clock.calendar)
    return _keep(connection, replace(clock, run=run))


def _charge(desk: Desk, connection: Connection, before: MatchRow, moment: datetime) -> None:
    """Put what a turn left into the bank of its seat."""
    clock = clock_of(desk, connection, before)
    if clock.run is None or before.to_act is None:
        return
    left = clock.run.left_at(min(moment, clock.now), clock.calendar) - clock.run.owed
    seconds = left.days * 86_400 + left.seconds
    matches.set_bank(connection, before.id, before.to_act, seconds)


def _credit(connection: Connection, row: MatchRow, earned: Mapping[str, int]) -> None:
    """Put the increments of so many turns into the bank of each seat, or take them out of it.

    A bank may lack what was used of an increment that is taken back: it is owed.
    """
    for seat in matches.seats(connection, row.id):
        kept = bank_of(row) if seat.bank is None else seat.bank
        if kept is not None and earned.get(seat.seat):
            left = kept + earned[seat.seat] * increment_of(row)
            matches.set_bank(connection, row.id, seat.seat, left)


def _begun(connection: Connection, clock: Clock, *, earns: bool) -> Running | None:
    """Return the clock of a turn that begins; it stands until its report is on its way."""
    row, pace = clock.row, clock.pace
    has = pace.per_turn
    if pace.bank is not None and clock.seat is not None:
        kept = None if clock.seat.bank is None else timedelta(seconds=clock.seat.bank)
        has = (pace.bank if kept is None else kept) + (pace.increment if earns else NONE)
    if has is None:
        return None
    allowed, owed = max(has, NONE), max(-has, NONE)
    stops = {UNTOLD, PAUSED} if row.state == "paused" else {UNTOLD}
    seen = outages.last_over(connection)
    began = row.turn_began_seq
    return Running(row.turn, began, allowed, allowed, stops=frozenset(stops), gap=seen, owed=owed)


def told(desk: Desk, connection: Connection, mail: OutboxRow) -> None:
    """Start the clock of a turn: the report to its seat was accepted for delivery."""
    if mail.kind != "report" or mail.match_id is None:
        return
    row = matches.hold(connection, mail.match_id)
    document = json.loads(row.clock).get(RUN)
    if document is None or mail.seat != row.to_act or UNTOLD not in document["stops"]:
        return
    clock = clock_of(desk, connection, row)
    run = clock.run
    if run is None or UNTOLD not in run.stops:
        return
    if (mail.seat, mail.turn) != (row.to_act, run.turn) or (mail.seq or 0) < run.began:
        return
    after = _keep(connection, replace(clock, run=run.released(UNTOLD, clock.now)))
    turn = matches.turn(connection, row.id, row.turn)
    if turn is not None:
        matches.update_turn(connection, turn.id, due=after.due)


def stop(desk: Desk, connection: Connection, row: MatchRow, why: str = PAUSED) -> None:
    """Let the match's clock stand still from now on, until it goes on for the same reason."""
    clock = clock_of(desk, connection, matches.hold(connection, row.id))
    if clock.run is not None and why not in clock.run.stops:
        _keep(connection, replace(clock, run=clock.run.stopped(why, clock.now, clock.calendar)))


def go_on(desk: Desk, connection: Connection, row: MatchRow, why: str = PAUSED) -> None:
    """Let the match's clock go on with what was left, unless it stands for another reason too."""
    clock = clock_of(desk, connection, matches.hold(connection, row.id))
    if clock.run is not None and why in clock.run.stops:
        _keep(connection, replace(clock, run=clock.run.released(why, clock.now)))


def grant(desk: Desk, connection: Connection, row: MatchRow, span: timedelta) -> None:
    """Give the seat to act so much more time for this turn, whether its clock runs or stands.

    Whose time was up has so much from now on. Whoever calls this logs why.
    """
    clock = clock_of(desk, connection, matches.hold(connection, row.id))
    if clock.run is None:
        return
    _keep(connection, replace(clock, run=clock.run.given(span, clock.now, clock.calendar)))
    turn = matches.turn(connection, row.id, row.turn)
    if turn is not None:
        seconds = turn.credit + span.days * 86_400 + span.seconds
        matches.update_turn(connection, turn.id, credit=seconds, late_told_at=None)


def make_good(desk: Desk, connection: Connection, row: MatchRow) -> None:
    """Keep a match's clock with every gap made good that is over."""
    _keep(connection, clock_of(desk, connection, row))


def is_late(desk: Desk, connection: Connection, row: MatchRow) -> bool:
    """Whether the time of the turn is up, and the grace after it."""
    if row.due is None or row.due >= desk.now():
        return False
    clock = clock_of(desk, connection, row)
    ended = None if clock.run is None else clock.run.moment_with(-clock.pace.grace, clock.calendar)
    return ended is not None and ended < clock.now


def note_reminded(connection: Connection, clock: Clock) -> None:
    """Note that the player was reminded now."""
    if clock.run is not None:
        _keep(connection, replace(clock, run=replace(clock.run, reminded=clock.left)))


@contextmanager
def days_change(desk: Desk, connection: Connection, player_id: int) -> Iterator[None]:
    """Let a player's zone or days away change in the block: time that passed before stays used."""
    with calendar_change(desk, connection, rows_of(connection, player_id)):
        yield


@contextmanager
def calendar_change(desk: Desk, connection: Connection, rows: Sequence[MatchRow]) -> Iterator[None]:
    """Let what stops the clocks of matches change in the block, such as who holds a seat."""
    for row in rows:
        clock = clock_of(desk, connection, row)
        run = clock.run
        if run is not None and run.since is not None:
            left = run.left_at(clock.now, clock.calendar)
            _keep(connection, replace(clock, run=replace(run, left=left, since=clock.now)))
    yield
    for row in rows:
        _keep(connection, clock_of(desk, connection, matches.hold(connection, row.id)))


def settle_reach(desk: Desk, connection: Connection, player_id: int) -> list[MatchRow]:
    """Let a player's clocks stand still while mail does not reach him, and go on when it does.

    Return the matches in which it stands for that from now on.
    """
    stopped = []
    for row in rows_of(connection, player_id):
        seat = matches.seat(connection, row.id, row.to_act or "")
        if not _out_of_reach(connection, row, seat):
            go_on(desk, connection, row, UNREACHABLE)
        elif not stands(row, UNREACHABLE):
            stop(desk, connection, row, UNREACHABLE)
            stopped.append(row)
    return stopped


def stands(row: MatchRow, why: str) -> bool:
    """Tell whether the clock of a match's turn stands for a reason, among others."""
    run = json.loads(row.clock).get(RUN)
    return run is not None and why in run["stops"]


def rows_of(connection: Connection, player_id: int) -> list[MatchRow]:
    """Return the matches in which a player is to act, locked in the order of their names."""
    seats = {(each.match_id, each.seat) for each in matches.seats_of_player(connection, player_id)}

    def acts(row: MatchRow) -> bool:
        return (row.id, row.to_act) in seats and row.state in PLAYABLE

    known = [matches.by_id(connection, each) for each in {number for number, _ in seats}]
    found = [row for row in known if acts(row)]
    held = [matches.hold(connection, row.id) for row in sorted(found, key=lambda row: row.name)]
    return [row for row in held if acts(row)]


def _out_of_reach(connection: Connection, row: MatchRow, seat: SeatRow | None) -> bool:
    """Tell whether a seat is a player's none of whose addresses works.

    Whoever reads a mail can make it come back, its player too. So no more than a few bounces of a
    match's time let its clock stand.
    """
    if seat is None or seat.player_id is None:
        return False
    known = players.addresses_of(connection, seat.player_id)
    if any(each.state == "ok" for each in known):
        return False
    return outbox.bounces(connection, seat.player_id, row.created) <= MOST_BOUNCES


def _keep(connection: Connection, clock: Clock) -> MatchRow:
    """Write how a clock stands, when its turn is due, and when it must be looked at.

    Return the match after that.
    """
    row = clock.row
    document: Mapping[str, Any] = json.loads(row.clock)
    agreed = {key: value for key, value in document.items() if key != RUN}
    run = {} if clock.run is None else {RUN: clock.run.document()}
    changes: dict[str, object] = {}
    text, due = canonical_json({**agreed, **run}), clock.due
    if (text, due) != (row.clock, row.due):
        changes = {"clock": text, "due": due}
    look = clock.next_look
    if look is not None and (row.agenda_at is None or look < row.agenda_at):
        changes["agenda_at"] = look
    return matches.change(connection, row.id, **changes) if changes else row
