"""`referee try` on positions of Nord, as people write them by hand."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.fast

POSITION = {
    "game": "nord",
    "edition": 1,
    "board": {"map": ["~~~~~~~", "~Smm~~~", "~ffkK~~", "~~~~~D~"]},
    "seats": ["red", "green"],
    "to_act": "red",
    "phase": "turn",
    "scorings_done": 0,
    "settlements": {"B2": {"jarl": "red", "warriors": {"red": 1}}},
    "workers": {"B3": "red"},
    "treasures": {"C5": "axe"},
    "supply": {"gold": 6},
    "discards": {},
    "hands": {"red": {"hammer": 1}},
    "large_boat": ["jarl:blue", "jarl:yellow", "man:red"],
    "men": {"red": 21},
    "points": {"red": 0},
    "fishing_boats": 6,
}


@pytest.fixture
def attempt(run: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Return a function that tries a document."""

    def attempt_document(document: object, *arguments: object) -> Any:
        file = tmp_path / "position.json"
        file.write_text(json.dumps(document), encoding="utf-8")
        return run("try", file, *arguments)

    return attempt_document


def test_workers_are_placed(attempt: Callable[..., Any]) -> None:
    """A legal order puts workers on the map, whatever language it is written in."""
    answer = json.loads(attempt(POSITION, "--order", "setze C2 C3", "--json").out)
    assert answer["ok"]
    assert answer["facts"][0]["fact"] == "placed"
    assert answer["facts"][0]["spaces"] == ["C2", "C3"]


def test_what_nord_writes_it_reads(attempt: Callable[..., Any]) -> None:
    """The position after an order is read back as itself, and forced steps were played."""
    position = json.loads(attempt(POSITION, "--order", "place C3", "--json").out)["position"]
    again = json.loads(attempt(position, "--json").out)["position"]
    assert position["scorings_done"] > 0
    assert again == position


def test_a_space_out_of_reach_is_refused_with_the_rule(attempt: Callable[..., Any]) -> None:
    """A refusal cites the rules of Nord and names what could be placed instead."""
    ran = attempt(POSITION, "--order", "place C5", "--json")
    refusal = json.loads(ran.out)["refusal"]
    assert ran.status == 1
    assert refusal["rule"].startswith("Nord A1")
    assert 0 < len(refusal["legal"]) <= 10
    assert all(each.startswith("place ") for each in refusal["legal"])


def test_a_hidden_tile_is_not_in_another_seats_view(attempt: Callable[..., Any]) -> None:
    """Another seat's view holds neither the hand of red nor the tile on the stone pile."""
    seen = json.loads(attempt(POSITION, "--view", "green", "--json").out)["view"]
    own = json.loads(attempt(POSITION, "--view", "red", "--json").out)["view"]
    assert "hammer" in json.dumps(own)
    assert "hammer" not in json.dumps(seen)
    assert "axe" not in json.dumps(seen)


def test_a_drawn_board_is_shown(attempt: Callable[..., Any]) -> None:
    """The text shows the map with its marks, and whose turn it is."""
    ran = attempt(POSITION)
    assert ran.out.splitlines()[2].split() == ["B", ".", "#R1", "mR", "m", ".", ".", "."]
    assert "Red is to act." in ran.out


def test_an_island_of_four_rows_is_not_complete(attempt: Callable[..., Any]) -> None:
    """--check enforces what an island must satisfy; without it the document is played."""
    ran = attempt(POSITION, "--check")
    assert ran.status == 1
    assert "$.board.map: " in ran.out


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"workers": {"B2": "red"}}, "$.workers.B2"),
        ({"treasures": {"C4": "axe"}}, "$.treasures.C4"),
        ({"board": {"map": ["~~", "~"]}}, "$.board"),
        ({"seats": ["red", "red"]}, "$.seats"),
        ({"to_act": "blue"}, "$.to_act"),
    ],
)
def test_an_unreadable_position_names_its_place(
    attempt: Callable[..., Any], change: dict[str, object], place: str
) -> None:
    """What can never be read has status 2 and names the place in the document."""
    ran = attempt(POSITION | change)
    assert (ran.status, ran.out) == (2, "")
    assert f"position.json: {place}" in ran.err
