"""Who may serve the mailbox: one daemon while it gives signs of life."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest
from support.club import Club

from referee.desk.service.lease import (
    TTL,
    Lease,
    LeaseLost,
    Occupied,
    ServingDaemon,
    hold_lease,
    living_daemon,
    this_server,
)
from referee.games.play import canonical_json
from referee.store import leases
from referee.store.leases import LeaseRow
from referee.value import asdict, replace

ELSEWHERE = ServingDaemon("elsewhere", "pid:[1]", 7, "123", "2026-11-21T11:00:00Z", "cafe")


def hold(club: Club, server: ServingDaemon) -> None:
    """Let somebody else hold the mailbox."""
    with club.desk.store.writing() as connection:
        owner = canonical_json(asdict(server))
        assert leases.take_lease(connection, leases.MAILBOX, owner, club.desk.now(), TTL)


def row(club: Club) -> LeaseRow | None:
    """Return how the lease stands."""
    with club.desk.store.reading() as connection:
        return leases.find_lease(connection)


def test_a_second_daemon_hears_who_is_there(club: Club) -> None:
    """Process, machine and since when, in one line."""
    hold(club, ELSEWHERE)
    with pytest.raises(Occupied) as occupied:
        Lease(club.desk).take()
    text = str(occupied.value)
    assert "process 7 on elsewhere, since 2026-11-21T11:00:00Z" in text
    assert len(text.splitlines()) == 1


def test_a_reader_that_waits_is_no_warning(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    """It is as it should be, where several daemons share the work; once it is said all the same."""
    caplog.set_level("INFO")
    hold(club, ELSEWHERE)
    stopping = threading.Event()
    threading.Timer(0.1, stopping.set).start()
    with hold_lease(club.desk, stopping, lambda _: None, waits=True) as taken:
        assert not taken
    (line,) = [each for each in caplog.records if each.message.startswith("waiting: ")]
    assert line.levelname == "INFO"


def test_a_daemon_of_this_process_is_not_gone(club: Club) -> None:
    """Two in one process do not take each other for a dead one of the same number."""
    first, second = Lease(club.desk), Lease(club.desk)
    first.take()
    with pytest.raises(Occupied):
        second.take()
    first.give_back()
    second.take()
    second.give_back()
    assert living_daemon(row(club), club.desk.now()) is None


def test_a_silent_daemon_is_replaced_and_hears_of_it(club: Club) -> None:
    """After a minute without a sign of life its place is free; then it must stop."""
    first, second = Lease(club.desk), Lease(club.desk)
    first.take()
    club.later(seconds=59)
    with pytest.raises(Occupied):
        second.take()
    first.beat()
    club.later(seconds=59)
    with pytest.raises(Occupied):
        second.take()
    club.later(seconds=1)
    second.take()
    with pytest.raises(LeaseLost, match="has taken over"):
        first.beat()
    first.give_back()
    second.beat()
    second.give_back()


def test_a_dead_process_of_this_machine_is_replaced_at_once(club: Club) -> None:
    """Nobody waits for a sign of life of a process that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    hold(club, replace(this_server(club.desk.now()), pid=ended.pid, began="1"))
    assert living_daemon(row(club), club.desk.now()) is None
    lease = Lease(club.desk)
    lease.take()
    lease.give_back()


def test_a_process_that_nobody_has_buried_is_dead(club: Club) -> None:
    """It holds its number until its parent asks how it ended, and serves nothing."""
    here = this_server(club.desk.now())
    ended = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    assert ended.stdout is not None
    assert ended.stdout.read() == b""
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
    try:
        hold(club, replace(here, pid=ended.pid, began=""))
        lease = Lease(club.desk)
        lease.take()
        lease.give_back()
    finally:
        ended.wait()
        ended.stdout.close()


def test_another_process_of_the_same_number_is_not_the_old_one(club: Club) -> None:
    """Numbers are used again; when the process began tells them apart."""
    here = this_server(club.desk.now())
    parent = os.getppid()
    hold(club, replace(here, pid=parent, began="1"))
    lease = Lease(club.desk)
    lease.take()
    lease.give_back()


def test_a_living_process_of_this_machine_is_left_its_place(club: Club) -> None:
    """It is there, even if it is not ours."""
    sleeping = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    try:
        hold(club, replace(this_server(club.desk.now()), pid=sleeping.pid, began=""))
        with pytest.raises(Occupied):
            Lease(club.desk).take()
    finally:
        sleeping.kill()
        sleeping.wait()


def test_a_sign_of_life_from_the_future_does_not_lock_out(club: Club) -> None:
    """A clock that was wrong and has been put back leaves no lease for a year."""
    club.later(days=365)
    hold(club, ELSEWHERE)
    club.later(days=-365)
    lease = Lease(club.desk)
    lease.take()
    lease.give_back()


def test_who_waits_begins_when_the_other_leaves(club: Club) -> None:
    """A daemon that may wait does, until it is told to stop."""
    hold(club, ELSEWHERE)
    stopping = threading.Event()
    threading.Timer(0.2, stopping.set).start()
    with hold_lease(club.desk, stopping, pytest.fail, waits=True) as taken:
        assert not taken
    with (
        pytest.raises(Occupied),
        hold_lease(club.desk, threading.Event(), pytest.fail, waits=False),
    ):
        pass
