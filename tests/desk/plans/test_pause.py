"""A pause: the match rests, and the time left is left."""

from __future__ import annotations

from datetime import timedelta

import pytest
from support.club import ALICE, BOB, Club
from support.mending import NAME, an_order, do, resent, said, settle

from referee.desk.plans.board import Undo
from referee.desk.plans.match import End, Extend, Pause, Resume
from referee.desk.plans.plan import propose


def test_a_paused_match_rests(running: Club) -> None:
    """No deadline, no orders: each is answered with who paused it, since when, and why."""
    alice = resent(running, ALICE, "red")
    do(running, Pause(NAME), "rain on the roof")
    assert "The organiser has paused pebbles-1" in said(running, ALICE)
    assert "Der Veranstalter hat pebbles-1 angehalten" in said(running, BOB)
    running.later(days=30)
    settle(running)
    before = running.match(NAME)
    running.answer(alice, an_order(running), ALICE)
    told = said(running, ALICE, "answer")
    assert "Nothing changed: pebbles-1 has been paused since Sat 21 Nov 2026, 13:00" in told
    assert "by the organiser" in told
    assert "rain on the roof" in told
    assert running.match(NAME) == before


def test_after_a_pause_the_time_left_is_left(running: Club) -> None:
    """A pause of three days moves the deadline by three days, and orders are played again."""
    due = running.match(NAME).due
    report = resent(running, ALICE, "red")
    do(running, Pause(NAME))
    running.later(days=3)
    do(running, Resume(NAME))
    assert due is not None
    assert running.match(NAME).due == due + timedelta(days=3)
    assert "The pause of pebbles-1 is over: the organiser has ended it. Red is to act" in said(
        running, ALICE
    )
    assert "Der Veranstalter hat sie beendet. Rot ist am Zug" in said(running, BOB)
    running.answer(report, an_order(running), ALICE)
    assert running.match(NAME).to_act == "blue"


def test_who_is_to_act_is_asked_for_orders_and_the_others_are_not(running: Club) -> None:
    """After a pause the one has orders to send again; whoever waits may write to the others."""
    do(running, Pause(NAME))
    do(running, Resume(NAME))
    assert "write your orders above" in said(running, ALICE)
    assert "schreib „nachricht“" in said(running, BOB)


def test_more_time_in_a_pause_is_told_by_what_is_left(running: Club) -> None:
    """There is no moment at which it ends, neither before nor after."""
    do(running, Pause(NAME))
    [told] = propose(running.desk, Extend(NAME, 3 * 86_400), "why").matches
    assert (told.before.due, told.after.due) == (None, None)
    assert told.after.left["red"] - told.before.left["red"] == 3 * 86_400


@pytest.mark.parametrize("out", [False, True])
def test_a_paused_match_whose_end_is_undone_is_paused_again(running: Club, *, out: bool) -> None:
    """Whether its record is out or not; no time runs until it goes on."""
    do(running, Pause(NAME))
    paused_at = running.match(NAME).paused_at
    do(running, End(NAME))
    if out:
        settle(running)
        assert running.match(NAME).released
    do(running, Undo(NAME, revealed=True))
    settle(running)
    row = running.match(NAME)
    assert (row.state, row.paused_at) == ("paused", paused_at)
    running.later(days=30)
    do(running, Resume(NAME))
    settle(running)
    row = running.match(NAME)
    assert row.state == "running"
    assert row.due is not None
    assert row.due > running.desk.now()
