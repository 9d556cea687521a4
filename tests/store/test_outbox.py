"""The outbox: order for each recipient, what holds back what, and what a seat has been told."""

from __future__ import annotations

from functools import partial

import pytest
from sqlalchemy import text
from support.storing import NOW, SECOND, a_mail, a_match

from referee.store import notes, tables
from referee.store.database import block
from referee.store.play import matches
from referee.store.post import claims, outbox
from referee.store.post.outbox import NewMail
from referee.store.store import Store


def test_a_mail_is_kept_as_it_was_written(store: Store) -> None:
    with store.writing() as connection:
        placed = a_match(connection)
        mail = a_mail(
            connection,
            kind="report",
            message_id="<1@b.test>",
            raw=b"Subject: \xff\r\n\x00",
            match_id=placed.match,
            player_id=placed.alice,
            seat="red",
            turn=3,
            seq=12,
            code="K7PQM2XD",
        )
        assert outbox.raw_mail(connection, mail) == b"Subject: \xff\r\n\x00"
        row = outbox.get_mail(connection, mail)
        assert outbox.mail_by_message_id(connection, "<1@b.test>") == row
        assert outbox.mail_by_message_id(connection, "<2@b.test>") is None
    assert (row.kind, row.state, row.attempts, row.next_at) == ("report", "waiting", 0, NOW)
    assert (row.match_id, row.seat, row.turn, row.seq) == (placed.match, "red", 3, 12)
    assert (row.player_id, row.code) == (placed.alice, "K7PQM2XD")


def test_a_mail_takes_little_room(store: Store) -> None:
    """Its bytes are kept compressed, and come back as they were, claimed or read."""
    raw = b"Subject: a board\r\n\r\n" + b"a line of a report\r\n" * 500
    with store.writing() as connection:
        mail = a_mail(connection, raw=raw)
        kept = connection.execute(text("SELECT length(raw) FROM outbox")).scalar_one()
        assert kept < len(raw) / 10
        assert outbox.raw_mail(connection, mail) == raw
        assert outbox.claim_mail(connection, mail) == raw


def test_a_message_id_is_used_once(store: Store) -> None:
    """Two mails never bear the same Message-ID: the second is not written."""
    ids = ["<1@b.test>", "<2@b.test>", "<1@b.test>", "<3@b.test>"]
    first, second, again, third = [
        NewMail("bob@b.test", "report", each, "r@b.test", b"", NOW) for each in ids
    ]
    with store.writing() as connection:
        assert list(outbox.enqueue_mails(connection, [first])) == ids[:1]
        assert list(outbox.enqueue_mails(connection, [second, again, third])) == ids[1::2]
        assert outbox.enqueue_mails(connection, [again]) == {}
        assert outbox.enqueue_mails(connection, []) == {}
        kept = [each.message_id for each in outbox.latest_mails(connection)]
        assert kept == ["<3@b.test>", "<2@b.test>", "<1@b.test>"]


def test_each_recipient_gets_his_mails_in_order(store: Store) -> None:
    """Only the earliest unfinished mail of each recipient is due."""
    with store.writing() as connection:
        first, second = a_mail(connection, "alice@b.test"), a_mail(connection, "alice@b.test")
        other = a_mail(connection, "bob@b.test")
        assert [each.id for each in outbox.due_mails(connection, NOW)] == [first, other]
        outbox.mark_mail(connection, first, "sent", now=NOW, answer="250 ok")
        assert [each.id for each in outbox.due_mails(connection, NOW)] == [second, other]


@pytest.mark.parametrize("state", ["waiting", "sending", "uncertain"])
def test_an_unfinished_mail_holds_back_the_next(store: Store, state: str) -> None:
    """A mail that is on its way or waits for another try keeps the next one waiting."""
    with store.writing() as connection:
        first, _ = a_mail(connection), a_mail(connection)
        outbox.claim_mail(connection, first)
        outbox.mark_mail(connection, first, state, now=NOW, next_at=NOW + SECOND)
        assert outbox.due_mails(connection, NOW) == ()


@pytest.mark.parametrize("state", ["sent", "failed", "held", "superseded"])
def test_a_finished_or_held_mail_holds_back_nothing(store: Store, state: str) -> None:
    """A mail that is done with or held by the organiser lets the next one pass."""
    with store.writing() as connection:
        first, second = a_mail(connection), a_mail(connection)
        outbox.mark_mail(connection, first, state, now=NOW)
        assert [each.id for each in outbox.due_mails(connection, NOW)] == [second]


def test_a_mail_waits_for_its_moment(store: Store) -> None:
    """A mail put off is due when its moment has come, uncertain or not."""
    with store.writing() as connection:
        later = a_mail(connection, "alice@b.test", next_at=NOW + SECOND)
        unsure = a_mail(connection, "bob@b.test")
        outbox.mark_mail(connection, unsure, "uncertain", now=NOW, next_at=NOW + 2 * SECOND)
        assert outbox.due_mails(connection, NOW) == ()
        assert [each.id for each in outbox.due_mails(connection, NOW + SECOND)] == [later]
        found = outbox.due_mails(connection, NOW + 2 * SECOND)
        assert [each.id for each in found] == [later, unsure]


def test_a_mail_is_claimed_once(store: Store) -> None:
    """Whoever claims a mail second, or when it is done with, does not get it."""
    with store.writing() as connection:
        mail = a_mail(connection)
        assert outbox.claim_mail(connection, mail)
        assert not outbox.claim_mail(connection, mail)
        row = outbox.get_mail(connection, mail)
        assert (row.state, row.attempts) == ("sending", 1)
        outbox.mark_mail(connection, mail, "uncertain", now=NOW, next_at=NOW)
        assert outbox.claim_mail(connection, mail)
        outbox.mark_mail(connection, mail, "sent", now=NOW + SECOND, answer="250 ok")
        assert not outbox.claim_mail(connection, mail)
        row = outbox.get_mail(connection, mail)
    assert (row.state, row.attempts, row.answer, row.sent_at) == (
        "sent",
        2,
        "250 ok",
        NOW + SECOND,
    )


def test_a_mail_tried_meanwhile_is_not_claimed(store: Store) -> None:
    """Whoever found it due before another daemon tried it looks again first."""
    with store.writing() as connection:
        mail = a_mail(connection)
        assert outbox.claim_mail(connection, mail, "one", 0)
        outbox.mark_mail(connection, mail, "waiting", now=NOW, next_at=NOW + SECOND)
        assert not outbox.claim_mail(connection, mail, "two", 0)
        assert outbox.claim_mail(connection, mail, "two", 1)


def test_what_a_crash_left_is_uncertain(store: Store) -> None:
    """Mails a process was sending when it died are uncertain, and due again; others stay."""
    with store.writing() as connection:
        lost, waits = a_mail(connection, "alice@b.test"), a_mail(connection, "bob@b.test")
        outbox.claim_mail(connection, lost)
        assert [row.id for row in claims.recover_mails(connection, ())] == [lost]
        assert outbox.get_mail(connection, lost).state == "uncertain"
        assert outbox.get_mail(connection, waits).state == "waiting"
        assert [each.id for each in outbox.due_mails(connection, NOW)] == [lost, waits]
        assert claims.recover_mails(connection, ()) == ()


def test_a_receipt_that_was_refused_is_sent_again(store: Store) -> None:
    """One on its way is left alone, and one that has left stays so."""
    with store.writing() as connection:
        sent, going = a_mail(connection, "alice@b.test"), a_mail(connection, "bob@b.test")
        outbox.mark_mail(connection, sent, "sent", now=NOW)
        outbox.claim_mail(connection, going)
        assert not outbox.send_refused_again(connection, sent, NOW + SECOND)
        assert outbox.get_mail(connection, sent).state == "sent"
        assert outbox.send_refused_again(connection, going, NOW + SECOND)
        assert outbox.get_mail(connection, going).state == "sending"
        outbox.mark_mail(connection, going, "failed", now=NOW, doubts=2)
        assert outbox.send_refused_again(connection, going, NOW + SECOND)
        row = outbox.get_mail(connection, going)
        assert (row.state, row.next_at, row.doubts) == ("waiting", NOW + SECOND, 0)


def test_when_a_report_was_accepted_is_known(store: Store) -> None:
    """The moment it was accepted for delivery stands with a mail; before that there is none."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        mail = a_mail(connection, match_id=match_id, seat="red", kind="report", turn=3)
        assert outbox.get_mail(connection, mail).sent_at is None
        outbox.mark_mail(connection, mail, "sent", now=NOW + SECOND)
        assert outbox.get_mail(connection, mail).sent_at == NOW + SECOND


def test_answers_to_a_player_are_counted(store: Store) -> None:
    """Receipts and answers of an hour count, answers alone of a day; reports never do."""
    with store.writing() as connection:
        placed = a_match(connection)
        a_mail(connection, kind="receipt", player_id=placed.alice)
        a_mail(connection, kind="answer", player_id=placed.alice, now=NOW + SECOND)
        for before in (SECOND, 2 * SECOND, 3 * SECOND):
            a_mail(connection, kind="answer", player_id=placed.alice, now=NOW - before)
        a_mail(connection, kind="receipt", player_id=placed.alice, now=NOW - SECOND)
        a_mail(connection, kind="report", player_id=placed.alice)
        a_mail(connection, kind="answer", player_id=placed.bob)
        since = partial(outbox.answers_since, connection, placed.alice, NOW, NOW - 2 * SECOND)
        assert since() == (2, 3)
        assert since(unproved=True) == (0, 0)


def test_mails_are_listed_and_counted(store: Store) -> None:
    """The latest mails come first, by state or all."""
    with store.writing() as connection:
        ids = [a_mail(connection) for _ in range(3)]
        outbox.mark_mail(connection, ids[0], "failed", now=NOW, answer="550 no such user")
        assert [each.id for each in outbox.latest_mails(connection)] == ids[::-1]
        (failed,) = outbox.latest_mails(connection, "failed")
        assert (failed.id, failed.answer) == (ids[0], "550 no such user")
        assert notes.counts_by_state(connection)["outbox"] == {"failed": 1, "waiting": 2}
        with pytest.raises(KeyError):
            outbox.raw_mail(connection, 99)
        with pytest.raises(KeyError):
            outbox.get_mail(connection, 99)


def test_what_was_refused_is_replaced_by_a_later_report_or_one_of_its_kind(store: Store) -> None:
    """A report of a seat speaks for all to it; a digest or summary for those before it."""
    with store.writing() as connection:
        placed = a_match(connection)
        seat = {"match_id": placed.match, "seat": "red", "state": "failed"}
        notice, report = (a_mail(connection, kind=kind, **seat) for kind in ("notice", "report"))
        other = a_mail(connection, **{**seat, "seat": "blue"})
        of_alice = {"player_id": placed.alice, "state": "failed"}
        digest = a_mail(connection, kind="report", **of_alice)
        answer = a_mail(connection, kind="answer", **of_alice)
        summary = a_mail(connection, kind="organiser", state="failed")

        def failed() -> set[int]:
            return {each.id for each in outbox.latest_mails(connection, "failed")}

        assert failed() == {notice, report, other, digest, answer, summary}
        outbox.replace_failed(connection, placed.match, "red")
        assert failed() == {other, digest, answer, summary}
        outbox.replace_failed(connection, None, None, "report", placed.alice)
        assert failed() == {other, answer, summary}
        outbox.replace_failed(connection, None, None, "organiser")
        assert failed() == {other, answer}


def test_a_letter_of_nobody_holds_no_match(store: Store) -> None:
    """Whoever does not play must not make the matches of bots wait for their letter."""
    with store.writing() as connection:
        placed = a_match(connection)
        matches.set_holder(connection, placed.match, "red", bot="greedy")
        matches.change_match(connection, placed.match, state="running")
    with store.writing() as connection:
        claims.hold_matches(connection, [], None)
        assert (tables.matches, placed.match) not in block.block_of(connection).held
        claims.hold_matches(connection, [], placed.bob)
        assert (tables.matches, placed.match) in block.block_of(connection).held
