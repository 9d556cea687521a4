"""The Desk: the store, the settings and the clock that all its rooms share."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final, TypeVar

from sqlalchemy import Connection

from referee.config import Settings
from referee.errors import RefereeError
from referee.games import registry
from referee.games.game import AnyGame
from referee.store.database.errors import StaleLog, StoreConflict
from referee.store.store import PATIENCE, Store, open_store
from referee.value import Value

log = logging.getLogger(__name__)

R = TypeVar("R")

REFEREE = "referee"
"""The giver of the time, as the log writes it."""


class NotInstalled(RefereeError, LookupError):
    """A match's game, or its edition of it, is not installed.

    ``brief`` leaves out which games are, for a line of a list.
    """

    def __init__(self, fault: registry.UnknownGame) -> None:
        remedy = "install its package again, in that version"
        super().__init__(f"{fault}; {remedy}")
        self.brief = f"no game {fault.wanted} is installed; {remedy}"


def find_game(name: str, edition: int | None = None) -> AnyGame:
    """Return an installed game, the newest edition by default. Raises NotInstalled."""
    try:
        return registry.find_installed(name, edition)
    except registry.UnknownGame as fault:
        raise NotInstalled(fault) from fault


def game_named(name: str) -> AnyGame:
    """Return the game that somebody names, in its newest edition. Raises RefereeError."""
    try:
        return registry.find_installed(name)
    except LookupError as fault:
        raise RefereeError(str(fault.args[0])) from None


def utc_now() -> datetime:
    """Return the time now, aware, in UTC."""
    return datetime.now(UTC)


class Desk(Value):
    """The store, the settings of the installation, the games, and a clock.

    A player's letters that prove their sender get so many ``answers`` an hour, receipts included,
    and a day, receipts left out; all others as many as are ``unproved``. ``now`` and ``find_game``
    are fields so that tests can set the time and bring games.
    """

    store: Store
    settings: Settings
    answers: tuple[int, int] = (60, 200)
    unproved: tuple[int, int] = (10, 30)
    now: Callable[[], datetime] = utc_now
    find_game: Callable[[str, int | None], AnyGame] = find_game

    @contextmanager
    def writing(self, *, lasting: bool = True) -> Iterator[Change]:
        """Yield a change that is kept whole, or not at all. Raises StoreError."""
        with self.store.writing(lasting=lasting) as connection:
            yield Change(self, connection)

    @contextmanager
    def reading(self) -> Iterator[Change]:
        """Yield a change that only reads one state. Raises StoreError."""
        with self.store.reading() as connection:
            yield Change(self, connection)


class Change(Value):
    """Transaction on a desk: all it does is kept together, or nothing of it.

    Functions of the desk take one in place of a desk and a connection, so that nobody can pair a
    connection with the wrong desk. ``arrived`` is when the letter came that it answers, if it
    answers one.
    """

    desk: Desk
    connection: Connection
    arrived: datetime | None = None


_MOST_TRIES: Final = 8
"""Tries at a transaction that others undo; each time they at least get on."""


def carried_through(act: Callable[[], R]) -> R:
    """Return a transaction's result; it is begun again after a conflict.

    ``act`` is to do all its work within that transaction. Raises StoreConflict or StaleLog if
    conflicts happen again and again.
    """
    for number in range(1, _MOST_TRIES):
        try:
            return act()
        except (StoreConflict, StaleLog) as conflict:
            log.info("begun again: %s", conflict, extra={"action": "conflict"})
            # Not all at once again, and with more room each time.
            time.sleep(random.uniform(0.0, 0.02 * number))
    return act()


@contextmanager
def opened_desk(settings: Settings, patience: float = PATIENCE) -> Iterator[Desk]:
    """Open the store while it is needed, and wait ``patience`` seconds at most for a lock."""
    store = open_store(settings.database, patience=patience)
    try:
        yield Desk(store, settings)
    finally:
        store.close()


def stamp(moment: datetime) -> str:
    """Return a moment as the log writes it: RFC 3339, UTC, whole seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
