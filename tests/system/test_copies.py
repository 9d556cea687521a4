"""An installation and its copy on one mailbox: one reads it, and the other says why it does not."""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from support.dovecot import Dovecot
from support.installation import Installation, Process, install, until
from support.postgresql import PostgreSQL
from support.smtpd import SmtpServer

from referee.desk.desk import Desk
from referee.desk.mails import summary
from referee.desk.service.status import read_status
from referee.store import leases, notes
from referee.store.post import letters
from referee.store.store import Store, open_store
from referee.value import replace

pytestmark = pytest.mark.mail

Clone = Callable[[], Installation]


@pytest.fixture(autouse=True)
def alice(installation: Installation) -> None:
    """Let the referee know alice: what strangers write goes to another folder."""
    assert installation.referee("player", "add", "alice@example.test").returncode == 0


@pytest.fixture
def clone(installation: Installation, tmp_path: Path) -> Iterator[Clone]:
    """Return how to copy the installation as it is, as a machine is cloned."""
    made: list[Installation] = []

    def copy() -> Installation:
        folder = tmp_path / f"clone-{len(made)}"
        folder.mkdir()
        for name in ("referee.toml", "referee.key"):
            shutil.copy(installation.folder / name, folder)
        done = installation.referee("backup", str(folder / "referee.db"))
        assert done.returncode == 0, done.stderr
        store = open_store(f"sqlite:///{folder / 'referee.db'}")
        with store.writing() as connection:
            lease = leases.find_lease(connection)
            # A server tells arrivals in whole seconds: what comes next comes after the last poll.
            if lease is not None and lease.polled_at is not None:
                leases.note_polled(connection, lease.polled_at - timedelta(seconds=1))
        made.append(dataclasses.replace(installation, folder=folder, store=store))
        return made[-1]

    yield copy
    for found in made:
        found.store.close()


def said(done: subprocess.CompletedProcess[str]) -> str:
    """Return the one line in which a daemon says why it does not read the mailbox."""
    assert done.returncode == 78, done.stderr
    (line,) = [each for each in done.stderr.splitlines() if each.startswith("referee: ")]
    assert "docs/organisers/moving.md" in line
    return line


def warned(installation: Installation) -> list[str]:
    """Return what the organiser is told of a second referee."""
    desk = installation.daemon().desk
    return [each.text for each in read_status(desk).concerns if "second referee" in each.text]


def known(store: Store) -> int:
    """Return how many letters a database knows."""
    with store.reading() as connection:
        return len(letters.latest_letters(connection))


def test_a_copy_left_behind_reads_nothing(installation: Installation, clone: Clone) -> None:
    """The original was started again since; the copy ends with 78, and its organiser is told."""
    installation.daemon().once()
    copy = clone()
    installation.daemon().once()
    installation.send("alice@example.test", "help")
    for words in (("run", "--once"), ("run",), ("run", "--once", "--take-over")):
        assert "was read by a copy of this database" in said(copy.referee(*words))
    assert known(copy.store) == 0
    assert installation.folder_of("INBOX") == 1
    assert any("copy" in each.text for each in read_status(copy.daemon().desk).concerns)
    assert warned(installation) == []
    installation.daemon().once()
    (told,) = warned(installation)
    assert "stop it; see docs/organisers/moving.md" in told
    with installation.store.reading() as connection:
        assert notes.RIVAL.read(connection) is not None


def test_the_organiser_is_told_once_by_mail_and_a_day_by_status(
    installation: Installation, clone: Clone
) -> None:
    """After that all is well again."""
    installation.daemon().once()
    copy = clone()
    installation.daemon().once()
    said(copy.referee("run", "--once"))
    installation.daemon().once()
    settings = replace(installation.settings, organiser="olga@example.test")
    first = Desk(installation.store, settings)
    morning = first.now().replace(hour=7) + timedelta(days=1)
    for days, told in ((0, True), (1, False)):
        moment = morning + timedelta(days=days)
        assert summary.write_if_due(replace(first, now=lambda moment=moment: moment)) is told
    later = first.now() + timedelta(days=1, minutes=1)
    concerns = read_status(replace(first, now=lambda: later)).concerns
    assert not [each for each in concerns if "second referee" in each.text]


def test_a_copy_that_lacks_letters_reads_nothing(
    installation: Installation, clone: Clone, start: Callable[[], Process]
) -> None:
    """The original has run on since without a new start; what it handled gives the copy away."""
    first = start()
    installation.send("alice@example.test", "help")
    until(lambda: installation.folder_of("Handled") == 1, "the first letter")
    copy = clone()
    installation.send("alice@example.test", "help")
    until(lambda: installation.folder_of("Handled") == 2, "the second letter")
    assert "that this database does not know" in said(copy.referee("run", "--once"))
    assert "does not know" in copy.referee("doctor", "--patience", "1").stdout
    assert known(copy.store) == 1
    installation.send("alice@example.test", "help")
    until(lambda: warned(installation), "the warning")
    assert first.popen.poll() is None


def test_a_daemon_ends_when_an_exact_copy_begins(
    installation: Installation, clone: Clone, start: Callable[[], Process]
) -> None:
    """It reads no further letter, ends with 78, and the copy tells the organiser."""
    first = start()
    until(lambda: installation.folder_of("Handled") == 0 and noted(installation), "the daemon")
    copy = clone()
    copy.daemon().once()
    copy.send("alice@example.test", "help")
    until(lambda: first.popen.poll() is not None, "the end of the first daemon")
    assert first.popen.returncode == 78
    assert "was read by a copy of this database" in first.log.read_text()
    assert known(installation.store) == 0
    assert copy.folder_of("INBOX") == 1
    copy.daemon().once()
    assert known(copy.store) == 1
    assert len(warned(copy)) == 1


def noted(installation: Installation) -> bool:
    """Return whether the mailbox was read."""
    with installation.store.reading() as connection:
        return notes.LAST_POLL.read(connection) is not None


def test_an_older_database_goes_on_where_that_is_wanted(
    installation: Installation, clone: Clone
) -> None:
    """With --reread it handles first what it lacks, and the other one is locked out."""
    installation.daemon().once()
    copy = clone()
    installation.send("alice@example.test", "help")
    installation.daemon().once()
    installation.daemon().once()
    said(copy.referee("run", "--once"))
    assert copy.referee("run", "--once", "--reread").returncode == 0
    assert known(copy.store) == 1
    assert copy.referee("run", "--once").returncode == 0
    said(installation.referee("run", "--once"))


def test_a_restored_backup_goes_on(installation: Installation) -> None:
    """Who restores it has said so: it may be older than the mark, and lack letters."""
    installation.daemon().once()
    backup = installation.folder / "monday.db"
    assert installation.referee("backup", str(backup)).returncode == 0
    installation.send("alice@example.test", "help")
    installation.daemon().once()
    installation.daemon().once()
    installation.store.close()
    assert installation.referee("restore", str(backup), "--replace").returncode == 0
    for _ in range(2):
        done = installation.referee("run", "--once")
        assert done.returncode == 0, done.stderr
    installation.store = open_store(installation.settings.database)
    assert known(installation.store) == 1


def test_two_that_begin_at_the_same_moment_are_told_apart(
    installation: Installation, clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two starts of one number differ by a word, so only the later one goes on."""
    installation.daemon().once()
    copy = clone()
    first, second = installation.daemon(), copy.daemon()
    put = type(first.reader.mailbox()).put

    def meanwhile(*given: object) -> None:
        monkeypatch.undo()
        second.once()
        put(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("referee.mail.transport.mailbox.Mailbox.put", meanwhile)
    first.once()
    assert installation.referee("run", "--once").returncode == 0
    assert "was read by a copy" in said(copy.referee("run", "--once"))


def test_a_letter_laid_into_handled_by_hand_stops_nobody(installation: Installation) -> None:
    """One that came before the last poll, as from among the junk, is no sign of a copy."""
    installation.send("alice@example.test", "help")
    with installation.daemon().reader.mailbox() as mailbox:
        mailbox.ensure_folders()
        assert mailbox.move(mailbox.new(lambda _, __: set()), "Handled", mailbox.uidvalidity)
    installation.daemon().once()
    assert installation.referee("run", "--once").returncode == 0


def test_daemons_on_one_database_share_the_number(
    tmp_path: Path, dovecot: Dovecot, smtp_server: SmtpServer, postgresql: PostgreSQL
) -> None:
    """Whichever of them reads, and in whatever order they begin, none locks another out."""
    postgresql.run("DROP DATABASE IF EXISTS copies WITH (FORCE)", "CREATE DATABASE copies")
    url = postgresql.url("copies")
    club = install(tmp_path / "shared", dovecot.account("referee"), dovecot, smtp_server, url)
    daemons = [club.daemon() for _ in range(2)]
    for daemon in (*daemons, *daemons):
        daemon.once()
    with club.store.reading() as connection:
        assert (notes.START.read(connection) or "").startswith("4 ")
    other = Desk(club.store, club.settings)
    assert read_status(other).rival is None
    club.store.close()
