"""What a deadline does, and what keeps it from doing it too early."""

from __future__ import annotations

from datetime import timedelta

import pytest
from support.club import Club

from referee.desk import health

pytestmark = pytest.mark.fast

ALICE, BOB = "alice@example.test", "bob@example.test"
SEATS = (f"red={ALICE}", f"blue={BOB}")


def late_match(club: Club, rule: str) -> None:
    """Begin a match with a day per turn and let the day pass."""
    club.new_match("pebbles", *SEATS, late=rule, per_turn=timedelta(days=1))
    club.work()
    club.mails(ALICE)
    club.later(days=1, minutes=1)


def test_a_match_that_waits_only_waits(club: Club) -> None:
    """Without the rule nothing is played for anybody."""
    late_match(club, "wait")
    health.note_poll(club.desk, club.desk.now())
    club.work()
    assert club.match("pebbles-1").to_act == "red"


def test_the_idle_order_is_played_when_time_is_up(club: Club) -> None:
    """The seat's idle order stands in the log, its player is told, the others get their report."""
    late_match(club, "idle")
    health.note_poll(club.desk, club.desk.now())
    club.work()
    assert club.match("pebbles-1").to_act == "blue"
    assert "was up, so the referee played for you: pass" in " ".join(
        club.last(ALICE, "notice").text.split()
    )
    assert "It is your turn" in club.last(BOB, "report").text


def test_a_deadline_waits_for_a_poll_that_began_after_it(club: Club) -> None:
    """A letter may lie in the mailbox that nobody has looked into yet."""
    late_match(club, "idle")
    health.note_poll(club.desk, club.desk.now() - timedelta(minutes=5))
    club.work()
    assert club.match("pebbles-1").to_act == "red"
    club.later(minutes=1)
    health.note_poll(club.desk, club.desk.now())
    club.work()
    assert club.match("pebbles-1").to_act == "blue"


def test_no_deadline_acts_before_its_moment(club: Club) -> None:
    """A minute before the end of the turn nothing happens."""
    club.new_match("pebbles", *SEATS, late="idle", per_turn=timedelta(days=1))
    club.work()
    club.later(hours=23, minutes=59)
    health.note_poll(club.desk, club.desk.now())
    club.work()
    assert club.match("pebbles-1").to_act == "red"
