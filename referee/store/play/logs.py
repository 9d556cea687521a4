"""The logs of a match: board events, each seat's private events, and the latest position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import Connection, Executable, Table, insert, select
from sqlalchemy.exc import IntegrityError

from referee.store import tables as t
from referee.store.database.block import put_cached, read_cached
from referee.store.database.errors import StaleLog
from referee.store.database.query import (
    cached,
    dialect_of,
    every,
    first,
    first_row,
    insert_or_replace,
    pairs,
    row_columns,
    row_values,
)
from referee.store.tables.play import EventRow, PrivateEventRow

_e: Final = t.events.c

_p: Final = t.private_events.c

_events: Final = select(*row_columns(EventRow, t.events))

_private: Final = select(*row_columns(PrivateEventRow, t.private_events))

_PAGE: Final = 50

_BEYOND: Final = 2**62


def append_events(connection: Connection, match_id: int, events: Sequence[EventRow]) -> None:
    """Append events to a match's log.

    Raises StaleLog if a place is taken; the block, or the savepoint, is then to be given up.
    """
    _append(connection, t.events, match_id, events)


def events(connection: Connection, match_id: int, after: int = 0) -> tuple[EventRow, ...]:
    """Return the events of a match after one."""

    def read() -> tuple[int, tuple[EventRow, ...]]:
        return after, _after(connection, match_id, after)

    known = read_cached(connection, t.events, match_id, read)
    # The end of a log holds every shorter end of it.
    if known[0] > after:
        known = put_cached(connection, t.events, match_id, read())
    return tuple(event for event in known[1] if event.seq > after)


@every(EventRow)
def _after(match_id: int, after: int) -> Executable:
    return _events.where(_e.match_id == match_id, _e.seq > after).order_by(_e.seq)


def latest_event(
    connection: Connection, match_id: int, kind: str, seat: str | None = None
) -> EventRow | None:
    """Return the last event of a kind, of one seat if named."""
    latest = _events.where(_e.match_id == match_id, _e.kind == kind)
    if seat is not None:
        latest = latest.where(_e.seat == seat)
    return first_row(EventRow, connection.execute(latest.order_by(_e.seq.desc()).limit(1)))


def append_private(
    connection: Connection, match_id: int, events: Sequence[PrivateEventRow]
) -> None:
    """Append to the private chains of seats.

    Raises StaleLog if a place is taken; the block, or the savepoint, is then to be given up.
    """
    _append(connection, t.private_events, match_id, events)


@every(PrivateEventRow)
def private_events(match_id: int) -> Executable:
    """Return the private events of all seats of a match."""
    return _private.where(_p.match_id == match_id).order_by(_p.seat, _p.seq)


@first(PrivateEventRow)
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
    before = _BEYOND
    # Most seats have none, and one look says so for all seats and kinds.
    while (seat, kind) in _private_kinds(connection, match_id):
        rows = _page(connection, match_id, seat, kind, before)
        yield from rows
        if len(rows) < _PAGE:
            return
        before = rows[-1].seq


@every(PrivateEventRow)
def _page(match_id: int, seat: str, kind: str, before: int) -> Executable:
    of_seat = _private.where(_p.match_id == match_id, _p.seat == seat, _p.kind == kind)
    return of_seat.where(_p.seq < before).order_by(_p.seq.desc()).limit(_PAGE)


@cached(t.private_events)
@pairs
def _private_kinds(match_id: int) -> Executable:
    return select(_p.seat, _p.kind).where(_p.match_id == match_id).distinct()


def find_snapshot(connection: Connection, match_id: int) -> tuple[int, str] | None:
    """Return the event at which a match's position is kept, by number, and its canonical JSON."""
    return next(iter(_snapshots(connection, match_id)), None)


@pairs
def _snapshots(match_id: int) -> Executable:
    kept = t.snapshots.c
    return select(kept.seq, kept.position).where(kept.match_id == match_id)


def save_snapshot(connection: Connection, match_id: int, seq: int, position: str) -> None:
    """Keep the position of a match, replacing an earlier one."""
    statement = insert_or_replace(dialect_of(connection), t.snapshots, "seq", "position")
    connection.execute(statement, {"match_id": match_id, "seq": seq, "position": position})


def _append(
    connection: Connection,
    table: Table,
    match_id: int,
    events: Sequence[EventRow | PrivateEventRow],
) -> None:
    rows = [{"match_id": match_id, **row_values(event)} for event in events]
    if not rows:
        return
    try:
        connection.execute(insert(table), rows)
    except IntegrityError as fault:
        name = getattr(fault.orig, "sqlite_errorname", "")
        taken = name in {"SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE"}
        if taken or getattr(fault.orig, "sqlstate", None) == "23505":
            said = "The match went on in the meantime: nothing was changed. Try again."
            raise StaleLog(said) from fault
        raise
