"""Leases: the daemon that serves the mailbox and its last poll, and all daemons at work."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, Executable, delete, func, or_, select, update

from referee.store import tables as t
from referee.store.database.query import changed_one, done, every, first
from referee.store.database.rows import row_columns
from referee.store.database.upsert import dialect_of, insert_or_skip
from referee.value import Value


class LeaseRow(Value):
    """A lease; ``polled_at`` is when the last successful poll of the mailbox began."""

    name: str
    owner: str | None
    heartbeat: datetime | None
    polled_at: datetime | None


MAILBOX: Final = "mailbox"
"""The name of the lease of the daemon that serves the mailbox."""

DAEMON: Final = "daemon "
"""The beginning of the name under which a daemon gives signs of life."""

_l: Final = t.leases.c

_leases: Final = select(*row_columns(LeaseRow, t.leases))


def take_lease(
    connection: Connection, name: str, owner: str, now: datetime, ttl: timedelta
) -> bool:
    """Take a lease that is free, or whose daemon has fallen silent.

    ``ttl`` is how long a silent daemon keeps it.
    """
    _ensure_lease(connection, name)
    return _take(connection, name, owner, now, now - ttl)


@changed_one
def _take(name: str, owner: str, now: datetime, stale: datetime) -> Executable:
    # One statement, so that of two daemons that start together only one finds the lease free.
    free = or_(_l.owner.is_(None), _l.owner == owner, _l.heartbeat <= stale)
    return update(t.leases).where(_l.name == name, free).values(owner=owner, heartbeat=now)


@changed_one
def heartbeat(owner: str, now: datetime) -> Executable:
    """Say that a daemon is alive; False if the mailbox is no longer its own."""
    return update(t.leases).where(_l.name == MAILBOX, _l.owner == owner).values(heartbeat=now)


@done
def release_lease(name: str, owner: str) -> Executable:
    """Give a lease back."""
    mine = update(t.leases).where(_l.name == name, _l.owner == owner)
    return mine.values(owner=None, heartbeat=None)


def note_polled(connection: Connection, began: datetime) -> None:
    """Record that a poll that began at a moment has succeeded."""
    _ensure_lease(connection, MAILBOX)
    _set_polled(connection, began)


def forget_poll(connection: Connection) -> None:
    """Forget when the last poll was: no deadline acts before the next one."""
    _set_polled(connection, None)


@done
def _set_polled(polled_at: datetime | None) -> Executable:
    return update(t.leases).where(_l.name == MAILBOX).values(polled_at=polled_at)


@every(LeaseRow)
def daemon_leases() -> Executable:
    """Return the signs of life of all daemons at work."""
    return _leases.where(_l.name.startswith(DAEMON)).order_by(_l.name)


@done
def remove_lease(name: str) -> Executable:
    """Forget a lease altogether."""
    return delete(t.leases).where(_l.name == name)


def database_now(connection: Connection) -> datetime:
    """Return the moment by the clock of PostgreSQL's host."""
    now: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return now


@first(LeaseRow)
def find_lease() -> Executable:
    """Return the lease of the mailbox."""
    return _leases.where(_l.name == MAILBOX)


def _ensure_lease(connection: Connection, name: str) -> None:
    connection.execute(insert_or_skip(dialect_of(connection), t.leases, "name"), {"name": name})
