"""Leases: the daemon that serves the mailbox and its last poll, and all daemons at work."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, bindparam, delete, func, or_, select, update

from referee.store import tables as t
from referee.store.database.rows import all_rows, first_row, row_columns
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

_c: Final = t.leases.c
_leases: Final = select(*row_columns(LeaseRow, t.leases))
_OF_MAILBOX: Final = _leases.where(_c.name == MAILBOX)
_UPDATE: Final = update(t.leases).where(_c.name == bindparam("which"))
# One statement, so that of two daemons that start together only one finds the lease free.
_TAKE: Final = _UPDATE.where(
    or_(_c.owner.is_(None), _c.owner == bindparam("whose"), _c.heartbeat <= bindparam("stale"))
)
_MINE: Final = _UPDATE.where(_c.owner == bindparam("whose"))

_DAEMONS: Final = _leases.where(_c.name.startswith(DAEMON)).order_by(_c.name)
_REMOVE: Final = delete(t.leases).where(_c.name == bindparam("which"))
_NOW: Final = select(func.clock_timestamp())


def take_lease(
    connection: Connection, name: str, owner: str, now: datetime, ttl: timedelta
) -> bool:
    """Take a lease that is free, or whose daemon has fallen silent.

    ``ttl`` is how long a silent daemon keeps it.
    """
    _ensure_lease(connection, name)
    who = {"which": name, "whose": owner, "stale": now - ttl}
    return connection.execute(_TAKE, {**who, "owner": owner, "heartbeat": now}).rowcount == 1


def heartbeat(connection: Connection, owner: str, now: datetime) -> bool:
    """Say that a daemon is alive; False if the mailbox is no longer its own."""
    row = {"which": MAILBOX, "whose": owner, "heartbeat": now}
    return connection.execute(_MINE, row).rowcount == 1


def release_lease(connection: Connection, name: str, owner: str) -> None:
    """Give a lease back."""
    row = {"which": name, "whose": owner, "owner": None, "heartbeat": None}
    connection.execute(_MINE, row)


def note_polled(connection: Connection, began: datetime) -> None:
    """Record that a poll that began at a moment has succeeded."""
    _ensure_lease(connection, MAILBOX)
    connection.execute(_UPDATE, {"which": MAILBOX, "polled_at": began})


def forget_poll(connection: Connection) -> None:
    """Forget when the last poll was: no deadline acts before the next one."""
    connection.execute(_UPDATE, {"which": MAILBOX, "polled_at": None})


def daemon_leases(connection: Connection) -> tuple[LeaseRow, ...]:
    """Return the signs of life of all daemons at work."""
    return all_rows(LeaseRow, connection.execute(_DAEMONS))


def remove_lease(connection: Connection, name: str) -> None:
    """Forget a lease altogether."""
    connection.execute(_REMOVE, {"which": name})


def database_now(connection: Connection) -> datetime:
    """Return the moment by the clock of PostgreSQL's host."""
    found: datetime = connection.execute(_NOW).scalar_one()
    return found


def find_lease(connection: Connection) -> LeaseRow | None:
    """Return the lease of the mailbox."""
    return first_row(LeaseRow, connection.execute(_OF_MAILBOX))


def _ensure_lease(connection: Connection, name: str) -> None:
    connection.execute(insert_or_skip(dialect_of(connection), t.leases, "name"), {"name": name})
