"""Leadership: of the daemons at work on one database, one does what is to be done once.

It is a lock of PostgreSQL's that lasts as long as the connection which took it, so that the death
of a leader frees it at once ("Advisory Locks" in its manual).
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

LEADER: Final = 0x7265_6665
"""The number of the lock; each database has numbers of its own."""

JOINING: Final = LEADER + 1
"""The number of the lock under which daemons look at each other before they begin."""

_TAKE: Final = text(f"SELECT pg_try_advisory_lock({LEADER})")

_ASK: Final = text("SELECT 1")

_JOIN: Final = text(f"SELECT pg_advisory_xact_lock({JOINING})")


@dataclass
class Leadership:
    """The claim of a process to lead; without an engine it has nobody to share with."""

    engine: Engine | None
    _connection: Connection | None = field(default=None, init=False)

    def holds(self) -> bool:
        """Return whether this process leads; it tries to become the leader if nobody else is.

        False also while the database cannot be asked.
        """
        if self.engine is None:
            return True
        try:
            if self._connection is not None:
                self._connection.execute(_ASK)
                return True
            return self._take(self.engine)
        except SQLAlchemyError:
            self.give_up()
            return False

    def _take(self, engine: Engine) -> bool:
        connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        # Its own for good: one that went back to the pool would take the lock along.
        connection.detach()
        try:
            taken = bool(connection.execute(_TAKE).scalar())
            if taken:
                self._connection = connection
        finally:
            if self._connection is not connection:
                connection.close()
        return taken

    def give_up(self) -> None:
        """Leave the lead to another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError):
                connection.close()


def join_in_turn(connection: Connection) -> None:
    """Wait until no other daemon is just joining; it holds until the block ends."""
    connection.execute(_JOIN)
