"""The Desk: the store, the settings and the clock that all its rooms share."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import ClassVar, Final, TypeVar

from sqlalchemy import Connection

from referee.config import Settings
from referee.errors import RefereeError
from referee.games import registry
from referee.games.game import AnyGame
from referee.matches.time.pace import NO_LIMIT, TALK, Pace
from referee.store.store import PATIENCE, StaleLog, Store, StoreConflict, open_store
from referee.value import Discreet, Value

log = logging.getLogger(__name__)

R = TypeVar("R")

REFEREE = "referee"
"""The giver of the time, as the log writes it."""


class NotInstalled(RefereeError, LookupError):
    """A match's game, or its edition of it, is not installed."""


def find_game(name: str, edition: int | None = None) -> AnyGame:
    """Return an installed game, the newest edition by default. Raises NotInstalled."""
    try:
        return registry.find_installed(name, edition)
    except registry.UnknownGame as fault:
        raise NotInstalled(uninstalled(fault)) from fault


def uninstalled(fault: registry.UnknownGame) -> str:
    """Return the error for a game or edition that is not installed."""
    return f"{fault}; install its package again, in that version"


def utc_now() -> datetime:
    """Return the time now, aware, in UTC."""
    return datetime.now(UTC)


class Desk(Discreet):
    """The store, the referee's address and key, defaults for players, a clock.

    A player's letters that prove their sender get ``answers_per_hour`` answers, receipts included,
    and ``answers_per_day`` that are not receipts; all others ``unproved_per_hour`` and
    ``unproved_per_day``. ``key`` makes reply codes and is a secret. ``plus_addressing``: mail to
    ``referee+x@host`` reaches the referee too (None: as far as ``referee doctor`` has seen).
    ``pictures``: boards are drawn as pictures too.
    ``composer`` is the address of the page orders are clicked together on, if it has one.
    ``trust`` is the proof a letter needs besides a code: "code" asks for nothing more, "dmarc" for
    the verdict of the mail server ``authserv_id``.
    ``poll_seconds`` lie between two polls. ``pace`` is a new match's agreement about time, ``talk``
    how long orders in company are held.
    ``away_days`` is how many days a year a player may be away; ``undo_days`` how many days the
    others have to agree to an undo, ``keep_days`` how many the bytes of a mail or letter stay.
    ``now`` and ``find_game`` are fields so that tests can set the time and bring games.
    """

    hidden: ClassVar[frozenset[str]] = frozenset({"key"})
    store: Store
    address: str
    name: str
    key: bytes
    organiser: str | None = None
    language: str = "en"
    zone: str = "UTC"
    pace: Pace = NO_LIMIT
    talk: timedelta = TALK
    answers_per_hour: int = 60
    answers_per_day: int = 200
    unproved_per_hour: int = 10
    unproved_per_day: int = 30
    poll_seconds: int = 60
    away_days: int = 30
    undo_days: int = 3
    keep_days: int = 14
    open: bool = False
    plus_addressing: bool | None = None
    pictures: bool = False
    composer: str | None = None
    trust: str = "code"
    authserv_id: str | None = None
    now: Callable[[], datetime] = utc_now
    find_game: Callable[[str, int | None], AnyGame] = find_game

    @property
    def domain(self) -> str:
        """The domain of the referee's own address."""
        return self.address.rpartition("@")[2]

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


MOST_TRIES: Final = 8
"""Tries at a transaction that others undo; each time they at least get on."""


def carried_through(act: Callable[[], R]) -> R:
    """Return a transaction's result; it is begun again after a conflict.

    ``act`` is to do all its work within that transaction. Raises StoreConflict or StaleLog if
    conflicts happen again and again.
    """
    for number in range(1, MOST_TRIES):
        try:
            return act()
        except (StoreConflict, StaleLog) as conflict:
            log.info("begun again: %s", conflict, extra={"action": "conflict"})
            # Not all at once again, and with more room each time.
            time.sleep(random.uniform(0.0, 0.02 * number))
    return act()


def desk_of(settings: Settings, store: Store) -> Desk:
    """Return the desk the settings describe."""
    return Desk(
        store=store,
        address=settings.address,
        name=settings.name,
        key=settings.key,
        organiser=settings.organiser,
        language=settings.language,
        zone=settings.zone.key,
        pace=settings.pace,
        talk=settings.talk,
        poll_seconds=settings.poll_seconds,
        away_days=settings.away_days,
        undo_days=settings.undo_days,
        keep_days=settings.keep_days,
        open=settings.open,
        plus_addressing=settings.plus_addressing,
        pictures=settings.pictures,
        composer=settings.composer,
        trust=settings.trust,
        authserv_id=settings.authserv_id,
    )


@contextmanager
def opened_desk(settings: Settings, patience: float = PATIENCE) -> Iterator[Desk]:
    """Open the store while a command or the daemon needs it.

    ``patience`` is how many seconds a lock is waited for.
    """
    store = open_store(settings.database, patience=patience)
    try:
        yield desk_of(settings, store)
    finally:
        store.close()


def stamp(moment: datetime) -> str:
    """Return a moment as the log writes it: RFC 3339, UTC, whole seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
