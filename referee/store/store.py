"""The door of the store: made, opened, upgraded, and used one block at a time.

All that outlives the process goes through a block: a transaction that is kept or undone as a whole.
"""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from typing import Final, Self

from sqlalchemy import (
    Column,
    Connection,
    Index,
    MetaData,
    String,
    Table,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import SQLAlchemyError

from referee.store import notes
from referee.store.database.block import check_kept
from referee.store.database.engine import (
    Engines,
    database_file,
    let_shrink,
    make_engines,
    make_file,
    parse_url,
)
from referee.store.database.errors import (
    AlreadyInitialised,
    DatabaseMoved,
    NewerSchema,
    NotInitialised,
    OlderSchema,
    StoreError,
    UnknownSchema,
    store_error,
)
from referee.store.database.locks import ConnectionLock, FileLock, Lock, ThreadQueue
from referee.store.notes import NoteKey
from referee.store.tables import metadata

REVISIONS: Final[tuple[str, ...]] = ("0200", "0201", "0202", "0203")
"""The migrations in order; listed here because Alembic itself is slow to import.

Lower numbers are those of databases made before the first release.
"""

VERSION: Final = Table(
    "alembic_version", MetaData(), Column("version_num", String(32), primary_key=True)
)
"""The table in which Alembic keeps the number of the last migration."""

PATIENCE: Final = 30.0
"""Seconds a lock is waited for: as long as several commands at once beside a daemon may take.

Each holds SQLite's only lock for up to a second or two on a slow machine, and who waits is not
served in turn.
"""

READERS_MS: Final = 3000
"""Milliseconds for which readers of the write-ahead log are waited for that is to be cleared."""

_MOST_FAULTS: Final = 100


_NOT_INITIALISED: Final = (
    "The database is not set up yet: run `referee init`, or `referee restore FILE` with a backup."
)


class Store:
    """A database with the tables of this version. Safe to share between threads."""

    def __init__(self, engines: Engines, patience: float) -> None:
        self._engines = engines
        # PostgreSQL locks rows and serves those who wait in turn; a queue would slow it down.
        self._line = ThreadQueue(patience) if engines.reader.dialect.name == "sqlite" else None
        self.file = database_file(engines.reader.url)
        self._inode = self.file.stat().st_ino if self.file else 0

    @property
    def is_shared(self) -> bool:
        """Whether several daemons may work on it at once."""
        return self._line is None

    def lock(self, name: str) -> Lock:
        """Return a claim to a lock of the processes at work on it."""
        if self.file is None:
            return ConnectionLock(self._engines.writer, name)
        return FileLock(self.file, name)

    @contextmanager
    def writing(self, *, lasting: bool = True) -> Iterator[Connection]:
        """Open a block that writes, kept or undone as a whole.

        A block that is not ``lasting`` outlives the process but not a loss of power, unless a
        lasting one is written after it: for notes whose loss costs a repetition. One block at a
        time writes to SQLite, those of this process in the order they asked; elsewhere rows are
        locked. Raises StoreLocked, StoreFull, StoreUnreachable, wherever inside the block the
        database failed.
        """
        writer = self._engines.writer if lasting else self._engines.noter
        self._check_place()
        turn = nullcontext() if self._line is None else self._line.turn()
        with turn, _own_words(), writer.begin() as connection:
            yield connection
            # Whoever passed over a fault must not believe that the block was kept.
            check_kept(connection)

    def flush(self) -> None:
        """Wait until everything written before outlives a loss of power.

        Raises StoreLocked, StoreFull, StoreUnreachable.
        """
        with self.writing() as connection:
            # SQLite does not write what stays as it was, and then waits for nothing.
            notes.put_value(connection, NoteKey.FLUSHED, str(time.monotonic_ns()))

    def wipe(self) -> bool:
        """Clear deleted data from SQLite's write-ahead log; return whether it could.

        While somebody reads for long it stays there until the log is next begun anew.
        """
        if self._engines.reader.dialect.name != "sqlite":
            return True
        with closing(self._engines.reader.raw_connection()) as connection:
            # A read of this very connection would hold the log back that is to be cut.
            connection.rollback()
            # Its own patience ends with it: the daemon reads for moments only, others for long.
            connection.detach()
            connection.cursor().execute(f"PRAGMA busy_timeout = {READERS_MS}")
            try:
                row = connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.Error:
                return False
        return bool(row[0] == 0)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a block that reads one state alone. Raises StoreLocked, StoreUnreachable."""
        self._check_place()
        with _own_words(reading=True), self._engines.reader.connect() as connection:
            yield connection

    def _check_place(self) -> None:
        """Raise DatabaseMoved if the file was moved: no command finds what is written to it."""
        if (self.file.stat().st_ino if self.file and self.file.exists() else 0) != self._inode:
            raise DatabaseMoved(
                f"The database {self.file} was moved, removed or replaced while it was in use: put "
                "it back, with its -wal and -shm, or restore a backup; then start again."
            )

    def close(self) -> None:
        """Give back every connection."""
        for engine in self._engines:
            engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()


def open_store(
    url: str, *, patience: float = PATIENCE, older: bool = False, newer: bool = False
) -> Store:
    """Open the store at a database address; ``patience`` is how long a lock is waited for, in s.

    ``older``: one that waits to be upgraded may be opened, too; ``newer``: one of a newer referee,
    whose tables may hold less than is asked for. Raises NotInitialised, OlderSchema, UnknownSchema,
    StoreLocked, StoreUnreachable.
    """
    store = _connected(url, patience)
    try:
        with store.reading() as connection:
            check_revision(connection)
    except BaseException as fault:
        if (older and isinstance(fault, OlderSchema)) or (newer and isinstance(fault, NewerSchema)):
            return store
        store.close()
        raise
    return store


def create_store(url: str) -> None:
    """Make the database at an address, with all tables; an SQLite file gets mode 0600.

    Raises AlreadyInitialised, StoreLocked, StoreFull, StoreUnreachable.
    """
    file = database_file(parse_url(url))
    if file is not None:
        make_file(file)
        let_shrink(file)
    with _connected(url, PATIENCE) as store, store.writing() as connection:
        if revision_of(connection) is not None:
            raise AlreadyInitialised("The database is set up already: nothing was changed.")
        metadata.create_all(connection)
        VERSION.create(connection, checkfirst=True)
        connection.execute(insert(VERSION).values(version_num=REVISIONS[-1]))
        # The mark in the mailbox names it; a copy put back from a backup keeps it.
        notes.INSTALLATION.write(connection, secrets.token_hex(16))


def upgrade_store(url: str) -> tuple[str, ...]:
    """Bring the tables to this version; return a line about each step, none if none was needed.

    An index that is missing is made anew. All steps are kept or undone as a whole. Raises
    NotInitialised, UnknownSchema, StoreLocked, StoreFull, StoreUnreachable.
    """
    steps: tuple[str, ...] = ()
    with _connected(url, PATIENCE) as store, store.writing() as connection:
        version = revision_of(connection)
        try:
            check_revision(connection)
        except OlderSchema:
            # Alembic costs half a second of start-up and is needed once per version.
            from referee.store.migrations import describe_since, migrate  # noqa: PLC0415

            migrate(connection, REVISIONS[-1])
            steps = describe_since(str(version))
        for index in missing_indexes(connection):
            index.create(connection)
            steps = (*steps, f"Make the index {index.name} anew, which was missing.")
    file = database_file(parse_url(url))
    # Without the room to write it anew it goes on as it is, and fills what gets free.
    with suppress(StoreError):
        if file is not None and str(version) < "0202":
            let_shrink(file)
    return steps


def missing_indexes(connection: Connection) -> list[Index]:
    """Return the indexes that a database of this version lacks."""
    there = inspect(connection)
    missing: list[Index] = []
    for table in metadata.sorted_tables:
        named = {index["name"] for index in there.get_indexes(table.name)}
        lacking = (index for index in table.indexes if index.name not in named)
        missing += sorted(lacking, key=lambda index: str(index.name))
    return missing


def revision_of(connection: Connection) -> str | None:
    """Return the version of the tables, None without tables of ours."""
    # Asked first: on PostgreSQL a statement that fails spoils the rest of the transaction.
    if not inspect(connection).has_table(VERSION.name):
        return None
    return connection.execute(select(VERSION.c.version_num)).scalar()


def check_revision(connection: Connection) -> None:
    """Raise NotInitialised, OlderSchema or UnknownSchema unless the tables are of this version."""
    version = revision_of(connection)
    if version is None:
        raise NotInitialised(_NOT_INITIALISED)
    if version < REVISIONS[0]:
        raise UnknownSchema(
            "The database was made before the first release and cannot be upgraded: "
            "set up a new one with `referee init`, in another folder."
        )
    if version not in REVISIONS:
        raise NewerSchema("The database was made by a newer referee: install that version.")
    if version != REVISIONS[-1]:
        raise OlderSchema(
            "The database is of an older referee: stop the daemon, then `referee upgrade`."
        )


def _connected(url: str, patience: float) -> Store:
    address = parse_url(url)
    file = database_file(address)
    # Connecting would make an empty file, and a mistyped path would look like a new installation.
    if file is not None and not file.exists():
        raise NotInitialised(
            f"There is no database {file}: put it back, or `referee restore FILE` with a backup, "
            "or set `database` in referee.toml right; `referee init` sets up a new one, in another "
            "folder."
        )
    return Store(make_engines(address, patience), patience)


@contextmanager
def _own_words(*, reading: bool = False) -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as fault:
        error = store_error(fault, reading=reading)
        if error is None:
            raise
        raise error from fault


def database_faults(url: str) -> tuple[str, ...]:
    """Return the damage in an SQLite database, and its dangling references.

    PostgreSQL checks its pages and references by itself; there it is only opened. Raises
    StoreError.
    """
    with open_store(url) as store, store.reading() as connection:
        if connection.dialect.name != "sqlite":
            return ()
        said = connection.execute(text(f"PRAGMA integrity_check({_MOST_FAULTS})")).scalars().all()
        damaged = [" ".join(str(line).split()) for line in said if line != "ok"]
        # The check above reads pages and indexes only; a row may still refer to one that is gone.
        lost = connection.execute(text("PRAGMA foreign_key_check")).all()
        tables = dict.fromkeys((str(row[0]), str(row[2])) for row in lost)
        led = [f"{name} refers to what {parent} does not hold" for name, parent in tables]
    return (*damaged, *led)


def lost_indexes(url: str) -> tuple[str, ...]:
    """Return the names of the indexes that a database lacks. Raises StoreError."""
    with open_store(url) as store, store.reading() as connection:
        return tuple(str(index.name) for index in missing_indexes(connection))
