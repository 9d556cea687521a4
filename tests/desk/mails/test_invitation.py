"""Invitations: the time of a match, as they tell it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from support.club import Club

from referee.matches.time.calendar import parse_days_off

pytestmark = pytest.mark.fast

ALICE = "alice@example.test"
SEATS = (f"red={ALICE}", "blue=bob@example.test")


def test_the_invitation_tells_the_bank(club: Club) -> None:
    """And the increment."""
    bank = timedelta(days=10)
    terms = {"bank": bank, "increment": timedelta(hours=12), "days_off": parse_days_off("fri")}
    club.new_match("pebbles", *SEATS, begins=False, per_turn=None, **terms)
    said = " ".join(club.last(ALICE, "invitation").text.split())
    assert "10 days for all turns together, and 12 hours more with each turn" in said
    assert "No clock runs on these days, where you live: Friday." in said
    assert "When time is up, the match waits" in said


@pytest.mark.parametrize(
    ("late", "told"),
    [
        ({"late": "idle"}, "as the rules provide for a player who does nothing"),
        ({"late": "bot", "bot": "greedy"}, "a bot plays this one turn"),
        (
            {"late": "resign", "leeway": timedelta(days=1)},
            "When time is up and the leeway of 1 day has passed too, the seat has given up.",
        ),
    ],
)
def test_the_invitation_tells_what_happens_to_who_is_late(
    club: Club, late: dict[str, Any], told: str
) -> None:
    """Who agrees knows it, and which days are off."""
    off = parse_days_off("weekends 12-25 2026-12-24")
    club.new_match("pebbles", *SEATS, begins=False, days_off=off, **late)
    said = " ".join(club.last(ALICE, "invitation").text.split())
    assert told in said
    assert "live: Saturday, Sunday, 25 Dec and Thu 24 Dec 2026." in said
