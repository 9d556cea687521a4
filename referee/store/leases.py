"""Leases: the daemon that serves the mailbox and its last poll, and all daemons at work.

Each says who it is and when it last wrote; whether it still lives is known by the lock of that name
(``database/locks.py``).
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Executable, delete, func, select

from referee.store import tables as t
from referee.store.database import query
from referee.store.tables.people import LeaseRow

MAILBOX: Final = "mailbox"
"""The name of the lease of the daemon that serves the mailbox."""

DAEMON: Final = "daemon "
"""The beginning of the name under which a daemon gives signs of life."""

_l: Final = t.leases.c
_leases: Final = select(*query.row_columns(LeaseRow, t.leases))


def give_sign(connection: Connection, name: str, owner: str, now: datetime) -> None:
    """Note the holder of a lease, and that it can write now."""
    row = {"name": name, "owner": owner, "heartbeat": now}
    query.insert_or_replace(connection, t.leases, row, "owner", "heartbeat")


def note_polled(connection: Connection, began: datetime | None) -> None:
    """Record when the last poll that succeeded began; with None no deadline acts before one."""
    row = {"name": MAILBOX, "polled_at": began}
    query.insert_or_replace(connection, t.leases, row, "polled_at")


@query.every(LeaseRow)
def daemon_leases() -> Executable:
    """Return the leases of all daemons at work, and of those that have ended unseen."""
    return _leases.where(_l.name.startswith(DAEMON)).order_by(_l.name)


@query.done
def remove_lease(name: str) -> Executable:
    """Forget a lease altogether."""
    return delete(t.leases).where(_l.name == name)


def database_now(connection: Connection) -> datetime:
    """Return the moment by the clock of PostgreSQL's host."""
    now: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return now


@query.first(LeaseRow)
def find_lease() -> Executable:
    """Return the lease of the mailbox."""
    return _leases.where(_l.name == MAILBOX)
