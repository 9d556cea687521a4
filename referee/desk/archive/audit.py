"""The audit: chains, draws, digests, facts, positions and turns, replayed and compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final, TypeAlias

from sqlalchemy import Connection

from referee.desk.desk import Change, Desk, NotInstalled
from referee.desk.matches import broken, ledger, standing_orders
from referee.games.play import canonical_json
from referee.matches import croupier, private
from referee.matches.events import CHANCE_EVENT, ORDER, BrokenLog, base_of
from referee.matches.log import AnyMatch, open_log
from referee.matches.replay import walk_events
from referee.store import notes
from referee.store.play import matches as play_matches
from referee.store.states import ENDED
from referee.store.tables.play import EventRow, MatchRow
from referee.value import Value, asdict

COLUMNS: Final = ("seq", "kind", "seat", "turn", "hash")
"""The columns that repeat parts of an event's text."""

Turns: TypeAlias = Mapping[int, tuple[str | None, int]]
"""Seat and beginning of each turn in force, by number."""


class _Wrong(Exception):
    """Stored data that contradicts the log; its value may be secret while the match runs."""

    def __init__(self, what: str, values: str = "") -> None:
        super().__init__(what, values)
        self.what = what
        self.values = values


class Audited(Value):
    """The outcome of one match's replay.

    ``orders`` counts those of a match without a fault, chance included.
    """

    match: str
    orders: int
    fault: str | None = None
    pruned: bool = False


class Progress(Value):
    """The progress of an audit: its last match and its findings."""

    last: int = 0
    matches: int = 0
    orders: int = 0
    pruned: int = 0
    faults: tuple[tuple[str, str], ...] = ()


STOPPED: Final = notes.json_note(notes.NoteKey.AUDIT, Progress)
"""How far an audit came that was interrupted."""


def interrupted_audit(desk: Desk) -> Progress | None:
    """Return the progress of an interrupted audit, if any."""
    with desk.store.reading() as connection:
        return STOPPED.read(connection)


def keep_progress(desk: Desk, progress: Progress | None) -> None:
    """Remember an audit's progress; None once it is finished."""
    with desk.store.writing() as connection:
        if progress is None:
            STOPPED.remove(connection)
        else:
            STOPPED.write(connection, progress)


def begun_matches(desk: Desk) -> list[int]:
    """Return every match that has begun, the oldest first."""
    with desk.store.reading() as connection:
        rows = play_matches.select_matches(connection)
    return [row.id for row in rows if row.header is not None]


def audit_matches(desk: Desk, progress: Progress) -> Iterator[tuple[Progress, Audited]]:
    """Replay the matches an audit has yet to see; yield its progress."""
    for match_id in begun_matches(desk):
        # Each in a transaction of its own: hours of reading would hold the write-ahead log back.
        if match_id > progress.last:
            with desk.reading() as change:
                audited = audit_match(change, play_matches.get_match(change.connection, match_id))
            fault = ((audited.match, audited.fault),) if audited.fault else ()
            progress = Progress(
                last=match_id,
                matches=progress.matches + 1,
                orders=progress.orders + audited.orders,
                pruned=progress.pruned + audited.pruned,
                faults=(*progress.faults, *fault),
            )
            yield progress, audited


def audit_match(change: Change, row: MatchRow) -> Audited:
    """Replay one match and compare all that is stored; return its own faults, never raise them."""
    stored = play_matches.events(change.connection, row.id)
    if not stored and row.seq and notes.PRUNED.read(change.connection, row.id) is not None:
        return Audited(row.name, 0, pruned=True)
    try:
        live, turns = _replayed(change.desk, row, stored)
        _check_row(change.connection, row, live, turns)
        _check_private(change.connection, row, live)
    except BrokenLog as fault:
        # The place tells nothing of what is secret.
        place = f"event {fault.seq}: does not follow from those before it"
        return Audited(row.name, 0, str(fault) if row.released else place)
    except _Wrong as fault:
        return Audited(row.name, 0, fault.what + (fault.values if row.released else ""))
    except Exception as fault:
        if broken.is_machine_fault(fault, inside=True):
            raise
        # The text of a fault may show a secret of a running match.
        open_ = row.released or isinstance(fault, NotInstalled)
        why = f": {fault}" if open_ else ""
        return Audited(row.name, 0, f"cannot be replayed: {type(fault).__name__}{why}")
    return Audited(row.name, sum(event.kind in {ORDER, CHANCE_EVENT} for event in stored))


def _replayed(desk: Desk, row: MatchRow, stored: Sequence[EventRow]) -> tuple[AnyMatch, Turns]:
    """Return a match at its end, with each turn's seat and beginning."""
    terms = ledger.terms_of(row)
    live = open_log(desk.find_game(row.game, row.edition), terms, row.seed)
    _expect("header_hash", row.header_hash, terms.header_hash())
    # Where nothing is drawn first, a turn begins before the first event.
    first = live.turn
    begun = {} if first.seat is None else {first.number: (first.seat, first.began)}
    stands: dict[int, Turns] = {0: begun}
    events = []
    for entry in stored:
        try:
            events.append(ledger.event_of(entry))
        # Text that is no JSON, or not an event's.
        except (ValueError, KeyError, TypeError, AttributeError) as fault:
            raise _Wrong(f"event {entry.seq}: its text is damaged", f": {fault}") from fault
    for (now, logged), kept in zip(walk_events(live, events, check=True), stored, strict=True):
        event, turn = logged.event, now.turn
        # The hash covers the canonical text without the hash itself, so cutting it out saves
        # writing the event anew.
        sealed = kept.body.replace(f'"hash":"{event.hash}",', "", 1)
        if sha256(sealed.encode()).hexdigest() != event.hash:
            raise _Wrong(f"event {kept.seq}: its text is not that of the log")
        for name in COLUMNS:
            _expect(f"event {kept.seq}: column {name}", getattr(kept, name), getattr(event, name))
        _expect(f"event {kept.seq}: facts", kept.facts, ledger.facts_to_json(logged.facts))
        # After an undo the turns are those of the event it went back to.
        turns = stands[base_of(event)]
        if turn.seat is not None and turn.began == event.seq:
            turns = {number: stood for number, stood in turns.items() if number < turn.number}
            turns[turn.number] = (turn.seat, turn.began)
        stands[event.seq] = turns
        live = now
    return live, stands[live.seq]


def _check_row(connection: Connection, row: MatchRow, live: AnyMatch, turns: Turns) -> None:
    """Compare the stored progress of a match, its position and its turns with its log."""
    progress = {
        "seq": live.seq,
        "head": live.head,
        "draws": live.draws,
        "turn": live.turn.number,
        "to_act": live.turn.seat,
        "turn_began_seq": live.turn.began,
    }
    for name, expected in progress.items():
        _expect(name, getattr(row, name), expected)
    if live.turn.over and live.result is not None:
        _expect("result", row.result, asdict(live.result))
    if croupier.commitment(row.seed) != row.commitment:
        raise _Wrong("the seed is not the one the players were promised")
    if live.turn.over and row.state not in ENDED:
        raise _Wrong(f"the match is {row.state}, but over by its log")
    if row.state == "over" and not live.turn.over:
        raise _Wrong("the match is over, but not by its log")
    kept = play_matches.find_snapshot(connection, row.id)
    # An older snapshot is no fault: loading replays the log then.
    if kept is not None and kept[0] == live.seq:
        _expect("the position kept", kept[1], canonical_json(live.game.dump(live.position)))
    elif kept is not None and kept[0] > live.seq:
        raise _Wrong(f"a position is kept after event {kept[0]}, the log ends at {live.seq}")
    noted = [turn for turn in play_matches.turns(connection, row.id) if turn.state != "undone"]
    # A turn that began and ended the match at once has no seat.
    stored = {turn.number: (turn.seat, turn.began_seq) for turn in noted if turn.seat is not None}
    logged = {
        number: turn
        for number, turn in turns.items()
        if number in stored or number < row.turn or row.to_act
    }
    for number in sorted(set(stored) | set(logged)):
        _expect(f"turn {number}", _turn(stored.get(number)), _turn(logged.get(number)))
    going = [turn.number for turn in noted if turn.state == "open"]
    _expect("turns that are open", going, [row.turn] if row.to_act is not None else [])


def _check_private(connection: Connection, row: MatchRow, live: AnyMatch) -> None:
    """Recompute each seat's private chain of orders in advance."""
    chains: dict[str, list[private.PrivateEntry]] = {}
    for kept in play_matches.private_events(connection, row.id):
        entry = standing_orders.entry_of(kept)
        _expect(f"private event {kept.seq} of {kept.seat}", kept.body, entry.line)
        chains.setdefault(kept.seat, []).append(entry)
    log = ledger.log_of(connection, row) if chains else []
    for seat, entries in chains.items():
        try:
            private.check_chain(live, seat, entries, log)
        except BrokenLog as fault:
            raise _Wrong(f"{seat}'s private {fault}") from None


def _expect(what: str, found: object, expected: object) -> None:
    if found != expected:
        values = f": it is {_short(found)}, by the log {_short(expected)}"
        raise _Wrong(f"{what} is not what the log says", values)


def _turn(turn: tuple[str | None, int] | None) -> str:
    return "missing" if turn is None else f"that of {turn[0]}, begun after event {turn[1]}"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 100 else f"{text[:99]}…"
