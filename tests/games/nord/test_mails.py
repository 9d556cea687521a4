"""What players of Nord are mailed: tiles that come one by one, and orders of one kind of island."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.archived import club_in
from support.club import ALICE, BOB, Club, letter

from referee import resources
from referee.games import registry
from referee.games.game import Fact, Result, Scene
from referee.render.reports import chart_of, parts_of
from referee.render.site.course import Course, CourseStep
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast

ORDERS = {"en": "place D6 D7", "de": "setze D6 D7"}
START = {"en": "start E7", "de": "beginne E7"}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Return a club with nobody in it yet."""
    with club_in(tmp_path) as found:
        yield found


def test_the_deal_is_told_to_each_reader(club: Club) -> None:
    """Everybody reads which tiles were theirs and where tiles were laid, and of nobody else's."""
    club.new_match("nord", f"red={ALICE}", f"blue={BOB}")
    club.work()
    for address in (ALICE, BOB):
        report = club.last(address, "report")
        told = report.flat.partition("What has happened so far: ")[2].partition(" The board:")[0]
        own, laid = told.rstrip(".").split(". ")
        assert own.startswith("(1) You drew these treasure tiles: ")
        assert own.count(",") == own.count(" and ") == 1
        assert laid.startswith("Treasure tiles were laid face down on ")
        for sentence in (own.removeprefix("(1) "), laid):
            assert sentence in " ".join(report.html.split())


def test_the_signs_of_the_board_are_told_both_as_text_and_as_table(club: Club) -> None:
    """Settlements and the numbers of warriors in them are told beside grounds and pieces."""
    club.new_match("nord", f"red={ALICE}", f"blue={BOB}")
    club.work()
    report = club.last(ALICE, "report")
    for told in (report.text, report.html):
        signs = " ".join(told.split()).partition("Signs: ")[2]
        assert " # settlement; ? treasure tile, face down; " in signs
        assert "; number: warriors" in signs


@pytest.mark.parametrize("island", ["standard", "variable"])
def test_a_start_is_chosen_on_a_variable_island_only(club: Club, island: str) -> None:
    """How orders are written is told of the match's own island, in reports and in answers."""
    club.new_match("nord", f"red={ALICE}", f"blue={BOB}", options=[f"island={island}"])
    club.work()
    report = club.last(ALICE, "report")
    mails = {"en": [report], "de": []}
    for language, told in mails.items():
        club.answer(report, f"set language {language}", ALICE)
        for line in ("help", "rules", "so be it"):
            club.answer(report, line, ALICE)
            told.append(club.last(ALICE))
        club.put(letter(ALICE, "rules", number=club.uid + 1))
        told.append(club.last(ALICE))
    for language, told in mails.items():
        assert all(f"· {ORDERS[language]} — " in each.flat for each in told)
        shown = [f"· {START[language]} — " in each.flat for each in told]
        assert shown == [island == "variable"] * len(told)
    club.answer(report, "start wherever you like, please", ALICE)
    named = club.last(ALICE).flat
    assert (f"· {START['en']} — " in named) == (island == "variable")
    assert (f"· {ORDERS['de']} — " in named) == (island == "standard")


def test_a_start_is_chosen_on_an_island_of_ones_own_too(club: Club) -> None:
    """An island of an organiser's board file may lay no starts down: then reports tell how."""
    shipped = resources.game_resource(registry.find_installed("nord"), "boards/reconstructed.json")
    board = json.loads(shipped)
    del board["islands"]["standard-2"]["starts"]
    board["islands"]["open"] = board["islands"].pop("standard-2")
    club.new_match("nord", f"red={ALICE}", f"blue={BOB}", options=["island=open"], board=board)
    club.work()
    report = club.last(ALICE, "report")
    assert f"· {START['en']} — " in report.flat
    club.answer(report, "start wherever you like, please", ALICE)
    assert f"· {START['en']} — " in club.last(ALICE).flat


FOUND = registry.find_installed("nord")
SCENE = Scene(0, 0, (), (), {}, ())


def scored(turn: int, *facts: Fact, points: dict[str, int], undone: bool = False) -> CourseStep:
    """Return a step in which points were scored."""
    return CourseStep(
        turn, turn, "red", "order", "score", False, facts, SCENE, points, True, undone=undone
    )


def test_the_end_tells_where_the_points_come_from() -> None:
    """The scorings and the rest add up; what was taken back does not count."""
    warriors = Fact("scoring", {"number": 2, "kind": "warriors"})
    told = Fact("scored-warriors", {"seat": "red", "points": 6, "parts": []})
    tiles = {"seat": "red", "points": 3, "tiles": {"sword": 2}}
    first = scored(9, warriors, told, points={"red": 16, "blue": 4})
    again = scored(8, warriors, told, points={"red": 6, "blue": 4}, undone=True)
    last = scored(9, Fact("treasures-scored", tiles), points={"red": 19, "blue": 4})
    course = Course(SCENE, {"red": 0, "blue": 0}, (again, first, last), whole=True)
    result = Result("scored", {"red": 19, "blue": 4}, {"red": 1, "blue": 2})
    wording = Wording(FOUND, "en")
    parts = parts_of(course, result, wording)
    assert {wording.value(key): dict(each) for key, each in parts.items()} == {
        "warriors": {"red": 6},
        "Treasures": {"red": 3},
        "Other": {"red": 10, "blue": 4},
    }
    chart = chart_of(course, {"red": "R"}, wording)
    assert chart is not None
    assert chart.png.startswith(b"\x89PNG")
    assert chart.alt in wording.catalogue.say("report.chart")
