"""Pruning: what can be made again is not kept for ever.

Parts of a finished match go when asked, while its record stands. By themselves go the bytes of
mails that were delivered, and of letters that were handled, some days ago.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final, Literal

from referee.desk.archive import files
from referee.desk.archive import record as archive_record
from referee.desk.desk import Change, Desk
from referee.desk.matches import broken
from referee.files import flush
from referee.matches import record
from referee.store import notes
from referee.store.play import archives, matches
from referee.store.play.archives import Prunable
from referee.value import Value

Why = Literal[
    "", "no record", "another record", "does not verify", "not over", "pruned before",
    "broken",
]  # fmt: skip
"""The reason why nothing of a match may go; empty if it may."""


class Candidate(Value):
    """A match considered for pruning: the obstacle, or the amount to go."""

    match: str
    why: Why
    file: str | None = None
    weight: Prunable | None = None


def unpruned(desk: Desk) -> list[str]:
    """Return the names of finished matches that still have their events."""
    with desk.store.reading() as connection:
        rows = matches.select_matches(connection, "over")
        return [row.name for row in rows if notes.PRUNED.read(connection, row.id) is None]


def pruned(desk: Desk) -> int:
    """Return how many finished matches have none any more."""
    with desk.store.reading() as connection:
        rows = matches.select_matches(connection, "over")
        return sum(notes.PRUNED.read(connection, row.id) is not None for row in rows)


def candidates(desk: Desk, folder: Path) -> Iterator[Candidate]:
    """Yield all finished matches, each with its obstacle or amount."""
    with desk.store.reading() as connection:
        names = [row.name for row in matches.select_matches(connection, "over")]
    for name in names:
        with desk.reading() as change:
            candidate = _look(change, folder, name)
        yield candidate


def _look(change: Change, folder: Path, name: str) -> Candidate:
    """Return whether anything of one match may go, and how much."""
    path = files.file_in(folder, name, ".jsonl")
    try:
        data = path.read_bytes()
    except OSError:
        return Candidate(name, "no record")
    row = matches.find_match(change.connection, name)
    if row is None or row.state != "over" or not row.released:
        return Candidate(name, "not over")
    if notes.PRUNED.read(change.connection, row.id) is not None:
        return Candidate(name, "pruned before")
    try:
        now = archive_record.record_bytes(change.connection, row)
    except broken.BrokenMatch:
        return Candidate(name, "broken", str(path))
    # The file may be of before an undo; then the database knows more.
    if data != now:
        return Candidate(name, "another record", str(path))
    if not record.verify_record(data.splitlines(), change.desk.find_game).ok:
        return Candidate(name, "does not verify", str(path))
    return Candidate(name, "", str(path), archives.prunable_weight(change.connection, row.id))


def prune_match(desk: Desk, folder: Path, name: str, *, events: bool) -> Candidate:
    """Prune a match; with ``events`` its events go, too.

    Return what went. It is looked at again under lock, so that nothing goes of a match that was
    taken back in the meantime.
    """
    with desk.writing() as change:
        locked = matches.lock_matches(change.connection, [name])
        candidate = _look(change, folder, name)
        if candidate.why:
            return candidate
        row = locked[0]
        # It may be the only copy from here on.
        for kept in (files.file_in(folder, name, ".jsonl"), folder):
            flush(kept)
        archives.drop_raw(change.connection, row.id)
        if events:
            # The seal stays behind: a record that comes back later must be the same one.
            closing = archive_record.record_bytes(change.connection, row).splitlines()[-1]
            notes.PRUNED.write(change.connection, json.loads(closing)["seal"], row.id)
            archives.drop_events(change.connection, row.id)
    return candidate


MOST_AT_ONCE: Final = 100
"""Mails, and letters, whose bytes go in one transaction, so that no other waits for it long."""


def is_room_due(change: Change) -> bool:
    """Return whether today's old bytes have still to go."""
    sizes = notes.SIZES.read(change.connection)
    # A clock that was ahead may have left a day of the future.
    return not sizes or sizes[-1][0] != f"{change.desk.now():%F}"


def make_room(change: Change) -> None:
    """Let some bytes go that have been kept long enough; after the last of a day note the size."""
    connection, now = change.connection, change.desk.now()
    before = now - timedelta(days=change.desk.settings.keep_days)
    more = archives.drop_old_bytes(connection, before, MOST_AT_ONCE)
    if not more and not archives.give_room_back(connection):
        earlier = notes.SIZES.read(connection) or []
        size = notes.database_bytes(connection)
        notes.SIZES.write(connection, [*earlier[-7:], (f"{now:%F}", size)])
