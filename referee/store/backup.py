"""Copies of an SQLite database: taken in use, checked, restored, poured into PostgreSQL."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Table, delete, func, insert, select, text, update

from referee.files import flush
from referee.store import tables as t
from referee.store.database.engine import database_file, make_file, parse_url
from referee.store.database.errors import (
    AlreadyInitialised,
    NotInitialised,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreUnreachable,
    of_sqlite,
    unreachable_error,
)
from referee.store.store import create_store, open_store
from referee.text import sqlite_url

_ROWS: Final = 100
"""Rows carried at once; a mail may have megabytes."""


class BackupRefused(StoreError):
    """A copy cannot be made or put in place as asked."""


def copy_database(url: str, target: Path, *, older: bool = False) -> None:
    """Write a consistent copy of an SQLite database to a new file.

    The file has mode 0600. Others may go on writing meanwhile. The copy is checked, and there whole
    or not at all. With ``older`` a database that waits to be upgraded is copied as it is. Raises
    BackupRefused, NotInitialised, OlderSchema, UnknownSchema, StoreLocked, StoreFull,
    StoreUnreachable.
    """
    source = database_file(parse_url(url))
    if source is None:
        raise BackupRefused("This database is copied with its server's own tool, pg_dump.")
    open_store(url, older=older).close()
    _copy(source, target)


def put_copy(source: Path, target: Path) -> None:
    """Put a copy where there is no database yet; an older one is welcome.

    Raises BackupRefused, UnknownSchema, StoreFull, StoreUnreachable.
    """
    if not source.is_file():
        raise BackupRefused(f"There is no file {source}.")
    try:
        _copy(source, target)
        try:
            open_store(sqlite_url(target), older=True).close()
        except StoreError:
            target.unlink()
            raise
    except NotInitialised as fault:
        raise BackupRefused(f"{source} is no database of ours.") from fault
    except StoreDamaged as fault:
        # Its own words tell of the database, which may well be whole.
        why = fault.__cause__ or "its pages do not fit together"
        raise BackupRefused(
            f"{source} is damaged ({why}): use another backup; nothing was replaced."
        ) from fault


def fill_database(copy: Path, url: str) -> None:
    """Fill an empty PostgreSQL database with all that a copy holds, as a whole or not at all.

    What was written is read again and compared. Raises BackupRefused if the database holds
    anything, StoreError.
    """
    # One that was only set up, as by `referee init`, is empty too.
    with contextlib.suppress(AlreadyInitialised):
        create_store(url)
    with (
        open_store(sqlite_url(copy)) as source,
        open_store(url) as goal,
        source.reading() as reader,
        goal.writing() as writer,
    ):
        for table in t.metadata.sorted_tables:
            if table is not t.meta and writer.execute(select(table).limit(1)).first():
                raise BackupRefused(
                    "The PostgreSQL database is not empty: name a new one (createdb) in the "
                    "settings. One that was dumped there is put back by pg_restore."
                )
        # Nobody waits for an empty database, however long a large table is summed up.
        writer.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        # Also the name of the installation that setting it up made.
        writer.execute(delete(t.meta))
        for table in t.metadata.sorted_tables:
            # A row may refer to a later one of its own table, as a mail to that which told it.
            inner = [key.parent for key in table.foreign_keys if key.column.table is table]
            later = dict.fromkeys(column.name for column in inner)
            rows = reader.execute(select(table).execution_options(yield_per=_ROWS)).mappings()
            for batch in rows.partitions():
                writer.execute(insert(table), [{**row, **later} for row in batch])
            for column in inner:
                for row in reader.execute(select(table.c.id, column).where(column.is_not(None))):
                    here = update(table).where(table.c.id == row[0])
                    writer.execute(here.values({column: row[1]}))
            if _sum_up(writer, table) != _sum_up(reader, table):
                raise StoreUnreachable(f"PostgreSQL did not keep {table.name} as it was.")
            if (number := table.autoincrement_column) is not None:
                sequence = func.pg_get_serial_sequence(table.name, number.name)
                writer.execute(select(func.setval(sequence, func.max(number))))


def _sum_up(connection: Connection, table: Table) -> int:
    """Return the sum of the hashes of a table's rows: each database sorts in its own way."""
    rows = connection.execute(select(table).execution_options(yield_per=_ROWS))
    hashes = (hashlib.sha256(repr(tuple(row)).encode()).digest() for row in rows)
    return sum(map(int.from_bytes, hashes))


def _copy(source: Path, target: Path) -> None:
    if target.is_dir():
        raise BackupRefused(f"{target} is a folder: name a new file, or add --keep NUMBER.")
    if target.exists():
        raise BackupRefused(f"{target} is there already: move it away first.")
    # Beside the target, since a file can be renamed as one step only within one file system.
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    make_file(part)
    try:
        # Without the mode SQLite would make an empty database where there is none. Reading alone
        # will not do: the write-ahead log of a killed process has to be taken in first.
        address = f"{source.absolute().as_uri()}?mode=rw"
        with (
            contextlib.closing(sqlite3.connect(address, uri=True)) as reader,
            contextlib.closing(sqlite3.connect(part)) as writer,
        ):
            reader.backup(writer)
            # One file is easier to carry away than three: the copy keeps no write-ahead log.
            writer.execute("PRAGMA journal_mode=DELETE")
            # A copy nobody has read is no backup: damaged pages are copied as they are.
            (verdict,) = writer.execute("PRAGMA integrity_check").fetchone()
        if verdict != "ok":
            raise StoreDamaged(f"The database {source} is damaged: {verdict}")
        flush(part)
    except sqlite3.Error as fault:
        if getattr(fault, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            raise BackupRefused(f"{source} is no database of ours.") from fault
        error = of_sqlite(fault) or unreachable_error(fault)
        if isinstance(error, StoreFull):
            # Only the copy grows, and it may lie on another disk than the database.
            error = StoreFull(f"There is no room for {target}: make some, then try again.")
        raise error from fault
    except OSError as fault:
        raise unreachable_error(fault) from fault
    else:
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    flush(target.parent)


def keep_whole(copy: Path) -> None:
    """Make a copy one plain file again after it was opened.

    With a write-ahead log it could not be opened on a disk that is only read.
    """
    with contextlib.closing(sqlite3.connect(copy)) as opened:
        opened.execute("PRAGMA journal_mode=DELETE")
