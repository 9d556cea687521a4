"""Several mailboxes: players are answered from the one they write to."""

from dataclasses import replace
from datetime import timedelta
from unittest.mock import Mock

import pytest
from support.club import REFEREE, Club, Mail, letter

from referee.desk import health
from referee.desk.desk import NotInstalled
from referee.desk.letters import inbox
from referee.desk.mails import post
from referee.desk.players import BadPlayer, confirm_address
from referee.desk.service.metrics import Metrics
from referee.desk.service.status import read_status
from referee.mail.incoming import bounces
from referee.store.people import players
from referee.store.post import letters, outbox
from referee.store.post.outbox import Route

pytestmark = pytest.mark.fast

ALICE, BOB = "alice@example.test", "bob@example.test"
GAMES = "games@other.test"
SEATS = (f"red={ALICE}", f"blue={BOB}")


@pytest.fixture
def club(club: Club) -> Club:
    """Return a club with two mailboxes."""
    club.desk = replace(club.desk, mailboxes=(REFEREE, GAMES))
    return club


def sender(mail: Mail) -> str:
    """Return the address a mail comes from."""
    return str(mail.message["From"].addresses[0].addr_spec)


def write(club: Club, who: str, text: str, mailbox: str, answers: Mail | None = None) -> None:
    """Let a letter to a mailbox arrive."""
    reply = str(answers.message["Message-ID"]) if answers else None
    club.put(letter(who, text, answers=reply, number=club.uid), mailbox=mailbox)


def begun(club: Club, **agreed: timedelta) -> Mail:
    """Return the first report to Alice of a match with Bob."""
    club.new_match("pebbles", *SEATS, **agreed)
    club.work()
    return club.last(ALICE, "report")


def test_a_letter_is_answered_from_the_mailbox_it_came_to(club: Club) -> None:
    """From and Message-ID are that mailbox's; who has never written gets mail from the first."""
    report = begun(club)
    assert sender(report) == REFEREE
    write(club, ALICE, "pass", GAMES, report)
    receipt = club.last(ALICE, "receipt")
    assert sender(receipt) == GAMES
    assert str(receipt.message["Message-ID"]).endswith("@other.test>")
    club.work()
    assert sender(club.last(BOB, "report")) == REFEREE


def test_a_letter_set_aside_is_told_from_the_mailbox_it_came_to(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its writer hears so from the address they wrote to."""
    begun(club)
    monkeypatch.setattr(inbox.intake, "take_letter", Mock(side_effect=NotInstalled("gone")))
    with club.desk.store.writing() as connection:
        row = letters.keep_letter(
            connection,
            folder="INBOX",
            uidvalidity=1,
            uid=99,
            arrived=club.desk.now(),
            size=1,
            raw=letter(ALICE, "pass", number=99),
            mailbox=GAMES,
            now=club.desk.now(),
        )
    assert row is not None
    assert inbox.settle_letter(club.desk, row) == "quarantined"
    assert sender(club.last(ALICE, "answer")) == GAMES


def test_reports_leave_from_the_mailbox_last_written_to(club: Club) -> None:
    """They follow the player from one mailbox to another; a code of either holds in both."""
    write(club, ALICE, "pass", GAMES, begun(club))
    club.work()
    write(club, BOB, "pass", REFEREE, club.last(BOB, "report"))
    club.work()
    report = club.last(ALICE, "report")
    assert sender(report) == GAMES
    write(club, ALICE, "show", REFEREE, report)
    club.mails(ALICE)
    club.new_match("pebbles", *SEATS)
    club.work()
    assert sender(club.last(ALICE, "report")) == REFEREE


def test_a_letter_that_proves_nothing_moves_no_mail(club: Club) -> None:
    """Anybody could write it; its answer comes from where it went, the reports stay."""
    report = begun(club)
    write(club, ALICE, "help", GAMES)
    assert sender(club.last(ALICE, "answer")) == GAMES
    write(club, BOB, "help", GAMES)
    write(club, ALICE, "pass", REFEREE, report)
    club.work()
    assert sender(club.last(BOB, "report")) == REFEREE


def test_a_mailbox_given_up_leaves_its_players_to_the_first(club: Club) -> None:
    """Mail to them leaves from the first mailbox again."""
    write(club, ALICE, "pass", GAMES, begun(club))
    club.desk = replace(club.desk, mailboxes=())
    club.work()
    write(club, BOB, "pass", REFEREE, club.last(BOB, "report"))
    club.work()
    assert sender(club.last(ALICE, "report")) == REFEREE


def test_plus_addresses_are_those_of_the_mailbox(club: Club) -> None:
    """What was seen of one mailbox says nothing about another, and a code in either counts."""
    with club.desk.writing() as change:
        post.note_plus(replace(change, desk=club.desk.at(GAMES)), arrives=True)
    report = begun(club)
    assert report.message["Reply-To"] is None
    write(club, ALICE, "show", GAMES, report)
    answer = club.last(ALICE, "answer")
    keyed = str(answer.message["Reply-To"])
    assert keyed.startswith("games+")
    with club.desk.store.reading() as connection:
        row = outbox.get_mail(connection, answer.id)
    assert bounces.bounced_mail(GAMES, club.desk.key, row.envelope_from) == answer.id
    plain = letter(ALICE, "pass", number=club.uid)
    club.put(plain.replace(f"To: {REFEREE}".encode(), f"To: {keyed}".encode()), mailbox=REFEREE)
    assert club.match("pebbles-1").to_act == "blue"


def test_no_mailbox_of_ours_is_a_players(club: Club) -> None:
    """Mail between our own mailboxes is no letter, and neither of them can play."""
    begun(club)
    assert club.put(letter(GAMES, "help"), mailbox=REFEREE).reason == "our own mail"
    with club.desk.writing() as change:
        alice = players.by_address(change.connection, ALICE)
        assert alice is not None
        with pytest.raises(BadPlayer, match="the referee's own address"):
            confirm_address(change, alice, GAMES)


def test_letters_are_known_when_every_mailbox_was_read(club: Club) -> None:
    """A deadline waits for the last of them, and status tells of each."""
    moment = club.desk.now()
    club.later(minutes=1)
    health.note_poll(club.desk, club.desk.now())
    with club.desk.reading() as change:
        assert not health.all_letters_known(change, moment)
    assert [each.text for each in read_status(club.desk, 60).concerns] == [
        f"{GAMES} was never read: referee run"
    ]
    health.note_poll(club.desk.at(GAMES), club.desk.now())
    with club.desk.reading() as change:
        assert health.all_letters_known(change, moment)
    club.later(hours=1)
    health.note_poll(club.desk, club.desk.now())
    found = read_status(club.desk, 60)
    assert found.level == "trouble"
    (concern,) = found.concerns
    assert concern.text.startswith(f"{GAMES} was last read ")
    (family,) = (
        each
        for each in Metrics(club.desk, 60).registry.collect()
        if each.name == "referee_poll_age_seconds"
    )
    ages = {each.labels["mailbox"]: each.value for each in family.samples}
    assert ages == {REFEREE: 0, GAMES: timedelta(hours=1).total_seconds()}


def handled(
    club: Club, who: str, text: str, mailbox: str, answers: Mail, ago: timedelta = timedelta()
) -> None:
    """Handle a letter that arrived some time ago, with what was due before."""
    club.uid += 1
    raw = letter(who, text, answers=str(answers.message["Message-ID"]), number=club.uid)
    with club.desk.store.writing() as connection:
        letters.keep_letter(
            connection, folder="INBOX", uidvalidity=1, uid=club.uid, size=len(raw),
            raw=raw, arrived=club.desk.now() - ago, mailbox=mailbox, now=club.desk.now(),
        )  # fmt: skip
    inbox.handle_waiting(club.desk)


def test_a_letter_to_one_mailbox_plays_nothing_before_the_others_are_read(club: Club) -> None:
    """What takes held orders back may lie in another, and have come in time."""
    report = begun(club, grace=timedelta(minutes=10))
    write(club, ALICE, "pass", REFEREE, report)
    receipt, other = club.last(ALICE), club.last(BOB)
    club.later(minutes=11)
    handled(club, BOB, "show", REFEREE, other)
    assert club.match("pebbles-1").to_act == "red"
    handled(club, ALICE, "withdraw", GAMES, receipt, timedelta(minutes=6))
    assert "You have no orders held" in club.last(ALICE).text
    write(club, ALICE, "pass", REFEREE, receipt)
    club.later(minutes=11)
    health.note_poll(club.desk.at(GAMES), club.desk.now())
    club.later(minutes=1)
    handled(club, BOB, "show", REFEREE, other)
    assert club.match("pebbles-1").to_act == "blue"


def test_a_poll_ends_no_other_mailboxs_trouble(club: Club) -> None:
    """Trouble that is noted ends when every mailbox was read since."""
    for mailbox in (REFEREE, GAMES):
        health.note_poll(club.desk.at(mailbox), club.desk.now())
    club.later(minutes=1)
    health.note_trouble(club.desk, "trouble", "mailbox: no route")
    club.later(minutes=1)
    health.note_poll(club.desk, club.desk.now())
    assert "no route" in str(read_status(club.desk, 60).said["trouble"])
    health.note_poll(club.desk.at(GAMES), club.desk.now())
    assert read_status(club.desk, 60).said["trouble"] is None


def test_mails_leave_by_their_own_server(club: Club) -> None:
    """A server sends the mails of its mailboxes, the first one also those of any given up."""
    report = begun(club)
    club.mails(BOB)
    write(club, ALICE, "pass", GAMES, report)
    club.work()
    with club.desk.store.reading() as connection:
        now = club.desk.now()
        by_first = outbox.due_mails(connection, now, route=Route(but=(GAMES,)))
        by_second = outbox.due_mails(connection, now, route=Route(only=(GAMES,)))
        everything = outbox.due_mails(connection, now)
    assert {each.recipient for each in by_second} == {ALICE}
    assert {each.recipient for each in by_first} == {BOB}
    assert {*by_first, *by_second} == {*everything}
