"""How the database is spoken to: what each connection is told when it opens and begins."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event, make_url
from sqlalchemy.exc import SQLAlchemyError

from referee.store.errors import StoreUnreachable, Undone, translated

WRITES: Final = "referee_writes"
LASTING: Final = "referee_lasting"
_READ_ONLY: Final = "referee_read_only"
_LASTS: Final = "referee_lasts"
_FAULT: Final = "referee_fault"


def parsed(url: str) -> URL:
    """Return the address of a database taken apart. Raises StoreUnreachable."""
    try:
        found = make_url(url)
    except SQLAlchemyError as fault:
        raise StoreUnreachable(f"The database address {url!r} is not understood.") from fault
    if found.get_backend_name() == "sqlite" and file_of(found) is None:
        raise StoreUnreachable("The database address names no file, as sqlite:///referee.db does.")
    if found.drivername == "postgresql":
        return found.set(drivername="postgresql+psycopg")
    return found


def file_of(url: URL) -> Path | None:
    """Return the file of an SQLite database, None for any other."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return None
    return Path(url.database)


def make_file(file: Path) -> None:
    """Make the empty file of a database, readable by its owner alone. Raises StoreUnreachable."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError as fault:
        if not file.is_file():
            raise StoreUnreachable(f"The database {file} cannot be made there.") from fault
    except OSError as fault:
        raise StoreUnreachable(f"The database {file} cannot be made: {fault.strerror}.") from fault


def make_engine(url: URL, patience: float) -> Engine:
    """Return an engine that waits ``patience`` seconds for a lock. Raises StoreUnreachable."""
    try:
        if url.get_backend_name() == "sqlite":
            return _sqlite(url, patience)
        return _postgresql(url, patience)
    except ModuleNotFoundError as fault:
        raise StoreUnreachable(
            f"This database needs the Python package {fault.name!r}: install it."
        ) from fault
    except SQLAlchemyError as fault:
        raise (translated(fault) or fault) from fault


def _sqlite(url: URL, patience: float) -> Engine:
    given = {"timeout": patience, "check_same_thread": False}
    # What is written holds codes, seeds and letters, and no error may repeat it.
    engine = create_engine(url, hide_parameters=True, connect_args=given)

    @event.listens_for(engine, "connect")
    def opened(dbapi: Any, record: Any) -> None:
        del record
        # The driver's own idea of when a transaction begins would leave reads outside of it.
        dbapi.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            dbapi.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.info.pop(_FAULT, None)
        writes = bool(connection.get_execution_options().get(WRITES))
        if connection.info.get(_READ_ONLY, False) is writes:
            connection.exec_driver_sql(f"PRAGMA query_only={'OFF' if writes else 'ON'}")
            connection.info[_READ_ONLY] = not writes
        lasting = bool(connection.get_execution_options().get(LASTING, True))
        if writes and connection.info.get(_LASTS, True) is not lasting:
            connection.exec_driver_sql(f"PRAGMA synchronous={'FULL' if lasting else 'NORMAL'}")
            connection.info[_LASTS] = lasting
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    @event.listens_for(engine, "before_cursor_execute")
    def executed(connection: Connection, cursor: Any, statement: str, *rest: Any) -> None:
        del cursor, rest
        if not statement.startswith(("BEGIN", "PRAGMA")):
            _still_in_transaction(connection)

    @event.listens_for(engine, "handle_error")
    def failed(context: ExceptionContext) -> None:
        if context.connection is not None and translated(context.sqlalchemy_exception) is not None:
            context.connection.info.setdefault(_FAULT, context.sqlalchemy_exception)

    event.listen(engine, "commit", _still_in_transaction)
    return engine


def _still_in_transaction(connection: Connection) -> None:
    """Raise Undone if the database has failed in this block before.

    SQLite may then have left the transaction by itself, and whoever passed over that error would
    go on writing outside of any; or it has undone one statement, and half the block would stay.
    See "Response To Errors Within A Transaction", https://www.sqlite.org/lang_transaction.html
    """
    dbapi: Any = connection.connection.dbapi_connection
    fault: BaseException | None = connection.info.get(_FAULT)
    if fault is not None or not dbapi.in_transaction:
        raise Undone("the database gave up in the middle and undid everything") from fault


def _postgresql(url: URL, patience: float) -> Engine:
    options = f"-c lock_timeout={round(patience * 1000)} -c timezone=UTC"
    given = {"options": options, "connect_timeout": 10}
    engine = create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=given)

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        if not connection.get_execution_options().get(LASTING, True):
            connection.exec_driver_sql("SET LOCAL synchronous_commit TO OFF")

    return engine


def reader_of(engine: Engine) -> Engine:
    """Return the engine for blocks that only read, from one state of the database."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(**{WRITES: False})
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def writer_of(engine: Engine, *, lasting: bool = True) -> Engine:
    """Return the engine for blocks that write; ``lasting``: their end waits for the disk."""
    return engine.execution_options(**{WRITES: True, LASTING: lasting})
