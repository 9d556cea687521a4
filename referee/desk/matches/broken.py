"""Which matches cannot go on by themselves, why, and what to do; they keep no other one waiting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from referee.desk.desk import NotInstalled, uninstalled
from referee.errors import RefereeError
from referee.games import registry
from referee.store import notes
from referee.store.database.errors import StoreError
from referee.store.play import matches
from referee.store.play.matches import MatchRow

if TYPE_CHECKING:
    from referee.desk.desk import Desk


AGAIN: Final = timedelta(minutes=10)
"""After so long a match that was set aside is tried again."""

APART: Final = "is broken: "
"""What stands after the name of a match before why it is broken."""

ASIDE: Final = "cannot be played: "
"""What the reason begins with for which a letter about such a match lies aside."""

_OURS: Final = (StoreError, OSError, MemoryError)


class BrokenMatch(RefereeError):
    """A match cannot be loaded; one line that says why and what to do."""


def is_ours(fault: Exception, *, inside: bool = False) -> bool:
    """Tell whether database, disk or memory failed, and not one match or the package of a game.

    ``inside`` of a transaction the store has not told yet whose fault one of the database is.
    """
    if inside and isinstance(fault, SQLAlchemyError):
        return True
    return isinstance(fault, _OURS) and not isinstance(fault, FileNotFoundError)


def told(name: str, fault: Exception) -> str:
    """Return in one line why a match cannot go on and what to do; without what it hides."""
    if isinstance(fault, BrokenMatch):
        return str(fault)
    if isinstance(fault, NotInstalled):
        return f"{name} {APART}{fault}"
    if isinstance(fault, registry.UnknownGame):
        return f"{name} {APART}{uninstalled(fault)}"
    what = f"{type(fault).__name__}, so its game or what is kept of it is damaged"
    advice = "install the game again or restore a backup; referee record audit tells more"
    return f"{name} {APART}{what}: {advice}"


@contextmanager
def known(row: MatchRow) -> Iterator[None]:
    """Raise BrokenMatch for whatever a match, or its game, makes fail in the block."""
    try:
        yield
    except Exception as fault:
        refused = isinstance(fault, RefereeError)
        if is_ours(fault, inside=True) or (refused and not isinstance(fault, NotInstalled)):
            raise
        raise BrokenMatch(told(row.name, fault)) from fault


def installed(desk: Desk, row: MatchRow) -> bool:
    """Tell whether the game of a match is installed."""
    return _missing(desk, row.game, row.edition) is None


def note(connection: Connection, row: MatchRow, fault: Exception) -> None:
    """Keep why a match was set aside."""
    kept = notes.BROKEN.lock(connection) or {}
    notes.BROKEN.write(connection, {**kept, row.id: told(row.name, fault)})


def forget(connection: Connection, match_id: int) -> None:
    """Note that a match goes on again."""
    kept = notes.BROKEN.lock(connection) or {}
    kept.pop(match_id, None)
    notes.BROKEN.write(connection, kept)


def wake(connection: Connection, now: datetime) -> None:
    """Let every match that was set aside be tried again now: it may have been mended meanwhile."""
    for number in noted(connection):
        matches.set_agenda(connection, number, now)


def noted(connection: Connection) -> dict[int, str]:
    """Return why each match was set aside that is, by its number."""
    return notes.BROKEN.read(connection) or {}


def lines(desk: Desk, connection: Connection) -> list[str]:
    """Return a line for each match that was set aside, or runs and has no game installed."""
    found = noted(connection)
    missing: dict[tuple[str, int], Exception | None] = {}
    for number, name, game, edition in notes.running(connection):
        if (game, edition) not in missing:
            missing[game, edition] = _missing(desk, game, edition)
        if fault := missing[game, edition]:
            found[number] = told(name, fault)
    return [found[number] for number in sorted(found)]


def _missing(desk: Desk, game: str, edition: int) -> Exception | None:
    try:
        desk.find_game(game, edition)
    except LookupError as fault:
        return fault
    return None
