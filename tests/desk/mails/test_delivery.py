"""How the outbox is emptied, and what happens while the server cannot be used."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from support.club import Club
from support.smtpd import Mode, SmtpServer
from support.storing import a_mail

from referee.desk.mails.delivery import Sending
from referee.mail.transport.postman import DeliveryOutcome, Postman
from referee.mail.transport.servers import Server
from referee.store import notes
from referee.store.people import players
from referee.store.post import outbox
from referee.store.post.outbox import OutboxRow


class Office:
    """One sending after another, as the daemon does it, to a server."""

    def __init__(self, club: Club, server: Server) -> None:
        self.club = club
        self.sending = Sending(club.desk, Postman(server))

    def send(self) -> int:
        """Send once what is due and hang up; return how many mails were tried."""

        async def work() -> int:
            tried = await self.sending.send_due()
            await self.sending.postman.close()
            return tried

        return asyncio.run(work())

    def mails(self) -> list[OutboxRow]:
        """Return all mails, oldest first."""
        with self.club.desk.store.reading() as connection:
            return list(reversed(outbox.latest_mails(connection)))

    def trouble(self) -> str | None:
        """Return what is noted about sending."""
        with self.club.desk.store.reading() as connection:
            return notes.read_value(connection, "sending")


@pytest.fixture
def office(club: Club, smtp_server: SmtpServer) -> Office:
    """Return an office with a mail to alice and one to bob."""
    with club.desk.store.writing() as connection:
        a_mail(connection, "alice@example.test", now=club.desk.now())
        a_mail(connection, "bob@example.test", now=club.desk.now())
    return Office(club, smtp_server.server())


def test_a_server_that_cannot_be_reached_counts_against_no_mail(
    office: Office, smtp_server: SmtpServer
) -> None:
    """One try for all mails; they stand as before, the trouble is noted, and then they leave."""
    smtp_server.mode = "refuse connection"
    assert office.send() == 1
    assert [(each.state, each.attempts) for each in office.mails()] == [("waiting", 0)] * 2
    assert "closed for the winter" in (office.trouble() or "")
    smtp_server.mode = "ok"
    assert office.send() == 0
    office.club.later(seconds=3)
    assert office.send() == 2
    assert [each.state for each in office.mails()] == ["sent", "sent"]
    assert office.trouble() is None


@pytest.mark.parametrize("mode", ["later at rcpt", "drop at mail", "later after dot"])
def test_a_mail_that_may_have_arrived_stays_uncertain_until_a_definite_answer(
    office: Office, smtp_server: SmtpServer, mode: Mode
) -> None:
    """A second try that was put off does not make it one that never left."""
    smtp_server.modes = ["drop after dot", "ok", mode]
    office.send()
    office.club.later(hours=1)
    office.send()
    assert [each.state for each in office.mails()] == ["uncertain", "sent"]
    office.club.later(hours=1)
    office.send()
    assert [each.state for each in office.mails()] == ["sent", "sent"]
    assert len({each.raw for each in smtp_server.to("alice@example.test")}) == 1


def test_tries_to_reach_a_server_become_rarer(office: Office, smtp_server: SmtpServer) -> None:
    """Two seconds, then twice as long each time, at most a minute apart."""
    smtp_server.mode = "refuse connection"
    times = []
    for second in range(400):
        if office.send():
            times.append(second)
        office.club.later(seconds=1)
    gaps = [later - sooner for sooner, later in pairwise(times)]
    assert gaps[:6] == [2, 4, 8, 16, 32, 60]
    assert max(gaps) == 60


def test_a_refused_login_is_noted_since_when(club: Club, smtp_server: SmtpServer) -> None:
    """The trouble keeps its first moment, names the server and holds no password."""
    smtp_server.auth = True
    with club.desk.store.writing() as connection:
        a_mail(connection, now=club.desk.now())
    office = Office(club, smtp_server.server(user="referee", password="wrong-word"))
    assert office.send() == 1
    first = office.trouble()
    assert first is not None
    assert "login refused" in first
    assert "wrong-word" not in first
    club.later(seconds=60)
    assert office.send() == 0
    club.later(seconds=60)
    assert office.send() == 1
    assert office.trouble() == first
    assert [(each.state, each.attempts) for each in office.mails()] == [("waiting", 0)]


def test_a_refused_mail_stops_no_other(office: Office, smtp_server: SmtpServer) -> None:
    """What a server says about one mail is no trouble of the server."""
    smtp_server.refused = {"alice@example.test": "550 5.1.1 no such mailbox"}
    assert office.send() == 2
    assert [each.state for each in office.mails()] == ["failed", "sent"]
    assert office.trouble() is None


def test_an_uncertain_mail_stays_uncertain_while_the_server_is_away(
    office: Office, smtp_server: SmtpServer
) -> None:
    """It may have arrived; a vain try changes nothing about that."""
    smtp_server.modes = ["drop after dot"]
    office.send()
    before = office.mails()[0]
    assert before.state == "uncertain"
    office.club.later(hours=1)
    smtp_server.mode = "refuse connection"
    assert office.send() == 1
    assert office.mails()[0].state == "uncertain"
    assert office.mails()[0].attempts == before.attempts


def test_a_recipient_refused_for_good_marks_his_address(
    club: Club, smtp_server: SmtpServer
) -> None:
    """A definite 550 is as good as a bounce; a mail that displeases the server is not."""
    club.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test")
    smtp_server.refused = {"alice@example.test": "550 5.1.1 no such mailbox"}
    smtp_server.mode = "failed after dot"
    Office(club, smtp_server.server()).send()
    with club.desk.store.reading() as connection:
        (failing,) = players.failing_addresses(connection)
    assert (failing.address, failing.reason) == (
        "alice@example.test",
        "550 5.1.1 no such mailbox",
    )


def test_the_disk_is_waited_for_before_any_mail_leaves(office: Office) -> None:
    """What a loss of power could undo must not have been told to anybody."""
    seen: list[str | None] = []

    class Watching(Postman):
        async def send(self, recipient: str, envelope_from: str, raw: bytes) -> DeliveryOutcome:
            with office.club.desk.store.reading() as connection:
                seen.append(notes.read_value(connection, "flushed"))
            return await super().send(recipient, envelope_from, raw)

    office.sending.postman = Watching(office.sending.postman.server)
    with office.club.desk.store.reading() as connection:
        before = notes.read_value(connection, "flushed")
    assert office.send() == 2
    assert seen[0] not in {None, before}
