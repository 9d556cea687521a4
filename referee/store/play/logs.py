"""The logs of a match: board events, each seat's private events, and the latest position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Insert, bindparam, insert, select
from sqlalchemy.exc import IntegrityError

from referee.store import tables as t
from referee.store.database.block import put_cached, read_cached
from referee.store.database.errors import StaleLog
from referee.store.database.rows import all_rows, first_row, row_columns, row_values
from referee.store.database.upsert import dialect_of, insert_or_replace
from referee.value import Value


class EventRow(Value):
    """An event of a match: ``body`` is its canonical JSON, kept byte for byte."""

    seq: int
    kind: str
    seat: str | None
    turn: int
    body: str
    facts: str
    hash: str
    at: datetime


class PrivateEventRow(Value):
    """An event of one seat's own chain."""

    seat: str
    seq: int
    kind: str
    body: str
    hash: str
    at: datetime


_EVENTS: Final = (
    select(*row_columns(EventRow, t.events))
    .where(t.events.c.match_id == bindparam("match"))
    .where(t.events.c.seq > bindparam("after"))
    .order_by(t.events.c.seq)
)

_LATEST: Final = (
    select(*row_columns(EventRow, t.events))
    .where(t.events.c.match_id == bindparam("match"))
    .where(t.events.c.kind == bindparam("which"))
    .order_by(t.events.c.seq.desc())
    .limit(1)
)

_LATEST_OF: Final = _LATEST.where(t.events.c.seat == bindparam("colour"))

_APPEND: Final = insert(t.events)

_PRIVATE: Final = (
    select(*row_columns(PrivateEventRow, t.private_events))
    .where(t.private_events.c.match_id == bindparam("match"))
    .order_by(t.private_events.c.seat, t.private_events.c.seq)
)

_latest_private: Final = (
    _PRIVATE.where(t.private_events.c.seat == bindparam("colour"))
    .order_by(None)
    .order_by(t.private_events.c.seq.desc())
    .limit(bindparam("most"))
)

_LATEST_PRIVATE: Final = _latest_private

_LATEST_OF_KIND: Final = _latest_private.where(t.private_events.c.kind == bindparam("which")).where(
    t.private_events.c.seq < bindparam("before")
)

_PRIVATE_KINDS: Final = (
    select(t.private_events.c.seat, t.private_events.c.kind)
    .where(t.private_events.c.match_id == bindparam("match"))
    .distinct()
)

_APPEND_PRIVATE: Final = insert(t.private_events)

_SNAPSHOT: Final = select(t.snapshots.c.seq, t.snapshots.c.position).where(
    t.snapshots.c.match_id == bindparam("match")
)

_PAGE: Final = 50

_BEYOND: Final = 2**62

_STALE: Final = "The match went on in the meantime: nothing was changed. Try again."


def append_events(connection: Connection, match_id: int, events: Sequence[EventRow]) -> None:
    """Append events to a match's log.

    Raises StaleLog if a place is taken; the block, or the savepoint, is then to be given up.
    """
    if events:
        rows = [{"match_id": match_id, **row_values(event)} for event in events]
        _append(connection, _APPEND, rows)


def events(connection: Connection, match_id: int, after: int = 0) -> tuple[EventRow, ...]:
    """Return the events of a match after one."""

    def read() -> tuple[int, tuple[EventRow, ...]]:
        which = {"match": match_id, "after": after}
        return after, all_rows(EventRow, connection.execute(_EVENTS, which))

    known = read_cached(connection, t.events, match_id, read)
    # The end of a log holds every shorter end of it.
    if known[0] > after:
        known = put_cached(connection, t.events, match_id, read())
    return tuple(each for each in known[1] if each.seq > after)


def latest_event(
    connection: Connection, match_id: int, kind: str, seat: str | None = None
) -> EventRow | None:
    """Return the last event of a kind, of one seat if named."""
    which = {"match": match_id, "which": kind}
    if seat is None:
        return first_row(EventRow, connection.execute(_LATEST, which))
    return first_row(EventRow, connection.execute(_LATEST_OF, {**which, "colour": seat}))


def append_private(
    connection: Connection, match_id: int, events: Sequence[PrivateEventRow]
) -> None:
    """Append to the private chains of seats.

    Raises StaleLog if a place is taken; the block, or the savepoint, is then to be given up.
    """
    if events:
        rows = [{"match_id": match_id, **row_values(event)} for event in events]
        _append(connection, _APPEND_PRIVATE, rows)


def private_events(connection: Connection, match_id: int) -> tuple[PrivateEventRow, ...]:
    """Return the private events of all seats of a match."""
    return all_rows(PrivateEventRow, connection.execute(_PRIVATE, {"match": match_id}))


def last_private(connection: Connection, match_id: int, seat: str) -> PrivateEventRow | None:
    """Return the last private event of a seat."""
    which = {"match": match_id, "colour": seat, "most": 1}
    return first_row(PrivateEventRow, connection.execute(_LATEST_PRIVATE, which))


def latest_private(
    connection: Connection, match_id: int, seat: str, kind: str
) -> Iterator[PrivateEventRow]:
    """Yield the private events of a seat of one kind, latest first.

    They are read in pages, so that a caller who needs the last few does not wait for all.
    """
    which: dict[str, object] = {"match": match_id, "colour": seat, "which": kind}
    before = _BEYOND
    # Most seats have none, and one look says so for all seats and kinds.
    while (seat, kind) in _private_kinds(connection, match_id):
        page = {**which, "before": before, "most": _PAGE}
        rows = all_rows(PrivateEventRow, connection.execute(_LATEST_OF_KIND, page))
        yield from rows
        if len(rows) < _PAGE:
            return
        before = rows[-1].seq


def _private_kinds(connection: Connection, match_id: int) -> frozenset[tuple[str, str]]:
    """Return the kinds of private events in a match, with their seats."""

    def read() -> frozenset[tuple[str, str]]:
        found = connection.execute(_PRIVATE_KINDS, {"match": match_id})
        return frozenset((row.seat, row.kind) for row in found)

    return read_cached(connection, t.private_events, match_id, read)


def find_snapshot(connection: Connection, match_id: int) -> tuple[int, str] | None:
    """Return the kept position of a match, and its event's number.

    The position is canonical JSON.
    """
    found = connection.execute(_SNAPSHOT, {"match": match_id}).first()
    return None if found is None else (found[0], found[1])


def save_snapshot(connection: Connection, match_id: int, seq: int, position: str) -> None:
    """Keep the position of a match, replacing an earlier one."""
    statement = insert_or_replace(dialect_of(connection), t.snapshots, "seq", "position")
    connection.execute(statement, {"match_id": match_id, "seq": seq, "position": position})


def _append(
    connection: Connection, statement: Insert, rows: Sequence[Mapping[str, object]]
) -> None:
    try:
        connection.execute(statement, rows)
    except IntegrityError as fault:
        if _taken(fault):
            raise StaleLog(_STALE) from fault
        raise


def _taken(fault: IntegrityError) -> bool:
    """Return whether a row was refused because its key is taken."""
    if getattr(fault.orig, "sqlstate", None) == "23505":
        return True
    name = getattr(fault.orig, "sqlite_errorname", "")
    return name in {"SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE"}
