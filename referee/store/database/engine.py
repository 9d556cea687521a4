"""The engines, and the settings a connection gets when it opens.

SQLite is the default and PostgreSQL an option, and no query above the store depends on which one it
is: most differences between the two are settled here, in ``query`` and in ``errors``.
"""

from __future__ import annotations

import math
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import URL, Engine, ExceptionContext, create_engine, event, make_url
from sqlalchemy.exc import DisconnectionError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from referee.resources import advise_extra
from referee.store.database.block import BLOCK, Block, before_statement, block_of
from referee.store.database.errors import (
    DriverMissing,
    StoreUnreachable,
    is_read_only,
    of_sqlite,
    store_error,
    unreachable_error,
)

_RESTED: Final = "referee_rested"

IDLE: Final = 1.0
"""Seconds after which a connection is asked whether it is still there."""

KEEPALIVE: Final = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""Settings of libpq by which a server that is cut off is noticed within half a minute."""

STANDSTILL: Final = 60
"""Seconds a block may do nothing before PostgreSQL ends it.

A process that was stopped in the middle of one keeps its locks that long from the others.
"""


class Engines(NamedTuple):
    """The engines for blocks that read, write, or write passing notes."""

    reader: Engine
    writer: Engine
    noter: Engine


def parse_url(url: str) -> URL:
    """Return the address of a database taken apart. Raises StoreUnreachable."""
    try:
        address = make_url(url)
    except SQLAlchemyError as fault:
        raise StoreUnreachable(f"The database address {url!r} is not understood.") from fault
    if address.get_backend_name() == "sqlite" and database_file(address) is None:
        raise StoreUnreachable("The database address names no file, as sqlite:///referee.db does.")
    if address.drivername == "postgresql":
        # Without it SQLAlchemy looks for psycopg2, which we do not use.
        return address.set(drivername="postgresql+psycopg")
    return address


def database_file(url: URL) -> Path | None:
    """Return the file of an SQLite database, otherwise None."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return None
    return Path(url.database)


def make_file(file: Path) -> None:
    """Make the empty file of a database, readable by its owner alone. Raises StoreUnreachable."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Made with its mode before SQLite opens it: at no moment may others read it.
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError as fault:
        if not file.is_file():
            raise StoreUnreachable(f"The database {file} cannot be made there.") from fault
    except OSError as fault:
        raise StoreUnreachable(f"The database {file} cannot be made: {fault.strerror}.") from fault


def let_shrink(file: Path) -> None:
    """Write an SQLite file anew, so that it gives room back bit by bit. Raises StoreError."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
            connection.execute("VACUUM")
    except sqlite3.Error as fault:
        raise of_sqlite(fault) or unreachable_error(fault) from fault


def make_engines(url: URL, patience: float) -> Engines:
    """Return engines that wait ``patience`` seconds for a lock. Raises StoreError."""
    try:
        if url.get_backend_name() == "sqlite":
            # IMMEDIATE takes the lock at once: a block that read first and wrote later would fail
            # without waiting if somebody else had written in between.
            return Engines(
                _sqlite(url, patience, "BEGIN", "synchronous=FULL", "query_only=ON"),
                _sqlite(url, patience, "BEGIN IMMEDIATE", "synchronous=FULL"),
                _sqlite(url, patience, "BEGIN IMMEDIATE", "synchronous=NORMAL"),
            )
        settings = {
            "lock_timeout": round(patience * 1000),
            "idle_in_transaction_session_timeout": STANDSTILL * 1000,
            "timezone": "UTC",
        }
        # The same on the server's side: a host that is gone must not keep its locks for hours.
        watch = {f"tcp_{name.removeprefix('tcp_')}": value for name, value in KEEPALIVE.items()}
        options = " ".join(f"-c {name}={value}" for name, value in (settings | watch).items())
        engine = _connecting(url, options)
        return Engines(
            engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True),
            engine,
            # Connections of its own: to say so in each block would cost a round trip.
            _connecting(url, f"{options} -c synchronous_commit=off"),
        )
    except ModuleNotFoundError as fault:
        raise DriverMissing(
            f"This database needs the Python package {fault.name!r}: {advise_extra('postgres')}"
        ) from fault
    except SQLAlchemyError as fault:
        raise (store_error(fault) or fault) from fault


def _sqlite(url: URL, patience: float, begin: str, *pragmas: str) -> Engine:
    engine = _checked_engine(url, timeout=patience, check_same_thread=False)

    @event.listens_for(engine, "connect")
    def opened(dbapi: sqlite3.Connection, record: Any) -> None:
        del record
        # The driver's own idea of when a transaction begins would leave reads outside of it.
        dbapi.isolation_level = None
        # WAL lets commands read while the daemon writes; secure_delete overwrites what was erased,
        # which would otherwise stay readable in free pages of the file.
        for pragma in ("journal_mode=WAL", "foreign_keys=ON", "secure_delete=ON", *pragmas):
            dbapi.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "checkout")
    def begun(dbapi: sqlite3.Connection, record: ConnectionPoolEntry, *rest: Any) -> None:
        del rest
        dbapi.execute(begin)
        record.info[BLOCK] = Block(dbapi)

    @event.listens_for(engine, "handle_error")
    def failed(context: ExceptionContext) -> None:
        if context.connection is not None and store_error(context.sqlalchemy_exception):
            block = block_of(context.connection)
            # The first fault counts; those after it only follow from it.
            block.fault = block.fault or context.sqlalchemy_exception

    return engine


def _connecting(url: URL, options: str) -> Engine:
    engine = _checked_engine(url, options=options, connect_timeout=10, **KEEPALIVE)

    @event.listens_for(engine, "checkout")
    def begun(dbapi: Any, record: ConnectionPoolEntry, *rest: Any) -> None:
        del rest
        # A server may close idle connections; without the ping the next letter would find out.
        if time.monotonic() - record.info.get(_RESTED, math.inf) > IDLE:
            try:
                engine.dialect.do_ping(dbapi)
            except Exception as fault:
                raise DisconnectionError("the connection was closed meanwhile") from fault
        # After a block that only read it would be READ WRITE, which overrules the server's default.
        dbapi.read_only = None
        record.info[BLOCK] = Block(None)

    @event.listens_for(engine, "checkin")
    def rested(dbapi: Any, record: ConnectionPoolEntry) -> None:
        del dbapi
        record.info[_RESTED] = time.monotonic()

    return engine


def _checked_engine(url: URL, **settings: object) -> Engine:
    """Return an engine that checks the block before each statement, and leaves what only reads."""
    # What is written holds codes, seeds and letters, and no error may repeat it.
    engine = create_engine(url, hide_parameters=True, connect_args=settings)
    # Events of the dialect and the pool only: one of a connection, such as before_cursor_execute,
    # makes each statement a fifth slower.
    event.listen(engine, "do_execute", before_statement)
    event.listen(engine, "do_executemany", before_statement)

    @event.listens_for(engine, "handle_error")
    def failed(context: ExceptionContext) -> None:
        # A file that may not be written when it is opened is opened for reading alone, and another
        # server may have taken over: only a new connection finds what may be written by now.
        if is_read_only(context.original_exception):
            context.is_disconnect = True

    return engine
