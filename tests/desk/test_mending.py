"""Plans, what they show, and what is left when they are applied."""

from __future__ import annotations

import pytest
from support.club import Club

from referee.desk.mending import planning
from referee.desk.mending.act import Refused
from referee.desk.mending.pausing import Pause, Resume

pytestmark = pytest.mark.fast

ALICE, BOB = "alice@example.test", "bob@example.test"


@pytest.fixture
def running(club: Club) -> Club:
    """Return a club with a match that rests, everybody told."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    club.mails(ALICE)
    club.mails(BOB)
    return club


def test_a_plan_changes_nothing(running: Club) -> None:
    """The dry run leaves the match as it was, and no mail."""
    before = running.match("pebbles-1")
    planning.propose(running.desk, Pause("pebbles-1"), "holidays")
    assert running.mails(ALICE) == []
    assert running.match("pebbles-1") == before


def test_what_a_plan_shows_is_what_is_mailed(running: Club) -> None:
    """Applied, the same mails go out, word for word."""
    plan = planning.propose(running.desk, Pause("pebbles-1"), "holidays")
    done = planning.apply(running.desk, plan.id)
    assert plan.mails == done.mails
    assert "The organiser has paused pebbles-1" in " ".join(running.last(BOB).text.split())
    assert running.match("pebbles-1").state == "paused"


def test_resumed_the_time_left_is_left(running: Club) -> None:
    """A pause of three days moves the deadline by three days."""
    due = running.match("pebbles-1").due
    planning.carry_out(running.desk, Pause("pebbles-1"), "holidays")
    running.later(days=3)
    planning.carry_out(running.desk, Resume("pebbles-1"), "back again")
    now = running.match("pebbles-1").due
    assert due is not None
    assert now is not None
    assert (now - due).days == 3


def test_a_stale_plan_is_refused(running: Club) -> None:
    """What was planned before the match moved on is not done."""
    plan = planning.propose(running.desk, Pause("pebbles-1"), "holidays")
    planning.carry_out(running.desk, Pause("pebbles-1"), "other")
    with pytest.raises(Refused, match="has moved on"):
        planning.apply(running.desk, plan.id)
