"""Who may serve the mailbox: one daemon while it lives, and says who it is."""

from __future__ import annotations

import threading
from datetime import datetime

import pytest
from support.club import Club
from support.installation import until

from referee.desk.service import lease as desk_lease
from referee.desk.service.crew import CREW_BEAT
from referee.desk.service.lease import (
    TTL,
    Lease,
    Occupied,
    ServingDaemon,
    hold_lease,
    repeated,
    serving_daemon,
    silent_since,
)
from referee.errors import RefereeError
from referee.store.database.errors import StoreLocked
from referee.store.database.locks import SILENCE, UNSURE
from referee.value import replace

ELSEWHERE = ServingDaemon("elsewhere", 7, "2026-11-21T11:00:00Z", "cafe")


def serving(club: Club) -> ServingDaemon | None:
    """Return the daemon that serves the mailbox."""
    with club.desk.store.reading() as connection:
        return serving_daemon(connection)


def silent(club: Club) -> datetime | None:
    """Return since when it has written nothing."""
    with club.desk.store.reading() as connection:
        return silent_since(connection, club.desk.now())


def test_a_second_daemon_hears_who_is_there(club: Club) -> None:
    """Process, machine and since when, in one line."""
    first = Lease(club.desk)
    first.server = ELSEWHERE
    first.hold()
    with pytest.raises(Occupied) as occupied:
        Lease(club.desk).hold()
    first.give_back()
    text = str(occupied.value)
    assert "process 7 on elsewhere, since 2026-11-21T11:00:00Z" in text
    assert len(text.splitlines()) == 1


def test_a_daemon_that_has_just_begun_is_there(club: Club) -> None:
    """It has its lock before it says who it is."""
    first = Lease(club.desk)
    assert first.lock.holds()
    with pytest.raises(Occupied, match="it has just begun"):
        Lease(club.desk).hold()
    assert serving(club) is None
    first.give_back()


def test_the_place_of_a_daemon_that_leaves_is_free(club: Club) -> None:
    """Two in one process are in each other's way as those of two are."""
    first, second = Lease(club.desk), Lease(club.desk)
    first.hold()
    with pytest.raises(Occupied):
        second.hold()
    first.give_back()
    assert serving(club) is None
    second.hold()
    assert serving(club) == second.server
    second.give_back()


def test_no_silence_takes_its_place_from_a_daemon(club: Club) -> None:
    """However long it writes nothing, and whatever the clock says: it lives, which is told."""
    first = Lease(club.desk)
    first.hold()
    assert silent(club) is None
    since = club.desk.now()
    for later in (TTL, 365 * TTL, -1000 * TTL):
        club.later(seconds=later.total_seconds())
        with pytest.raises(Occupied):
            Lease(club.desk).hold()
        assert (serving(club), silent(club)) == (first.server, since)
    first.hold()
    assert silent(club) is None
    first.give_back()


def test_a_daemon_of_another_version_is_named_as_well_as_can_be(club: Club) -> None:
    """What it says of itself is told as it stands."""
    assert "process 7" in str(desk_lease.server_of(row_of(str(ELSEWHERE))))
    assert str(desk_lease.server_of(row_of(None)))


def row_of(owner: str | None) -> desk_lease.LeaseRow:
    """Return a lease of an owner."""
    return desk_lease.LeaseRow("mailbox", owner, None, None)


def test_signs_of_life_come_before_a_lock_is_lost() -> None:
    """One that fails may be made up for by the next."""
    for seconds in (desk_lease.BEAT, CREW_BEAT):
        assert 2 * seconds <= UNSURE < SILENCE


def test_who_lost_the_mailbox_hears_of_it(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody removed the file of locks, and another daemon was first to make a new one."""
    monkeypatch.setattr(desk_lease, "BEAT", 0.02)
    told: list[RefereeError] = []
    file = club.desk.store.file
    assert file is not None
    other = Lease(club.desk)
    other.server = replace(other.server, host="elsewhere")
    with hold_lease(club.desk, told.append) as lock:
        assert lock.is_sure()
        assert told == []
        file.with_name(f"{file.name}-lock").unlink()
        other.lock.holds()
        until(lambda: told, "the loss")
        assert isinstance(told[0], Occupied)
        assert not lock.is_sure()
    other.give_back()


def test_a_sign_of_life_that_fails_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """The next may do; faults of our own are told with their place."""
    faults: list[Exception] = [StoreLocked("locked"), LookupError("ours")]
    beaten = threading.Event()

    def beat() -> None:
        if faults:
            raise faults.pop(0)
        beaten.set()

    with repeated(beat, lambda: 0.01, "lease"):
        assert beaten.wait(60)
    assert "locked" in caplog.text
    assert "a sign of life failed" in caplog.text
