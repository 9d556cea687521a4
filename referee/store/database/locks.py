"""Locks: of the processes at work on one database, one holds each; and a queue for threads.

A lock ends with its process, however that ends, so that the next can have it at once. On PostgreSQL
it lasts as long as the connection which took it ("Advisory Locks" in its manual), on SQLite as long
as a file beside the database is open ("Open file description locks" in fcntl(2)).
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from referee.store.database.errors import unreachable_error

LEADER: Final = "leader"
"""The name of the lock of the one that does what is to be done once."""

SILENCE: Final = 30
"""Seconds after which PostgreSQL ends the connection of a holder that says nothing.

A process that was stopped, or whose network fell silent, does not end and would keep its lock. The
same frees the lock for a holder that comes back by another connection.
"""

UNSURE: Final = 20.0
"""Seconds without an answer after which a holder takes its lock for lost, before others get it."""

# Where PostgreSQL knows it, from version 14 on.
_END_IN_SILENCE: Final = text(
    "SELECT set_config(name, :silence, false) FROM pg_settings WHERE name = 'idle_session_timeout'"
)

_TAKE: Final = text("SELECT pg_try_advisory_lock(:number)")
_ASK: Final = text("SELECT 1")
_JOIN: Final = text("SELECT pg_advisory_xact_lock(:number)")
_HELD: Final = text(
    "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1"
    " AND classid::bigint << 32 | objid::bigint = :number"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"
)

_FLOCK: Final = "hhqqi4x"
"""The fields of ``struct flock``: type, origin, start, length, process."""


class Lock(Protocol):
    """The claim of a process to a lock."""

    def holds(self) -> bool:
        """Return whether this process holds the lock; it takes it if nobody else has it.

        False also while PostgreSQL cannot be asked. Raises StoreUnreachable where SQLite's file
        cannot be made or locked.
        """

    def is_sure(self) -> bool:
        """Return whether nobody else can have taken the lock meanwhile, without asking."""

    def give_up(self) -> None:
        """Leave the lock to another."""


@dataclass
class ConnectionLock:
    """A claim to a lock of PostgreSQL's."""

    engine: Engine
    name: str
    _connection: Connection | None = field(default=None, init=False)
    _heard: float = field(default=0, init=False)

    def holds(self) -> bool:
        asked = steady_seconds()
        try:
            connection = self._connection if self.is_sure() else None
            if connection is None:
                self.give_up()
                return self._take(asked)
            connection.execute(_ASK)
        except SQLAlchemyError:
            self.give_up()
            return False
        self._heard = asked
        return True

    def _take(self, asked: float) -> bool:
        connection = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        # Its own for good: one that went back to the pool would take the lock along.
        connection.detach()
        try:
            connection.execute(_END_IN_SILENCE, {"silence": f"{SILENCE}s"})
            if connection.execute(_TAKE, {"number": _number(self.name)}).scalar():
                self._connection, self._heard = connection, asked
        finally:
            if self._connection is not connection:
                connection.close()
        return self._connection is connection

    def is_sure(self) -> bool:
        return self._connection is not None and steady_seconds() - self._heard < UNSURE

    def give_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError):
                connection.close()


@dataclass
class FileLock:
    """A claim to a lock on one byte of a file, which is never written, renamed or removed.

    It is not the database itself: SQLite's own locks on that end as soon as any part of the process
    closes it.
    """

    database: Path
    name: str
    _descriptor: int | None = field(default=None, init=False)

    def holds(self) -> bool:
        if self.is_sure():
            return True
        self.give_up()
        try:
            file = lock_file(self.database)
            self._descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
            if os.geteuid() == 0:
                # As SQLite does with its files: made by root they would shut out whose they are.
                whose = self.database.stat()
                os.fchown(self._descriptor, whose.st_uid, whose.st_gid)
            fcntl.fcntl(self._descriptor, fcntl.F_OFD_SETLK, _write_lock(self.name))
        except BlockingIOError:
            self.give_up()
        except OSError as fault:
            self.give_up()
            raise unreachable_error(fault) from fault
        return self._descriptor is not None

    def is_sure(self) -> bool:
        # Once: another thread may just give it up.
        descriptor = self._descriptor
        if descriptor is None:
            return False
        # Somebody may have removed the file, and another would lock a new one.
        try:
            there = lock_file(self.database).stat()
            return os.path.samestat(os.fstat(descriptor), there)
        except OSError:
            return False

    def give_up(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)


def lock_file(database: Path) -> Path:
    """Return the file of the locks of an SQLite database, by whatever name that is opened."""
    file = database.resolve()
    return file.with_name(f"{file.name}-lock")


def is_locked(connection: Connection, name: str) -> bool:
    """Return whether a process holds a lock of this database; that takes nothing."""
    if connection.dialect.name != "sqlite":
        return bool(connection.execute(_HELD, {"number": _number(name)}).scalar())
    try:
        file = lock_file(Path(str(connection.engine.url.database))).open("rb")
    except OSError:
        return False
    with file:
        asked = fcntl.fcntl(file, fcntl.F_OFD_GETLK, _write_lock(name))
    return bool(struct.unpack(_FLOCK, asked)[0] != fcntl.F_UNLCK)


def _write_lock(name: str) -> bytes:
    return struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, _number(name), 1, 0)


def _number(name: str) -> int:
    """Return the number of a lock: a key on PostgreSQL, the place of a byte in a file."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=7).digest())


def join_in_turn(connection: Connection) -> None:
    """Wait until no other daemon is just joining; it holds until the block ends."""
    connection.execute(_JOIN, {"number": _number("joining")})


def steady_seconds() -> float:
    """Return seconds since the machine started, those asleep included."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class ThreadQueue:
    """Threads that stand in line; each goes on when all before it are done.

    SQLite itself gives its lock to whoever asks just when it is free, so a thread that writes again
    and again would keep all others out.
    """

    def __init__(self, patience: float) -> None:
        """Make a queue in which a thread waits ``patience`` seconds at most."""
        self._patience = patience
        self._lock = threading.Lock()
        self._waiting: list[threading.Event] = []

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn and keep it for the block.

        A thread that has waited too long goes on all the same: the database then says that it is
        locked.
        """
        mine = threading.Event()
        with self._lock:
            self._waiting.append(mine)
            self._call_first()
        try:
            mine.wait(self._patience)
            yield
        finally:
            with self._lock:
                # Also after an exception or a wait in vain, or all behind it would wait for ever.
                self._waiting.remove(mine)
                self._call_first()

    def _call_first(self) -> None:
        if self._waiting:
            self._waiting[0].set()
