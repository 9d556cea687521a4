"""A match's clock from turn to turn: banks charged and credited, also by undo and redo."""

from __future__ import annotations

from datetime import timedelta

import pytest
from support.club import Club
from support.timed import ALICE, BOB, DAY, HOUR, MATCH, bank, begin, leave, left, play

from referee.desk.plans.board import Redo, Undo
from referee.desk.plans.plan import apply_act

pytestmark = pytest.mark.fast


def test_a_bank_pays_for_its_seat_only(club: Club) -> None:
    """What a turn used is taken off until the letter arrived, the increment comes with a turn."""
    begin(club, per_turn=None, bank=10 * DAY, increment=HOUR)
    assert left(club) == 10 * DAY + HOUR
    club.later(days=2)
    play(club, ALICE)
    assert bank(club, "red") == 8 * 86_400 + 3600
    assert bank(club, "blue") is None
    club.work()
    leave(club)
    club.later(hours=3)
    play(club, BOB)
    club.work()
    assert bank(club, "blue") == 10 * 86_400 - 2 * 3600
    assert left(club) == 8 * DAY + 2 * HOUR


def test_an_increment_is_earned_once(club: Club) -> None:
    """A turn taken back gives back what it earned, and earns it again when it stands again."""
    begin(club, per_turn=None, bank=10 * DAY, increment=HOUR)
    club.later(days=2)
    play(club, ALICE)
    club.work()
    leave(club)
    club.later(hours=3)
    for _ in range(2):
        apply_act(club.desk, Undo(MATCH, revealed=True), "a slip")
        assert (left(club), bank(club, "blue")) == (8 * DAY + HOUR, 10 * 86_400 - 3 * 3600)
        apply_act(club.desk, Redo(MATCH), "no slip")
        assert (left(club), bank(club, "red")) == (10 * DAY - 2 * HOUR, 8 * 86_400 + 3600)
    club.work()
    leave(club)
    play(club, BOB)
    assert left(club) == 8 * DAY + 2 * HOUR


def test_a_bank_is_never_overdrawn(club: Club) -> None:
    """Who is late has nothing, and with the next turn the increment."""
    begin(club, per_turn=None, bank=DAY, increment=HOUR)
    club.later(days=5)
    club.answer(club.last(ALICE, "report"), "pass", ALICE)
    assert bank(club, "red") == 0


def test_a_bank_that_is_used_up_gains_nothing_by_an_undo(club: Club) -> None:
    """An increment that was taken back after it was used is owed: again it brings nothing."""
    begin(club, per_turn=None, bank=DAY, increment=HOUR)
    play(club, ALICE)
    club.work()
    leave(club)
    club.later(days=9)
    assert left(club) == timedelta(0)
    for act in (Undo(MATCH, revealed=True), Redo(MATCH)):
        apply_act(club.desk, act, "a slip")
    assert (left(club), bank(club, "red")) == (timedelta(0), 86_400 + 3600)
    apply_act(club.desk, Undo(MATCH, revealed=True), "a slip after all")
    club.work()
    told = club.last(ALICE, "report")
    assert "blue 0 minutes" in told.flat
    play(club, ALICE, told)
    assert left(club) == timedelta(0)
