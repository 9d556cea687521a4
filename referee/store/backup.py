"""Copies of an SQLite database: taken in use, checked, restored."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from referee.store.database.engine import database_file, make_file, parse_url
from referee.store.database.errors import (
    NotInitialised,
    OlderSchema,
    StoreError,
    StoreUnreachable,
    of_sqlite,
    unreachable_error,
)
from referee.store.store import open_store

_PART: Final = ".part"


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
    try:
        open_store(url).close()
    except OlderSchema:
        if not older:
            raise
    _copy(source, target)


def put_copy(source: Path, url: str) -> None:
    """Put a copy where there is no database yet; an older one is welcome.

    Raises BackupRefused, UnknownSchema, StoreFull, StoreUnreachable.
    """
    target = database_file(parse_url(url))
    if target is None:
        raise BackupRefused("This database is filled with its server's own tool, pg_restore.")
    if not source.is_file():
        raise BackupRefused(f"There is no file {source}.")
    _copy(source, target)
    try:
        open_store(url).close()
    except OlderSchema:
        return
    except NotInitialised as fault:
        target.unlink()
        raise BackupRefused(f"{source} is no database of ours.") from fault
    except StoreError:
        target.unlink()
        raise


def _copy(source: Path, target: Path) -> None:
    if target.is_dir():
        raise BackupRefused(f"{target} is a folder: name a new file, or add --keep NUMBER.")
    if target.exists():
        raise BackupRefused(f"{target} is there already: move it away first.")
    # Beside the target, since a file can be renamed as one step only within one file system.
    part = target.with_name(target.name + _PART)
    part.unlink(missing_ok=True)
    make_file(part)
    try:
        with _own_words(source):
            _fill(source, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    flush(target.parent)


def _fill(source: Path, part: Path) -> None:
    # Without the mode SQLite would make an empty database where there is none. Reading alone will
    # not do: the write-ahead log of a killed process has to be taken in first.
    address = f"{source.absolute().as_uri()}?mode=rw"
    with (
        contextlib.closing(sqlite3.connect(address, uri=True)) as reader,
        contextlib.closing(sqlite3.connect(part)) as writer,
    ):
        reader.backup(writer)
        # One file is easier to carry away than three: the copy keeps no write-ahead log.
        writer.execute("PRAGMA journal_mode=DELETE")
        # A copy nobody has read is no backup: damaged pages are copied as they are.
        (found,) = writer.execute("PRAGMA integrity_check").fetchone()
    if found != "ok":
        raise StoreUnreachable(f"The database {source} is damaged: {found}")
    flush(part)


def keep_whole(copy: Path) -> None:
    """Make a copy one plain file again after it was opened.

    With a write-ahead log it could not be opened on a disk that is only read.
    """
    with contextlib.closing(sqlite3.connect(copy)) as opened:
        opened.execute("PRAGMA journal_mode=DELETE")


def flush(place: Path) -> None:
    """Write a file or folder to the disk.

    A new name is safe from a loss of power only once its folder is there, too.
    """
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def _own_words(source: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as fault:
        if getattr(fault, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            raise BackupRefused(f"{source} is no database of ours.") from fault
        raise of_sqlite(fault) or unreachable_error(fault) from fault
    except OSError as fault:
        raise unreachable_error(fault) from fault
