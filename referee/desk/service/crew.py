"""The crew: the daemons at work on one PostgreSQL database.

They must be of one version and know one secret, and their clocks must agree. Each holds a lock of
its own while it lives, and gives signs of life; when it has ended, the others take over what it had
in its hands.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib.metadata import version
from typing import ClassVar, Final

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.desk.mails import delivery
from referee.desk.service.lease import ServingDaemon, server_of, this_server
from referee.errors import UNFIT, RefereeError
from referee.games.play import canonical_json
from referee.resources import DISTRIBUTION
from referee.store import leases, notes
from referee.store.database.locks import Lock, is_locked, join_in_turn
from referee.store.notes import NoteKey
from referee.store.post import claims
from referee.store.store import check_revision
from referee.value import asdict

log = logging.getLogger(__name__)

CREW_TTL: Final = timedelta(seconds=15)
"""A daemon without its lock counts as dead once it was silent for so long.

Not at once: it may only have lost its connection, and still have a mail on the way to a server,
which would then be sent a second time.
"""

CREW_BEAT: Final = 5.0
"""Seconds between two signs of life."""

FURTHEST_APART: Final = timedelta(seconds=5)
"""The most by which a host's clock may differ from the database's.

Deadlines have a leeway of minutes, but any of them may be the one that leads next.
"""


class Misfit(RefereeError):
    """Another daemon at work is of another version, or has another secret."""

    status: ClassVar[int] = UNFIT


class ClocksApart(RefereeError):
    """The clock of this host and that of the database's host disagree."""


@dataclass
class Membership:
    """The place of one daemon in the crew; ``parts`` are those it takes."""

    desk: Desk
    parts: str = "read work"
    server: ServingDaemon = field(init=False)
    _lock: Lock = field(init=False)

    def __post_init__(self) -> None:
        secret = hmac.digest(self.desk.settings.key, b"crew", hashlib.sha256).hex()[:16]
        more = {"version": version(DISTRIBUTION), "key": secret, "parts": self.parts}
        self.server = this_server(self.desk.now(), **more)
        self._lock = self.desk.store.lock(leases.DAEMON + self.name)

    @property
    def name(self) -> str:
        """The name that stands on what this daemon has in its hands."""
        return self.server.token

    def join(self) -> None:
        """Join the crew. Raises Misfit or ClocksApart if this daemon does not fit in."""
        with self.desk.store.writing() as connection:
            # One at a time: two of different versions must not both find nobody there.
            join_in_turn(connection)
            self._check_clock(connection)
            for other, _ in living_members(connection):
                if other.version != self.server.version:
                    raise Misfit(
                        f"{other} is of version {other.version}, this one of "
                        f"{self.server.version}: stop all daemons, then start them in one version"
                    )
                if other.key != self.server.key:
                    raise Misfit(
                        f"{other} has another key than this one: all daemons of an installation "
                        "need the same key in their settings"
                    )
            self._lock.holds()
            self._give_sign(connection)

    def beat(self) -> None:
        """Give a sign of life. Raises ClocksApart, OlderSchema or UnknownSchema."""
        self._lock.holds()
        with self.desk.store.writing(lasting=False) as connection:
            check_revision(connection)
            self._give_sign(connection)
        with self.desk.store.reading() as connection:
            self._check_clock(connection)

    def leave(self) -> None:
        """Leave the crew; nothing may be in its hands any more."""
        self._lock.give_up()

    def _give_sign(self, connection: Connection) -> None:
        owner = canonical_json(asdict(self.server))
        # By the database's clock: a host whose own has jumped ahead must not outlive its end by it.
        now = leases.database_now(connection)
        leases.give_sign(connection, leases.DAEMON + self.name, owner, now)

    def _check_clock(self, connection: Connection) -> None:
        before = self.desk.now()
        there = leases.database_now(connection)
        after = self.desk.now()
        apart = max(before - there, there - after)
        if apart > FURTHEST_APART:
            raise ClocksApart(
                f"the clocks of this host and of the database differ by "
                f"{apart.total_seconds():.0f} seconds: set them right (as by NTP)"
            )


def living_members(connection: Connection) -> Iterator[tuple[ServingDaemon, datetime]]:
    """Yield the daemons at work, each with its last sign of life."""
    for row in leases.daemon_leases(connection):
        if row.heartbeat and is_locked(connection, row.name):
            yield server_of(row), row.heartbeat


def note_entered(desk: Desk, worker: str) -> None:
    """Note that a reader of this name has entered the mailbox: it is ours, or out of reach."""
    with desk.store.writing() as connection:
        notes.put_value(connection, NoteKey.ENTERED, worker)


def note_leader(desk: Desk, worker: str) -> None:
    """Note the name of the daemon that leads."""
    with desk.store.writing() as connection:
        notes.put_value(connection, NoteKey.LEADER, worker)


def is_entered(desk: Desk) -> bool:
    """Return whether a reader at work has entered the mailbox."""
    with desk.store.reading() as connection:
        reader = notes.read_value(connection, NoteKey.ENTERED)
        return reader in {member.token for member, _ in living_members(connection)}


def recover_from_dead(desk: Desk) -> None:
    """Free all claims of dead daemons: letters count as killed, mails become uncertain."""
    with desk.store.reading() as connection:
        # In this sequence: whoever claims something has joined before.
        claiming = claims.claimants(connection)
    with desk.writing() as change:
        connection = change.connection
        # As the signs of life: a host whose clock has jumped must not take all others for dead.
        silent = leases.database_now(connection) - CREW_TTL
        rows = leases.daemon_leases(connection)
        living = {
            row.name
            for row in rows
            if (row.heartbeat and row.heartbeat > silent) or is_locked(connection, row.name)
        }
        dead = {name for name in claiming if f"{leases.DAEMON}{name.split()[0]}" not in living}
        killed = claims.recover_claims(connection, dead)
        uncertain = delivery.doubt_mails(change, dead)
        for row in rows:
            if row.name not in living:
                leases.remove_lease(connection, row.name)
    for number in killed:
        log.warning("letter %d was being handled when its daemon ended", number)
    for number in uncertain:
        log.warning("mail %d was being sent when its daemon ended", number)
