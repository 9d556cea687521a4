"""Matches that cannot go on are set aside with a reason and a remedy, so that all others do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from referee.desk.desk import Change, Desk, NotInstalled
from referee.errors import RefereeError
from referee.games import registry
from referee.store import notes
from referee.store.database.errors import StoreError
from referee.store.play import matches
from referee.store.tables.play import MatchRow

AGAIN: Final = timedelta(minutes=10)
"""How long a match stays aside before it is tried again."""

APART: Final = "is broken: "
"""The words between a match's name and the reason why it is broken."""

ASIDE: Final = "cannot be played: "
"""The beginning of the reason of a letter set aside over such a match."""

MACHINE_FAULTS: Final = (StoreError, OSError, MemoryError)
"""Faults of database, disk, memory or network, which say nothing about a match."""


class BrokenMatch(RefereeError):
    """A match cannot be loaded; the message says why, and the remedy."""

    def __init__(self, message: str, match: MatchRow) -> None:
        super().__init__(message)
        self.match = match


def is_machine_fault(fault: Exception, *, inside: bool = False) -> bool:
    """Return whether the machine failed, and not one match or game.

    That is database, disk or memory. ``inside`` a transaction every fault of the database counts,
    since the store has not sorted it yet.
    """
    if inside and isinstance(fault, SQLAlchemyError):
        return True
    # A missing file belongs to the game package that should hold it.
    return isinstance(fault, MACHINE_FAULTS) and not isinstance(fault, FileNotFoundError)


def broken_line(name: str, fault: Exception) -> str:
    """Return one line on why a match is broken, and what to do; it tells no secrets."""
    # Told already, deeper down; told twice, the sentence would repeat itself.
    if isinstance(fault, BrokenMatch):
        return str(fault)
    if isinstance(fault, registry.UnknownGame):
        fault = NotInstalled(fault)
    if isinstance(fault, NotInstalled):
        return f"{name} {APART}{fault}"
    # Without the fault, whose text may show a hand: the log has it.
    what = "its game or what is kept of it is damaged"
    advice = "install the game again or restore a backup; referee record audit tells more"
    return f"{name} {APART}{what}: {advice}"


def reason_aside(fault: BrokenMatch | NotInstalled) -> str:
    """Return the reason of a letter set aside over a match; `status` has it at length."""
    cause = fault.__cause__ if isinstance(fault, BrokenMatch) else fault
    if not isinstance(cause, NotInstalled):
        return f"{ASIDE}{fault}"
    name = f"{fault.match.name} {APART}" if isinstance(fault, BrokenMatch) else ""
    return f"{ASIDE}{name}{cause.brief}"


@contextmanager
def faults_as_broken(row: MatchRow) -> Iterator[None]:
    """Raise BrokenMatch for any fault of a match or its game."""
    try:
        yield
    except Exception as fault:
        # A refusal is an answer, and no fault of the match.
        refused = isinstance(fault, RefereeError)
        if is_machine_fault(fault, inside=True) or (
            refused and not isinstance(fault, NotInstalled)
        ):
            raise
        raise BrokenMatch(broken_line(row.name, fault), row) from fault


def has_game(desk: Desk, row: MatchRow) -> bool:
    """Return whether the game of a match is installed."""
    try:
        desk.find_game(row.game, row.edition)
    except LookupError:
        return False
    return True


def note_broken(connection: Connection, row: MatchRow, fault: Exception) -> None:
    """Keep why a match was set aside."""
    kept = notes.BROKEN.lock(connection) or {}
    notes.BROKEN.write(connection, {**kept, row.id: broken_line(row.name, fault)})


def forget_broken(connection: Connection, match_id: int) -> None:
    """Note that a match goes on again."""
    kept = notes.BROKEN.lock(connection) or {}
    kept.pop(match_id, None)
    notes.BROKEN.write(connection, kept)


def wake_broken(connection: Connection, now: datetime) -> None:
    """Have every match set aside tried again now; it may be mended."""
    for number in broken_reasons(connection):
        matches.set_agenda(connection, number, now)


def broken_reasons(connection: Connection) -> dict[int, str]:
    """Return the reason for each match set aside, by its number."""
    return notes.BROKEN.read(connection) or {}


def broken_lines(change: Change) -> dict[int, str]:
    """Return a line, by number, for each match set aside and each whose game is missing."""
    lines = broken_reasons(change.connection)
    # A match nobody has touched since a game was removed is not noted yet.
    for game, edition in notes.running_games(change.connection):
        try:
            change.desk.find_game(game, edition)
        except LookupError as fault:
            for number, name in notes.running_of(change.connection, game, edition):
                lines[number] = broken_line(name, fault)
    return dict(sorted(lines.items()))
