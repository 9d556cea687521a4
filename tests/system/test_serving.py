"""One daemon reads a mailbox: two on one database, two installations on one account."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable

import pytest
from imapclient import IMAPClient
from support.installation import Installation, Process, until

from referee.desk.service import mailbox_mark
from referee.desk.service.lease import serving_daemon
from referee.mail.transport.mailbox import MailboxRefused

pytestmark = pytest.mark.mail


def served(installation: Installation) -> bool:
    """Return whether a daemon serves the mailbox."""
    desk = installation.daemon().desk
    with desk.store.reading() as connection:
        return serving_daemon(connection) is not None


def marks(installation: Installation) -> list[bytes]:
    """Return the marks in the mailbox, oldest first; none while there is no folder for them."""
    reader = installation.daemon().reader
    with reader.mailbox() as mailbox, contextlib.suppress(MailboxRefused):
        found = mailbox.find("Handled", mailbox_mark.SUBJECT)
        raws = [each.raw for each in found]
        return [raw for raw in raws if f"{mailbox_mark.REFUSED} ".encode() not in raw]
    return []


def test_a_second_daemon_exits_with_one_line(
    installation: Installation, start: Callable[[], Process]
) -> None:
    """It says who serves the mailbox and since when; the first one goes on."""
    first = start()
    until(lambda: served(installation), "the first daemon")
    for words in (("run",), ("run", "--once")):
        done = installation.referee(*words)
        assert done.returncode == 2
        lines = [line for line in done.stderr.splitlines() if line.startswith("referee: ")]
        assert len(lines) == 1
        assert f"process {first.popen.pid} on" in lines[0]
        assert "since 20" in lines[0]
        assert "Traceback" not in done.stderr
    assert first.popen.poll() is None
    assert f"process {first.popen.pid}" in installation.referee("status").stdout


def test_a_stopped_daemon_leaves_its_place(
    installation: Installation, start: Callable[[], Process]
) -> None:
    """After SIGTERM the next one begins at once."""
    first = start()
    until(lambda: served(installation), "the first daemon")
    assert first.stop() == 0
    assert not served(installation)
    start()
    until(lambda: served(installation), "the second daemon")


def test_a_killed_daemon_locks_nobody_out(
    installation: Installation, start: Callable[[], Process]
) -> None:
    """Its place is free at once: the next does not wait until it was silent."""
    first = start()
    until(lambda: served(installation), "the first daemon")
    first.stop(signal.SIGKILL)
    assert not served(installation)
    second = start()

    def taken_over() -> bool:
        assert second.popen.poll() is None, second.log.read_text()
        return served(installation)

    until(taken_over, "the second daemon")
    until(lambda: len(marks(installation)) == 1, "the mark, once")


def test_a_stopped_process_keeps_its_place(
    installation: Installation, start: Callable[[], Process]
) -> None:
    """However long it is silent, no second one works beside it; when it goes on all is well."""
    first = start()
    until(lambda: served(installation), "the first daemon")
    os.kill(first.popen.pid, signal.SIGSTOP)
    done = installation.referee("run", "--once")
    assert (done.returncode, f"process {first.popen.pid} on" in done.stderr) == (2, True)
    os.kill(first.popen.pid, signal.SIGCONT)
    assert first.stop() == 0
    assert not served(installation)


def test_an_installation_leaves_one_mark(installation: Installation) -> None:
    """It names the installation, lies in Handled, is read already, and replaces the one before."""
    installation.daemon().once()
    installation.daemon().once()
    (found,) = marks(installation)
    assert b"Auto-Submitted: auto-generated" in found
    server = installation.settings.imap
    with IMAPClient(server.host, server.port, ssl=False, timeout=60) as client:
        client.login(server.user, server.password)
        client.select_folder("Handled", readonly=True)
        assert client.search(["SEEN"]) == client.search(["ALL"])


def test_another_installation_refuses_the_mailbox(
    installation: Installation, rival: Installation
) -> None:
    """It exits with one line before it reads or sends anything."""
    installation.daemon().once()
    installation.send("alice@example.test", "help")
    for words in (("run", "--once"), ("run",)):
        done = rival.referee(*words)
        assert done.returncode == 78
        (line,) = [each for each in done.stderr.splitlines() if each.startswith("referee: ")]
        assert "belongs to another installation" in line
        assert "referee run --take-over" in line
    assert installation.folder_of("INBOX") == 1
    assert len(marks(installation)) == 1


def test_an_installation_that_takes_over_locks_the_other_out(
    installation: Installation, rival: Installation
) -> None:
    """Told to, it reads the mailbox from then on, without being told again; the old one stops."""
    installation.daemon().once()
    assert rival.referee("run", "--once", "--take-over").returncode == 0
    assert rival.referee("run", "--once").returncode == 0
    done = installation.referee("run", "--once")
    assert done.returncode == 78
    assert "belongs to another installation" in done.stderr


def test_a_letter_cannot_pose_as_a_mark(installation: Installation) -> None:
    """What somebody sends us locks nobody out, whatever its headers say."""
    installation.daemon().once()
    for number in range(3):
        raw = (
            b"From: alice@example.test\r\nMessage-ID: <%d@x.test>\r\n"
            b"Subject: The referee's mark on this mailbox\r\n"
            b"X-Referee-Installation: installation beef\r\n\r\nhelp\r\n" % number
        )
        installation.dovecot.deliver(installation.address, raw)
    installation.daemon().once()
    installation.daemon().once()
    server = installation.settings.imap
    with IMAPClient(server.host, server.port, ssl=False, timeout=60) as client:
        client.login(server.user, server.password)
        client.select_folder("Ignored", readonly=True)
        stray = client.search(["ALL"])
        assert len(stray) == 3
        client.move(stray, "Handled")
    installation.daemon().once()
