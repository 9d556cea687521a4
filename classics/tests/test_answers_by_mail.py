"""Answers to letters that are nearly a yes or a no, and the turn as reports tell it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.club import ALICE, BOB, CAROL, Club, open_club


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """Return a club of alice and bob."""
    return open_club(tmp_path)


@pytest.mark.parametrize(
    "text", ["Yes, E5 is dead", "Ja, D4 und E5 sind tot", "agreed, E5 is dead", "Nein, E5 lebt!"]
)
def test_talk_that_nearly_agrees_to_dead_stones_is_told_what_a_yes_would_play(
    club: Club, text: str
) -> None:
    club.new_match("go", f"black={ALICE}", f"white={BOB}", options=["size=9x9"])
    club.work()
    turns = ("D4", "E5", "pass", "pass", "dead D4\ndead E5\ndone")
    for who, line in zip((ALICE, BOB, ALICE, BOB, ALICE), turns, strict=True):
        club.answer(club.last(who, "report"), line, who)
        club.work()
    club.answer(club.last(BOB, "report"), text, BOB)
    club.work()
    told = club.last(BOB, "answer").flat
    assert "Alone on its line “yes” plays “done” here." in told
    assert "alive E5" in told
    assert club.match("go-1").state == "running"


@pytest.mark.parametrize(
    ("game", "seats"), [("backgammon", "white black"), ("hearts", "north east south west")]
)
def test_the_first_report_of_every_game_tells_how_one_gives_up(
    club: Club, game: str, seats: str
) -> None:
    """Of a draw only those tell in which one can be agreed upon."""
    people = dict(zip(seats.split(), (ALICE, BOB, CAROL, "dora@example.test"), strict=False))
    club.new_match(game, *(f"{seat}={person}" for seat, person in people.items()))
    club.work()
    acting = people[club.match(f"{game}-1").to_act]
    told = club.last(acting, "report").flat.partition("How orders are written")[2]
    assert "· resign — gives up the match" in told
