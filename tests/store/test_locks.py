"""Locks of processes: one holds each, and whoever died, fell silent or was stopped holds none."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.installation import until
from support.link import Link
from support.postgresql import PostgreSQL

from referee.store.database import locks
from referee.store.database.errors import StoreUnreachable
from referee.store.database.locks import LEADER, Lock, is_locked, steady_seconds
from referee.store.leases import MAILBOX
from referee.store.store import Store, create_store, open_store

ON_FILES = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
ON_POSTGRESQL = pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
HOLDER = """\
import sys
from referee.store.database import locks
from referee.store.leases import MAILBOX
from referee.store.store import open_store

locks.SILENCE = int(sys.argv[2])
lock = open_store(sys.argv[1]).lock(MAILBOX)
print(lock.holds(), flush=True)
for _ in sys.stdin:
    print(lock.holds(), flush=True)
"""


@contextmanager
def process_that_holds(url: str, silence: int = 60) -> Iterator[subprocess.Popen[str]]:
    """Let another process hold the mailbox; it says whether it does whenever it is asked.

    ``silence`` is how many seconds PostgreSQL lets it say nothing.
    """
    words = [sys.executable, "-c", HOLDER, url, str(silence)]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "True\n"
            yield process
        finally:
            process.kill()


def asked_whether_it_holds(process: subprocess.Popen[str]) -> bool:
    """Ask a process whether it still holds its lock."""
    assert process.stdin is not None
    assert process.stdout is not None
    print(file=process.stdin, flush=True)
    return process.stdout.readline() == "True\n"


@pytest.fixture
def mailbox(store: Store) -> Iterator[Lock]:
    """Yield this process's claim to the mailbox."""
    lock = store.lock(MAILBOX)
    yield lock
    lock.give_up()


def held(store: Store, name: str = MAILBOX) -> bool:
    """Ask whether somebody holds a lock."""
    with store.reading() as connection:
        return is_locked(connection, name)


def test_one_holds_a_lock_until_it_gives_it_up(store: Store, mailbox: Lock) -> None:
    """Two claims of one process are in each other's way as those of two are."""
    other = store.lock(MAILBOX)
    assert [mailbox.holds(), other.holds(), mailbox.holds()] == [True, False, True]
    assert [mailbox.is_sure(), other.is_sure()] == [True, False]
    mailbox.give_up()
    assert not mailbox.is_sure()
    # PostgreSQL frees the lock when it has seen the end of the connection.
    until(other.holds, "the lock")
    assert not mailbox.holds()
    other.give_up()


def test_locks_of_different_names_do_not_meet(store: Store, mailbox: Lock) -> None:
    """Who reads the mailbox keeps nobody from leading."""
    leader = store.lock(LEADER)
    assert mailbox.holds()
    assert leader.holds()
    leader.give_up()
    until(lambda: not held(store, LEADER), "the end of the lock")
    assert held(store)


def test_asking_takes_nothing(store: Store, mailbox: Lock) -> None:
    """Before the lock, while it is held, and after it; the holder may ask as well."""
    assert not held(store)
    assert mailbox.holds()
    assert [held(store), held(store)] == [True, True]
    assert mailbox.holds()
    mailbox.give_up()
    until(lambda: not held(store), "the end of the lock")


def test_a_lock_is_free_as_soon_as_its_process_was_killed(
    url: str, store: Store, mailbox: Lock
) -> None:
    """Nobody waits until it was silent for long."""
    with process_that_holds(url) as process:
        assert not mailbox.holds()
        assert held(store)
        process.kill()
        process.wait()
        killed = time.monotonic()
        until(mailbox.holds, "the lock")
        assert time.monotonic() - killed < 30


@ON_FILES
def test_a_stopped_process_keeps_a_file(url: str, store: Store, mailbox: Lock) -> None:
    """It is on this machine, where it can be seen and killed."""
    with process_that_holds(url) as process:
        os.kill(process.pid, signal.SIGSTOP)
        assert not mailbox.holds()
        assert held(store)
        os.kill(process.pid, signal.SIGCONT)
        assert asked_whether_it_holds(process)


@ON_POSTGRESQL
def test_a_stopped_process_loses_a_connection(url: str, store: Store, mailbox: Lock) -> None:
    """Another has its lock after a while; when it goes on it hears of that."""
    with process_that_holds(url, silence=1) as process:
        os.kill(process.pid, signal.SIGSTOP)
        assert not mailbox.holds()
        until(mailbox.holds, "the lock")
        os.kill(process.pid, signal.SIGCONT)
        assert not asked_whether_it_holds(process)
        mailbox.give_up()
        assert asked_whether_it_holds(process)


@pytest.fixture
def link(postgresql: PostgreSQL) -> Iterator[Link]:
    """Yield a way to the server that can fail."""
    found = Link(postgresql.socket)
    yield found
    found.close()


def test_its_own_ghost_on_postgresql_locks_nobody_out(
    link: Link, postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the server still takes for its connection ends, and it holds its lock again."""
    monkeypatch.setattr(locks, "SILENCE", 1)
    postgresql.run("DROP DATABASE IF EXISTS ghost WITH (FORCE)", "CREATE DATABASE ghost")
    create_store(postgresql.url("ghost"))
    with open_store(link.url("ghost")) as near, open_store(postgresql.url("ghost")) as store:
        lock = near.lock(MAILBOX)
        assert lock.holds()
        with link.silent():
            # The end of the connection does not reach the server.
            lock.give_up()
            assert held(store)
            until(lambda: not held(store), "the end of the ghost")
        until(lock.holds, "the lock again")
        lock.give_up()
    postgresql.run("DROP DATABASE ghost WITH (FORCE)")


def test_a_holder_past_its_deadline_is_not_sure(
    kind: str, store: Store, mailbox: Lock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was asleep, or got no answer: only the server can say whose the lock is."""
    now = [100.0]
    monkeypatch.setattr(locks, "steady_seconds", lambda: now[0])
    assert mailbox.holds()
    now[0] += locks.UNSURE
    assert mailbox.is_sure() is (kind == "sqlite")
    # The server may end the session that held it a moment after the next one asks.
    until(mailbox.holds, "the lock again")
    assert mailbox.is_sure()
    assert locks.UNSURE < locks.SILENCE


def test_the_count_of_seconds_goes_on_while_the_machine_sleeps() -> None:
    """Else its sleep would be a jump of the clock."""
    before = time.clock_gettime(time.CLOCK_BOOTTIME)
    counted = steady_seconds()
    assert before <= counted <= time.clock_gettime(time.CLOCK_BOOTTIME)
    awake, with_sleep = 100.0, 3700.0
    with pytest.MonkeyPatch.context() as slept:
        slept.setattr(time, "monotonic", lambda: awake)
        slept.setattr(
            time,
            "clock_gettime",
            lambda clock: with_sleep if clock == time.CLOCK_BOOTTIME else awake,
        )
        assert steady_seconds() == with_sleep


@ON_FILES
def test_a_lock_file_that_was_removed_holds_nothing(url: str, store: Store, mailbox: Lock) -> None:
    """Another would lock a new one; whoever is first holds it."""
    other = store.lock(MAILBOX)
    assert mailbox.holds()
    file = Path(url.removeprefix("sqlite:///")).with_name("referee.db-lock")
    assert file.stat().st_mode & 0o777 == 0o600
    file.unlink()
    assert not mailbox.is_sure()
    assert other.holds()
    assert not mailbox.holds()
    other.give_up()


@ON_FILES
def test_a_database_has_one_lock_by_whatever_name_it_is_opened(
    url: str, tmp_path: Path, mailbox: Lock
) -> None:
    """A link to it leads to the same file of locks."""
    assert mailbox.holds()
    link = tmp_path / "link.db"
    link.symlink_to(url.removeprefix("sqlite:///"))
    with open_store(f"sqlite:///{link}") as store:
        assert held(store)
        assert not store.lock(MAILBOX).holds()


@ON_FILES
def test_a_lock_file_belongs_to_whom_the_database_does(url: str, store: Store) -> None:
    """A command that root runs does not shut the daemon out."""
    database = Path(url.removeprefix("sqlite:///"))
    if os.geteuid() == 0:
        os.chown(database, 65534, 65534)
    lock = store.lock(MAILBOX)
    assert lock.holds()
    made, whose = database.with_name("referee.db-lock").stat(), database.stat()
    assert (made.st_uid, made.st_gid) == (whose.st_uid, whose.st_gid)
    lock.give_up()


def test_a_lock_file_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """It says which file."""
    with pytest.raises(StoreUnreachable, match=r"referee\.db-lock"):
        locks.FileLock(tmp_path / "none" / "referee.db", MAILBOX).holds()


@ON_POSTGRESQL
def test_a_lock_ends_with_its_connection(
    store: Store, mailbox: Lock, postgresql: PostgreSQL
) -> None:
    """Whoever asks first has it then, and the one that held it hears of it."""
    other = store.lock(MAILBOX)
    assert mailbox.holds()
    postgresql.run(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_locks WHERE locktype = 'advisory'"
        " AND database = (SELECT oid FROM pg_database WHERE datname = 'scratch')"
    )
    assert not mailbox.holds()
    assert other.holds()
    assert not mailbox.holds()
    other.give_up()
