"""How the outbox is emptied, and what happens while the server cannot be used."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from email import policy
from email.parser import BytesParser
from itertools import pairwise

import pytest
from support.club import ALICE, Club, Mail
from support.smtpd import Fault, Mode, SmtpServer, Stage
from support.storing import a_mail

from referee.desk.desk import Change
from referee.desk.mails import delivery, post
from referee.desk.mails.delivery import Sending
from referee.desk.matches import told
from referee.desk.matches.time import clock
from referee.desk.matches.told import ToldMark
from referee.desk.plans import post as plans_post
from referee.desk.service import status
from referee.desk.work import Refused
from referee.mail.transport.postman import DeliveryOutcome, Postman
from referee.mail.transport.servers import Rate, Server, Timing
from referee.store import notes
from referee.store.database.errors import StoreLocked
from referee.store.notes import Rest
from referee.store.people import players
from referee.store.post import claims, outbox
from referee.store.tables.post import OutboxRow
from referee.value import replace


class Office:
    """One sending after another, as the daemon does it, to a server."""

    def __init__(
        self, club: Club, server: Server, patience: float = 30, answer: float | None = None
    ) -> None:
        """Make one that waits so many seconds before it asks over another connection.

        Each answer it waits for as many seconds as are given, or ten times as long.
        """
        self.club = club
        timing = Timing(*[answer or 10 * patience] * 4)
        self.sending = Sending(club.desk, Postman(server, timing), patience=patience)

    def send(self) -> int:
        """Send once what is due and hang up; return how many mails were tried."""

        async def work() -> int:
            try:
                return await self.sending.send_due()
            finally:
                await self.sending.postman.close()

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
    server = office.sending.postman.server
    assert f"Z sending: {server}: " in (office.trouble() or "")
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


@pytest.mark.parametrize("mode", ["later at rcpt", "refuse connection", "failed at rcpt"])
def test_a_mail_that_another_daemon_took_over_and_sent_stays_sent(
    office: Office, smtp_server: SmtpServer, mode: Mode
) -> None:
    """Whoever was silent for long, and counted as dead, puts nothing back when it wakes."""
    smtp_server.mode = mode
    sending, store = office.sending, office.club.desk.store
    sending.worker = "silent"
    send = sending.postman.send

    async def slowly(recipient: str, envelope_from: str, raw: bytes) -> DeliveryOutcome:
        outcome = await send(recipient, envelope_from, raw)
        with store.writing() as connection:
            for doubted in claims.recover_mails(connection, ["silent"]):
                outbox.mark_mail(connection, doubted.id, "sent", now=office.club.desk.now())
        return outcome

    sending.postman.send = slowly  # type: ignore[method-assign]
    office.send()
    states = [each.state for each in office.mails()]
    assert states[0] == "sent"
    assert "failed" not in states


def test_a_mail_taken_while_the_database_failed_leaves_once(
    office: Office, smtp_server: SmtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its match may be locked for long: the server's word is noted as soon as it is free."""
    noted, sent = delivery._note, list[int]()
    fails = [True, True]

    def note(change: Change, row: OutboxRow, outcome: DeliveryOutcome) -> None:
        if fails:
            fails.pop()
            raise StoreLocked("locked")
        noted(change, row, outcome)

    monkeypatch.setattr(delivery, "_note", note)
    office.sending.note_sent = lambda row: sent.append(row.id)
    for _ in range(2):
        with pytest.raises(StoreLocked):
            office.send()
        office.club.later(hours=1)
    assert office.send() == 1
    assert [each.state for each in office.mails()] == ["sent", "sent"]
    assert sorted(sent) == [each.id for each in office.mails()]
    assert len(smtp_server.to("alice@example.test")) == 1


def test_a_damaged_match_holds_up_no_mail_of_others(
    office: Office, smtp_server: SmtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What follows from its mail cannot be noted; that it has left is."""
    noted = delivery._note

    def note(change: Change, row: OutboxRow, outcome: DeliveryOutcome) -> None:
        if row.recipient == "alice@example.test":
            raise ValueError("damaged")
        noted(change, row, outcome)

    monkeypatch.setattr(delivery, "_note", note)
    with pytest.raises(ValueError, match="damaged"):
        office.send()
    assert office.send() == 1
    assert [each.state for each in office.mails()] == ["sent", "sent"]
    assert len(smtp_server.to("alice@example.test")) == 1


def test_sending_stops_between_two_mails(office: Office, smtp_server: SmtpServer) -> None:
    """Whoever is asked to stop finishes the mail in hand, and leaves the others as they are."""
    office.sending.goes_on = lambda: not smtp_server.to("alice@example.test")
    assert office.send() == 1
    assert [(each.state, each.attempts) for each in office.mails()] == [("sent", 1), ("waiting", 0)]
    assert office.send() == 0


def test_trouble_of_a_daemon_that_was_stopped_ends_with_the_mails_of_another(
    office: Office, smtp_server: SmtpServer
) -> None:
    """Whoever sends looks once a minute whether some is noted."""
    club = office.club
    office.sending.worker = "one"
    office.send()
    smtp_server.mode = "refuse connection"
    with club.desk.store.writing() as connection:
        a_mail(connection, "carol@example.test", now=club.desk.now())
    Office(club, smtp_server.server()).send()
    assert office.trouble()
    smtp_server.mode = "ok"
    club.later(minutes=2)
    assert office.send() == 1
    assert office.trouble() is None


def test_a_server_is_tried_every_hour_without_a_mail(club: Club, smtp_server: SmtpServer) -> None:
    """What is wrong is noted before a mail meets it, and forgotten once it is right again."""
    office = Office(club, smtp_server.server())
    smtp_server.mode = "refuse connection"
    assert office.send() == 0
    assert "closed for the winter" in (office.trouble() or "")
    smtp_server.mode = "ok"
    club.later(seconds=3)
    office.send()
    assert office.trouble() is None
    tried = smtp_server.connections
    club.later(minutes=59)
    office.send()
    assert smtp_server.connections == tried
    club.later(minutes=1)
    office.send()
    assert smtp_server.connections == tried + 1


def test_a_log_in_does_not_end_trouble_about_a_mail(
    office: Office, smtp_server: SmtpServer
) -> None:
    """The server lets us in, and takes nothing from us: only a mail that left ends that."""
    said = "550 5.7.1 you may not send"
    smtp_server.refused = dict.fromkeys(("alice@example.test", "bob@example.test"), said)
    assert office.send() == 2
    assert said in (office.trouble() or "")
    # Each mail waits longer from try to try, soon for more than an hour.
    office.sending._looked -= delivery.LOOKS
    tried = smtp_server.connections
    assert office.send() == 0
    assert smtp_server.connections == tried + 1
    assert said in (office.trouble() or "")


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


def limited(club: Club, smtp_server: SmtpServer, mails: int, *limits: Rate) -> Office:
    """Return an office with mails to as many people, at a server that is sent no more than so."""
    with club.desk.store.writing() as connection:
        for number in range(mails):
            a_mail(connection, f"player{number}@example.test", now=club.desk.now())
    return Office(club, replace(smtp_server.server(), rates=limits))


def rest_line(club: Club) -> str | None:
    """Return what the status says of the rest of all sending."""
    return status.read_status(club.desk).rest_line


def test_mails_wait_for_the_rate_in_place_of_being_refused(
    club: Club, smtp_server: SmtpServer
) -> None:
    """Two a minute and five a day: the next leaves when the first of the last ones is so old."""
    office = limited(club, smtp_server, 7, Rate(2, "minute"), Rate(5, "day"))
    assert rest_line(club) is None
    tried = []
    for second in range(200):
        # A restart does not begin to count anew.
        office = Office(club, office.sending.postman.server)
        tried += [second] * office.send()
        club.later(seconds=1)
    assert tried == [0, 0, 60, 60, 120]
    assert rest_line(club) == (
        "sending rests until 2026-11-22T12:00:00Z: no more than 5 mails a day "
        "([mail] mails_per_day)"
    )
    club.later(days=1, seconds=-201)
    assert office.send() == 0
    club.later(seconds=1)
    assert office.send() == 2
    assert rest_line(club) is None
    assert {(each.state, each.attempts) for each in office.mails()} == {("sent", 1)}
    assert smtp_server.connections < 200


def test_mails_in_the_hands_of_others_count_for_the_rate(
    club: Club, smtp_server: SmtpServer
) -> None:
    """Of three a minute another daemon is sending one, so two leave here."""
    office = limited(club, smtp_server, 4, Rate(3, "minute"))
    with club.desk.store.writing() as connection:
        theirs = outbox.latest_mails(connection)[0]
        outbox.claim_mail(connection, theirs.id, "another daemon")
    assert office.send() == 2


def test_mails_that_wait_long_for_the_rate_name_it(club: Club, smtp_server: SmtpServer) -> None:
    """The status says why and until when, in place of where to look."""
    office = limited(club, smtp_server, 2, Rate(1, "day"))
    assert office.send() == 1
    assert not [each for each in status.read_status(club.desk).concerns if "rests" in each.text]
    club.later(hours=3)
    office.send()
    told = [each.text for each in status.read_status(club.desk).concerns]
    assert any("a mail waits to be sent: sending rests until" in each for each in told)


def test_a_server_that_asks_for_patience_gets_it(office: Office, smtp_server: SmtpServer) -> None:
    """Nobody's mail is tried for a minute; then the other mails leave, and the refused one, too."""
    alice = "alice@example.test"
    smtp_server.refused = {alice: "451 4.7.500 Server busy. Please try again later."}
    assert office.send() == 1
    assert "Server busy" in (rest_line(office.club) or "")
    office.club.later(seconds=59)
    assert office.send() == 0
    office.club.later(seconds=1)
    # A daemon that was started meanwhile waits as well.
    office.sending.refusals = 0
    assert office.send() == 1
    assert [each.state for each in office.mails()] == ["waiting", "sent"]
    smtp_server.refused = {}
    office.club.later(seconds=30)
    assert office.send() == 1
    assert [each.state for each in office.mails()] == ["sent", "sent"]


def test_a_short_rest_does_not_end_a_longer_one(office: Office, smtp_server: SmtpServer) -> None:
    """Another daemon was told to wait for a day; a refusal here asks for a minute only."""
    now, server = office.club.desk.now(), office.sending.postman.server
    with office.club.desk.store.writing() as connection:
        for hours in (20, 1):
            rest = Rest(str(server), now + timedelta(hours=hours), "too much")
            delivery.note_rest(connection, rest, now)
    assert office.send() == 0
    office.club.later(hours=2)
    assert office.send() == 0
    office.club.later(hours=18)
    assert office.send() == 2


def test_the_rest_of_another_account_holds_nothing_up(office: Office) -> None:
    """Mail leaves at once by the server that took the place of one that had enough."""
    now = office.club.desk.now()
    with office.club.desk.store.writing() as connection:
        rest = Rest("referee@smtp.example.org:465", now + timedelta(hours=20), "too much")
        delivery.note_rest(connection, rest, now)
    assert office.send() == 2


def test_a_rest_that_another_daemon_began_ends_a_batch(office: Office) -> None:
    """The mail in hand leaves, and no other one."""
    club, server = office.club, office.sending.postman.server

    class Told(Postman):
        async def send(self, recipient: str, envelope_from: str, raw: bytes) -> DeliveryOutcome:
            rest = Rest(str(server), club.desk.now() + timedelta(minutes=1), "server busy")
            with club.desk.store.writing() as connection:
                delivery.note_rest(connection, rest, club.desk.now())
            return await super().send(recipient, envelope_from, raw)

    office.sending.postman = Told(server)
    assert office.send() == 1


def test_rests_become_longer_while_nothing_is_taken() -> None:
    """A minute, then twice as long each time, a quarter of an hour at most."""
    minutes = [delivery.rest_after(number).total_seconds() / 60 for number in range(40)]
    assert minutes[:6] == [1, 2, 4, 8, 15, 15]
    assert max(minutes) == 15


@pytest.mark.parametrize(
    "said", ["450 4.2.0 Greylisted, come back later", "450 4.7.1 Greylisting in action"]
)
def test_greylisting_keeps_back_one_mail_alone(
    office: Office, smtp_server: SmtpServer, said: str
) -> None:
    """It says something about one recipient, not about how much was sent."""
    smtp_server.refused = {"alice@example.test": said}
    assert office.send() == 2
    assert [each.state for each in office.mails()] == ["waiting", "sent"]
    assert rest_line(office.club) is None


def test_a_clock_set_back_ends_a_rest(office: Office, smtp_server: SmtpServer) -> None:
    """A rest of a day, begun by a clock a year ahead, does not last a year."""
    office.club.later(days=365)
    smtp_server.refused = {"alice@example.test": "550 5.4.5 Daily user sending limit exceeded."}
    assert office.send() == 1
    office.club.later(days=-365)
    assert rest_line(office.club) is None
    assert office.send() == 1


@pytest.mark.parametrize(
    "said", ["550 5.7.1 your account is suspended", "552 5.2.2 your mailbox is over quota"]
)
def test_a_refused_sender_is_our_trouble_and_no_mail_fails(
    office: Office, smtp_server: SmtpServer, said: str
) -> None:
    """One try for all mails, which wait as they are; all leave when the account is free again."""
    smtp_server.mode = Fault("MAIL", said)
    assert office.send() == 1
    assert [(each.state, each.attempts) for each in office.mails()] == [("waiting", 0)] * 2
    assert f"sender refused: {said[4:]}; see at the provider" in (office.trouble() or "")
    office.club.later(seconds=119)
    assert office.send() == 0
    smtp_server.mode = "ok"
    office.club.later(seconds=1)
    assert office.send() == 2
    assert {each.state for each in office.mails()} == {"sent"}
    assert office.trouble() is None


def test_a_refused_sender_is_noticed_and_forgotten_without_a_mail(
    club: Club, smtp_server: SmtpServer
) -> None:
    """Whoever looks whether mail could leave names the sender, too."""
    office = Office(club, smtp_server.server())
    smtp_server.mode = Fault("MAIL", "550 5.7.1 your account is suspended")
    assert office.send() == 0
    assert "sender refused" in (office.trouble() or "")
    club.later(minutes=2)
    assert office.send() == 0
    assert "sender refused" in (office.trouble() or "")
    smtp_server.mode = "ok"
    club.later(minutes=2)
    assert office.send() == 0
    assert office.trouble() is None


@pytest.mark.parametrize("stage", ["RCPT", "dot"])
def test_a_full_mailbox_is_tried_again(
    office: Office, smtp_server: SmtpServer, stage: Stage
) -> None:
    """It may have room tomorrow, so neither the mail nor the address fails."""
    office.club.new_match("pebbles", f"red={ALICE}", "blue=bot:random")
    office.club.work()
    smtp_server.mode = Fault(stage, "552 5.2.2 the mailbox is full")
    office.send()
    assert {each.state for each in office.mails()} == {"waiting"}
    with office.club.desk.store.reading() as connection:
        assert not players.failing_addresses(connection)
    smtp_server.mode = "ok"
    while "waiting" in {each.state for each in office.mails()}:
        office.club.later(hours=1)
        assert office.send()
    assert clock.clock_runs(office.club.match("pebbles-1"))


@pytest.mark.parametrize("weighs", ["MAIL", "dot"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_is_too_large_goes_once_more_as_text(
    club: Club, smtp_server: SmtpServer, weighs: Stage, language: str
) -> None:
    """Without picture and page, under a Message-ID of its own; its turn begins as ever."""
    club.new_match("pebbles", f"red={ALICE}", "blue=bot:random")
    with club.desk.store.writing() as connection:
        alice = players.by_address(connection, ALICE)
        assert alice is not None
        players.update_player(connection, alice.id, language=language)
    club.work()
    office = Office(club, smtp_server.server())
    large = office.mails()[-1]
    with club.desk.store.reading() as connection:
        raw = outbox.raw_mail(connection, large.id)
    assert b"turn.html" in raw
    smtp_server.most, smtp_server.weighs = len(raw) // 2, weighs
    office.send()
    old, new = office.mails()[-2:]
    assert (old.id, old.state) == (large.id, "superseded")
    assert "552 5.3.4" in (old.answer or "")
    assert (new.state, new.kind, new.code, new.seq) == ("sent", "report", old.code, old.seq)
    assert new.message_id != old.message_id
    (sent,) = smtp_server.to(ALICE)[-1:]
    assert b"multipart" not in sent.raw
    text = Mail(0, "report", sent.raw).text
    remark = {"en": "without its picture and attachments", "de": "ohne Bild und Anlagen"}[language]
    before, _, after = text.partition(remark)
    assert before.startswith("--- pebbles-1")
    below = {"en": "even where it names them below", "de": "auch wo unten von ihnen die Rede ist"}
    assert "turn.html" in after
    assert below[language] in " ".join(after.split())
    assert after.rstrip().endswith("pebbles-1 ---")
    assert clock.clock_runs(club.match("pebbles-1"))
    assert not [each for each in office.mails() if each.state == "failed"]


@pytest.mark.parametrize(("form", "columns"), [("html", 72), ("phone", 38), ("spoken", 72)])
def test_the_remark_of_a_shorter_mail_is_as_narrow_as_its_text(
    club: Club, form: str, columns: int
) -> None:
    """Phones show text as it is broken."""
    club.new_match("pebbles", f"red={ALICE}", "blue=bot:random")
    with club.desk.store.writing() as connection:
        alice = players.by_address(connection, ALICE)
        assert alice is not None
        players.update_player(connection, alice.id, format=form)
    club.work()
    large = club.last(ALICE, "report")
    with club.desk.writing() as change:
        new = post.send_shorter(change, outbox.get_mail(change.connection, large.id))
        assert new is not None
        text = Mail(0, "report", outbox.raw_mail(change.connection, new.id)).message.get_content()
    assert "This mail comes without" in text
    assert max(map(len, text.splitlines())) <= columns


def test_what_is_too_large_even_as_text_fails(club: Club, smtp_server: SmtpServer) -> None:
    """It goes once more, and no third time; the organiser is told."""
    club.new_match("pebbles", f"red={ALICE}", "blue=bot:random")
    club.work()
    smtp_server.most = 100
    office = Office(club, smtp_server.server())
    (large,) = (each.id for each in office.mails() if each.kind == "report")
    office.send()
    found = [each for each in office.mails() if each.kind == "report"]
    assert [(each.id == large, each.state) for each in found] == [
        (True, "superseded"),
        (False, "failed"),
    ]
    said = [each.text for each in status.read_status(club.desk).concerns]
    assert any("could not be delivered" in each for each in said)


def test_a_digest_that_is_too_large_keeps_what_it_told(club: Club, smtp_server: SmtpServer) -> None:
    """Its marks go with the mail that takes its place, so nothing is told twice or never."""
    club.new_match("pebbles", f"red={ALICE}", "blue=bot:random")
    with club.desk.store.writing() as connection:
        large = a_mail(connection, ALICE, now=club.desk.now())
        told.BEFORE.write(connection, [(ToldMark(1, "red", 0, 0), 1)], large)
    with club.desk.writing() as change:
        row = outbox.get_mail(change.connection, large)
        new = post.send_anew(change, row, ALICE, b"shorter")
        assert told.BEFORE.read(change.connection, large) is None
        assert told.BEFORE.read(change.connection, new.id)
        assert (new.state, row.created) == ("waiting", new.created)


def test_one_silent_connection_holds_up_nobody_else(club: Club, smtp_server: SmtpServer) -> None:
    """Mails to others leave over another one, and the trouble is told until one has left."""
    with club.desk.store.writing() as connection:
        for name in ("alice", "bob", "alice", "carol"):
            a_mail(connection, f"{name}@example.test", now=club.desk.now())
    office = Office(club, smtp_server.server(), patience=2, answer=4)
    troubles = []
    note = office.sending._note_trouble
    office.sending._note_trouble = lambda said: (note(said), troubles.append(said))  # type: ignore[method-assign]
    smtp_server.silent = {ALICE}
    assert office.send() == 3
    states = {each.id: each.state for each in office.mails()}
    assert [*states.values()] == ["uncertain", "sent", "waiting", "sent"]
    assert troubles == ["no answer to mail 1 for 2 seconds"]
    assert office.trouble() is None
    assert smtp_server.connections == 2


def test_a_server_that_is_silent_to_all_is_asked_by_three_at_most(
    club: Club, smtp_server: SmtpServer
) -> None:
    """Providers allow few connections; meanwhile the trouble is told."""
    with club.desk.store.writing() as connection:
        for number in range(6):
            a_mail(connection, f"p{number}@example.test", now=club.desk.now())
    office = Office(club, smtp_server.server(), patience=0.1, answer=4)
    smtp_server.modes = [Fault("MAIL", "silence")] * 3

    async def work() -> None:
        sending = asyncio.create_task(office.sending.send_due())
        while "no answer to mail 3" not in (office.trouble() or ""):
            assert not sending.done()
            await asyncio.sleep(0.05)
        # Time for a fourth, which is not to come.
        await asyncio.sleep(0.3)
        assert smtp_server.connections == 3
        assert await sending == 6
        await office.sending.postman.close()

    asyncio.run(work())
    assert [each.state for each in office.mails()] == ["waiting"] * 3 + ["sent"] * 3


async def send_alone(office: Office, mail: OutboxRow, raw: bytes) -> None:
    """Send a mail of which nothing is noted afterwards."""
    await office.sending.postman.send(mail.recipient, mail.envelope_from, raw)
    await office.sending.postman.close()


@pytest.mark.parametrize("dies", [False, True], ids=["no answer", "the daemon dies"])
def test_after_three_uncertain_tries_the_organiser_decides(
    club: Club, smtp_server: SmtpServer, dies: bool
) -> None:
    """No fourth copy leaves, later mails pass it, and the clock of its turn stands until then."""
    club.new_match("pebbles", f"red={ALICE}", "blue=bot:random")
    club.work()
    office = Office(club, smtp_server.server(), patience=0.1)
    *earlier, report = (each for each in office.mails() if each.state == "waiting")
    with club.desk.store.writing() as connection:
        for mail in earlier:
            outbox.mark_mail(connection, mail.id, "sent", now=club.desk.now())
    # As for the report of a night, which its player gets in the morning.
    with club.desk.writing() as change:
        clock.start_unread(change, club.match("pebbles-1"))
    smtp_server.mode = "ok" if dies else "drop after dot"

    def concerns() -> str:
        return "\n".join(each.text for each in status.read_status(club.desk).concerns)

    for copies in (1, 2, 3):
        if dies:
            with club.desk.writing() as change:
                raw = outbox.claim_mail(change.connection, report.id)
            assert raw is not None
            asyncio.run(send_alone(office, report, raw))
            with club.desk.writing() as change:
                assert delivery.doubt_mails(change, ()) == [report.id]
        else:
            office.send()
        club.later(hours=5)
        assert len(smtp_server.to(ALICE)) == copies
        assert f"mail {report.id} to {ALICE} may have arrived, or not" in concerns()
    for _ in range(3):
        assert office.send() == 0
        club.later(days=1)
    assert f"ask whether it has; referee outbox retry {report.id}" in concerns()
    assert "a mail waits to be sent" not in concerns()
    assert not clock.clock_runs(club.match("pebbles-1"))
    smtp_server.mode = "ok"
    with club.desk.store.writing() as connection:
        later = a_mail(connection, ALICE, now=club.desk.now())
    assert office.send() == 1
    with club.desk.store.reading() as connection:
        assert outbox.get_mail(connection, later).state == "sent"
    with club.desk.writing() as change, pytest.raises(Refused, match="retry it instead"):
        plans_post.drop_mail(change, report.id)
    with club.desk.writing() as change:
        plans_post.retry_mail(change, report.id)
    assert office.send() == 1
    assert clock.clock_runs(club.match("pebbles-1"))
    assert len({each.raw for each in smtp_server.to(ALICE)}) == 2
    assert "may have arrived" not in concerns()


def test_pictures_and_pages_go_when_they_are_delivered(club: Club, smtp_server: SmtpServer) -> None:
    """They can be made again, and take most of the room; the words stay for a while."""
    club.settle(pictures=True)
    club.new_match("nord", "red=alice@example.test", "green=bob@example.test")
    club.work()
    office = Office(club, smtp_server.server())
    with club.desk.store.reading() as connection:
        reports = [each.id for each in office.mails() if each.kind == "report"]
        whole = {each: outbox.raw_mail(connection, each) for each in reports}
    office.send()
    with club.desk.store.reading() as connection:
        kept = {each: outbox.raw_mail(connection, each) for each in whole}
    # The server gets all of it.
    assert {each.strip() for each in whole.values()} <= {
        each.raw.strip() for each in smtp_server.delivered
    }
    assert len(whole) == 2
    for number, raw in whole.items():
        first, now = parts_of(raw), parts_of(kept[number])
        assert first.keys() == now.keys() >= {"image/png", "text/plain", "application/json"}
        emptied = {kind for kind in first if first[kind] != now[kind]}
        assert emptied == {"image/png", "text/html; attached"} & first.keys()
        assert {len(now[kind]) for kind in emptied} == {0}


def parts_of(raw: bytes) -> dict[str, bytes]:
    """Return the contents of a mail's parts by their kind."""
    message = BytesParser(policy=policy.default).parsebytes(raw)
    return {
        part.get_content_type() + ("; attached" if part.get_filename() == "turn.html" else ""): (
            part.get_payload(decode=True)
        )
        for part in message.walk()
        if not part.is_multipart()
    }
