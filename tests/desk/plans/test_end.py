"""What the last report says of a match that an organiser has ended."""

from __future__ import annotations

import pytest
from support.club import ALICE, BOB, Club
from support.mending import NAME, plain, seated, settle

from referee.desk.matches import ledger
from referee.desk.plans.board import Acting
from referee.desk.plans.match import End
from referee.desk.plans.plan import apply_act


@pytest.fixture
def asked(club: Club) -> Club:
    """Return a match in which blue is to answer something before the turn goes on."""
    seated(club, edition=2)
    apply_act(club.desk, _peek(club), "by telephone")
    settle(club)
    return club


def _peek(club: Club) -> Acting:
    return Acting(NAME, str(club.match(NAME).to_act), ["peek blue"])


def test_nobody_is_to_act_in_a_match_that_was_ended(asked: Club) -> None:
    """The board of the last report says so no more; before the end it did."""
    with asked.desk.reading() as change:
        live = ledger.load_match(change, asked.match(NAME)).live
    pending = [one for each in live.scene(None).panels for one in each.sentences if one.pending]
    assert [each.key for each in pending] == ["asked"]
    apply_act(asked.desk, End(NAME), "too long")
    asked.work()
    english, german = (plain(asked.last(each, "report").text) for each in (ALICE, BOB))
    assert "is to say whether" not in english
    assert "am Zug" not in german
    assert "sagt, ob" not in german


def test_a_match_that_was_broken_off_has_no_places(asked: Club) -> None:
    """Its last report tells the points on the board, and no result."""
    apply_act(asked.desk, End(NAME), "too long")
    asked.work()
    told = plain(asked.last(ALICE, "report").text)
    assert "Result:" not in told
    assert "1. Red" not in told
    assert "Points:" in told


def test_a_declared_result_stands_in_the_last_report(asked: Club) -> None:
    """Best first."""
    apply_act(asked.desk, End(NAME, {"red": 2, "blue": 1}), "agreed")
    asked.work()
    told = plain(asked.last(ALICE, "report").text)
    assert "Result: Player Points 1. Blue" in told
