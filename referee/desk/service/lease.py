"""The lease of the mailbox: one daemon at a time serves it.

Two would answer every letter twice. A daemon holds the lease as long as it gives signs of life.
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
from pathlib import Path
from typing import Final

from referee.desk.desk import Desk, stamp
from referee.errors import RefereeError
from referee.games.play import canonical_json
from referee.store import leases
from referee.store.database.errors import DatabaseMoved
from referee.store.leases import LeaseRow
from referee.store.store import StoreError
from referee.value import Value, asdict

log = logging.getLogger(__name__)

TTL: Final = timedelta(seconds=60)
"""A daemon silent for so long has lost its lease."""

BEAT: Final = 10.0
"""Seconds between two signs of life."""

OURS: Final[set[str]] = set()
"""Tokens of this process's own daemons; its process number says nothing about them."""


class Occupied(RefereeError):
    """Another daemon serves the mailbox."""


class LeaseLost(RefereeError):
    """Another daemon has taken the mailbox over."""


class ServingDaemon(Value):
    """A daemon: its machine, its process, and when it began.

    ``space`` names the processes seen from there; ``began`` is in the kernel's ticks, ``since`` in
    our words. ``version`` is its program's, ``key`` a hash by which its secret is compared; both
    are empty where it works alone. ``parts`` are those of reading and working that it takes.
    """

    host: str
    space: str
    pid: int
    began: str
    since: str
    token: str
    version: str = ""
    key: str = ""
    parts: str = "read work"

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}, since {self.since}"

    def is_gone(self) -> bool | None:
        """Return whether its process has ended; None if that cannot be known from here."""
        if self.token in OURS:
            return False
        if (self.host, self.space) != (socket.gethostname(), _space()):
            return None
        # Our own number without our token: an earlier process had it before us.
        return self.pid == os.getpid() or not _runs(self.pid, self.began)


def this_server(now: datetime, **more: str) -> ServingDaemon:
    """Return this process as a daemon; ``more`` are fields that it needs beside others."""
    pid, host, space = os.getpid(), socket.gethostname(), _space()
    token = secrets.token_hex(8)
    # Its start tells a process from later namesakes.
    return ServingDaemon(host, space, pid, _process(pid)[1], stamp(now), token, **more)


def server_of(row: LeaseRow | None) -> ServingDaemon | None:
    """Return the daemon a lease names; None if it names none."""
    if row is None or row.owner is None:
        return None
    try:
        return ServingDaemon(**json.loads(row.owner))
    except (TypeError, ValueError):
        return ServingDaemon(row.owner, "", 0, "", "an unknown time", "")


@dataclass
class Lease:
    """The right of one daemon to serve the mailbox, as long as it gives signs of life."""

    desk: Desk
    server: ServingDaemon = field(init=False)

    def __post_init__(self) -> None:
        self.server = this_server(self.desk.now())

    def take(self) -> None:
        """Take the mailbox. Raises Occupied, naming the daemon that serves it."""
        with self.desk.store.writing() as connection:
            row = leases.find_lease(connection)
            holder = server_of(row)
            # A daemon that died leaves its lease behind; so does a clock that was set back.
            if row and row.owner and holder and (_ahead(row, self.desk.now()) or holder.is_gone()):
                leases.release_lease(connection, leases.MAILBOX, row.owner)
            if not leases.take_lease(connection, leases.MAILBOX, self._owner, self.desk.now(), TTL):
                raise Occupied(
                    f"another daemon serves {self.desk.address}: {holder}; stop it first. "
                    f"If it is gone, try again in {int(TTL.total_seconds())} seconds"
                )
        OURS.add(self.server.token)

    def beat(self) -> None:
        """Give a sign of life. Raises LeaseLost."""
        with self.desk.store.writing() as connection:
            mine = leases.heartbeat(connection, self._owner, self.desk.now())
            holder = None if mine else server_of(leases.find_lease(connection))
        if not mine:
            raise LeaseLost(
                f"another daemon has taken over {self.desk.address}: {holder or 'unknown'}"
            )

    def give_back(self) -> None:
        """Leave the mailbox to the next daemon."""
        OURS.discard(self.server.token)
        with self.desk.store.writing() as connection:
            leases.release_lease(connection, leases.MAILBOX, self._owner)

    @property
    def _owner(self) -> str:
        return canonical_json(asdict(self.server))


@contextlib.contextmanager
def hold_lease(
    desk: Desk,
    stopping: threading.Event,
    lost: Callable[[RefereeError], None],
    *,
    waits: bool,
) -> Iterator[bool]:
    """Hold the mailbox, with signs of life, while the block lasts.

    With ``waits`` it waits for another daemon to end, and gives False if ``stopping`` came first.
    ``lost`` is called when another daemon took over. Raises Occupied.
    """
    lease = Lease(desk)
    if not _taken(lease, stopping, waits=waits):
        yield False
        return
    ended = threading.Event()
    beating = threading.Thread(target=_keep_beating, args=(lease, ended, lost), name="lease")
    beating.start()
    try:
        yield True
    finally:
        ended.set()
        beating.join()
        # If the store is gone, the lease runs out by itself.
        with contextlib.suppress(StoreError):
            lease.give_back()


def _taken(lease: Lease, stopping: threading.Event, *, waits: bool) -> bool:
    told = False
    while not stopping.is_set():
        try:
            lease.take()
        except Occupied as occupied:
            if not waits:
                raise
            if not told:
                log.info("waiting: %s", occupied, extra={"action": "lease"})
            told = True
            stopping.wait(BEAT)
        except StoreError as trouble:
            if not waits:
                raise
            log.error("%s", trouble, extra={"action": "lease"})  # noqa: TRY400
            stopping.wait(BEAT)
        else:
            return True
    return False


def _keep_beating(
    lease: Lease, ended: threading.Event, lost: Callable[[RefereeError], None]
) -> None:
    while not ended.wait(BEAT):
        try:
            lease.beat()
        except (LeaseLost, DatabaseMoved) as fault:
            lost(fault)
            return
        # The lease outlasts several beats, so the next one may do.
        except StoreError as trouble:
            log.error("%s", trouble, extra={"action": "lease"})  # noqa: TRY400
        except Exception:
            # A daemon that falls silent goes on working while another takes its place.
            log.exception("a sign of life failed", extra={"action": "lease"})


def living_daemon(row: LeaseRow | None, now: datetime) -> ServingDaemon | None:
    """Return the daemon serving the mailbox; None if silent or gone."""
    holder = server_of(row)
    if row is None or holder is None or row.heartbeat is None or holder.is_gone():
        return None
    return None if row.heartbeat <= now - TTL or _ahead(row, now) else holder


def silent_daemon(row: LeaseRow | None, now: datetime) -> ServingDaemon | None:
    """Return the daemon that holds the mailbox in silence, unless it is known to be gone."""
    holder = server_of(row)
    return None if holder is None or holder.is_gone() or living_daemon(row, now) else holder


def _ahead(row: LeaseRow, now: datetime) -> bool:
    """Return whether the last sign of life lies in the future: the clock was set back since."""
    return row.heartbeat is not None and row.heartbeat > now + TTL


def _space() -> str:
    """Return the set of processes seen from here; within a container those are its own."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""


def _runs(pid: int, began: str) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # It exists, but belongs to another user.
    except OSError:
        return True
    state, now_began = _process(pid)
    return state not in {"Z", "X"} and (not began or now_began in {began, ""})


def _process(pid: int) -> tuple[str, str]:
    """Return a process's state and start; proc(5).

    State Z: it has ended, but its parent has not noticed.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "", ""
    # The name in brackets may itself contain brackets and spaces.
    fields = text.rpartition(")")[2].split()
    return fields[0], fields[19]
