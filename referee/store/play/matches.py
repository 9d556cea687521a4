"""The matches, and the rows of each: its seats, turns, reply codes, logs and standing orders."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Final, TypeAlias

from msgspec import structs
from sqlalchemy import (
    Connection,
    Executable,
    and_,
    bindparam,
    delete,
    func,
    insert,
    select,
    union_all,
    update,
)
from sqlalchemy.exc import IntegrityError

from referee.store import tables as t
from referee.store.database import query
from referee.store.database.block import (
    is_held,
    note_held,
    put_cached,
    read_cached,
    read_cached_each,
)
from referee.store.database.errors import StaleLog
from referee.store.states import ENDED, Agreed, MatchState, StandingKind, StandingState
from referee.store.tables.play import (
    CodeRow,
    EventRow,
    MatchRow,
    PrivateEventRow,
    SeatRow,
    StandingOrderRow,
    TurnRow,
)
from referee.value import Value

_m: Final = t.matches.c
_s: Final = t.seats.c
_told: Final = t.told_positions.c
_t: Final = t.turns.c
_c: Final = t.codes.c
_e: Final = t.events.c
_p: Final = t.private_events.c
_o: Final = t.standing_orders.c

_match_columns: Final = query.row_columns(MatchRow, t.matches)
_standing_columns: Final = query.row_columns(StandingOrderRow, t.standing_orders)

_matches: Final = select(*_match_columns)
_seats: Final = select(*query.row_columns(SeatRow, t.seats))
_locked: Final = _matches.with_for_update()
_turns: Final = select(*query.row_columns(TurnRow, t.turns))
_codes: Final = select(*query.row_columns(CodeRow, t.codes))
_events: Final = select(*query.row_columns(EventRow, t.events))
_private: Final = select(*query.row_columns(PrivateEventRow, t.private_events))
_standing: Final = select(*_standing_columns)

_CHANGE_MATCH: Final = (
    update(t.matches).where(_m.id == bindparam("which")).returning(*_match_columns)
)
_CHANGE_SEAT: Final = update(t.seats).where(
    _s.match_id == bindparam("match"), _s.seat == bindparam("colour")
)


def new_name(connection: Connection, game: str) -> str:
    """Return the next name of a match of this game, as ``<game>-7``; no name is given twice."""
    query.insert_or_skip(connection, t.counters, {"game": game, "last": 0})
    last = t.counters.c.last
    counted = update(t.counters).where(t.counters.c.game == game).values(last=last + 1)
    number = connection.execute(counted.returning(last)).scalar_one()
    return f"{game}-{number}"


def add_match(connection: Connection, **terms: object) -> int:
    """Add a match by column, which its players are invited to unless told; return its id."""
    row = {"state": "invited", "head": "", "words": {}, **terms}
    return query.add_row(connection, t.matches, **row)


@query.first(MatchRow)
def find_match(name: str) -> Executable:
    """Return the match of this name."""
    return _matches.where(_m.name == name)


@query.cached(t.matches)
@query.required
@query.first(MatchRow)
def get_match(match_id: int) -> Executable:
    """Return a match. Raises KeyError."""
    return _matches.where(_m.id == match_id)


def lock_match(connection: Connection, match_id: int) -> MatchRow:
    """Return a match, locked until the block ends.

    Lock it before changing anything on the strength of the row read. Raises KeyError.
    """
    if is_held(connection, t.matches, match_id):
        return get_match(connection, match_id)
    rows = connection.execute(_locked.where(_m.id == match_id))
    row = query.only_row(MatchRow, rows, match_id)
    note_held(connection, t.matches, [match_id])
    return put_cached(connection, t.matches, match_id, row)


def select_matches(connection: Connection, state: MatchState | None = None) -> tuple[MatchRow, ...]:
    """Return the matches, all or those in a state, oldest first."""
    wanted = _matches if state is None else _matches.where(_m.state == state)
    return query.all_rows(MatchRow, connection.execute(wanted.order_by(_m.id)))


@query.every(MatchRow)
def matches_of_player(player_id: int) -> Executable:
    """Return the matches a player holds a seat in, oldest first."""
    held = select(_s.match_id).where(_s.player_id == player_id)
    return _matches.where(_m.id.in_(held)).order_by(_m.id)


def lock_matches(connection: Connection, names: Iterable[str]) -> tuple[MatchRow, ...]:
    """Lock matches until the block ends; return their rows.

    They come by name. Names of no match are passed over. All blocks lock matches by number, so that
    no two of them wait in a ring.
    """
    wanted = _locked.where(_m.name.in_([*names])).order_by(_m.id)
    rows = query.all_rows(MatchRow, connection.execute(wanted))
    note_held(connection, t.matches, [row.id for row in rows])
    return tuple(sorted(rows, key=lambda row: row.name))


def change_match(connection: Connection, match_id: int, **changes: object) -> MatchRow:
    """Change columns of a match, and return it. Raises KeyError."""
    rows = connection.execute(_CHANGE_MATCH, {"which": match_id, **changes})
    return put_cached(connection, t.matches, match_id, query.only_row(MatchRow, rows, match_id))


def set_match_state(
    connection: Connection, match_id: int, state: MatchState, *, now: datetime | None = None
) -> None:
    """Put a match in a state; ``now`` is needed for a pause or an end, and kept as its moment."""
    row: dict[str, object] = {"state": state, "paused_at": now if state == "paused" else None}
    if state in ENDED:
        row["ended"] = now
    change_match(connection, match_id, **row)


def set_agenda(connection: Connection, match_id: int, at: datetime | None) -> None:
    """Set when a match next needs attention; None waits for an event."""
    change_match(connection, match_id, agenda_at=at)


@query.done
def wake_running(now: datetime) -> Executable:
    """Let every running match be attended to now."""
    return update(t.matches).where(_m.state == "running").values(agenda_at=now)


@query.every(MatchRow)
def needing_attention(now: datetime, limit: int = 100) -> Executable:
    """Return the matches due for attention, the longest waiting first."""
    return _matches.where(_m.agenda_at <= now).order_by(_m.agenda_at, _m.id).limit(limit)


@query.values(int)
def due_of_sender(letter_id: int, now: datetime) -> Executable:
    """Return the matches due in which the sender of a letter plays."""
    seated = select(_m.id).join(t.seats, _s.match_id == _m.id)
    writing = seated.join(t.letters, t.letters.c.player_id == _s.player_id)
    due = writing.where(t.letters.c.id == letter_id, _m.agenda_at <= now)
    return due.distinct().order_by(_m.id)


class Invitation(Value):
    """An invitation to a match that waits for its player, who declined it or has not answered."""

    match_id: int
    match: str
    seat: str
    player_id: int
    name: str


@query.every(Invitation)
def invitations(agreed: Agreed) -> Executable:
    """Return the invitations with this answer, in matches that have not begun."""
    seated = t.seats.join(t.matches, _m.id == _s.match_id)
    return (
        select(_m.id, _m.name, _s.seat, t.players.c.id, t.players.c.name)
        .select_from(seated.join(t.players, t.players.c.id == _s.player_id))
        .where(_m.state == "invited", _s.agreed == agreed)
        .order_by(_m.id, _s.number)
    )


@query.tuples
def listed_matches(states: Collection[str]) -> Executable:
    """Return the matches in these states as they are listed, oldest first.

    ``who`` is the player or the bot to act since ``turn_began_at``, ``due`` the moment after which
    they are late.
    """
    acting = and_(_s.match_id == _m.id, _s.seat == _m.to_act)
    # Outer joins: an invited match has no seat to act, and a bot's seat no player.
    seated = t.matches.outerjoin(t.seats, acting)
    who = func.coalesce(t.players.c.name, "bot " + _s.bot).label("who")
    listed = (_m.name, _m.game, _m.state, _m.turn, _m.to_act, _m.turn_began_at, _m.due, _m.result)
    return (
        select(*listed, who)
        .select_from(seated.outerjoin(t.players, t.players.c.id == _s.player_id))
        .where(_m.state.in_(states))
        .order_by(_m.id)
    )


# The seats: who holds them, and how far each has been told.


def _holding(player_id: int | None, bot: str | None) -> dict[str, object]:
    """Return the columns that say who holds a seat: a player, a bot or nobody."""
    holder = "bot" if bot else "nobody"
    return {"holder": "player" if player_id else holder, "player_id": player_id, "bot": bot}


def add_seat(
    connection: Connection,
    match_id: int,
    seat: str,
    number: int,
    *,
    player_id: int | None = None,
    bot: str | None = None,
    agreed: Agreed = "unasked",
) -> None:
    """Add a seat to a match; ``number`` is its place in turn order, from nought."""
    row = {"match_id": match_id, "seat": seat, "number": number, "agreed": agreed}
    connection.execute(insert(t.seats), {**row, **_holding(player_id, bot)})


@query.cached(t.seats)
@query.every(SeatRow)
def seats(match_id: int) -> Executable:
    """Return the seats of a match in turn order."""
    return _seats.where(_s.match_id == match_id).order_by(_s.number)


def find_seat(connection: Connection, match_id: int, seat: str) -> SeatRow | None:
    """Return one seat of a match."""
    return next((row for row in seats(connection, match_id) if row.seat == seat), None)


def seats_of_player(
    connection: Connection, player_id: int, match_id: int | None = None
) -> tuple[SeatRow, ...]:
    """Return the seats a player holds, in all matches or in one."""
    if match_id is None:
        return _held_by(connection, player_id)
    return tuple(row for row in seats(connection, match_id) if row.player_id == player_id)


@query.every(SeatRow)
def _held_by(player_id: int) -> Executable:
    return _seats.where(_s.player_id == player_id).order_by(_s.match_id, _s.number)


def change_seat(connection: Connection, match_id: int, seat: str, **changes: object) -> None:
    """Change columns of a seat."""
    connection.execute(_CHANGE_SEAT, {"match": match_id, "colour": seat, **changes})


def set_holder(
    connection: Connection,
    match_id: int,
    seat: str,
    *,
    player_id: int | None = None,
    bot: str | None = None,
) -> None:
    """Give a seat to a player, a bot or nobody; start a thread."""
    # A new thread, so that the new holder's mails do not answer mails they never got.
    row = {**_holding(player_id, bot), "thread_id": None}
    # Counted in the same statement: a code of the holder before no longer counts from now on.
    hand_on = _CHANGE_SEAT.values(handed_on=_s.handed_on + 1)
    connection.execute(hand_on, {"match": match_id, "colour": seat, **row})


def add_seat_holder(connection: Connection, match_id: int, seq: int, player_id: int) -> None:
    """Record the player an event gives a seat to; events name no persons."""
    row = {"match_id": match_id, "seq": seq, "player_id": player_id}
    connection.execute(insert(t.seat_holders), row)


@query.mapping
def seat_holders(match_id: int) -> Executable:
    """Return the players given a seat, by the number of the event."""
    given = t.seat_holders.c
    return select(given.seq, given.player_id).where(given.match_id == match_id)


def set_reported(
    connection: Connection, match_id: int, seats: Iterable[str], seq: int, turn: int
) -> None:
    """Note up to which event and turn the reports of seats tell."""
    keep_told_position(connection, match_id, seq)
    told = {"match": match_id, "reported_seq": seq, "reported_turn": turn}
    connection.execute(_CHANGE_SEAT, [{**told, "colour": seat} for seat in seats])


def keep_told_position(connection: Connection, match_id: int, seq: int) -> None:
    """Keep a match's position, if it still stands at an event, as its readers are told of it.

    Called before a mark moves: so the position it moves from is kept once more, for a report that
    never leaves. Those that no reader is told up to go.
    """
    _drop_told_positions(connection, match_id, seq)
    _keep_told_position(connection, match_id, seq)


@query.done
def _drop_told_positions(match_id: int, seq: int) -> Executable:
    readers = union_all(
        *(
            select(table.c.reported_seq).where(table.c.match_id == match_id)
            for table in (t.seats, t.watchers)
        )
    )
    needless = (_told.seq == seq) | _told.seq.not_in(readers)
    return delete(t.told_positions).where(_told.match_id == match_id, needless)


@query.done
def _keep_told_position(match_id: int, seq: int) -> Executable:
    kept = t.snapshots.c
    stands = select(t.snapshots).where(kept.match_id == match_id, kept.seq == seq)
    return insert(t.told_positions).from_select(["match_id", "seq", "position"], stands)


@query.cached(t.told_positions)
@query.value(str)
def told_position(match_id: int, seq: int) -> Executable:
    """Return the position kept of an event that readers were told up to, as canonical JSON."""
    return select(_told.position).where(_told.match_id == match_id, _told.seq == seq)


# The turns, and the reply codes that hold in them.


def open_turn(
    connection: Connection, match_id: int, number: int, seat: str | None, began_seq: int
) -> None:
    """Record that a turn begins."""
    row = {"match_id": match_id, "number": number, "seat": seat, "began_seq": began_seq}
    query.add_row(connection, t.turns, **row, state="open")


@query.done
def close_turn(match_id: int, number: int, ended_seq: int, now: datetime) -> Executable:
    """Record that the open turn of this number has ended."""
    # A turn that was undone has the same number and keeps its own end.
    still_open = (_t.match_id == match_id) & (_t.number == number) & (_t.state == "open")
    ended = update(t.turns).where(still_open)
    return ended.values(ended_seq=ended_seq, ended_at=now, state="done")


def update_turn(connection: Connection, turn_id: int, **changes: object) -> None:
    """Change a turn's ``late_told_at`` or ``state``."""
    connection.execute(update(t.turns).where(_t.id == turn_id), changes)


@query.every(TurnRow)
def turns(match_id: int) -> Executable:
    """Return the turns of a match as they came, undone ones included."""
    return _turns.where(_t.match_id == match_id).order_by(_t.id)


@query.first(TurnRow)
def find_turn(match_id: int, number: int) -> Executable:
    """Return the turn of this number; the latest, if it was undone and played again."""
    return _turns.where(_t.match_id == match_id, _t.number == number).order_by(_t.id.desc())


_Held: TypeAlias = tuple[int, int, str, int]
"""The match of a code, the event after which its turn began, its seat and holder."""


def keep_codes(connection: Connection, rows: Sequence[CodeRow]) -> list[CodeRow]:
    """Keep reply codes unless they stand for something already; return them as they stand."""
    if not rows:
        return []
    new = [structs.asdict(row) for row in rows]
    added = {*query.insert_or_skip(connection, t.codes, new, "code").scalars()}
    kept = {row.code: row for row in reversed(rows) if row.code in added}
    for row in kept.values():
        put_cached(connection, t.codes, row.code, row)
        put_cached(connection, t.codes, _held(row), row)
    others = find_codes(connection, [row.code for row in rows if row.code not in kept])
    return [*kept.values(), *filter(None, others.values())]


def codes_held(
    connection: Connection, match_id: int, began: int, holders: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], str]:
    """Return the codes kept for seats and their holders when a turn began after an event.

    A holder is the number in :attr:`CodeRow.handed_on`. Of several codes the latest is returned.
    """

    def read(wanted: list[_Held]) -> dict[_Held, CodeRow | None]:
        rows = _codes_of(connection, match_id, [seat for _, _, seat, _ in wanted], began)
        return {**dict.fromkeys(wanted), **{_held(row): row for row in rows}}

    wanted = [(match_id, began, *holder) for holder in holders]
    rows = read_cached_each(connection, t.codes, wanted, read).values()
    return {(row.seat, row.handed_on): row.code for row in rows if row is not None}


@query.every(CodeRow)
def _codes_of(match_id: int, seats: Sequence[str], began: int) -> Executable:
    of_turn = _codes.where(_c.match_id == match_id, _c.seat.in_(seats), _c.seq == began)
    return of_turn.order_by(_c.created, _c.code)


def _held(row: CodeRow) -> _Held:
    return row.match_id, row.seq, row.seat, row.handed_on


def find_code(connection: Connection, code: str) -> CodeRow | None:
    """Return the row of a reply code."""
    return find_codes(connection, [code])[code]


def find_codes(connection: Connection, codes: Iterable[str]) -> dict[str, CodeRow | None]:
    """Return the rows of reply codes, all in one look; None for those that stand for nothing."""

    def read(wanted: list[str]) -> dict[str, CodeRow | None]:
        return {**dict.fromkeys(wanted), **{row.code: row for row in _named(connection, wanted)}}

    return read_cached_each(connection, t.codes, codes, read)


@query.every(CodeRow)
def _named(codes: Sequence[str]) -> Executable:
    return _codes.where(_c.code.in_(codes))


# The logs: the match's own and each seat's private one; and the position they have led to.

_LOGS: Final = MappingProxyType({EventRow: t.events, PrivateEventRow: t.private_events})
_PAGE: Final = 50


def append_events(
    connection: Connection, match_id: int, events: Sequence[EventRow | PrivateEventRow]
) -> None:
    """Append events of one kind to a match's log, or to the private logs of its seats.

    Raises StaleLog if a place is taken; the block, or the savepoint, is then to be given up.
    """
    if not events:
        return
    rows = [{"match_id": match_id, **structs.asdict(event)} for event in events]
    try:
        connection.execute(insert(_LOGS[type(events[0])]), rows)
    except IntegrityError as fault:
        name = getattr(fault.orig, "sqlite_errorname", "")
        taken = name in {"SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE"}
        if taken or getattr(fault.orig, "sqlstate", None) == "23505":
            said = "The match went on in the meantime: nothing was changed. Try again."
            raise StaleLog(said) from fault
        raise


def events(connection: Connection, match_id: int, after: int = 0) -> tuple[EventRow, ...]:
    """Return the events of a match after one."""

    def read() -> tuple[int, tuple[EventRow, ...]]:
        return after, _after(connection, match_id, after)

    known = read_cached(connection, t.events, match_id, read)
    # The end of a log holds every shorter end of it.
    if known[0] > after:
        known = put_cached(connection, t.events, match_id, read())
    return tuple(event for event in known[1] if event.seq > after)


@query.every(EventRow)
def _after(match_id: int, after: int) -> Executable:
    return _events.where(_e.match_id == match_id, _e.seq > after).order_by(_e.seq)


def latest_event(
    connection: Connection, match_id: int, kind: str, seat: str | None = None
) -> EventRow | None:
    """Return the last event of a kind, of one seat if named."""
    latest = _events.where(_e.match_id == match_id, _e.kind == kind)
    if seat is not None:
        latest = latest.where(_e.seat == seat)
    return query.first_row(EventRow, connection.execute(latest.order_by(_e.seq.desc()).limit(1)))


@query.every(PrivateEventRow)
def private_events(match_id: int) -> Executable:
    """Return the private events of all seats of a match."""
    return _private.where(_p.match_id == match_id).order_by(_p.seat, _p.seq)


@query.first(PrivateEventRow)
def last_private(match_id: int, seat: str) -> Executable:
    """Return the last private event of a seat."""
    of_seat = _private.where(_p.match_id == match_id, _p.seat == seat)
    return of_seat.order_by(_p.seq.desc()).limit(1)


def latest_private(
    connection: Connection, match_id: int, seat: str, kind: str
) -> Iterator[PrivateEventRow]:
    """Yield the private events of a seat of one kind, latest first.

    They are read in pages, so that a caller who needs the last few does not wait for all.
    """
    # Most seats have none, and one look says so for all seats and kinds.
    if (seat, kind) not in _private_kinds(connection, match_id):
        return
    rows = _private_page(connection, match_id, seat, kind)
    yield from rows
    while len(rows) == _PAGE:
        rows = _private_page(connection, match_id, seat, kind, rows[-1].seq)
        yield from rows


@query.every(PrivateEventRow)
def _private_page(match_id: int, seat: str, kind: str, before: int = 2**31 - 1) -> Executable:
    of_seat = _private.where(_p.match_id == match_id, _p.seat == seat, _p.kind == kind)
    return of_seat.where(_p.seq < before).order_by(_p.seq.desc()).limit(_PAGE)


@query.cached(t.private_events)
@query.tuples
def _private_kinds(match_id: int) -> Executable:
    return select(_p.seat, _p.kind).where(_p.match_id == match_id).distinct()


@query.one
def find_snapshot(match_id: int) -> Executable:
    """Return the event at which a match's position is kept, by number, and its canonical JSON."""
    kept = t.snapshots.c
    return select(kept.seq, kept.position).where(kept.match_id == match_id)


def save_snapshot(connection: Connection, match_id: int, seq: int, position: str) -> None:
    """Keep the position of a match, replacing an earlier one."""
    row = {"match_id": match_id, "seq": seq, "position": position}
    query.insert_or_replace(connection, t.snapshots, row, "seq", "position")


# Standing orders, waiting or ended.


def add_standing_order(
    connection: Connection,
    match_id: int,
    seat: str,
    kind: StandingKind,
    text: str,
    now: datetime,
    *,
    handed_on: int = 0,
    **held: datetime | None,
) -> StandingOrderRow:
    """Keep a standing order that waits from now on; return it with its number.

    The first that a holder of the seat gives has number 1. ``held`` is when it ``arrived``, and
    ``until`` when it is held.
    """
    last = latest_standing_order(connection, match_id, seat)
    # Each holder counts from one: the numbers would tell how many the holder before had given.
    number = last.number + 1 if last is not None and last.handed_on == handed_on else 1
    row = {"match_id": match_id, "seat": seat, "kind": kind, "text": text, "state": "waiting"}
    row |= {"created": now, "number": number, "handed_on": handed_on, **held}
    added = insert(t.standing_orders).returning(*_standing_columns)
    return query.only_row(StandingOrderRow, connection.execute(added, row), seat)


@query.first(StandingOrderRow)
def latest_standing_order(match_id: int, seat: str, back: int = 0) -> Executable:
    """Return a seat's latest standing order, or ``back`` ones before it, ended ones included."""
    of_seat = _standing.where(_o.match_id == match_id, _o.seat == seat)
    return of_seat.order_by(_o.id.desc()).limit(1).offset(back)


def standing_orders_of(
    connection: Connection, match_id: int, seat: str | None = None
) -> tuple[StandingOrderRow, ...]:
    """Return the waiting standing orders of a match or seat, oldest first."""
    waiting = _waiting_in(connection, match_id)
    return tuple(row for row in waiting if seat in {None, row.seat})


@query.cached(t.standing_orders)
@query.every(StandingOrderRow)
def _waiting_in(match_id: int) -> Executable:
    return _standing.where(_o.match_id == match_id, _o.state == "waiting").order_by(_o.id)


@query.values(int)
def matches_held_before(moment: datetime) -> Executable:
    """Return the matches where orders were held until before a moment."""
    held = select(_o.match_id).distinct().join(t.matches, _m.id == _o.match_id)
    ended = held.where(_m.state == "running", _o.until < moment, _o.state == "waiting")
    return ended.order_by(_o.match_id)


# These change only what waits: a letter may cancel what the agenda has just used.
_CHANGE_WAITING: Final = update(t.standing_orders).where(_o.state == "waiting")


@query.done
def set_standing_order(standing_id: int, text: str, kind: StandingKind) -> Executable:
    """Replace the text of a standing order, if it waits.

    It is held no longer; what is left of held orders waits as another ``kind``.
    """
    waiting = _CHANGE_WAITING.where(_o.id == standing_id)
    return waiting.values(text=text, kind=kind, arrived=None, until=None)


@query.done
def ask_standing_order(standing_id: int) -> Executable:
    """Have a held standing order wait until its player's yes, if it still waits."""
    return _CHANGE_WAITING.where(_o.id == standing_id).values(until=None)


@query.done
def end_standing_order(standing_id: int, state: StandingState, now: datetime) -> Executable:
    """End a standing order, if it waits."""
    return _CHANGE_WAITING.where(_o.id == standing_id).values(state=state, ended_at=now)


@query.done
def void_standing_orders(match_id: int, now: datetime) -> Executable:
    """End all that still wait in a match."""
    return _CHANGE_WAITING.where(_o.match_id == match_id).values(state="void", ended_at=now)
