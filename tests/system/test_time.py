"""The daemon as a process on a clock that passes a deadline, jumps, and is put right again."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from support.faketime import LIBRARIES, FakeTime
from support.installation import Installation, Process, until

from referee.desk.deadlines import AGAIN
from referee.store import leases
from referee.store.post import outbox
from referee.store.store import open_store

pytestmark = [
    pytest.mark.mail,
    pytest.mark.skipif(not LIBRARIES, reason="libfaketime is missing: apt-get install faketime"),
]

ALICE, BOB = "alice@example.test", "bob@example.test"
YEAR = 365 * 86_400
TURN = 240
"""Seconds a turn has: fewer than a clock may be off without having jumped."""


@pytest.fixture
def clock(installation: Installation, tmp_path: Path) -> FakeTime:
    """Return the clock of an installation that polls every second."""
    text = installation.config.read_text().replace("poll_seconds = 60", "poll_seconds = 1")
    installation.config.write_text(text)
    found = FakeTime(installation, tmp_path / "clock")
    found.set(0)
    return found


@pytest.fixture
def running(clock: FakeTime, tmp_path: Path) -> Iterator[Process]:
    """Return the daemon, which has begun a match of short turns."""
    log = tmp_path / "daemon.log"
    process = Process(clock.daemon(log), log)
    try:
        begin(clock)
        yield process
    finally:
        process.popen.kill()
        process.popen.wait()
    # Only seen when the test fails.
    sys.stderr.write(log.read_text()[-4000:])


def begin(clock: FakeTime) -> None:
    """Begin a match of short turns."""
    seats = ("--seat", f"red={ALICE}", "--seat", f"blue={BOB}")
    terms = ("--time", f"{TURN}s", "--late", "bot:greedy", "--reminder", "none", "--start")
    done = clock.run("match", "new", "pebbles", *seats, *terms)
    assert done.returncode == 0, done.stderr


def report(clock: FakeTime, to: str, turn: int) -> EmailMessage:
    """Wait for an address's report of a turn, until the referee knows, too, that it arrived."""

    def found() -> EmailMessage | None:
        for mail in clock.installation.received(to):
            body = mail.get_body(("plain",))
            if body is not None and f", turn {turn}." in " ".join(body.get_content().split()):
                return mail
        return None

    mail: EmailMessage = until(found, f"the report of turn {turn} to {to}")
    until(lambda: all_sent(clock), "the outbox to be empty")
    return mail


def all_sent(clock: FakeTime) -> bool:
    """Tell whether every mail is known to have left: a player's clock starts only then."""
    with open_store(clock.installation.settings.database) as store, store.reading() as connection:
        return {each.state for each in outbox.latest_mails(connection)} <= {"sent", "superseded"}


def legal(mail: EmailMessage) -> str:
    """Return an order that a report names as possible."""
    part = next(each for each in mail.iter_attachments() if each.get_filename() == "turn.json")
    document = json.loads(part.get_payload(decode=True))
    return str(document["legal"][0])


def polls_go_on(clock: FakeTime) -> None:
    """Wait for some polls by a clock that was put back: by then the daemon has looked at it."""
    seen: set[datetime] = set()

    def enough() -> bool:
        settings = clock.installation.settings
        with open_store(settings.database) as store, store.reading() as connection:
            served = leases.find_lease(connection)
        now = datetime.now(UTC) + timedelta(days=1)
        if served is not None and served.polled_at is not None and served.polled_at < now:
            seen.add(served.polled_at)
        return len(seen) > 4

    until(enough, "polls by the clock put back")


def test_a_deadline_passes_a_year_is_skipped_and_put_right(
    clock: FakeTime, running: Process
) -> None:
    """A bot plays for who is late; after the jump nobody is late, though letters are played."""
    report(clock, ALICE, 1)
    clock.set(TURN + 10)
    # Letters may still be on their way, so that it looks at the deadline once more.
    looked = re.compile("rests at turn 1, 0 reports|time is up")
    until(lambda: looked.search(running.log.read_text()), "a look at the deadline")
    clock.set(TURN + 10 + AGAIN.seconds)
    second = report(clock, BOB, 2)
    assert "the clock jumped" not in running.log.read_text()
    clock.set(TURN + 10 + YEAR)
    until(lambda: "the clock jumped" in running.log.read_text(), "the alarm")
    status = clock.run("status")
    assert status.returncode != 0
    assert "referee clock --is-right" in status.stdout
    clock.installation.send(BOB, legal(second), second["Message-ID"])
    report(clock, ALICE, 3)
    clock.set(TURN + 10)
    polls_go_on(clock)
    done = clock.run("clock", "--is-right", "--why", "the clock was set", "--yes")
    assert done.returncode == 0, done.stderr
    assert "no clock ran from" in done.stdout
    clock.set(2 * (TURN + 10))
    report(clock, BOB, 4)
    assert running.stop() == 0
    assert "Traceback" not in running.log.read_text()
