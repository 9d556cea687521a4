"""The mailbox on a real server."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from imapclient import IMAPClient
from support.dovecot import DOMAIN, PASSWORD, Dovecot
from support.misbehaving import nobody

from referee.mail.transport.mailbox import (
    Folders,
    LoginRefused,
    Mailbox,
    MailboxLost,
    MailboxRefused,
)
from referee.mail.transport.servers import Security, Server
from referee.value import replace

pytestmark = pytest.mark.mail

LONG = 250.0
"""Seconds nobody waits unless something is wrong."""


def letter(number: int = 1, body: str = "hello") -> bytes:
    return f"From: alice@{DOMAIN}\r\nSubject: {number}\r\n\r\n{body}\r\n".encode()


def nothing_known(_: int, __: Sequence[int]) -> set[int]:
    return set()


Opened = Callable[..., Mailbox]


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Hand out mailboxes that are closed when the test ends, however it does."""
    with contextlib.ExitStack() as stack:

        def connect(server: Server, *, inbox: str = "INBOX", **settings: Any) -> Mailbox:
            mailbox = Mailbox(server, Folders(inbox=inbox), **settings)
            stack.callback(mailbox.close)
            mailbox.connect()
            mailbox.ensure_folders()
            mailbox.select()
            return mailbox

        yield connect


def test_letters_are_fetched_as_they_arrived(dovecot: Dovecot, opened: Opened):
    """A letter is fetched with its bytes, size and the server's stamp, and stays unread."""
    address, server = dovecot.account()
    dovecot.deliver(address, letter())
    mailbox = opened(server)
    (got,) = mailbox.fetch(mailbox.new(nothing_known), 10_000)
    assert got.raw.endswith(letter())
    assert got.size == len(got.raw)
    assert got.uidvalidity == mailbox.uidvalidity
    assert not got.truncated
    assert got.arrived.tzinfo is UTC
    assert abs(got.arrived - datetime.now(UTC)) < timedelta(minutes=30)
    mailbox.close()
    with IMAPClient("127.0.0.1", dovecot.imap, ssl=False) as client:
        client.login(address, PASSWORD)
        client.select_folder("INBOX")
        assert client.search(["UNSEEN"]) == [got.uid]


def test_only_unknown_uids_are_new(dovecot: Dovecot, opened: Opened):
    """A UID the store knows under this UIDVALIDITY is not new."""
    address, server = dovecot.account()
    for number in range(3):
        dovecot.deliver(address, letter(number))
    mailbox = opened(server)
    asked: list[int] = []

    def knows_the_second(uidvalidity: int, uids: Sequence[int]) -> set[int]:
        asked.append(uidvalidity)
        return {sorted(uids)[1]}

    new = mailbox.new(knows_the_second)
    assert asked == [mailbox.uidvalidity]
    assert new == [1, 3]


def test_of_a_letter_above_the_cap_only_the_head_is_fetched(dovecot: Dovecot, opened: Opened):
    """Above the cap the first bytes come with the true size; smaller letters come whole."""
    address, server = dovecot.account()
    dovecot.deliver(address, letter(1, "x" * 60 + "\r\n" + "y\r\n" * 50_000))
    dovecot.deliver(address, letter(2))
    mailbox = opened(server)
    big, small = mailbox.fetch(mailbox.new(nothing_known), 10_000, head_bytes=2_000)
    assert (len(big.raw), big.truncated) == (2_000, True)
    assert big.size > 150_000
    assert b"Subject: 1" in big.raw
    assert (small.truncated, b"Subject: 2" in small.raw) == (False, True)


def test_more_letters_than_one_command_takes_come_all(dovecot: Dovecot, opened: Opened):
    """Letters are fetched in chunks and none is left out."""
    address, server = dovecot.account()
    with IMAPClient("127.0.0.1", dovecot.imap, ssl=False) as client:
        client.login(address, PASSWORD)
        client.multiappend("INBOX", [letter(number) for number in range(120)])
    mailbox = opened(server)
    got = list(mailbox.fetch(mailbox.new(nothing_known), 10_000))
    assert [each.uid for each in got] == list(range(1, 121))


def test_handled_letters_are_moved_and_missing_ones_are_no_fault(dovecot: Dovecot, opened: Opened):
    """A move takes letters out of the inbox; a UID that is gone does not disturb it."""
    address, server = dovecot.account()
    for number in range(2):
        dovecot.deliver(address, letter(number))
    mailbox = opened(server)
    assert mailbox.move([1, 99], "Handled", mailbox.uidvalidity)
    assert mailbox.move([1], "Handled", mailbox.uidvalidity)
    mailbox.select()
    assert mailbox.new(nothing_known) == [2]
    assert len(mailbox.find("Handled", "0")) == 1
    assert mailbox.new(nothing_known) == [2]


def test_nothing_is_moved_under_another_uidvalidity(dovecot: Dovecot, opened: Opened):
    """Numbers read under another UIDVALIDITY mean other letters, which stay where they are."""
    address, server = dovecot.account()
    dovecot.deliver(address, letter())
    mailbox = opened(server)
    assert not mailbox.move([1], "Handled", mailbox.uidvalidity + 1)
    mailbox.select()
    assert mailbox.new(nothing_known) == [1]


def test_a_changed_uidvalidity_is_noticed_when_selecting_again(dovecot: Dovecot, opened: Opened):
    """In a folder made anew the UIDVALIDITY is another, and the number known before is new."""
    _, server = dovecot.account()

    def make_anew(client: IMAPClient, raw: bytes) -> None:
        if client.folder_exists("Letters"):
            client.delete_folder("Letters")
        client.create_folder("Letters")
        client.append("Letters", raw)

    def knows_the_first(uidvalidity: int, _: Sequence[int]) -> set[int]:
        return {1} if uidvalidity == before else set()

    with IMAPClient("127.0.0.1", dovecot.imap, ssl=False) as client:
        client.login(server.user, PASSWORD)
        make_anew(client, letter(1))
        mailbox = opened(server, inbox="Letters")
        before = mailbox.uidvalidity
        assert mailbox.new(knows_the_first) == []
        make_anew(client, letter(2))
    assert mailbox.select() != before
    assert mailbox.new(knows_the_first) == [1]


def test_folders_are_created_once(dovecot: Dovecot, opened: Opened):
    """Folders that exist already are left alone."""
    _, server = dovecot.account()
    mailbox = opened(server)
    mailbox.ensure_folders()
    mailbox.put("Handled", letter(5))
    (found,) = mailbox.find("Handled", "5")
    assert (found.uid, found.raw) == (1, letter(5).removesuffix(b"hello\r\n"))


def test_what_was_looked_through_is_not_looked_through_again(dovecot: Dovecot, opened: Opened):
    """A second look finds only what came since, and what was removed is gone for good."""
    _, server = dovecot.account()
    mailbox = opened(server)
    mailbox.ensure_folders()
    for number in (5, 15):
        mailbox.put("Handled", letter(number))
    assert [each.uid for each in mailbox.find("Handled", "5")] == [1, 2]
    mailbox.put("Handled", letter(25))
    assert [each.uid for each in mailbox.find("Handled", "5")] == [3]
    mailbox.remove("Handled", [1, 3])
    assert [each.uid for each in opened(server).find("Handled", "5")] == [2]
    assert mailbox.new(nothing_known) == []


def test_the_newest_letters_are_listed_alone(dovecot: Dovecot, opened: Opened):
    """A look at the last few of a large folder asks for no others."""
    address, server = dovecot.account()
    for number in range(4):
        dovecot.deliver(address, letter(number))
    mailbox = opened(server)
    assert [each.uid for each in mailbox.overview(["MESSAGE-ID"], 2)] == [3, 4]
    assert [each.uid for each in mailbox.overview(["MESSAGE-ID"])] == [1, 2, 3, 4]


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_certificates_are_verified(dovecot: Dovecot, opened: Opened, security: Security):
    """A connection is made when the certificate is trusted, and refused with advice when not."""
    _, server = dovecot.account(security=security)
    mailbox = opened(server)
    assert mailbox.uidvalidity
    with pytest.raises(MailboxRefused, match="ca_file"):
        Mailbox(replace(server, cafile=None), Folders()).connect()


def test_a_wrong_password_is_named_without_repeating_it(dovecot: Dovecot):
    """A refused login says which account, and never the password."""
    address, server = dovecot.account()
    with pytest.raises(LoginRefused, match=address) as caught:
        Mailbox(replace(server, password="hunter2"), Folders()).connect()
    assert "hunter2" not in str(caught.value)


def test_a_password_beyond_ascii_is_sent_as_utf_8(dovecot: Dovecot):
    """A password with umlauts is refused by the server, not by a codec."""
    _, server = dovecot.account()
    with pytest.raises(LoginRefused):
        Mailbox(replace(server, password="Käse"), Folders()).connect()


def test_an_arriving_letter_ends_the_wait(dovecot: Dovecot, opened: Opened):
    """IDLE reports a delivery long before the time is up."""
    address, server = dovecot.account()
    mailbox = opened(server)
    timer = threading.Timer(0.3, dovecot.deliver, (address, letter()))
    timer.start()
    begun = time.monotonic()
    assert mailbox.wait(LONG)
    assert time.monotonic() - begun < LONG
    assert mailbox.new(nothing_known) == [1]
    timer.join()


def test_a_wait_whose_time_is_up_reports_nothing(dovecot: Dovecot, opened: Opened):
    """A quiet wait returns False and leaves a usable connection."""
    _, server = dovecot.account()
    mailbox = opened(server)
    assert not mailbox.wait(0.2)
    assert mailbox.select()


def test_a_wait_can_be_ended_from_another_thread(dovecot: Dovecot, opened: Opened):
    """Waking ends the wait at once, also over TLS."""
    _, server = dovecot.account(security="tls")
    mailbox = opened(server)
    timer = threading.Timer(0.2, mailbox.wake)
    timer.start()
    begun = time.monotonic()
    assert not mailbox.wait(LONG)
    assert time.monotonic() - begun < LONG
    timer.join()


def test_an_event_that_stops_the_program_ends_the_wait(dovecot: Dovecot, opened: Opened):
    _, server = dovecot.account()
    stopping = threading.Event()
    mailbox = opened(server, stopping=stopping)
    timer = threading.Timer(0.2, stopping.set)
    timer.start()
    begun = time.monotonic()
    assert not mailbox.wait(LONG)
    assert time.monotonic() - begun < LONG
    timer.join()


def test_no_server_at_all_is_a_loss_not_a_refusal():
    """A server that does not listen may do so later."""
    with nobody() as port, pytest.raises(MailboxLost, match="connecting"):
        Mailbox(Server("plain", "127.0.0.1", port, "a", "b"), Folders()).connect()
