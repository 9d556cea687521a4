"""Checks of this machine: boards, database, matches, files and disk."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

from jsonschema import Draft202012Validator

from referee.desk.desk import Desk
from referee.desk.matches import broken, ledger
from referee.desk.service.doctor import Finding, failure, ok, skipped, warning
from referee.desk.service.lease import serving_daemon, silent_since
from referee.desk.service.status import LITTLE_ROOM, NO_ROOM
from referee.games.game import AnyGame
from referee.games.play import complete_options
from referee.games.registry import Registry
from referee.resources import game_boards, game_resource
from referee.store import notes
from referee.store.database.errors import (
    NotInitialised,
    OlderSchema,
    StoreError,
    StoreFull,
    StoreLocked,
    UnknownSchema,
)
from referee.store.play import matches
from referee.store.store import database_faults, lost_indexes, open_store, revision_of
from referee.text import counted


def check_boards(registry: Registry) -> Finding:
    """Judge whether all boards of all games fit their schemas, and a match can start on each."""
    faults = [f"{entry.entry}: {entry.problem}" for entry in registry.broken()]
    count = 0
    for game in registry.all():
        for board in game_boards(game):
            count += 1
            if fault := _fault(game, board.read_text(encoding="utf-8")):
                faults.append(f"{game.name} edition {game.edition}, {board.name}: {fault}")
    if faults:
        return failure("boards", "; ".join(faults), "install the package of the game again")
    found = f"{counted(count, 'board')} of {counted(len(registry.all()), 'game')}"
    return ok("boards", f"{found} can be played on")


def _fault(game: AnyGame, text: str) -> str | None:
    """Return the fault of a board; None if it is playable."""
    try:
        document = json.loads(text)
        judge = Draft202012Validator(json.loads(game_resource(game, "schemas/board.schema.json")))
        for error in judge.iter_errors(document):
            return f"{error.json_path}: {error.message[:200]}"
        seats = game.colours[: game.seats.start]
        options = complete_options(game)
        # Any generator will do: the board is not played on.
        board = game.board(seats, options, document, Random(0))
        game.start(seats, options, board)
    except (OSError, ValueError) as fault:
        return " ".join(str(fault).split())[:200]
    return None


_SHOWN: Final = 3
"""Faults told in words; the others are counted."""

RESTORE: Final = "stop the daemon and restore a backup: referee restore FILE --replace"


def check_schema(url: str) -> Finding:
    """Judge whether the database has the tables of this version."""
    try:
        with open_store(url) as store, store.reading() as connection:
            found = revision_of(connection)
    except StoreError as fault:
        advice = "see that its file or server is there and may be used; else referee restore"
        if isinstance(fault, UnknownSchema):
            advice = "install the version of the referee that made it, or restore an older backup"
        elif isinstance(fault, OlderSchema):
            advice = "stop the daemon, then: referee upgrade"
        elif isinstance(fault, NotInitialised):
            advice = "restore a backup: referee restore FILE; or referee init, in another folder"
        return failure("schema version", str(fault), advice)
    return ok("schema version", f"{found}, as this version wants it")


def check_writing(desk: Desk) -> Finding:
    """Judge whether the database can be written, by writing to it."""
    try:
        desk.store.flush()
    except StoreError as fault:
        file = desk.store.file
        place = " ".join(map(str, database_files(file))) if file else "its server"
        advice = f"see that the daemon's user may write to {place}"
        if isinstance(fault, StoreFull):
            advice = f"make room on the disk of {file or place}: no letter can be kept now"
        elif isinstance(fault, StoreLocked):
            advice = "see which program holds it so long, and stop that"
        return failure("writing", str(fault), advice)
    return ok("writing", "the database takes what is written")


def check_integrity(url: str) -> Finding:
    """Judge whether the database is undamaged, every reference leading somewhere."""
    lost: tuple[str, ...] = ()
    try:
        faults = database_faults(url)
        lost = () if faults else lost_indexes(url)
    except (UnknownSchema, NotInitialised, OlderSchema):
        return skipped("database", "only one of this version is looked into")
    except StoreError as fault:
        faults = (str(fault),)
    if faults:
        return failure("database", _told(faults), RESTORE)
    if lost:
        said = f"an index is missing, and all rows are looked through: {', '.join(lost)}"
        return warning("database", said, "stop the daemon, and: referee upgrade")
    return ok("database", "undamaged, every reference leads somewhere")


def check_daemon(desk: Desk) -> Finding:
    """Judge whether a daemon serves the mailbox, and no alarm keeps it from its work."""
    with desk.store.reading() as connection:
        alarm = notes.TROUBLES[notes.NoteKey.ALARM].read(connection)
        holder = serving_daemon(connection)
        silent = silent_since(connection, desk.now())
    if alarm is not None:
        what, _, advice = alarm.text.partition(": ")
        return failure("daemon", f"no letter is handled: {what}", advice)
    if silent is not None:
        found = f"nothing was written for long by {holder}"
        return failure("daemon", found, "look at its log; if it hangs, start it again")
    if holder is None:
        return warning("daemon", "none serves the mailbox", "start it: referee run")
    return ok("daemon", str(holder))


def check_games(desk: Desk) -> Finding:
    """Judge whether every running match's game and edition is installed."""
    with desk.store.reading() as connection:
        rows = matches.select_matches(connection, "running")
    missing: dict[str, list[str]] = {}
    for row in rows:
        if not broken.has_game(desk, row):
            missing.setdefault(f"{row.game} edition {row.edition}", []).append(row.name)
    if missing:
        lost = "; ".join(f"{game} for {', '.join(names)}" for game, names in missing.items())
        advice = "install the package of the game again, in that version"
        return failure("games", f"not installed: {lost}", advice)
    return ok("games", f"those of {counted(len(rows), 'running match')} are installed")


def check_matches(desk: Desk) -> Finding:
    """Judge whether every running match can be loaded and goes on."""
    with desk.reading() as change:
        faults = [*broken.broken_lines(change).values()]
        rows = matches.select_matches(change.connection, "running")
        for row in rows:
            try:
                ledger.load_match(change, row)
            except broken.BrokenMatch as fault:
                faults.append(str(fault))
    if faults:
        found = _told([*dict.fromkeys(faults)])
        return failure("matches", found, "the others go on; these do when they are mended")
    return ok("matches", f"{counted(len(rows), 'running match')} can be loaded")


def _told(faults: Sequence[str]) -> str:
    """Return faults in words: the first few, and how many more there are."""
    more = f" (and {len(faults) - _SHOWN} more)" if len(faults) > _SHOWN else ""
    return "; ".join(faults[:_SHOWN]) + more


OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def check_modes(files: Iterable[Path], written: Iterable[Path] = ()) -> Finding:
    """Judge whether files are for their owner only, and ``written`` ones can be written."""
    if closed := [path for path in written if path.exists() and not os.access(path, os.W_OK)]:
        named = _named(closed)
        others = [path for path in closed if path.stat().st_uid != os.geteuid()]
        if any(os.statvfs(path).f_flag & os.ST_RDONLY for path in closed):
            advice = "their file system is mounted read-only: see why, then mount it to be written"
        elif others:
            advice = f"run this as their owner, or: chown {os.geteuid()} {_named(others)}"
        else:
            advice = f"chmod u+w {named}"
        return failure("file modes", f"{named} cannot be written", advice)
    files = tuple(dict.fromkeys(path for path in files if path.exists()))
    if open_ones := [path for path in files if path.stat().st_mode & OTHERS]:
        named = _named(open_ones)
        return failure("file modes", f"others may use {named}", f"chmod go= {named}")
    found = f"{counted(len(files), 'file')} for their owner only"
    # The database itself comes behind its folder; its other files are there only while it is used.
    absent = [path for path in (*written,)[1:2] if not path.exists()]
    return ok("file modes", f"{found}; there is no {_named(absent)}" if absent else found)


def _named(paths: Iterable[Path]) -> str:
    return " ".join(map(str, paths))


def database_files(file: Path) -> Iterator[Path]:
    """Yield the files of an SQLite database, with that of its locks."""
    for tail in ("", "-wal", "-shm", "-lock"):
        yield file.with_name(file.name + tail)


def check_space(folder: Path, free: int | None = None) -> Finding:
    """Judge the free space, in bytes, of a folder's disk."""
    free = shutil.disk_usage(folder).free if free is None else free
    found = f"{free / 1e9:.1f} GB free in {folder}"
    advice = "make room: without it no letter can be kept"
    if free < NO_ROOM:
        return failure("disk space", found, advice)
    return warning("disk space", found, advice) if free < LITTLE_ROOM else ok("disk space", found)
