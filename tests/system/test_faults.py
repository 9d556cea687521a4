"""Orders are applied once or answered and mails delivered, whatever goes wrong around it."""

from __future__ import annotations

import contextlib
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from support import audit, faults
from support.correspondents import Correspondents
from support.dovecot import Dovecot
from support.installation import install
from support.lane import AGAIN, PROVOKED, Lane, Tally
from support.smtpd import SmtpServer
from support.thorough import some
from support.troubled import TROUBLES, TroubledWay
from support.zygote import WAIT, Zygote

pytestmark = [pytest.mark.mail, pytest.mark.timeout(1200)]

PLAYERS = tuple(f"{name}@example.test" for name in ("alice", "bob"))


@pytest.fixture
def lane(tmp_path: Path, dovecot: Dovecot, smtp_server: SmtpServer) -> Iterator[Lane]:
    """Return an installation with a match, its players, and a daemon that can be started."""
    installation = install(tmp_path / "club", dovecot.account("referee"), dovecot, smtp_server)
    installation.store.close()
    text = installation.config.read_text().replace("poll_seconds = 60", "poll_seconds = 1")
    installation.config.write_text(text)
    club = Correspondents(installation.address, dovecot, smtp_server, Random(5), PLAYERS)
    found = Lane(installation, club, Random(5), Tally(), most_matches=1)
    found.open_matches()
    yield found
    found.zygote.close()


def play(lane: Lane, more: int) -> None:
    """Let the players write so many letters more, while the daemon runs."""
    end, limit = len(lane.players.sent) + more, time.monotonic() + WAIT
    while len(lane.players.sent) < end:
        assert time.monotonic() < limit, lane.said()
        assert lane.zygote.running, lane.said()
        if not lane.players.act():
            time.sleep(0.05)
        if not lane._running():
            lane.open_matches()


def suffer(lane: Lane, *ways: TroubledWay) -> None:
    """Let the players write until all that is to go wrong has gone wrong."""
    end = time.monotonic() + WAIT
    while any(each.troubles for each in ways):
        assert time.monotonic() < end, [each.troubles for each in ways]
        assert lane.zygote.running, lane.said()
        if not lane._running():
            lane.open_matches()
        lane.players.act()
        time.sleep(0.1)


def wait_until_it_says(lane: Lane, words: str) -> None:
    """Let the players write until the daemon says something."""
    end = time.monotonic() + WAIT
    while not lane.zygote.log.exists() or words not in lane.said():
        assert time.monotonic() < end, lane.said()
        assert lane.zygote.running, lane.said()
        lane.players.act()
        time.sleep(0.1)


def nothing_is_wrong(lane: Lane) -> None:
    """Let everything come to rest and compare what is left."""
    lane.come_to_rest()
    books = audit.opened(lane.installation, lane.players.sent, PLAYERS)
    assert not audit.faults(books)
    assert books.delivered


def test_connections_break_stall_and_tell_nonsense(lane: Lane) -> None:
    """Every trouble befalls both servers' answers several times."""
    installation = lane.installation
    imap, smtp = installation.settings.imap.port, installation.settings.smtp.port
    with TroubledWay(imap) as to_imap, TroubledWay(smtp) as to_smtp:
        text = installation.config.read_text()
        text = text.replace(f":{imap}", f":{to_imap.port}").replace(f":{smtp}", f":{to_smtp.port}")
        installation.config.write_text(text)
        lane.zygote.start("--poisonous")
        for trouble in TROUBLES:
            before = to_imap.befell[trouble] + to_smtp.befell[trouble]
            to_imap.troubles += [trouble] * 2
            to_smtp.troubles += [trouble] * 2
            suffer(lane, to_imap, to_smtp)
            assert to_imap.befell[trouble] + to_smtp.befell[trouble] == before + 4
        assert lane.zygote.kill(signal.SIGTERM) == 0
        nothing_is_wrong(lane)


@pytest.mark.parametrize("limit", some(["pages"], ["file"]))
def test_the_disk_is_full(lane: Lane, limit: str) -> None:
    """The daemon says so and goes on living; with room again nothing is missing or twice."""
    database = lane.installation.folder / "referee.db"
    size = database.stat().st_size
    said = {"pages": "is full", "file": "cannot be used"}[limit]
    given = {"pages": ["--stumble", "full"], "file": ["--file-bytes", str(size + 60_000)]}[limit]
    lane.zygote.start("--poisonous", *given)
    wait_until_it_says(lane, said)
    lane.players.act()
    lane.zygote.kill()
    nothing_is_wrong(lane)


def test_another_process_locks_the_database_for_long(lane: Lane) -> None:
    """Longer than it waits for a lock: it tries again, and counts nothing against the letters."""
    lane.zygote.start("--poisonous", "--stumble", "hasty")
    play(lane, 2)
    database = str(lane.installation.folder / "referee.db")
    with contextlib.closing(sqlite3.connect(database, isolation_level=None, timeout=WAIT)) as other:
        other.execute("BEGIN IMMEDIATE")
        lane.players.act()
        wait_until_it_says(lane, "is busy")
        other.execute("ROLLBACK")
    play(lane, 4)
    lane.zygote.kill(signal.SIGTERM)
    nothing_is_wrong(lane)


def test_a_daemon_started_on_a_locked_database_begins_once_it_is_free(lane: Lane) -> None:
    database = str(lane.installation.folder / "referee.db")
    with contextlib.closing(sqlite3.connect(database, isolation_level=None, timeout=WAIT)) as other:
        other.execute("BEGIN IMMEDIATE")
        lane.zygote.start("--poisonous", "--stumble", "hasty")
        wait_until_it_says(lane, "is busy")
        other.execute("ROLLBACK")
    play(lane, 4)
    assert lane.zygote.kill(signal.SIGTERM) == 0
    nothing_is_wrong(lane)


def test_two_daemons_that_know_nothing_of_each_other(lane: Lane) -> None:
    """Even without the lease each letter is played once and each mail is the same."""
    second = Zygote(lane.installation)
    try:
        lane.zygote.start("--poisonous")
        second.start("--poisonous", "--no-lease")
        play(lane, 12)
        assert second.running, lane.said()
        second.kill()
        lane.zygote.kill(signal.SIGTERM)
    finally:
        second.close()
    nothing_is_wrong(lane)


@pytest.mark.fast
def test_every_point_that_is_provoked_exists() -> None:
    """A function that was given another name takes its point with it."""
    steps = {each.rpartition(":")[0] for each in faults.points()}
    assert [each for each in PROVOKED if each not in steps] == []
    assert [each for each in AGAIN if not any(step.startswith(each) for step in steps)] == []
