"""Whether the database was put back from a copy, so that the mailbox knows more than it does."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from referee.desk.ledger import stamp
from referee.store import status

KEY: Final = "reread"
"""Under this key stands since when the folders wait to be read again."""


def ask(connection: Connection, now: datetime) -> None:
    """Have the folders read again by the next daemon, before it does anything else."""
    if not is_asked(connection):
        status.put(connection, KEY, stamp(now))


def is_asked(connection: Connection) -> bool:
    """Return whether the folders wait to be read again: until then no deadline acts."""
    return status.value(connection, KEY) is not None


def done(connection: Connection) -> None:
    """Note that all that the folders hold is known again."""
    status.remove(connection, KEY)
