"""The ledger: a match loaded as a value, its events written back, and its clock that follows."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, ClassVar, Final

from msgspec import field
from sqlalchemy import Connection

from referee.desk.desk import REFEREE, Change, stamp
from referee.desk.matches import broken, reasons, told
from referee.desk.matches.codes import add_codes
from referee.desk.matches.time import clock, outages, stoppages
from referee.games.game import AnyGame, Document, Fact, Result, Seat
from referee.games.play import canonical_json
from referee.matches import events, replay
from referee.matches.log import Logged, Match, Turn, annotate, result_from_document
from referee.matches.replay import restore_match
from referee.matches.standing_orders import ListedOrder
from referee.matches.terms import Terms
from referee.matches.time import moments
from referee.matches.time.calendar import NONE
from referee.matches.time.turn_clock import UNTOLD, TurnClock
from referee.store.play import matches
from referee.store.post import reports
from referee.store.states import UNFINISHED
from referee.store.tables.play import EventRow, MatchRow, SeatRow
from referee.value import Discreet, asdict, replace

log = logging.getLogger(__name__)

CALM: Final = events.ANNOTATIONS - {events.SEAT}
"""Events after which a question still stands: same players, same board."""


class LoadedMatch(Discreet):
    """A begun match at the desk: its row, seats and live state.

    ``replayed`` holds the positions after its events, where somebody had to replay them.
    """

    hidden: ClassVar[frozenset[str]] = frozenset({"replayed"})
    row: MatchRow
    seats: tuple[SeatRow, ...]
    live: Match[Any]
    replayed: dict[int, Any] = field(default_factory=dict)

    @property
    def game(self) -> AnyGame:
        """The game, in the edition it is played by."""
        return self.live.game

    def seat(self, seat: Seat) -> SeatRow:
        """Return a seat's row. Raises KeyError."""
        for row in self.seats:
            if row.seat == seat:
                return row
        raise KeyError(seat)


def terms_of(row: MatchRow) -> Terms:
    """Return a begun match's terms. Raises ValueError before the beginning."""
    if row.header is None:
        raise ValueError(f"{row.name} has not begun")
    return Terms.from_document(json.loads(row.header))


def result_of(row: MatchRow) -> Result | None:
    """Return the result of a finished match; None before."""
    return None if row.result is None else result_from_document(row.result)


@lru_cache(maxsize=64)
def position_of(load: Callable[[Document], Any], document: str) -> Any:
    """Return a position kept as canonical JSON, which its game's ``load`` reads.

    The last ones are remembered: a letter is played, reported, and compared with what was reported
    before, soon after one another.
    """
    return load(json.loads(document))


def load_match(change: Change, row: MatchRow) -> LoadedMatch:
    """Return a begun match, from the snapshot kept with every step.

    Raises BrokenMatch if its game is not installed, or the data kept of it is damaged.
    """
    with broken.faults_as_broken(row):
        game = change.desk.find_game(row.game, row.edition)
        snapshot, position = matches.find_snapshot(change.connection, row.id), None
        if snapshot is not None and snapshot[0] == row.seq:
            try:
                position = position_of(game.load, snapshot[1])
            except Exception as fault:
                if broken.is_machine_fault(fault):
                    raise
                # It costs only time: the log leads to the same position.
                log.warning("%s: the position kept is damaged, its log is replayed", row.name)
        if position is None:
            # Whatever harmed the position may have harmed the log: no other board is played on.
            terms, entries = terms_of(row), log_of(change.connection, row)
            events.check_chain(terms.header_hash(), entries)
            live = restore_match(game, terms, row.seed, entries)
        else:
            live = Match(
                game=game,
                terms=terms_of(row),
                seed=row.seed,
                position=position,
                seq=row.seq,
                head=row.head,
                draws=row.draws,
                turn=Turn(row.turn, row.to_act, row.turn_began_seq, over=row.state == "over"),
                ended=result_of(row),
            )
        return LoadedMatch(row, matches.seats(change.connection, row.id), live)


def as_meant(loaded: LoadedMatch, entries: Sequence[ListedOrder]) -> list[ListedOrder]:
    """Return orders with the first as the board now makes it: of “the queen” it is one card."""
    game, position = loaded.game, loaded.live.position
    first = [replace(entry, order=game.canonical(position, entry.order)) for entry in entries[:1]]
    return [*first, *entries[1:]]


def save_match(
    change: Change, loaded: LoadedMatch, live: Match[Any], logged: Sequence[Logged]
) -> LoadedMatch:
    """Write events, turns, codes, snapshot and clocks, wake the agenda, and return the match."""
    now, row, turn = change.desk.now(), loaded.row, live.turn
    matches.append_events(change.connection, row.id, [event_row(entry, now) for entry in logged])
    orders = [entry.event for entry in logged if entry.event.kind == events.ORDER]
    seat_of = {order.turn: order.seat for order in orders}
    last_of = {entry.event.turn: entry.event.seq for entry in logged}
    for number in range(row.turn, turn.number + 1):
        latest = number == turn.number
        if number > row.turn:
            began = turn.began if latest else last_of[number - 1]
            seat = turn.seat if latest else seat_of.get(number)
            matches.open_turn(change.connection, row.id, number, seat, began)
        if number and (turn.over or not latest):
            ended = last_of.get(number, live.seq)
            matches.close_turn(change.connection, row.id, number, ended, now)
    # A code is good for one turn, so that an old letter cannot play a new one.
    if turn.number != row.turn or turn.over:
        hashes = {entry.event.seq: entry.event.hash for entry in logged}
        history = hashes.get(turn.began)
        add_codes(change, row, loaded.seats, turn.number, turn.began, history)
    # After an undo a turn of the same number begins anew.
    new_turn = (turn.number, turn.began) != (row.turn, row.turn_began_seq)
    began_at = now if new_turn else row.turn_began_at
    progress = keep_position(change.connection, live, row, began_at)
    # The turn ends when the letter with its last order arrived.
    arrivals = [order.arrival for order in orders if order.turn == row.turn and order.arrival]
    moment = moments.parse_moment(arrivals[-1]) if arrivals else now
    after = follow_turns(change, row, row, progress, moment)
    if turn.over:
        finish_match(change.connection, row, live, now)
        after = matches.get_match(change.connection, row.id)
    return LoadedMatch(after, loaded.seats, live)


def keep_position(
    connection: Connection, live: Match[Any], row: MatchRow, began_at: datetime | None
) -> dict[str, Any]:
    """Keep a match's position; return the columns of its log and turn, still to be written."""
    # With every step, so that no letter waits for a whole match to be replayed.
    position = canonical_json(live.game.dump(live.position))
    matches.save_snapshot(connection, row.id, live.seq, position)
    turn = {"turn": live.turn.number, "to_act": live.turn.seat, "turn_began_seq": live.turn.began}
    log = {"seq": live.seq, "head": live.head, "draws": live.draws}
    return {**log, **turn, "turn_began_at": began_at}


def follow_turns(
    change: Change,
    before: MatchRow,
    after: MatchRow,
    progress: Mapping[str, Any],
    moment: datetime,
    *,
    earned: Mapping[str, int] | None = None,
) -> MatchRow:
    """Write a match's progress, let its clock follow a turn's end or beginning, wake the agenda.

    ``moment`` is when the letter arrived that ended the turn. After a correction of the position,
    ``earned`` is how many more (or fewer) turns each seat has begun by it: their increments go into
    its bank, or out of it, and the turn brings none by itself.
    """
    progress = {**progress, "agenda_at": change.desk.now()}
    after = replace(after, **progress)
    begun = (after.turn, after.turn_began_seq) != (before.turn, before.turn_began_seq)
    over = after.state == "over" or after.to_act is None
    if not (begun or over):
        return matches.change_match(change.connection, after.id, **progress)
    pace = clock.pace_of(before)
    if pace.bank is not None:
        ended = clock.clock_of(change, before)
        if ended.run is not None and before.to_act is not None:
            # The turn is charged up to the letter's arrival, not to its handling.
            left = ended.run.left_by(min(moment, ended.now), ended.calendar) - ended.run.owed
            seconds = left // moments.SECOND
            matches.change_seat(change.connection, before.id, before.to_act, bank=seconds)
        gained = earned or {}
        for seat in matches.seats(change.connection, before.id):
            if turns := gained.get(seat.seat):
                # What was used of an increment that is taken back is owed.
                kept = pace.bank // moments.SECOND if seat.bank is None else seat.bank
                kept += turns * (pace.increment // moments.SECOND)
                matches.change_seat(change.connection, before.id, seat.seat, bank=kept)
    was = before.clock.get(clock.RUN)
    # A reminder that has not left would come after the turn it is about.
    if before.to_act is not None and was is not None and was["reminded"] is not None:
        reports.withdraw_reports(change.connection, before.id, before.to_act)
    begins = clock.clock_of(change, after)
    run = None if over else _begun(change.connection, begins, earns=earned is None)
    if run is not None:
        for why in stoppages.reasons_to_stand(change.connection, after, begins.seat):
            run = run.stopped(why, begins.now, begins.calendar)
    return clock.keep(change.connection, replace(begins, run=run), progress)


def _begun(connection: Connection, begins: clock.Clock, *, earns: bool) -> TurnClock | None:
    """Return the clock of a new turn; it waits for its report."""
    row, pace = begins.row, begins.pace
    has = pace.per_turn
    if pace.bank is not None and begins.seat is not None:
        kept = None if begins.seat.bank is None else timedelta(seconds=begins.seat.bank)
        has = (pace.bank if kept is None else kept) + (pace.increment if earns else NONE)
    if has is None:
        return None
    allowed, owed = max(has, NONE), max(-has, NONE)
    # No time runs before the player can know about the turn.
    stops = {UNTOLD, clock.PAUSED} if row.state == "paused" else {UNTOLD}
    # Outages before the turn took nothing from it.
    known = outages.latest_outages(connection)
    seen = max((outage.number for outage in known if outage.ended is not None), default=0)
    began = row.turn_began_seq
    return TurnClock(
        row.turn, began, allowed, allowed, stops=frozenset(stops), outage=seen, owed=owed
    )


def moment_of(connection: Connection, loaded: LoadedMatch) -> str:
    """Return the arrival of the last order, as the log writes it.

    What follows from it by itself, a bot's answer or a standing order, is logged with this moment:
    so it is the same event whenever the referee comes to it.
    """
    seq = loaded.row.seq
    # The last order is nearly always among the last three events.
    for since in (max(seq - 3, 0), 0):
        rows = matches.events(connection, loaded.row.id, after=since)
        for event in (event_of(row) for row in reversed(rows) if row.kind == events.ORDER):
            if event.arrival is not None:
                return event.arrival
    return loaded.live.terms.started


def kept_events(rows: Sequence[EventRow]) -> list[EventRow]:
    """Return those of a log's last events that still stand."""
    if not rows:
        return []
    # An undo names the event it goes back to; everything between is void.
    backs = {
        event.seq: int(json.loads(event.body)["details"]["to"])
        for event in rows
        if event.kind in events.TAKING_BACK
    }
    stand = frozenset(events.kept_seqs(rows[-1].seq, backs, rows[0].seq))
    return [event for event in rows if event.seq in stand]


def match_at_turn(connection: Connection, loaded: LoadedMatch, turn: int) -> Match[Any]:
    """Return a match as it stood when a turn in force began."""
    live = loaded.live
    with broken.faults_as_broken(loaded.row):
        log = log_of(connection, loaded.row)
        return replay.at_turn(live.game, live.terms, loaded.row.seed, log, turn)


def was_pruned(connection: Connection, row: MatchRow) -> bool:
    """Return whether a match's events remain in its record alone."""
    return len(matches.events(connection, row.id)) != row.seq


def log_of(connection: Connection, row: MatchRow) -> list[events.Event]:
    """Return all events of a match."""
    return [event_of(row) for row in matches.events(connection, row.id)]


def event_of(row: EventRow) -> events.Event:
    """Return an event as a value."""
    return events.Event.from_document(json.loads(row.body))


def has_moved_on(
    connection: Connection,
    match_id: int,
    seq: int,
    spared: Seat | None,
    calm: Collection[str] = CALM,
) -> bool:
    """Return whether something other than ``calm`` events happened in a match since an event.

    What a ``spared`` seat orders does not count, nor what follows from it by itself, unless the
    match is over.
    """
    later = matches.events(connection, match_id, after=seq)
    moving = [event_of(event) for event in later if event.kind not in calm]
    if spared is None or matches.get_match(connection, match_id).state not in UNFINISHED:
        return bool(moving)
    return any(
        event.kind not in events.BOARD_KINDS
        or (event.kind == events.ORDER and event.seat != spared and not event.forced)
        for event in moving
    )


def facts_to_json(facts: Iterable[Fact]) -> str:
    """Return facts as they are kept beside their event."""
    # Not all of it turned into JSON: what a game's fields may not hold has to be refused.
    return canonical_json(
        [
            {
                "fact": fact.fact,
                "fields": dict(fact.fields),
                "audience": None if fact.audience is None else sorted(fact.audience),
                "news": fact.news,
            }
            for fact in facts
        ]
    )


def facts_from_json(text: str) -> list[Fact]:
    """Return the facts kept beside an event."""
    facts = (Fact(**fact) for fact in json.loads(text))
    return [
        fact if fact.audience is None else replace(fact, audience=frozenset(fact.audience))
        for fact in facts
    ]


def event_row(logged: Logged, now: datetime) -> EventRow:
    """Return an event as the store keeps it."""
    event = logged.event
    return EventRow(
        seq=event.seq,
        kind=event.kind,
        seat=event.seat,
        turn=event.turn,
        body=event.line,
        facts=facts_to_json(logged.facts),
        hash=event.hash,
        at=now,
    )


def give_credit(change: Change, loaded: LoadedMatch) -> LoadedMatch:
    """Give the seat to act the time that outages took, and log each; return the match."""
    # Most clocks stand, or have been through all outages.
    if not clock.clock_runs(loaded.row):
        return loaded
    running = clock.clock_of(change, loaded.row)
    if running.run is None or running.run.outage == loaded.row.clock[clock.RUN]["gap"]:
        return loaded
    for outage, gained in running.gains:
        first = moments.format_moment(outage.began)
        last = moments.format_moment(outage.ended or outage.began)
        # They stand in the event, so that mails can tell them without the outage's own row.
        times = {"cause": outage.why, "from": first, "to": last}
        loaded = _log_time(change, loaded, gained, f"{outage.why} from {first} to {last}", times)
    # Read again: each outage logged has moved the match on.
    row = matches.get_match(change.connection, loaded.row.id)
    return replace(loaded, row=clock.keep(change.connection, clock.clock_of(change, row)))


def renew_time(change: Change, loaded: LoadedMatch) -> LoadedMatch:
    """Give the seat to act all the time of a turn again; return the match.

    A report is due once more, as the last one does not tell of the question now asked.
    """
    turn = loaded.live.turn
    if turn.seat is None:
        return loaded
    told.owe_report(change.connection, loaded.seat(turn.seat), turn.number)
    running = clock.clock_of(change, loaded.row)
    # A bank pays for all that the match counts as one turn.
    span = (running.pace.per_turn or NONE) - (running.left or NONE)
    if running.run is None or span <= NONE:
        return loaded
    return give_time(change, loaded, span, "the game asks anew in this turn")


def give_time(change: Change, loaded: LoadedMatch, span: timedelta, why: str) -> LoadedMatch:
    """Give the seat to act more time for its turn, and log it; return the match."""
    loaded = _log_time(change, loaded, span, why, {})
    clock.grant_time(change, loaded.row, span)
    return replace(loaded, row=matches.get_match(change.connection, loaded.row.id))


def _log_time(
    change: Change, loaded: LoadedMatch, span: timedelta, why: str, times: Mapping[str, str]
) -> LoadedMatch:
    moment, reason = stamp(change.desk.now()), reasons.keep_text(change, loaded.row, why)
    seat, seconds = loaded.row.to_act, span // moments.SECOND
    details: Document = {"by": REFEREE, "why": reason, "seconds": seconds, **times}
    live, logged = annotate(loaded.live, events.EXTEND, moment, seat=seat, details=details)
    return save_match(change, loaded, live, [logged])


def mark_turns(connection: Connection, match_id: int, log: Sequence[events.Event]) -> None:
    """Mark the turns of a match that its log leaves in force, and those taken back."""
    stand = {event.seq for event in events.current_events(log)} | {0}
    for turn in matches.turns(connection, match_id):
        done = turn.ended_seq in stand and turn.began_seq in stand
        state = "done" if done else "undone"
        if turn.state != state:
            matches.update_turn(connection, turn.id, state=state)


def finish_match(connection: Connection, row: MatchRow, live: Match[Any], now: datetime) -> None:
    """Note that a match is over, with its result. Raises ValueError if the game has none."""
    result = live.result
    if result is None:
        raise ValueError(f"{row.name}: nobody is to act, but the game has no result")
    matches.change_match(connection, row.id, state="over", result=asdict(result), ended=now)
