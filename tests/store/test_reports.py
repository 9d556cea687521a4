"""The mails to a seat: what they told, and which are taken back before they leave."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from support.storing import NOW, a_mail, a_match

from referee.store.post import outbox, reports
from referee.store.store import Store


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
            outbox.mark_mail(connection, kept[-1], state, now=NOW)
        before = [outbox.get_mail(connection, each) for each in kept]
        assert reports.withdraw_reports(connection, placed.match, "red") == 1
        assert outbox.get_mail(connection, old).state == "superseded"
        assert [outbox.get_mail(connection, each) for each in kept] == before


@pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
def test_a_reply_that_another_daemon_is_just_taking_leaves_by_itself(store: Store) -> None:
    """The report that would tell it does not wait for that."""
    with store.writing() as connection:
        placed = a_match(connection)
        here = {"match_id": placed.match, "seat": "red", "player_id": placed.alice}
        taken, waits = (
            a_mail(connection, **here, kind="receipt", brief=brief) for brief in ("one", "two")
        )
    with store.writing() as other, store.writing() as connection:
        assert outbox.claim_mail(other, taken)
        connection.execute(text("SET LOCAL lock_timeout = '2s'"))
        told = reports.withdraw_reports_to(connection, placed.match, {"red": placed.alice})
    assert told == {"red": [(waits, "two")]}


def test_only_an_invitation_that_has_not_left_is_superseded(store: Store) -> None:
    """It tells whether there was one; what may have left, and other seats' mails, stay."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        here = {"match_id": match_id, "seat": "red", "kind": "invitation"}
        left = a_mail(connection, **here)
        outbox.mark_mail(connection, left, "uncertain", now=NOW)
        assert not reports.withdraw_invitation(connection, match_id, "red")
        waits, other = a_mail(connection, **here), a_mail(connection, **{**here, "seat": "blue"})
        assert reports.withdraw_invitation(connection, match_id, "red")
        states = [outbox.get_mail(connection, each).state for each in (left, waits, other)]
    assert states == ["uncertain", "superseded", "waiting"]


def test_a_seat_is_told_again_what_never_left(store: Store) -> None:
    """After reports were superseded a seat is told from where the last one that left ended."""
    with store.writing() as connection:
        match_id = a_match(connection).match

        def report(seq: int) -> int:
            return a_mail(connection, match_id=match_id, seat="red", kind="report", seq=seq)

        def told(reported: int) -> int:
            return reports.told_since(connection, match_id, "red", reported)

        assert told(0) == 0
        outbox.mark_mail(connection, report(4), "sent", now=NOW)
        assert told(4) == 4
        report(7)
        reports.withdraw_reports(connection, match_id, "red")
        assert told(7) == 4
        report(9)
        reports.withdraw_reports(connection, match_id, "red")
        assert told(9) == 4
        outbox.mark_mail(connection, report(11), "uncertain", now=NOW)
        assert told(11) == 11


def test_a_seat_nothing_ever_left_for_is_told_all(store: Store) -> None:
    """If the only report was superseded the next one tells everything from the start."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        a_mail(connection, match_id=match_id, seat="red", kind="report", seq=4)
        reports.withdraw_reports(connection, match_id, "red")
        assert reports.told_since(connection, match_id, "red", 4) == 0
