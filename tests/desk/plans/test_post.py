"""What an organiser does with mails that wait and letters that were set aside."""

from __future__ import annotations

import pytest
from support.club import ALICE, SEATS, Club, Mail
from support.storing import NOW, SECOND, a_letter, a_mail, a_match

from referee.desk.matches.time import clock, stoppages
from referee.desk.plans import post
from referee.desk.work import Refused
from referee.mail.incoming.bounces import bounce_address
from referee.store.people import players
from referee.store.play import matches
from referee.store.play.submissions import submissions_of
from referee.store.post import letters, outbox, reports


@pytest.mark.parametrize("state", ["failed", "held", "uncertain", "waiting"])
def test_a_mail_that_did_not_arrive_is_due_at_once(club: Club, state: str) -> None:
    """Whatever it waited for, it is sent at the next look, unchanged."""
    now = club.desk.now()
    with club.desk.writing() as change:
        mail = a_mail(change.connection)
        outbox.mark_mail(change.connection, mail, state, now=now, next_at=now + 3600 * SECOND)
        assert outbox.due_mails(change.connection, now) == ()
        post.retry_mail(change, mail)
        assert [each.id for each in outbox.due_mails(change.connection, now)] == [mail]
        assert outbox.get_mail(change.connection, mail).state == (
            "uncertain" if state == "uncertain" else "waiting"
        )


@pytest.mark.parametrize("state", ["failed", "uncertain"])
def test_a_mail_is_written_anew_to_the_address_its_player_has(club: Club, state: str) -> None:
    """The first is dropped; the other says the same, under a Message-ID and bounces of its own."""
    club.settle(plus_addressing=True)
    club.new_match("pebbles", "red=alice@exampel.test", "blue=bob@example.test", begins=False)
    with club.desk.writing() as change:
        (mail,) = (
            each
            for each in outbox.latest_mails(change.connection)
            if each.recipient == "alice@exampel.test"
        )
        outbox.mark_mail(change.connection, mail.id, state, now=club.desk.now())
        assert post.retry_mail(change, mail.id) == mail.id
        outbox.mark_mail(change.connection, mail.id, state, now=club.desk.now())
        players.give_address(
            change.connection, mail.player_id or 0, "alice@example.test",
            now=club.desk.now(), preferred=True,
        )  # fmt: skip
        number = post.retry_mail(change, mail.id)
        anew = outbox.get_mail(change.connection, number)
        assert outbox.get_mail(change.connection, mail.id).state == "superseded"
        assert (anew.state, anew.recipient) == ("waiting", "alice@example.test")
        bounce = bounce_address(club.desk.settings.address, club.desk.settings.key, number)
        assert anew.envelope_from == bounce
        before, after = (outbox.raw_mail(change.connection, each) for each in (mail.id, number))
        for old, new in ((mail.recipient, anew.recipient), (mail.message_id, anew.message_id)):
            before = before.replace(old.encode(), new.encode(), 1)
        assert after == before
    assert club.answer(club.last("alice@example.test"), "agree", "alice@example.test").state == (
        "handled"
    )


def test_a_letter_names_the_mails_that_answer_it(club: Club) -> None:
    """Also one that held commands alone; a reply that a report told is found in that.

    What is written to somebody else after it is no answer to it.
    """
    club.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test", begins=False)

    def answers(number: int) -> list[tuple[object, ...]]:
        with club.desk.reading() as change:
            return [tuple(mail.values()) for mail in post.answers_to(change.connection, number)]

    def answered(mail: Mail, text: str, sender: str) -> int:
        club.later(minutes=1)
        club.answer(mail, text, sender)
        with club.desk.reading() as change:
            return letters.latest_letters(change.connection, limit=1)[0].id

    agreed = answered(club.last(ALICE), "agree", ALICE)
    (told,) = answers(agreed)
    assert told[1:] == ("pebbles-1", "red", "waiting")
    answered(club.last("bob@example.test"), "agree", "bob@example.test")
    club.work()
    assert [mail[0] for mail in answers(agreed)] == [told[0]]
    played = answered(club.last(ALICE, "report"), "put 1 A1", ALICE)
    club.work()
    with club.desk.reading() as change:
        (receipt,) = (each.receipt for each in submissions_of(change.connection, played))
        assert receipt is not None
        instead = outbox.get_mail(change.connection, receipt).told_in
    assert instead is not None
    assert answers(played) == [(instead, "pebbles-1", "red", "waiting")]


def test_a_question_about_an_address_goes_to_no_other(club: Club) -> None:
    """Who has not said yes there must not do so from elsewhere."""
    club.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test")
    club.work()
    report = club.last("alice@example.test", "report")
    club.answer(report, "set address alice@home.test", "alice@example.test")
    club.answer(club.last("alice@example.test", "answer"), "yes", "alice@example.test")
    with club.desk.writing() as change:
        asked = outbox.last_to(change.connection, "alice@home.test")
        assert asked is not None
        outbox.mark_mail(change.connection, asked.id, "failed", now=club.desk.now())
        assert post.retry_mail(change, asked.id) == asked.id


def test_mails_of_a_recipient_stay_in_order(club: Club) -> None:
    """What waits for him from before is made due with it and goes first."""
    now = club.desk.now()
    with club.desk.writing() as change:
        first, second = a_mail(change.connection), a_mail(change.connection)
        for each in (first, second):
            outbox.mark_mail(
                change.connection, each, "waiting", now=now, next_at=now + 3600 * SECOND
            )
        post.retry_mail(change, second)
        assert [each.id for each in outbox.due_mails(change.connection, now)] == [first]
        outbox.mark_mail(change.connection, first, "sent", now=now)
        assert [each.id for each in outbox.due_mails(change.connection, now)] == [second]


def test_a_held_mail_waits_until_it_is_released(club: Club) -> None:
    """It is not due while held, and due at once afterwards."""
    now = club.desk.now()
    with club.desk.writing() as change:
        mail = a_mail(change.connection)
        post.hold_mail(change, mail)
        assert outbox.due_mails(change.connection, now) == ()
        post.release_mail(change, mail)
        assert [each.id for each in outbox.due_mails(change.connection, now)] == [mail]


@pytest.mark.parametrize("state", ["sent", "sending", "superseded"])
def test_what_left_or_is_leaving_is_not_sent_again(club: Club, state: str) -> None:
    """One line says how the mail stands."""
    with club.desk.writing() as change:
        mail = a_mail(change.connection)
        outbox.mark_mail(change.connection, mail, state, now=NOW)
        with pytest.raises(Refused, match=f"is {state}"):
            post.retry_mail(change, mail)
        with pytest.raises(Refused, match=f"is {state}"):
            post.hold_mail(change, mail)
        with pytest.raises(Refused, match=f"is {state}"):
            post.release_mail(change, mail)


def test_an_old_report_is_not_sent_after_a_newer_one(club: Club) -> None:
    """A failed report whose place was taken stays where it is."""
    with club.desk.writing() as change:
        seat = {"match_id": a_match(change.connection).match, "seat": "red", "kind": "report"}
        old, new = a_mail(change.connection, **seat), a_mail(change.connection, **seat)
        outbox.mark_mail(change.connection, old, "failed", now=NOW)
        with pytest.raises(Refused, match=f"mail {new} took its place"):
            post.retry_mail(change, old)


def test_a_digest_is_sent_again_whoever_got_a_later_one(club: Club) -> None:
    """It belongs to no seat, so nothing takes its place."""
    with club.desk.writing() as change:
        old, _ = (a_mail(change.connection, kind="report") for _ in range(2))
        outbox.mark_mail(change.connection, old, "failed", now=NOW)
        assert post.retry_mail(change, old) == old


def test_an_uncertain_mail_can_be_dropped(club: Club) -> None:
    """No copy leaves after that; what it told is told once more by the next report."""
    now = club.desk.now()
    with club.desk.writing() as change:
        match = a_match(change.connection).match
        seat = {"match_id": match, "seat": "red", "kind": "report"}
        mail = a_mail(change.connection, seq=3, **seat)
        outbox.mark_mail(change.connection, mail, "uncertain", now=now, doubts=3)
        assert reports.told_since(change.connection, match, "red", 3) == 3
        post.drop_mail(change, mail)
        assert outbox.get_mail(change.connection, mail).state == "superseded"
        assert reports.told_since(change.connection, match, "red", 3) == 0


def test_a_newer_report_that_left_settles_an_uncertain_one(club: Club) -> None:
    """It shows all; one that is still tried by itself is left to that."""
    with club.desk.writing() as change:
        match = a_match(change.connection).match
        seat = {"match_id": match, "seat": "red", "kind": "report"}
        tried, ended = (a_mail(change.connection, **seat) for _ in range(2))
        for mail, doubts in ((tried, 2), (ended, 3)):
            outbox.mark_mail(change.connection, mail, "uncertain", now=NOW, doubts=doubts)
        outbox.replace_failed(change.connection, match, "red")
        states = [outbox.get_mail(change.connection, each).state for each in (tried, ended)]
    assert states == ["uncertain", "superseded"]


def test_a_newer_report_tells_what_a_refused_or_held_one_said(club: Club) -> None:
    """A report that never arrived does not count as told, and a held one is superseded."""
    with club.desk.writing() as change:
        match = a_match(change.connection).match
        seat = {"match_id": match, "seat": "red", "kind": "report"}
        outbox.mark_mail(
            change.connection, a_mail(change.connection, seq=3, **seat), "sent", now=NOW
        )
        outbox.mark_mail(
            change.connection, a_mail(change.connection, seq=5, **seat), "failed", now=NOW
        )
        assert reports.told_since(change.connection, match, "red", 5) == 3
        held = a_mail(change.connection, seq=7, **seat)
        post.hold_mail(change, held)
        reports.withdraw_reports(change.connection, match, "red")
        assert outbox.get_mail(change.connection, held).state == "superseded"
        assert reports.told_since(change.connection, match, "red", 7) == 3


def test_a_letter_in_quarantine_gets_a_clean_slate(club: Club) -> None:
    """It waits to be handled as if nothing had been tried."""
    with club.desk.store.writing() as connection:
        letter = a_letter(connection, 1).id
        letters.end_attempt(connection, letter, "KeyError")
        letters.finish_letter(connection, letter, "quarantined", "KeyError while handling it", NOW)
        post.retry_letter(connection, letter)
        row = letters.get_letter(connection, letter)
        assert [each.id for each in letters.waiting_letters(connection)] == [letter]
    assert (row.state, row.attempts, row.kills, row.reason) == ("kept", 0, 0, None)


def test_a_dropped_letter_is_ignored(club: Club) -> None:
    """It is ended unheard, and says by whom."""
    with club.desk.writing() as change:
        letter = a_letter(change.connection, 1).id
        letters.finish_letter(change.connection, letter, "quarantined", "KeyError", NOW)
        post.drop_letter(change, letter)
        row = letters.get_letter(change.connection, letter)
    assert (row.state, row.reason) == ("ignored", "dropped by the organiser")


def test_clocks_stand_as_long_as_a_letter_of_their_player_lies_aside(club: Club) -> None:
    """Dropping one of two lets none go on, dropping the other does."""
    club.new_match("pebbles", *SEATS)
    club.work()
    with club.desk.writing() as change:
        alice = players.by_address(change.connection, ALICE)
        assert alice is not None
        numbers = [a_letter(change.connection, number).id for number in (1, 2)]
        for number in numbers:
            letters.change_letter(change.connection, number, sender=ALICE, player_id=alice.id)
            letters.finish_letter(change.connection, number, "quarantined", "KeyError", NOW)
        stoppages.stop_clocks(change, alice.id)
        stands = []
        for number in numbers:
            post.drop_letter(change, number)
            row = matches.find_match(change.connection, "pebbles-1")
            assert row is not None
            stands.append(clock.clock_stands(row, clock.ASIDE))
    assert stands == [True, False]


def test_only_letters_in_quarantine_are_retried_or_dropped(club: Club) -> None:
    """A handled letter would be played twice."""
    with club.desk.writing() as change:
        letter = a_letter(change.connection, 1).id
        letters.finish_letter(change.connection, letter, "handled", None, NOW)
        with pytest.raises(Refused, match="is handled"):
            post.retry_letter(change.connection, letter)
        with pytest.raises(Refused, match="is handled"):
            post.drop_letter(change, letter)
        with pytest.raises(Refused, match="no letter 99"):
            post.drop_letter(change, 99)


def test_a_held_report_of_the_turn_that_is_on_is_not_dropped(club: Club) -> None:
    """Nothing else would tell its player, and the clock would stand for ever."""
    club.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test")
    club.work()
    with club.desk.writing() as change:
        rows = outbox.latest_mails(change.connection)
        mail = next(row for row in rows if (row.kind, row.seat) == ("report", "red"))
        post.hold_mail(change, mail.id)
        with pytest.raises(Refused, match="tells red of their turn: release it instead"):
            post.drop_mail(change, mail.id)
