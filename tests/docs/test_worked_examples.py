"""The worked examples in the rules of Nord come out as the page says."""

import json
import re
from typing import Any

import pytest
from support import pages

from referee.games import registry
from referee.games.nord.rules.attack import losses
from referee.games.nord.rules.scoring import treasure_points
from referee.games.play import play

pytestmark = pytest.mark.fast

PAGE = pages.TREE / "docs" / "rules" / "nord.md"
SIMPLE, CHAINS = [json.loads(each.text) for each in pages.fences(PAGE) if each.schema]
GAME = registry.find_installed("nord")


def played(document: Any, *lines: str) -> Any:
    """Return what came of orders on a position of the page."""
    orders = [GAME.parse(each, "en") for each in lines]
    return play(GAME, GAME.load(document), orders)


def section(title: str) -> str:
    """Return the text under a heading of the third level."""
    text = pages.read("docs/rules/nord.md").partition(f"### {title}\n")[2]
    return re.split(r"^##", text, flags=re.MULTILINE)[0]


def test_the_table_of_attackers() -> None:
    """Every row of the table is what the rules engine counts off."""
    rows = re.findall(r"^\| (\d) \|(.*)\|$", section("What becomes of the attackers"), re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 8))
    for number, cells in rows:
        dead, goal, start, chosen, back = [int(each.strip() or 0) for each in cells.split("|")]
        assert losses(int(number)) == (dead, goal, start, back)
        assert dead + goal + start + chosen + back == int(number)


@pytest.mark.parametrize(
    ("hand", "points"),
    [((0, 0, 2, 0, 0, 0), 1), ((1, 0, 0, 3, 3, 1), 23), ((0, 0, 0, 0, 0, 6), 37)]
    + [((1,) * n + (0,) * (6 - n), worth) for n, worth in enumerate((1, 2, 3, 5, 10, 15), 1)],
)
def test_the_table_of_treasures(hand: tuple[int, ...], points: int) -> None:
    """The hands of the table are worth what it says."""
    assert points == treasure_points(hand)
    assert re.search(rf"\b{points}\b", section("Treasures"))


def test_the_simple_attack() -> None:
    """Two workers over exactly two spaces: one dead, one warrior beside Green's."""
    position = played(SIMPLE, "place B3 B4").position
    assert GAME.forced(position) == GAME.parse("attack B2 B5", "en")
    after = GAME.dump(played(SIMPLE, "place B3 B4", "attack B2 B5").position)
    assert after["settlements"]["B5"]["warriors"] == {"red": 1, "green": 1}
    assert after["large_boat"] == ["man:red"]
    assert after["workers"] == {}


def test_the_choices_of_the_three_chains() -> None:
    """The four orders of the example are exactly what Red may do."""
    position = played(CHAINS, "place B3 C2 C3").position
    found = {GAME.format(each, "en") for each in GAME.orders(position)}
    text = section("Three chains")
    assert found == set(re.findall(r"`(attack [^`]+)`", text))


@pytest.mark.parametrize(
    ("via", "warriors", "to_act"),
    [("C2 C3", 1, "green"), ("B3 C3", 1, "green"), ("C2 D2", 0, "red")],
)
def test_what_the_three_chains_lead_to(via: str, warriors: int, to_act: str) -> None:
    """One of the chains runs over a worker of Green, costs one man and settles nothing."""
    done = played(CHAINS, "place B3 C2 C3", f"attack B2 D3 via {via}")
    after = GAME.dump(done.position)
    assert done.refusal is None
    assert after["large_boat"] == ["man:red"]
    assert after["settlements"]["D3"]["warriors"].get("red", 0) == warriors
    assert after["to_act"] == to_act
