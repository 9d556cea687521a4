"""The lease of the mailbox: one daemon at a time serves it.

Two would read every letter twice. A daemon has the lease as long as it holds the lock of that name,
which ends with its process; beside it stand its name, and a sign that it can write.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Desk, stamp
from referee.errors import RefereeError
from referee.games.play import canonical_json
from referee.store import leases
from referee.store.database.errors import DatabaseMoved, StoreError
from referee.store.database.locks import Lock, is_locked
from referee.store.tables.people import LeaseRow
from referee.value import Value, asdict

log = logging.getLogger(__name__)

TTL: Final = timedelta(seconds=60)
"""A daemon that has written nothing for so long cannot, or hangs."""

BEAT: Final = 10.0
"""Seconds between two signs of life."""


class Occupied(RefereeError):
    """Another daemon serves the mailbox."""


class ServingDaemon(Value):
    """A daemon: its machine, its process, and when it began.

    ``version`` is its program's, ``key`` a hash by which its secret is compared; both are empty
    where it works alone. ``parts`` are those of reading and working that it takes.
    """

    host: str
    pid: int
    since: str
    token: str
    version: str = ""
    key: str = ""
    parts: str = "read work"

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}, since {self.since}"


def this_server(now: datetime, **more: str) -> ServingDaemon:
    """Return this process as a daemon; ``more`` are fields that it needs beside others."""
    token = secrets.token_hex(8)
    return ServingDaemon(socket.gethostname(), os.getpid(), stamp(now), token, **more)


def server_of(row: LeaseRow) -> ServingDaemon:
    """Return the daemon that a lease names."""
    try:
        return ServingDaemon(**json.loads(row.owner or ""))
    # Of another version.
    except (TypeError, ValueError):
        return ServingDaemon(row.owner or "a host unknown", 0, "an unknown time", "")


def serving_daemon(connection: Connection) -> ServingDaemon | None:
    """Return the daemon that serves the mailbox."""
    row = leases.find_lease(connection)
    return server_of(row) if row and is_locked(connection, leases.MAILBOX) else None


def silent_since(connection: Connection, now: datetime) -> datetime | None:
    """Return since when the daemon that serves the mailbox has written nothing, if for long."""
    row = leases.find_lease(connection)
    written = row.heartbeat if row and is_locked(connection, leases.MAILBOX) else None
    # In the future: the clock was set back since.
    return written if written and abs(now - written) >= TTL else None


@dataclass
class Lease:
    """The right of one daemon to serve the mailbox."""

    desk: Desk
    server: ServingDaemon = field(init=False)
    lock: Lock = field(init=False)

    def __post_init__(self) -> None:
        self.server = this_server(self.desk.now())
        self.lock = self.desk.store.lock(leases.MAILBOX)

    def hold(self) -> None:
        """Take the mailbox, or keep it. Raises Occupied, naming the daemon that serves it."""
        if not self.lock.holds():
            with self.desk.store.reading() as connection:
                row = leases.find_lease(connection)
            holder = server_of(row) if row else "it has just begun"
            address = self.desk.settings.address
            raise Occupied(f"another daemon serves {address}: {holder}; stop it first")
        owner = canonical_json(asdict(self.server))
        with self.desk.store.writing() as connection:
            leases.give_sign(connection, leases.MAILBOX, owner, self.desk.now())

    def give_back(self) -> None:
        """Leave the mailbox to the next daemon."""
        self.lock.give_up()


@contextlib.contextmanager
def hold_lease(desk: Desk, lost: Callable[[RefereeError], None]) -> Iterator[Lock]:
    """Hold the mailbox for the block; give its lock. ``lost`` hears of a loss. Raises Occupied."""
    lease = Lease(desk)

    def beat() -> None:
        try:
            lease.hold()
        except (Occupied, DatabaseMoved) as fault:
            lost(fault)

    try:
        lease.hold()
        with repeated(beat, lambda: BEAT, "lease"):
            yield lease.lock
    finally:
        lease.give_back()


@contextlib.contextmanager
def repeated(beat: Callable[[], object], pause: Callable[[], float], name: str) -> Iterator[None]:
    """Give signs of life beside the block, in a thread; ``pause`` says how many seconds apart."""
    ended = threading.Event()

    def keep_beating() -> None:
        while not ended.wait(pause()):
            try:
                beat()
            except StoreError as trouble:
                log.error("%s", trouble, extra={"action": name})  # noqa: TRY400
            except Exception:
                # Whoever falls silent counts as dead, though it goes on working.
                log.exception("a sign of life failed", extra={"action": name})

    beating = threading.Thread(target=keep_beating, name=name)
    beating.start()
    try:
        yield
    finally:
        ended.set()
        beating.join()
