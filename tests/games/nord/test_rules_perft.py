"""How many sequences of orders small positions have."""

import pytest
from support.nord_cases import GAME, document, load, posted

from referee.games import play

pytestmark = pytest.mark.fast

OPENING = document(
    "~~~~~~",
    "~SfmK~",
    "~kDkf~",
    "~mkfS~",
    "~~~~~~",
    settlements={
        "B2": {"jarl": "red", "warriors": {"red": 1}},
        "D5": {"jarl": "green", "warriors": {"green": 1}},
    },
    treasures={"B5": "axe"},
    supply={"gold": 2, "sword": 1},
    hands={"red": {"hammer": 1}, "green": {"axe": 1}},
    men={"red": 4, "green": 4},
)
FIGHT = document(
    "SkkS~",
    "kk~~K",
    "kS~~D",
    settlements={
        "A1": posted(red=1),
        "A4": {"jarl": "neutral", "warriors": {"red": 2, "green": 1}},
        "C2": {"jarl": "green", "warriors": {"green": 2}},
    },
    workers={"C1": "green", "A3": "green", "B4": "red", "B5": "green"},
    hands={"red": {"hammer": 1, "helmet": 1}, "green": {"goblet": 1}},
)
HARVEST = document(
    "KSf~",
    "mmSK",
    "~~D~",
    settlements={"A2": posted(red=3, green=1), "B3": {"jarl": "red", "warriors": {"red": 2}}},
    workers={"B1": "red", "A4": "red"},
    large_boat=["jarl:blue"] + ["man:green"] * 8,
    supply={"axe": 1, "gold": 1},
    discards={"sword": 2, "helmet": 1},
    scorings_done=1,
    to_act="green",
)
POSITIONS = {"opening": OPENING, "fight": FIGHT, "harvest": HARVEST}
COUNTS = {"opening": (8, 72, 560), "fight": (12, 80, 546), "harvest": (3, 7, 21, 45)}


@pytest.mark.parametrize(
    ("name", "depth"), [(n, d) for n, counts in COUNTS.items() for d, _ in enumerate(counts, 1)]
)
def test_sequences_are_as_many_as_by_the_rules(name, depth):
    """Each order of a sequence is legal after those before it, chance's too; §4."""
    assert play.perft(GAME, load(POSITIONS[name]), depth) == COUNTS[name][depth - 1]
