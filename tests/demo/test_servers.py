"""The embedded mail servers do what mail programs expect of servers."""

import select
import smtplib
import socket
import time
from collections.abc import Iterator

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import LoginError
from support.installation import until

from referee.demo.servers import HOST, MailServers

ACCOUNTS = {f"{name}@example.test": f"pw {name}@%:/" for name in (
    "referee", "alice", "bob", "red", "green", "blue",
)}  # fmt: skip

MAIL = "From: alice@example.test\r\nTo: {to}\r\nSubject: Zug\r\n\r\nplace D6 ü\r\n"


@pytest.fixture(scope="module")
def copies() -> list[tuple[str, bytes]]:
    """Return the list that copies of all mail go to."""
    return []


@pytest.fixture(scope="module")
def servers(copies: list[tuple[str, bytes]]) -> Iterator[MailServers]:
    """Run servers for six accounts."""
    with MailServers(ACCOUNTS, lambda to, data: copies.append((to, data))) as running:
        yield running


@pytest.fixture
def sender(servers: MailServers) -> Iterator[smtplib.SMTP]:
    """Return a connection of alice's to the SMTP server, logged in."""
    with smtplib.SMTP(HOST, servers.smtp_port) as smtp:
        smtp.login("alice@example.test", ACCOUNTS["alice@example.test"])
        yield smtp


def mailbox(servers: MailServers, address: str) -> IMAPClient:
    """Return an IMAP connection to an account, with its inbox selected."""
    client = IMAPClient(HOST, port=servers.imap_port, ssl=False)
    client.login(address, ACCOUNTS[address])
    client.select_folder("INBOX")
    return client


def send(smtp: smtplib.SMTP, to: str) -> dict[str, tuple[int, bytes]]:
    """Send one mail of alice's and return who was refused."""
    return smtp.sendmail("alice@example.test", [to], MAIL.format(to=to).encode(), ["BODY=8BITMIME"])


def test_six_accounts_start_quickly() -> None:
    """Servers with six accounts are ready well within a second."""
    assert min(starting() for _ in range(3)) < 0.8


def starting() -> float:
    """Return the seconds of CPU that servers take to start."""
    began = time.process_time()
    with MailServers(ACCOUNTS):
        return time.process_time() - began


def test_mail_arrives_byte_for_byte(servers: MailServers, sender: smtplib.SMTP) -> None:
    """What was sent by SMTP is fetched by IMAP, with the trace lines before it."""
    send(sender, "bob@example.test")
    with mailbox(servers, "bob@example.test") as client:
        *_, uid = sorted(client.search("UNSEEN"))
        raw = client.fetch([uid], ["BODY.PEEK[]"])[uid][b"BODY[]"]
    trace = b"Return-Path: <alice@example.test>\r\nDelivered-To: bob@example.test\r\n"
    assert raw == trace + MAIL.format(to="bob@example.test").encode()


def test_the_null_sender_is_an_empty_return_path(
    servers: MailServers, sender: smtplib.SMTP, copies: list[tuple[str, bytes]]
) -> None:
    """What comes from nobody, as bounces do, bears the Return-Path that robots are known by."""
    sender.sendmail("", ["bob@example.test"], MAIL.format(to="bob@example.test").encode())
    assert copies[-1][1].startswith(b"Return-Path: <>\r\n")


def test_a_detail_after_a_plus_is_delivered(servers: MailServers, sender: smtplib.SMTP) -> None:
    """Mail to name+detail arrives at name and shows the detail in Delivered-To."""
    send(sender, "green+k7pq@example.test")
    with mailbox(servers, "green@example.test") as client:
        found = client.search(["HEADER", "Delivered-To", "green+k7pq@example.test"])
    assert len(found) == 1


def test_an_unknown_recipient_is_refused(sender: smtplib.SMTP) -> None:
    """Mail to nobody is refused for good, at once."""
    with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
        send(sender, "nobody@example.test")
    assert caught.value.recipients["nobody@example.test"][0] == 550


def test_logging_in_is_not_required(servers: MailServers) -> None:
    """Mail is taken without AUTH too, as a relay on the same machine would."""
    with smtplib.SMTP(HOST, servers.smtp_port) as smtp:
        assert send(smtp, "bob@example.test") == {}


@pytest.mark.parametrize(
    ("user", "password"),
    [
        ("alice@example.test", "wrong"),
        ("mallory@example.test", "pw mallory@%:/"),
        ("alice@example.test", "ü"),
    ],
)
def test_a_wrong_password_is_refused(servers: MailServers, user: str, password: str) -> None:
    """Neither server lets anybody in with a wrong name or password."""
    with smtplib.SMTP(HOST, servers.smtp_port) as smtp:
        smtp.ehlo()
        assert smtp.docmd("AUTH", "PLAIN " + plain(user, password))[0] == 535
    with (
        IMAPClient(HOST, port=servers.imap_port, ssl=False) as client,
        pytest.raises(LoginError),
    ):
        client.plain_login(user, password)


def plain(user: str, password: str) -> str:
    """Return the answer of AUTH PLAIN (RFC 4616)."""
    from base64 import b64encode

    return b64encode(f"\0{user}\0{password}".encode()).decode()


def test_idle_tells_of_new_mail_at_once(servers: MailServers, sender: smtplib.SMTP) -> None:
    """A client that waits in IDLE learns of new mail without asking."""
    with mailbox(servers, "red@example.test") as client:
        client.idle()

        def told_of_one_more() -> bool:
            # What arrives while IDLE begins is not announced.
            send(sender, "red@example.test")
            return bool(select.select([client.socket()], [], [], 5)[0])

        until(told_of_one_more, "news of new mail")
        _, told = client.idle_done()
    assert any(b"EXISTS" in each for each in told)


def test_mail_can_be_moved_to_a_folder(servers: MailServers, sender: smtplib.SMTP) -> None:
    """Folders can be made, and a message moved there leaves the inbox."""
    send(sender, "blue@example.test")
    with mailbox(servers, "blue@example.test") as client:
        client.create_folder("Handled")
        client.move(client.search(), "Handled")
        assert client.search() == []
        client.select_folder("Handled")
        assert len(client.search()) == 1


def test_every_mail_is_copied(sender: smtplib.SMTP, copies: list[tuple[str, bytes]]) -> None:
    """The callback gets each mail delivered, with its recipient."""
    copies.clear()
    send(sender, "bob+x@example.test")
    ((recipient, data),) = copies
    assert recipient == "bob+x@example.test"
    assert data.endswith("place D6 ü\r\n".encode())


def test_a_copy_that_fails_stops_no_mail() -> None:
    """When the callback fails the mail is delivered nevertheless."""

    def fail(recipient: str, data: bytes) -> None:
        raise OSError(recipient)

    with MailServers(ACCOUNTS, fail) as servers, smtplib.SMTP(HOST, servers.smtp_port) as smtp:
        smtp.login("alice@example.test", ACCOUNTS["alice@example.test"])
        send(smtp, "bob@example.test")
        with mailbox(servers, "bob@example.test") as client:
            assert len(client.search()) == 1


def test_they_stop_with_connections_open() -> None:
    """Leaving the block ends the servers although somebody is still connected."""
    with MailServers(ACCOUNTS) as servers:
        client = mailbox(servers, "alice@example.test")
        client.idle()
    until(lambda: not servers._thread.is_alive(), "the servers to stop")
    with pytest.raises(OSError):
        socket.create_connection((HOST, servers.imap_port), timeout=1)
    client.shutdown()
