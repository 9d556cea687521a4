"""One daemon reads several mailboxes, and answers each player from theirs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import pytest
from support.dovecot import Dovecot, free_ports
from support.installation import WAIT, Installation, parsed, until
from support.smtpd import SmtpServer
from support.storing import a_mail

from referee.daemon import readers
from referee.daemon.reader import Reader
from referee.desk import health
from referee.desk.letters import intake
from referee.desk.service.lease import living_daemon
from referee.mail.transport.servers import Server
from referee.store import leases
from referee.store.post import letters
from referee.store.store import open_store

pytestmark = pytest.mark.mail

ALICE, BOB = "alice@example.test", "bob@example.test"


def url(kind: str, server: Server) -> str:
    """Return a server as referee.toml names it."""
    account = f"{quote(server.user, safe='')}:{server.password}@" if server.user else ""
    return f"{kind}://{account}{server.host}:{server.port}"


def add(installation: Installation, address: str, imap: Server, smtp: Server) -> None:
    """Give an installation one more mailbox, with servers of its own."""
    with installation.config.open("a") as file:
        file.write(f'\n[[mailbox]]\naddress = "{address}"\n')
        file.write(f'imap = "{url("imap", imap)}"\nsmtp = "{url("smtp", smtp)}"\n')


def know(installation: Installation, *people: str) -> None:
    """Make people players."""
    for who in people:
        assert installation.referee("player", "add", who).returncode == 0


def ask_for_help(dovecot: Dovecot, address: str) -> None:
    """Let Bob send the one word ``help`` to a mailbox."""
    dovecot.deliver(address, f"From: {BOB}\r\nTo: {address}\r\n\r\nhelp\r\n".encode(), BOB)


@contextmanager
def running(installation: Installation) -> Iterator[None]:
    """Run the daemon in a thread for the block."""
    daemon = installation.daemon()
    thread = threading.Thread(target=daemon.run)
    thread.start()
    try:
        yield
    finally:
        daemon.stop()
        thread.join(WAIT)
        assert not thread.is_alive()


def senders(server: SmtpServer, recipient: str) -> list[str]:
    """Return where the mails to an address came from."""
    return [parsed(each)["From"].addresses[0].addr_spec for each in server.to(recipient)]


def test_each_mailbox_has_its_reader_and_its_way_out(
    installation: Installation, dovecot: Dovecot, smtp_server: SmtpServer, other_server: SmtpServer
) -> None:
    """Letters to both are read under a lease each, and answered by the server of each."""
    address, account = dovecot.account("games")
    add(installation, address, account, other_server.server())
    know(installation, ALICE, BOB)
    with running(installation):
        installation.send(ALICE, "help")
        ask_for_help(dovecot, address)
        until(lambda: smtp_server.to(ALICE) and other_server.to(BOB), "both answers")
        desk = installation.daemon().desk
        with desk.store.reading() as connection:
            rows = [leases.find_lease(connection, each) for each in desk.addresses]
        assert all(living_daemon(row, desk.now()) for row in rows)
    assert senders(smtp_server, ALICE) == [installation.address]
    assert senders(other_server, BOB) == [address]
    assert not smtp_server.to(BOB)


def test_a_mailbox_out_of_reach_holds_up_no_other(
    installation: Installation, smtp_server: SmtpServer
) -> None:
    """Letters to the first are read and answered, and status names the one that is not read."""
    nowhere = Server("plain", "127.0.0.1", free_ports(1)[0], "games", "pw")
    add(installation, "games@example.test", nowhere, smtp_server.server())
    know(installation, ALICE)
    with running(installation):
        installation.send(ALICE, "help")
        until(lambda: smtp_server.to(ALICE), "the answer")
        told = installation.referee("status")
    assert told.returncode == 2
    assert "games@example.test was never read" in told.stdout


def test_an_alarm_stops_the_reading_of_every_mailbox(
    installation: Installation,
    dovecot: Dovecot,
    smtp_server: SmtpServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After three letters of one that break it none is read; a restart reads both again."""
    address, account = dovecot.account("games")
    add(installation, address, account, smtp_server.server())
    know(installation, ALICE, BOB)
    judge = intake._judge

    def judging(*given: Any) -> Any:
        if b"poison" in given[-1]:
            raise LookupError("poison")
        return judge(*given)

    monkeypatch.setattr(intake, "_judge", judging)

    def rests() -> bool:
        desk = installation.daemon().desk
        with desk.store.reading() as connection:
            row = leases.find_lease(connection, address)
        return health.is_alarmed(desk) and row is not None and row.owner is None

    for number in range(3):
        installation.send(ALICE, f"poison {number}")
    with running(installation):
        until(rests, "the end of reading")
        ask_for_help(dovecot, address)
        told = installation.referee("status")
        assert told.returncode == 2
        assert "3 letters in a row could not be handled" in told.stdout
        assert not smtp_server.to(BOB)
    with running(installation):
        until(lambda: smtp_server.to(BOB), "the answer after the restart")
    assert not health.is_alarmed(installation.daemon().desk)


def failing_once(act: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose first call raises something nobody has foreseen."""
    calls = list[int]()

    def first(*given: Any, **named: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            raise LookupError("unforeseen")
        return act(*given, **named)

    return first


def test_a_reader_that_fails_as_nobody_foresaw_begins_again(
    installation: Installation,
    dovecot: Dovecot,
    smtp_server: SmtpServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Both the first mailbox and a further one are read on, and the log holds the faults."""
    address, account = dovecot.account("games")
    add(installation, address, account, smtp_server.server())
    know(installation, ALICE, BOB)
    monkeypatch.setattr(readers, "hold_lease", failing_once(readers.hold_lease))
    monkeypatch.setattr(Reader, "keep_reading", failing_once(Reader.keep_reading))
    with running(installation):
        installation.send(ALICE, "help")
        ask_for_help(dovecot, address)
        until(lambda: smtp_server.to(ALICE) and smtp_server.to(BOB), "both answers")
    faults = [each for each in caplog.records if each.exc_info and each.exc_info[0] is LookupError]
    assert len(faults) == 2


def test_a_pass_reads_every_mailbox(
    installation: Installation, dovecot: Dovecot, smtp_server: SmtpServer
) -> None:
    """``run --once`` fetches, handles and files the letters of all of them."""
    address, account = dovecot.account("games")
    add(installation, address, account, smtp_server.server())
    know(installation, BOB)
    ask_for_help(dovecot, address)
    assert installation.referee("run", "--once").returncode == 0
    assert senders(smtp_server, BOB) == [address]


@pytest.mark.parametrize("shared", [True, False])
def test_mailboxes_of_one_account_share_its_rates(
    installation: Installation,
    dovecot: Dovecot,
    smtp_server: SmtpServer,
    other_server: SmtpServer,
    *,
    shared: bool,
) -> None:
    """One mail a minute: of two domains together by one server, of each by servers of their own."""
    text = installation.config.read_text()
    installation.config.write_text(text.replace("[mail]\n", "[mail]\nmails_per_minute = 1\n"))
    smtp = smtp_server if shared else other_server
    add(installation, "games@other.test", dovecot.account("games")[1], smtp.server())
    with installation.store.writing() as connection:
        for number in range(4):
            place = ("games@other.test", installation.address)[number % 2]
            a_mail(connection, f"{number}@example.test", mailbox=place)
    installation.daemon().once()
    assert len(smtp_server.delivered) + len(other_server.delivered) == (1 if shared else 2)


@pytest.mark.parametrize("once", [True, False])
def test_after_a_restore_every_mailbox_is_read_again(
    installation: Installation, dovecot: Dovecot, smtp_server: SmtpServer, *, once: bool
) -> None:
    """Letters of each that the copy does not know are handled again, by arrival."""
    address, account = dovecot.account("games")
    add(installation, address, account, smtp_server.server())
    know(installation, ALICE, BOB)
    copy = installation.folder / "copy.db"
    assert installation.referee("backup", str(copy)).returncode == 0
    ask_for_help(dovecot, address)
    installation.daemon().once()
    # The server's stamps are of whole seconds.
    time.sleep(1.1)
    installation.send(ALICE, "help")
    installation.daemon().once()
    installation.store.close()
    assert installation.referee("restore", str(copy), "--replace").returncode == 0
    installation.store = open_store(installation.settings.database)

    def reread() -> list[tuple[str, bool]]:
        with installation.store.reading() as connection:
            rows = [row for row in letters.latest_letters(connection) if row.state == "handled"]
            asked = health.is_rereading_asked(connection)
        rows.sort(key=lambda row: str(row.handled_at))
        return [] if asked else [(str(row.sender), row.filed) for row in rows]

    if once:
        installation.daemon().once()
    else:
        with running(installation):
            until(reread, "the end of it")
    assert reread() == [(BOB, True), (ALICE, True)]
