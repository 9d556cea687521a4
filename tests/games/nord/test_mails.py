"""What players of Nord are mailed: tiles that come one by one, and orders of one kind of island."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.club import Mail, letter, open_club

from referee import resources
from referee.games import registry

pytestmark = pytest.mark.fast

ALICE, BOB = "alice@example.test", "bob@example.test"
ORDERS = {"en": "place D6 D7", "de": "setze D6 D7"}
START = {"en": "start E7", "de": "beginne E7"}


def flat(mail: Mail) -> str:
    """Return a mail's text on one line."""
    return " ".join(mail.text.split())


def test_the_deal_is_told_to_each_reader(tmp_path: Path) -> None:
    """Everybody reads which tiles were theirs and where tiles were laid, and of nobody else's."""
    club = open_club(tmp_path)
    club.new_match("nord", f"red={ALICE}", f"blue={BOB}")
    club.work()
    for address in (ALICE, BOB):
        report = club.last(address, "report")
        told = flat(report).partition("What has happened so far: ")[2].partition(" The board:")[0]
        own, laid = told.rstrip(".").split(". ")
        assert own.startswith("(1) You drew these treasure tiles: ")
        assert own.count(",") == own.count(" and ") == 1
        assert laid.startswith("Treasure tiles were laid face down on ")
        for sentence in (own.removeprefix("(1) "), laid):
            assert sentence in " ".join(report.html.split())


@pytest.mark.parametrize("island", ["standard", "variable"])
def test_a_start_is_chosen_on_a_variable_island_only(tmp_path: Path, island: str) -> None:
    """How orders are written is told of the match's own island, in reports and in answers."""
    club = open_club(tmp_path)
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
        assert all(f"· {ORDERS[language]} — " in flat(each) for each in told)
        shown = [f"· {START[language]} — " in flat(each) for each in told]
        assert shown == [island == "variable"] * len(told)
    club.answer(report, "start wherever you like, please", ALICE)
    named = flat(club.last(ALICE))
    assert (f"· {START['en']} — " in named) == (island == "variable")
    assert (f"· {ORDERS['de']} — " in named) == (island == "standard")


def test_a_start_is_chosen_on_an_island_of_ones_own_too(tmp_path: Path) -> None:
    """An island of an organiser's board file may lay no starts down: then reports tell how."""
    shipped = resources.game_resource(registry.find_installed("nord"), "boards/reconstructed.json")
    board = json.loads(shipped)
    del board["islands"]["standard-2"]["starts"]
    board["islands"]["open"] = board["islands"].pop("standard-2")
    club = open_club(tmp_path)
    club.new_match("nord", f"red={ALICE}", f"blue={BOB}", options=["island=open"], board=board)
    club.work()
    report = club.last(ALICE, "report")
    assert f"· {START['en']} — " in flat(report)
    club.answer(report, "start wherever you like, please", ALICE)
    assert f"· {START['en']} — " in flat(club.last(ALICE))
