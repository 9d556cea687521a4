"""The ledger: a match loaded as a value, and its events written back."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Final

from msgspec import field
from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.matches import broken
from referee.desk.matches.codes import add_codes
from referee.desk.matches.turns import follow_turns
from referee.games.game import AnyGame, Fact, Result, Seat
from referee.games.play import canonical_json
from referee.matches import events, match, replay
from referee.matches.events import kept_seqs
from referee.matches.log import result_from_document, result_to_document
from referee.matches.match import Logged, Match, Terms, Turn
from referee.matches.standing_orders import Acted
from referee.matches.time import moments
from referee.store.play import matches, submissions
from referee.store.states import UNFINISHED, SubmissionOutcome
from referee.store.tables.play import EventRow, MatchRow, SeatRow
from referee.value import Discreet, replace

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


def load_match(change: Change, row: MatchRow) -> LoadedMatch:
    """Return a begun match, from the snapshot kept with every step.

    Raises BrokenMatch if its game is not installed, or the data kept of it is damaged.
    """
    with broken.faults_as_broken(row):
        game = change.desk.find_game(row.game, row.edition)
        snapshot, position = matches.find_snapshot(change.connection, row.id), None
        if snapshot is not None and snapshot[0] == row.seq:
            try:
                position = game.load(json.loads(snapshot[1]))
            except Exception as fault:
                if broken.is_machine_fault(fault):
                    raise
                # It costs only time: the log leads to the same position.
                log.warning("%s: the position kept is damaged, its log is replayed", row.name)
        if position is None:
            live = match.restore_match(
                game, terms_of(row), row.seed, log_of(change.connection, row)
            )
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


def save_match(
    change: Change, loaded: LoadedMatch, live: Match[Any], logged: Sequence[Logged]
) -> LoadedMatch:
    """Write events, turns, codes, snapshot and clocks, wake the agenda, and return the match."""
    now = change.desk.now()
    row = loaded.row
    matches.append_events(change.connection, row.id, [event_row(entry, now) for entry in logged])
    _turns(change, loaded, live, logged)
    # After an undo a turn of the same number begins anew.
    new_turn = (live.turn.number, live.turn.began) != (row.turn, row.turn_began_seq)
    began_at = now if new_turn else row.turn_began_at
    _keep_position(change.connection, live, row)
    progress = _progress(live, began_at, due=row.due, agenda_at=now)
    # The turn ends when the letter with its last order arrived.
    orders = (entry.event for entry in logged if entry.event.kind == events.ORDER)
    arrivals = [order.arrival for order in orders if order.turn == row.turn and order.arrival]
    moment = moments.parse_moment(arrivals[-1]) if arrivals else now
    after = follow_turns(change, row, replace(row, **progress), moment, unwritten=progress)
    if live.turn.over:
        finish_match(change.connection, row, live, now)
        after = matches.get_match(change.connection, row.id)
    return LoadedMatch(after, loaded.seats, live)


def write_progress(
    connection: Connection,
    live: Match[Any],
    row: MatchRow,
    began_at: datetime | None,
    *,
    due: datetime | None,
    agenda_at: datetime | None,
) -> MatchRow:
    """Write a match's position and progress; return its row.

    ``began_at`` is when its turn began.
    """
    _keep_position(connection, live, row)
    progress = _progress(live, began_at, due=due, agenda_at=agenda_at)
    return matches.change_match(connection, row.id, **progress)


def _keep_position(connection: Connection, live: Match[Any], row: MatchRow) -> None:
    position = canonical_json(live.game.dump(live.position))
    # With every step, so that no letter waits for a whole match to be replayed.
    matches.save_snapshot(connection, row.id, live.seq, position)


def _progress(
    live: Match[Any], began_at: datetime | None, *, due: datetime | None, agenda_at: datetime | None
) -> dict[str, Any]:
    """Return the columns of a match about its log and turn."""
    turn = {"turn": live.turn.number, "to_act": live.turn.seat, "turn_began_seq": live.turn.began}
    log = {"seq": live.seq, "head": live.head, "draws": live.draws}
    return {**log, **turn, "turn_began_at": began_at, "due": due, "agenda_at": agenda_at}


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
    stand = frozenset(kept_seqs(rows[-1].seq, backs, rows[0].seq))
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
    return [
        Fact(
            fact["fact"],
            fact["fields"],
            None if fact["audience"] is None else frozenset(fact["audience"]),
            fact["news"],
        )
        for fact in json.loads(text)
    ]


def note_outcome(connection: Connection, loaded: LoadedMatch, acted: Acted) -> None:
    """Write to a held submission what has become of its orders."""
    logged = acted.done.logged if acted.done else ()
    played: SubmissionOutcome = "partly" if acted.notes else "accepted"
    seqs = (logged[0].event.seq, logged[-1].event.seq) if logged else (None, None)
    outcome = played if logged else "refused"
    submissions.settle_held(connection, loaded.row.id, acted.standing.seat, outcome, seqs)


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


def _turns(change: Change, loaded: LoadedMatch, live: Match[Any], logged: Sequence[Logged]) -> None:
    """Write the turns that began or ended, with new reply codes."""
    row, now = loaded.row, change.desk.now()
    last_of = {entry.event.turn: entry.event.seq for entry in logged}
    seat_of = {
        entry.event.turn: entry.event.seat for entry in logged if entry.event.kind == "order"
    }
    began = row.turn_began_seq if row.turn else 0
    for number in range(row.turn, live.turn.number + 1):
        ends = number < live.turn.number or live.turn.over
        if number > row.turn:
            began = live.turn.began if number == live.turn.number else last_of[number - 1]
            seat = live.turn.seat if number == live.turn.number else seat_of.get(number)
            matches.open_turn(change.connection, row.id, number, seat, began, now)
        if number and ends:
            matches.close_turn(
                change.connection, row.id, number, last_of.get(number, live.seq), now
            )
    # A code is good for one turn, so that an old letter cannot play a new one.
    if live.turn.number != row.turn or live.turn.over:
        turn, hashes = live.turn, {entry.event.seq: entry.event.hash for entry in logged}
        history = hashes.get(turn.began)
        add_codes(change, row, loaded.seats, turn.number, turn.began, history)


def finish_match(connection: Connection, row: MatchRow, live: Match[Any], now: datetime) -> None:
    """Note that a match is over, with its result. Raises ValueError if the game has none."""
    result = live.result
    if result is None:
        raise ValueError(f"{row.name}: nobody is to act, but the game has no result")
    document = result_to_document(result)
    matches.change_match(connection, row.id, state="over", result=document, ended=now)
