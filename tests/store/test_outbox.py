"""The outbox: order for each recipient, what holds back what, and what a seat has been told."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from support.storing import NOW, SECOND, a_mail, a_match

from referee.store.post import outbox
from referee.store.store import Store


def test_a_mail_is_kept_as_it_was_written(store: Store) -> None:
    """The bytes and the Message-ID of a mail are those it was written with."""
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
        assert outbox.raw(connection, mail) == b"Subject: \xff\r\n\x00"
        row = outbox.get(connection, mail)
        assert outbox.by_message_id(connection, "<1@b.test>") == row
        assert outbox.by_message_id(connection, "<2@b.test>") is None
    assert (row.kind, row.state, row.attempts, row.next_at) == ("report", "waiting", 0, NOW)
    assert (row.match_id, row.seat, row.turn, row.seq) == (placed.match, "red", 3, 12)
    assert (row.player_id, row.code) == (placed.alice, "K7PQM2XD")


def test_a_message_id_is_used_once(store: Store) -> None:
    """Two mails never bear the same Message-ID: the second is not written."""
    with store.writing() as connection:
        first = a_mail(connection, message_id="<1@b.test>")
        row: dict[str, Any] = {"recipient": "bob@b.test", "envelope_from": "r@b.test", "now": NOW}
        again = outbox.enqueue(connection, kind="report", message_id="<1@b.test>", raw=b"", **row)
        assert again is None
        assert [each.id for each in outbox.list_outbox(connection)] == [first]


def test_each_recipient_gets_his_mails_in_order(store: Store) -> None:
    """Only the earliest unfinished mail of each recipient is due."""
    with store.writing() as connection:
        first, second = a_mail(connection, "alice@b.test"), a_mail(connection, "alice@b.test")
        other = a_mail(connection, "bob@b.test")
        assert [each.id for each in outbox.due(connection, NOW)] == [first, other]
        assert [each.id for each in outbox.due(connection, NOW, 1)] == [first]
        outbox.mark(connection, first, "sent", now=NOW, answer="250 ok")
        assert [each.id for each in outbox.due(connection, NOW)] == [second, other]


@pytest.mark.parametrize("state", ["waiting", "sending", "uncertain"])
def test_an_unfinished_mail_holds_back_the_next(store: Store, state: str) -> None:
    """A mail that is on its way or waits for another try keeps the next one waiting."""
    with store.writing() as connection:
        first, _ = a_mail(connection), a_mail(connection)
        outbox.mark(connection, first, state, now=NOW, next_at=NOW + SECOND)
        assert outbox.due(connection, NOW) == ()


@pytest.mark.parametrize("state", ["sent", "failed", "held", "superseded"])
def test_a_finished_or_held_mail_holds_back_nothing(store: Store, state: str) -> None:
    """A mail that is done with or held by the organiser lets the next one pass."""
    with store.writing() as connection:
        first, second = a_mail(connection), a_mail(connection)
        outbox.mark(connection, first, state, now=NOW)
        assert [each.id for each in outbox.due(connection, NOW)] == [second]


def test_a_mail_waits_for_its_moment(store: Store) -> None:
    """A mail put off is due when its moment has come, uncertain or not."""
    with store.writing() as connection:
        later = a_mail(connection, "alice@b.test", next_at=NOW + SECOND)
        unsure = a_mail(connection, "bob@b.test")
        outbox.mark(connection, unsure, "uncertain", now=NOW, next_at=NOW + 2 * SECOND)
        assert outbox.due(connection, NOW) == ()
        assert [each.id for each in outbox.due(connection, NOW + SECOND)] == [later]
        found = outbox.due(connection, NOW + 2 * SECOND)
        assert [each.id for each in found] == [later, unsure]


def test_a_mail_is_claimed_once(store: Store) -> None:
    """Whoever claims a mail second, or when it is done with, does not get it."""
    with store.writing() as connection:
        mail = a_mail(connection)
        assert outbox.claim(connection, mail)
        assert not outbox.claim(connection, mail)
        row = outbox.get(connection, mail)
        assert (row.state, row.attempts) == ("sending", 1)
        outbox.mark(connection, mail, "uncertain", now=NOW, next_at=NOW)
        assert outbox.claim(connection, mail)
        outbox.mark(connection, mail, "sent", now=NOW + SECOND, answer="250 ok")
        assert not outbox.claim(connection, mail)
        row = outbox.get(connection, mail)
    assert (row.state, row.attempts, row.answer, row.sent_at) == (
        "sent",
        2,
        "250 ok",
        NOW + SECOND,
    )


def test_what_a_crash_left_is_uncertain(store: Store) -> None:
    """Mails a process was sending when it died are uncertain, and due again; others stay."""
    with store.writing() as connection:
        lost, waits = a_mail(connection, "alice@b.test"), a_mail(connection, "bob@b.test")
        outbox.claim(connection, lost)
        assert outbox.recover(connection) == 1
        assert outbox.get(connection, lost).state == "uncertain"
        assert outbox.get(connection, waits).state == "waiting"
        assert [each.id for each in outbox.due(connection, NOW)] == [lost, waits]
        assert outbox.recover(connection) == 0


def test_a_receipt_is_sent_again(store: Store) -> None:
    """A mail that was sent or failed can be sent again; one on its way is left alone."""
    with store.writing() as connection:
        sent, going = a_mail(connection, "alice@b.test"), a_mail(connection, "bob@b.test")
        outbox.mark(connection, sent, "sent", now=NOW)
        outbox.claim(connection, going)
        before = outbox.get(connection, sent).message_id, outbox.raw(connection, sent)
        outbox.send_again(connection, sent, NOW + SECOND)
        assert (outbox.get(connection, sent).message_id, outbox.raw(connection, sent)) == before
        outbox.send_again(connection, going, NOW + SECOND)
        row = outbox.get(connection, sent)
        assert (row.state, row.next_at) == ("waiting", NOW + SECOND)
        assert outbox.get(connection, going).state == "sending"


def test_only_reports_that_have_not_left_are_superseded(store: Store) -> None:
    """A new report replaces waiting reports to that seat, and nothing else."""
    with store.writing() as connection:
        placed, other = a_match(connection), a_match(connection)
        here = {"match_id": placed.match, "seat": "red", "kind": "report"}
        old = a_mail(connection, **here)
        kept = [
            a_mail(connection, **{**here, "kind": "receipt"}),
            a_mail(connection, **{**here, "seat": "blue"}),
            a_mail(connection, **{**here, "match_id": other.match}),
        ]
        for state in ("sending", "uncertain", "sent", "failed"):
            kept.append(a_mail(connection, **here))
            outbox.mark(connection, kept[-1], state, now=NOW)
        before = [outbox.get(connection, each) for each in kept]
        assert outbox.supersede_reports(connection, placed.match, "red") == 1
        assert outbox.get(connection, old).state == "superseded"
        assert [outbox.get(connection, each) for each in kept] == before


def test_only_an_invitation_that_has_not_left_is_superseded(store: Store) -> None:
    """It tells whether there was one; what may have left, and other seats' mails, stay."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        here = {"match_id": match_id, "seat": "red", "kind": "invitation"}
        left = a_mail(connection, **here)
        outbox.mark(connection, left, "uncertain", now=NOW)
        assert not outbox.supersede_invitation(connection, match_id, "red")
        waits, other = a_mail(connection, **here), a_mail(connection, **{**here, "seat": "blue"})
        assert outbox.written_to(connection, match_id, "red") == 2
        assert outbox.supersede_invitation(connection, match_id, "red")
        states = [outbox.get(connection, each).state for each in (left, waits, other)]
    assert states == ["uncertain", "superseded", "waiting"]


def test_a_seat_is_told_again_what_never_left(store: Store) -> None:
    """After reports were superseded a seat is told from where the last one that left ended."""
    with store.writing() as connection:
        match_id = a_match(connection).match

        def report(seq: int) -> int:
            return a_mail(connection, match_id=match_id, seat="red", kind="report", seq=seq)

        def told(reported: int) -> int:
            return outbox.told_since(connection, match_id, "red", reported)

        assert told(0) == 0
        outbox.mark(connection, report(4), "sent", now=NOW)
        assert told(4) == 4
        report(7)
        outbox.supersede_reports(connection, match_id, "red")
        assert told(7) == 4
        report(9)
        outbox.supersede_reports(connection, match_id, "red")
        assert told(9) == 4
        outbox.mark(connection, report(11), "uncertain", now=NOW)
        assert told(11) == 11


def test_a_seat_nothing_ever_left_for_is_told_all(store: Store) -> None:
    """If the only report was superseded the next one tells everything from the start."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        a_mail(connection, match_id=match_id, seat="red", kind="report", seq=4)
        outbox.supersede_reports(connection, match_id, "red")
        assert outbox.told_since(connection, match_id, "red", 4) == 0


def test_when_a_report_was_accepted_is_known(store: Store) -> None:
    """The moment it was accepted for delivery stands with a mail; before that there is none."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        mail = a_mail(connection, match_id=match_id, seat="red", kind="report", turn=3)
        assert outbox.get(connection, mail).sent_at is None
        outbox.mark(connection, mail, "sent", now=NOW + SECOND)
        assert outbox.get(connection, mail).sent_at == NOW + SECOND


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


def test_mails_are_listed_counted_and_erased(store: Store) -> None:
    """The latest mails come first, by state or all; the bytes of one can be forgotten."""
    with store.writing() as connection:
        ids = [a_mail(connection) for _ in range(3)]
        outbox.mark(connection, ids[0], "failed", now=NOW, answer="550 no such user")
        assert [each.id for each in outbox.list_outbox(connection)] == ids[::-1]
        (failed,) = outbox.list_outbox(connection, "failed")
        assert (failed.id, failed.answer) == (ids[0], "550 no such user")
        assert outbox.counts(connection) == {"failed": 1, "waiting": 2}
        outbox.erase(connection, ids[0])
        with pytest.raises(KeyError):
            outbox.raw(connection, ids[0])
        with pytest.raises(KeyError):
            outbox.get(connection, 99)
