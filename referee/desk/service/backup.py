"""Backups: a copy of the database taken, and put back."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from referee.desk import health
from referee.desk.desk import stamp
from referee.desk.plans.plan import state_of
from referee.desk.service.crew import living_members
from referee.desk.service.lease import serving_daemon
from referee.games.game import Json
from referee.store import backup as copies
from referee.store import notes
from referee.store.backup import BackupRefused
from referee.store.database.engine import database_file, parse_url
from referee.store.database.errors import NewerSchema, OlderSchema, StoreError, UnknownSchema
from referee.store.play.matches import select_matches
from referee.store.store import open_store, upgrade_store
from referee.text import sqlite_url
from referee.value import Value

_ROTATED: Final = re.compile(r"referee-\d{8}T\d{6}Z\.db")
"""Names of copies that make room for newer ones; whatever else lies beside them stays."""


class Copy(Value):
    """The content of a copy: bytes, matches by state, last poll."""

    size: int
    matches: dict[str, int]
    last_poll: str | None


class Behind(Value):
    """The matches that a database had and its copy lacks, or holds in an ``earlier`` state."""

    lacks: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()

    def told(self, copy: str) -> str:
        """Return it in sentences about the copy, none if it is not behind."""
        said = [f"lacks {', '.join(self.lacks)}."] if self.lacks else []
        if self.earlier:
            said.append(f"holds {', '.join(self.earlier)} in an earlier state.")
        return " It ".join([f"{copy} {said[0]}", *said[1:]]) if said else ""


def take_backup(url: str, target: Path) -> Copy:
    """Copy a database to a new file, and return its content. Raises BackupRefused, StoreError."""
    if not target.absolute().parent.is_dir():
        # Made here, it would lie on the machine's own disk while that for backups is not mounted.
        raise BackupRefused(f"There is no folder {target.parent}: mount its disk, or make it.")
    copies.copy_database(url, target)
    copy = _look(target)
    copies.keep_whole(target)
    return copy


def take_backup_into(url: str, folder: Path, now: datetime, keep: int) -> tuple[Path, Copy]:
    """Copy a database into a folder, where the latest ``keep`` copies stay.

    Older ones go only once the new one is whole. Raises BackupRefused, StoreError.
    """
    target = folder / f"referee-{now:%Y%m%dT%H%M%SZ}.db"
    copy = take_backup(url, target)
    kept = sorted(file for file in folder.iterdir() if _ROTATED.fullmatch(file.name))
    for file in kept[:-keep]:
        # By a clock that was ahead, an older one may seem to be the latest.
        if file != target:
            file.unlink()
    return target, copy


def restore_backup(
    source: Path, url: str, now: datetime, *, replace: bool
) -> tuple[Copy, Path | None, Behind]:
    """Make a copy the database; return it, where the one before is, and how far it is behind that.

    With ``replace`` an existing database is kept beside; PostgreSQL is filled where it is empty.
    Nothing changes unless the copy is whole, of this version or an older one, and no daemon serves
    the database. Raises BackupRefused, UnknownSchema, StoreError.
    """
    target = database_file(parse_url(url))
    if target is None:
        with (
            tempfile.TemporaryDirectory() as folder,
            _prepared(source, Path(folder) / "referee.db", now) as ready,
        ):
            copies.fill_database(ready, url)
            return _look(ready), None, Behind()
    there = target.exists()
    if there:
        _refuse_served(url)
    with _prepared(source, target, now) as ready:
        copy = _look(ready)
        behind = Behind()
        if there:
            # Nothing is known of it if one of both is unreadable.
            with contextlib.suppress(StoreError, SQLAlchemyError):
                known, copied = _reached(url), _reached(sqlite_url(ready))
                # What happens before a match begins is no event.
                earlier = (
                    name
                    for name in copied.keys() & known.keys()
                    if copied[name][0] <= known[name][0] and copied[name] != known[name]
                )
                behind = Behind(tuple(sorted(known.keys() - copied.keys())), tuple(sorted(earlier)))
        if there and not replace:
            raise BackupRefused(
                f"{target} is there already: with --replace it is kept beside under another name. "
                f"{behind.told(str(source))}".rstrip()
            )
        # The log of a database that is gone would be played into the copy.
        aside = _place_aside(target, now)
        moves = [
            pair for pair in zip(_files(target), _files(aside), strict=True) if pair[0].exists()
        ]
        for _, new in moves:
            if new.exists():
                raise BackupRefused(f"{new} is there already: move it away first.")
        for old, new in moves:
            old.rename(new)
        # The last step, and one that happens whole or not at all.
        ready.rename(target)
    return copy, aside if there else None, behind


def _reached(url: str) -> dict[str, tuple[int, list[Json]]]:
    """Return how many events each match has, and how it stands."""
    with open_store(url, newer=True) as store, store.reading() as connection:
        rows = select_matches(connection)
        return {row.name: (row.seq, state_of(connection, row)) for row in rows}


def upgrade_database(
    url: str, now: datetime, *, dumped: bool = False
) -> tuple[tuple[str, ...], Path | None]:
    """Bring the database to this version; return a line about each step, and the copy's place.

    An SQLite file is copied first; ``dumped``: another kind of database has been. Raises
    BackupRefused while a daemon serves it or without a copy, NotInitialised, UnknownSchema,
    StoreError.
    """
    try:
        open_store(url).close()
    except OlderSchema:
        target = database_file(parse_url(url))
        if target is None and not dumped:
            raise BackupRefused(
                "Make a copy with pg_dump first, then: referee upgrade --dumped."
            ) from None
        _refuse_served(url)
        aside = None
        if target is not None:
            aside = _place_aside(target, now)
            # A migration that fails can be undone from this copy.
            copies.copy_database(url, aside, older=True)
        return upgrade_store(url), aside
    return upgrade_store(url), None


def _refuse_served(url: str) -> None:
    """Raise BackupRefused while a daemon serves the database.

    One that cannot be read counts as free: it is to be replaced. Raises UnknownSchema if it is of
    another version that keeps its leases otherwise.
    """
    try:
        # A newer one is replaced by whoever goes back to the version before.
        with open_store(url, older=True, newer=True) as store, store.reading() as connection:
            daemons = [serving_daemon(connection), *(who for who, _ in living_members(connection))]
    # Written by another version, it may well be in use.
    except UnknownSchema:
        raise
    except SQLAlchemyError as fault:
        advice = "The database was made by a newer referee: move it away first."
        raise NewerSchema(advice) from fault
    except StoreError:
        return
    for daemon in filter(None, daemons):
        raise BackupRefused(f"A daemon uses the database: {daemon}. Stop it first.")


@contextlib.contextmanager
def _prepared(source: Path, target: Path, now: datetime) -> Iterator[Path]:
    """Give a checked copy beside its place, upgraded.

    Its daemon will first read the folders again, since the mailbox may hold letters the copy does
    not know.
    """
    ready = target.with_name(f"{target.name}.restoring")
    for file in _files(ready):
        file.unlink(missing_ok=True)
    url = sqlite_url(ready)
    try:
        copies.put_copy(source, ready)
        upgrade_store(url)
        with open_store(url) as store, store.writing() as connection:
            health.ask_rereading(connection, now)
        yield ready
    finally:
        for file in _files(ready):
            file.unlink(missing_ok=True)


def _place_aside(target: Path, now: datetime) -> Path:
    return target.with_name(f"{target.name}.before-{now:%Y%m%dT%H%M%SZ}")


def _files(database: Path) -> list[Path]:
    """Return the database's files, write-ahead log first.

    In this order no crash leaves a log beside a database it does not belong to.
    """
    return [database.with_name(database.name + tail) for tail in ("-wal", "-shm", "")]


def _look(file: Path) -> Copy:
    with open_store(sqlite_url(file)) as store, store.reading() as connection:
        matches = notes.counts_by_state(connection)["matches"]
        polled = notes.LAST_POLL.read(connection)
    return Copy(file.stat().st_size, matches, stamp(polled) if polled else None)
