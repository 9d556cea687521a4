"""Letters that people and servers move, mark, delete, repeat and renumber behind our back."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from imapclient import IMAPClient
from support.installation import Installation, until

from referee.desk.desk import Change
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, parse_holder
from referee.games import registry
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters, outbox

pytestmark = pytest.mark.mail

ALICE, BOB = "alice@example.test", "bob@example.test"


@pytest.fixture
def letter(installation: Installation) -> EmailMessage:
    """Begin a match and return alice's answer to its report, not delivered yet."""
    game = registry.find_installed("pebbles", 1)
    holders = tuple(parse_holder(each, game) for each in (f"red={ALICE}", f"blue={BOB}"))
    desk = installation.daemon().desk
    with installation.store.writing() as connection:
        plan = MatchSetup(game, holders, setup.read_options(game, []), seed=bytes(32), begins=True)
        setup.set_up_match(Change(desk, connection), plan)
    installation.daemon().once()
    with installation.store.reading() as connection:
        mails = outbox.latest_mails(connection)
    report = next(each for each in mails if (each.recipient, each.kind) == (ALICE, "report"))
    message = EmailMessage()
    message["From"], message["To"] = ALICE, installation.address
    message["Message-ID"], message["In-Reply-To"] = "<one@example.test>", report.message_id
    message.set_content("pass")
    return message


def deliver(installation: Installation, letter: EmailMessage, *, way: str = "") -> None:
    """Put a letter into the inbox, by another way if one is given."""
    raw = (f"Received: from {way}\r\n" if way else "").encode() + letter.as_bytes()
    installation.dovecot.deliver(installation.address, raw, ALICE)


@contextlib.contextmanager
def opened(installation: Installation, folder: str = "INBOX") -> Iterator[IMAPClient]:
    """Open a folder as the mailbox's owner does."""
    server = installation.settings.imap
    with IMAPClient(server.host, server.port, ssl=False, timeout=60) as client:
        client.login(server.user, server.password)
        client.select_folder(folder)
        yield client


def half_a_pass(installation: Installation) -> None:
    """Let the daemon handle what lies in the inbox, and stop before it is filed."""
    daemon = installation.daemon()
    with daemon.serving(), daemon.reader.mailbox() as mailbox:
        daemon.reader.enter(mailbox)
        daemon.reader.read(mailbox)


def played_once(installation: Installation) -> None:
    """Check that alice passed once, was told so in one mail, and that the inbox is empty."""
    installation.daemon().once()
    installation.daemon().once()
    with installation.store.reading() as connection:
        (match,) = matches.select_matches(connection)
        orders = [each for each in matches.events(connection, match.id) if each.kind == "order"]
        assert [each.seat for each in orders] == ["red"]
        assert all(row.filed for row in letters.latest_letters(connection))
        receipts = [each for each in outbox.latest_mails(connection) if each.kind == "receipt"]
        assert len(receipts) == 1
        # The report that follows at once goes out in its place.
        told = outbox.get_mail(connection, receipts[0].told_in or receipts[0].id)
    ids = [str(each["Message-ID"]) for each in installation.received(ALICE)]
    assert told.message_id in ids
    assert installation.folder_of("INBOX") == 0


def test_moved_away_and_back_and_marked(installation: Installation, letter: EmailMessage) -> None:
    """Whatever folder it lay in and whatever marks it bears, it is played when it comes back."""
    deliver(installation, letter)
    with opened(installation) as client:
        client.move(client.search(), "Ignored")
    with opened(installation, "Ignored") as client:
        client.add_flags(client.search(), [b"\\Seen", b"\\Flagged", b"\\Answered"])
        client.move(client.search(), "INBOX")
    played_once(installation)


def test_put_back_into_the_inbox(installation: Installation, letter: EmailMessage) -> None:
    """What was played is known by its bytes, in any place."""
    deliver(installation, letter)
    installation.daemon().once()
    with opened(installation, "Handled") as client:
        client.copy(client.search(["FROM", ALICE]), "INBOX")
    played_once(installation)


def test_delivered_again_by_another_way(installation: Installation, letter: EmailMessage) -> None:
    """Other Received lines make no other letter."""
    deliver(installation, letter)
    half_a_pass(installation)
    deliver(installation, letter, way="relay.example.test by mx.example.test")
    deliver(installation, letter, way="other.example.test by mx.example.test")
    played_once(installation)


def test_deleted_before_it_was_filed(installation: Installation, letter: EmailMessage) -> None:
    """What is gone from the inbox was handled all the same, and keeps nothing waiting."""
    deliver(installation, letter)
    half_a_pass(installation)
    with opened(installation) as client:
        client.delete_messages(client.search())
        client.expunge()
    played_once(installation)


def renumbered(installation: Installation) -> int:
    """Let the server forget what it knew of the inbox; return its UIDVALIDITY."""
    for file in installation.dovecot.maildir(installation.address).glob("dovecot*"):
        if file.is_dir():
            shutil.rmtree(file, ignore_errors=True)
        else:
            file.unlink(missing_ok=True)
    with opened(installation) as client:
        return int(client.folder_status("INBOX", ["UIDVALIDITY"])[b"UIDVALIDITY"])


def test_the_inbox_is_numbered_anew(installation: Installation, letter: EmailMessage) -> None:
    """Under another UIDVALIDITY the same letter is a repeat; none is moved by its old number."""
    deliver(installation, letter)
    half_a_pass(installation)
    with opened(installation) as client:
        before = client.folder_status("INBOX", ["UIDVALIDITY"])[b"UIDVALIDITY"]
    # The server takes the second it is for the number of a folder.
    until(lambda: int(time.time()) > before, "another second")
    until(lambda: renumbered(installation) != before, "another UIDVALIDITY")
    installation.daemon().once()
    with installation.store.reading() as connection:
        states = sorted(row.state for row in letters.latest_letters(connection))
        (match,) = matches.select_matches(connection)
        orders = [each for each in matches.events(connection, match.id) if each.kind == "order"]
    assert len(orders) == 1
    assert states == ["handled", "repeat"]
    assert installation.folder_of("INBOX") == 0


def test_the_same_orders_from_two_addresses(
    installation: Installation, letter: EmailMessage
) -> None:
    """One player, two addresses, two letters: the second gets the first receipt again."""
    with installation.store.writing() as connection:
        player = players.by_address(connection, ALICE)
        assert player is not None
        players.give_address(connection, player.id, "alice@work.test", now=datetime.now(UTC))
    deliver(installation, letter)
    del letter["From"], letter["Message-ID"]
    letter["From"], letter["Message-ID"] = "alice@work.test", "<two@example.test>"
    deliver(installation, letter)
    played_once(installation)
