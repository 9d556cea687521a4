"""Invitations: who invites to what, and the time of a match, as they tell it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from support.club import ALICE, BOB, SEATS, Club, Mail

from referee.desk.plans.match import End
from referee.desk.plans.plan import apply_act
from referee.games import registry
from referee.games.game import LANGUAGES
from referee.matches.time.calendar import parse_days_off
from referee.render.words.wording import Catalogue

pytestmark = pytest.mark.fast

TAUGHT = "a match takes about"
"""Stands wherever a game is explained, and nowhere else."""


@pytest.mark.parametrize("game", registry.game_names())
def test_an_invitation_says_who_invites_and_what_the_game_is(club: Club, game: str) -> None:
    """A stranger knows the club, its organiser, the aim of the game and how long it takes."""
    club.settle(name="Games by mail", organiser="olga@example.test")
    club.new_match(game, *SEATS, begins=False)
    said = club.last(ALICE, "invitation").flat
    name = game.capitalize()
    assert f"Games by mail invites you to a match of {name}, played by email" in said
    assert "The organiser is olga@example.test" in said
    assert said.index("In a minute: ") < said.index(TAUGHT) < said.index("· agree · decline")
    assert said.index("Who plays") < said.index("· · ·") < said.index("SHA-256")
    assert "“help” brings every command, “rules” the rules." in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_origo_advises_to_queue_the_starting_shields(club: Club, language: str) -> None:
    """All lines below the one word that the invitation names are played in their turns."""
    club.settle(language=language)
    club.new_match("origo", *SEATS, begins=False)
    assert f"{Catalogue(language).keyword('queue')}" in club.last(ALICE, "invitation").flat
    club.new_match("origo", *SEATS)
    club.work()
    for who, row in ((ALICE, "A"), (BOB, "C")):
        report = club.last(who, "report")
        queue, place = Catalogue(language).keyword("queue"), report.turn_file["legal"] or ["place"]
        word = place[0].split()[0]
        club.answer(report, "\n".join([queue, *(f"{word} {row}{at}" for at in (1, 3, 5))]), who)
    club.work()
    assert club.match("origo-2").turn == 7


def test_a_first_report_explains_the_game_until_a_match_of_it_has_ended(club: Club) -> None:
    """With an order that its reader may give now; later reports and veterans are spared it."""
    first, second = (club.new_match("pebbles", *SEATS).name for _ in "12")
    club.work()
    reports = [mail for mail in club.mails(ALICE) if mail.kind == "report"]
    for report in reports:
        assert TAUGHT in report.flat
        assert f"in a line such as “{report.turn_file['legal'][0]}”" in report.flat
    club.answer(reports[0], reports[0].turn_file["legal"][0], ALICE)
    club.work()
    assert TAUGHT not in club.last(ALICE, "report").flat
    apply_act(club.desk, End(first, None), "nobody plays")
    assert TAUGHT in _begun(club, "pebbles").flat
    club.answer(reports[1], "pass", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), "pass", BOB)
    assert club.match(second).state == "over"
    assert TAUGHT not in _begun(club, "pebbles").flat
    assert TAUGHT in _begun(club, "nord").flat


def _begun(club: Club, game: str) -> Mail:
    """Return the first report of a new match."""
    club.new_match(game, *SEATS)
    club.work()
    return club.last(ALICE, "report")


def test_an_invitation_to_a_match_that_begins_at_once_leaves_that_to_the_report(
    club: Club,
) -> None:
    """Both leave in the same minute, and one is enough."""
    club.new_match("pebbles", *SEATS)
    club.work()
    invitation, report = club.mails(ALICE)
    assert (TAUGHT in invitation.flat, TAUGHT in report.flat) == (False, True)


def test_the_invitation_tells_the_bank(club: Club) -> None:
    """And the increment."""
    bank = timedelta(days=10)
    terms = {"bank": bank, "increment": timedelta(hours=12), "days_off": parse_days_off("fri")}
    club.new_match("pebbles", *SEATS, begins=False, per_turn=None, **terms)
    said = club.last(ALICE, "invitation").flat
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
    said = club.last(ALICE, "invitation").flat
    assert told in said
    assert "live: Saturday, Sunday, 25 Dec and Thu 24 Dec 2026." in said
