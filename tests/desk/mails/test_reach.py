"""Addresses that fail and work again, and the clocks that stand still meanwhile."""

from __future__ import annotations

from datetime import timedelta

import pytest
from support.bounced import UNMARKED, old_style, report
from support.club import ALICE, BOB, NOON, Club, letter

from referee.desk.mails import delivery
from referee.desk.matches.time import clock
from referee.desk.plans.plan import apply_act
from referee.desk.plans.player import AddAddress
from referee.desk.plans.seat import HandOver
from referee.desk.service import chores
from referee.mail.incoming.bounces import bounce_address
from referee.store.people import players
from referee.store.post import outbox
from referee.store.tables.people import AddressRow
from referee.store.tables.post import OutboxRow

WEEK = timedelta(days=7)


@pytest.fixture
def keyed(club: Club) -> Club:
    """Return a club with plus-addresses and a match in which alice is to act."""
    club.settle(plus_addressing=True)
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    club.mails("nobody@example.test")
    return club


def report_to(club: Club, address: str) -> OutboxRow:
    """Return the last report to an address."""
    with club.desk.store.reading() as connection:
        rows = outbox.latest_mails(connection)
    return next(row for row in rows if (row.recipient, row.kind) == (address, "report"))


def answering(club: Club, sender: str) -> bytes:
    """Return a player's letter that answers their last report."""
    return letter(sender, "help", answers=report_to(club, sender).message_id)


def address(club: Club, text: str = ALICE) -> AddressRow:
    """Return what is known of an address."""
    with club.desk.store.reading() as connection:
        row = players.find_address(connection, text)
    assert row is not None
    return row


def mails(club: Club) -> int:
    """Return how many mails were ever written."""
    with club.desk.store.reading() as connection:
        return len(outbox.latest_mails(connection, limit=1000))


def test_every_mail_has_a_return_address_of_its_own(keyed: Club) -> None:
    """It leads back to the mail; without the setting it is the plain address."""
    row = report_to(keyed, ALICE)
    assert row.envelope_from == bounce_address(
        keyed.desk.settings.address, keyed.desk.settings.key, row.id
    )
    keyed.settle(plus_addressing=False)
    keyed.put(letter(ALICE, "help"))
    with keyed.desk.store.reading() as connection:
        assert (
            outbox.latest_mails(connection, limit=1)[0].envelope_from == keyed.desk.settings.address
        )


def test_a_bounce_marks_the_address_and_is_not_answered(keyed: Club) -> None:
    """The reason is kept; the letter is ignored and says what it was; the others are told."""
    row = report_to(keyed, ALICE)
    before = mails(keyed)
    verdict = keyed.put(report(row.envelope_from))
    assert verdict.state == "ignored"
    assert f"mail {row.id} came back: 5.1.1" in (verdict.reason or "")
    assert (address(keyed).state, address(keyed, BOB).state) == ("failing", "ok")
    assert "550 no such user" in (address(keyed).reason or "")
    assert mails(keyed) == before + 1
    told = keyed.last(BOB, "notice")
    assert "Mail to alice comes back." in told.text
    assert "no such user" not in told.text


def test_a_bounce_in_plain_words_marks_the_address_too(keyed: Club) -> None:
    """The keyed address is what counts, not the form."""
    keyed.put(old_style(report_to(keyed, ALICE).envelope_from, "550 5.1.1 unknown user"))
    assert address(keyed).state == "failing"


def test_a_mail_system_that_gives_up_marks_the_address_whatever_the_class(keyed: Club) -> None:
    """After days of trying many report a failure of class 4."""
    keyed.put(report(report_to(keyed, ALICE).envelope_from, status="4.4.7", said="too old"))
    assert address(keyed).state == "failing"


@pytest.mark.parametrize("system", UNMARKED)
@pytest.mark.parametrize("keyed_to", [True, False])
def test_a_bounce_without_a_status_needs_the_key_too(
    keyed: Club, system: str, keyed_to: bool
) -> None:
    """It marks the reader of its mail, whomever it names, and nobody if its address has no key."""
    to = report_to(keyed, BOB).envelope_from if keyed_to else keyed.desk.settings.address
    raw = f"Return-Path: <>\nTo: {to}\nMessage-ID: <1@mx.example.test>\n{UNMARKED[system]}"
    assert keyed.put(raw.encode()).state == "ignored"
    assert address(keyed).state == "ok"
    assert address(keyed, BOB).state == ("failing" if keyed_to else "ok")


def test_a_bounce_of_a_mail_that_was_lost_marks_nobody(keyed: Club) -> None:
    """What arrived before the mail of that number was written is of one the restore undid."""
    row = report_to(keyed, ALICE)
    keyed.later(days=-1)
    assert keyed.put(report(row.envelope_from)).state == "ignored"
    assert address(keyed).state == "ok"


@pytest.mark.parametrize(
    "to",
    ["referee@example.test", "referee+b-2-aaaaaaaaaaaaaaaa@example.test", "other@example.test"],
)
def test_a_bounce_without_the_key_does_nothing(keyed: Club, to: str) -> None:
    """Anybody could have written it."""
    assert keyed.put(report(to)).state == "ignored"
    assert address(keyed).state == "ok"


@pytest.mark.parametrize(("action", "status"), [("delayed", "4.4.1"), ("delivered", "2.1.5")])
def test_a_delay_marks_nothing(keyed: Club, action: str, status: str) -> None:
    """Only what is for good counts; the clock runs on."""
    due = keyed.match("pebbles-1").due
    raw = report(report_to(keyed, ALICE).envelope_from, action=action, status=status, said="x")
    assert keyed.put(raw).state == "ignored"
    assert address(keyed).state == "ok"
    assert keyed.match("pebbles-1").due == due


def test_an_answer_of_a_machine_in_his_absence_marks_nothing(keyed: Club) -> None:
    """Programs answer to the return address as well."""
    keyed.put(
        letter(
            ALICE,
            "I am away until 5.1.2027, 550 miles from here.",
            Auto_Submitted="auto-replied",
            Delivered_To=report_to(keyed, ALICE).envelope_from,
        )
    )
    assert address(keyed).state == "ok"


def test_the_clock_of_one_who_is_out_of_reach_stands_still(keyed: Club) -> None:
    """His turn is not due; when he answers a mail he has what was left of it."""
    assert keyed.match("pebbles-1").due == NOON + WEEK
    keyed.later(days=2)
    keyed.put(report(report_to(keyed, ALICE).envelope_from))
    row = keyed.match("pebbles-1")
    assert row.due is None
    assert row.clock["run"]["left"] == 5 * 86_400
    keyed.later(days=30)
    keyed.put(answering(keyed, ALICE))
    assert address(keyed).state == "ok"
    assert address(keyed).reason is None
    row = keyed.match("pebbles-1")
    assert row.due == keyed.desk.now() + timedelta(days=5)


def test_an_address_mended_by_the_organiser_brings_the_report_and_the_time_back(
    keyed: Club,
) -> None:
    """Nobody has read the report that came back: it is sent anew, and the turn begins with it."""
    first = keyed.last(ALICE, "report")
    keyed.later(days=2)
    keyed.put(report(report_to(keyed, ALICE).envelope_from))
    keyed.later(days=3)
    with keyed.desk.store.reading() as connection:
        player = players.by_address(connection, ALICE)
    assert player is not None
    apply_act(keyed.desk, AddAddress(player.id, "alice@home.test"), "a slip of mine")
    keyed.work()
    keyed.later(hours=1)
    anew = keyed.last("alice@home.test", "report")
    assert anew.turn_file["view"] == first.turn_file["view"]
    assert keyed.match("pebbles-1").due == keyed.desk.now() + WEEK
    keyed.answer(anew, "pass", "alice@home.test")
    assert keyed.match("pebbles-1").turn == 2


def test_who_answers_from_an_address_that_failed_gets_the_report_anew(keyed: Club) -> None:
    """With the time that was left: only an organiser gives back more."""
    keyed.last(ALICE, "report")
    keyed.later(days=2)
    keyed.put(report(report_to(keyed, ALICE).envelope_from))
    keyed.later(days=3)
    keyed.put(answering(keyed, ALICE))
    keyed.work()
    assert keyed.last(ALICE, "report").turn_file["turn"] == 1
    assert keyed.match("pebbles-1").due == keyed.desk.now() + timedelta(days=5)


def test_a_letter_that_proves_no_sender_starts_no_clock(keyed: Club) -> None:
    """Whoever knows an address may write one, and the answer to it is no proof either."""
    keyed.put(report(report_to(keyed, ALICE).envelope_from))
    keyed.later(hours=1)
    keyed.put(letter(ALICE, "help"))
    accept_all(keyed)
    assert address(keyed).state == "failing"
    assert keyed.match("pebbles-1").due is None
    answer = keyed.last(ALICE, "answer")
    keyed.answer(answer, "help", ALICE)
    assert address(keyed).state == "ok"
    assert keyed.match("pebbles-1").due is not None


def test_a_report_that_arrived_is_not_sent_anew(keyed: Club) -> None:
    """If only a later mail came back, the board is there; the clock just goes on."""
    keyed.last(ALICE, "report")
    keyed.put(letter(ALICE, "matches"))
    with keyed.desk.store.reading() as connection:
        answer = outbox.latest_mails(connection)[0]
    keyed.put(report(answer.envelope_from))
    keyed.put(answering(keyed, ALICE))
    keyed.work()
    assert [each.kind for each in keyed.mails(ALICE)] == ["answer", "answer"]
    assert keyed.match("pebbles-1").due == NOON + WEEK


def test_a_bot_on_another_seat_starts_no_clock(keyed: Club) -> None:
    """The player to act is as far out of reach as before."""
    keyed.put(report(report_to(keyed, ALICE).envelope_from))
    apply_act(keyed.desk, HandOver("pebbles-1", "blue", bot="greedy"), "moving house")
    assert keyed.match("pebbles-1").due is None
    apply_act(keyed.desk, HandOver("pebbles-1", "red", bot="greedy"), "moving house")
    assert keyed.match("pebbles-1").due is not None


def test_a_clock_that_begins_out_of_reach_does_not_run(keyed: Club) -> None:
    """A turn that comes to a player whose address fails has no end until he answers."""
    keyed.put(report(report_to(keyed, BOB).envelope_from))
    assert keyed.match("pebbles-1").due == NOON + WEEK
    keyed.answer(keyed.last(ALICE, "report"), "pass", ALICE)
    keyed.work()
    row = keyed.match("pebbles-1")
    assert (row.turn, row.to_act, row.due) == (2, "blue", None)
    keyed.later(days=3)
    keyed.put(answering(keyed, BOB))
    assert keyed.match("pebbles-1").due == keyed.desk.now() + WEEK


def test_another_address_that_works_is_written_to(keyed: Club) -> None:
    """Who has one is in reach: mail goes there and his clock runs."""
    with keyed.desk.store.writing() as connection:
        player = players.by_address(connection, ALICE)
        assert player is not None
        players.give_address(connection, player.id, "alice@home.test", now=keyed.desk.now())
    keyed.put(report(report_to(keyed, ALICE).envelope_from))
    assert keyed.match("pebbles-1").due == NOON + WEEK
    with keyed.desk.store.reading() as connection:
        assert players.address_for(connection, player.id) == "alice@home.test"


def bounced(club: Club, row: OutboxRow, number: int = 1) -> str:
    """Let a mail come back; return what became of the letter that says so."""
    return club.put(report(row.envelope_from, number=number)).reason or ""


def test_a_mail_comes_back_once(keyed: Club) -> None:
    """Its reader may send the same report, or another of it, as often as they like."""
    row = report_to(keyed, ALICE)
    bounced(keyed, row)
    keyed.put(answering(keyed, ALICE))
    assert address(keyed).state == "ok"
    keyed.later(days=1)
    assert "came back before" in bounced(keyed, row, 2)
    assert address(keyed).state == "ok"
    assert keyed.match("pebbles-1").due is not None


def test_a_mail_of_long_ago_does_not_come_back(keyed: Club) -> None:
    """No mail system tries for so long."""
    row = report_to(keyed, ALICE)
    keyed.later(days=11)
    assert "too long ago" in bounced(keyed, row)
    assert address(keyed).state == "ok"


def test_a_mail_that_waited_long_may_still_come_back(keyed: Club) -> None:
    """The days count from when a server took it, not from when it was written."""
    row = report_to(keyed, ALICE)
    keyed.later(days=11)
    with keyed.desk.store.writing() as connection:
        outbox.mark_mail(connection, row.id, "sent", now=keyed.desk.now())
    keyed.later(days=1)
    bounced(keyed, row)
    assert address(keyed).state == "failing"


def accept_all(club: Club) -> None:
    """Let a server accept every mail that waits, as the daemon marks it."""
    with club.desk.writing() as change:
        for row in reversed(outbox.latest_mails(change.connection, limit=1000)):
            if row.state == "waiting":
                outbox.mark_mail(change.connection, row.id, "sent", now=club.desk.now())
                clock.start_clock(change, row)
                delivery.address_works(change, row.recipient, row)


def test_a_later_mail_that_is_accepted_lets_the_clock_go_on(keyed: Club) -> None:
    """One that was written before the bounce does not; the day after, one is written for that."""
    keyed.put(letter(ALICE, "matches"))
    bounced(keyed, report_to(keyed, ALICE))
    accept_all(keyed)
    assert keyed.match("pebbles-1").due is None
    keyed.later(days=1)
    chores.do_chores(keyed.desk)
    accept_all(keyed)
    assert "came back" in keyed.last(ALICE, "notice").text
    assert address(keyed).state == "ok"
    assert keyed.match("pebbles-1").due == NOON + WEEK + timedelta(days=1)


def test_forged_bounces_stop_a_clock_for_a_few_days(keyed: Club) -> None:
    """Whoever makes every mail come back at once gains so many days in a match, and no more."""
    came_back, stood = 0, list[int]()
    for number in range(30):
        with keyed.desk.store.reading() as connection:
            rows = [each for each in outbox.latest_mails(connection, limit=1000)
                    if each.recipient == ALICE and each.bounced_at is None]  # fmt: skip
        for row in rows:
            bounced(keyed, row, 1000 * number + row.id)
        came_back += len(rows)
        if keyed.match("pebbles-1").due is None:
            stood.append(came_back)
        keyed.later(days=1)
        chores.do_chores(keyed.desk)
        accept_all(keyed)
        if keyed.match("pebbles-1").turn > 1:
            break
    assert came_back > 5
    assert max(stood) == 5
    assert len(stood) <= 5
    due = keyed.match("pebbles-1").due
    assert due is not None
    assert due <= NOON + WEEK + timedelta(days=5)


def test_who_is_refused_by_the_server_itself_is_not_written_to_again(keyed: Club) -> None:
    """The server says that there is nobody; the clock stands, as nobody else can bring about."""
    row = report_to(keyed, ALICE)
    with keyed.desk.writing() as change:
        outbox.mark_mail(change.connection, row.id, "failed", now=keyed.desk.now())
        delivery.address_fails(change, ALICE, "550")
    before = mails(keyed)
    keyed.later(days=1)
    chores.do_chores(keyed.desk)
    assert mails(keyed) == before
    assert keyed.match("pebbles-1").due is None
