"""How many sequences of orders small positions have."""

import pytest
from support.origo_cases import GAME, document, filled, load, owned

from referee.games import play

pytestmark = pytest.mark.fast

OPENING = document(
    seats=["red", "blue"],
    phase="place",
    to_act="blue",
    shields=owned(
        red="J4 J5 J6 J7 J8 J9 J10 I3 I4 I9 I10 A1",
        blue="A3 B3 B4 C3 C4 D3 A7 B7 B8 C7 E1",
    ),
    hands={"red": ["land:POL", "people"]},
)
FIGHT = document(
    seats=["orange", "black"],
    to_act="black",
    shields=owned(orange="E7 D7 E6 D6 D8 E5", black="E8 F7 F8 G7"),
    founded=["POL"],
    supply={"black": 1},
    hands={
        "black": ["land:POL", "col:7", "row:E", "people"],
        "orange": ["row:D/E/F", "people", "ship", "col:7/8"],
    },
    turn={"migrated": True},
)
COAST = document(
    to_act="black",
    shields=owned(black="I3 I4 H4", red="H3 I2") | filled("BEL", "blue", ["E3"]),
    scorings_ordered=1,
    passed=["red"],
    hands={"black": ["row:E", "ship"]},
    draw={"people": 1},
    turn={"actions": 1},
)
POSITIONS = {"opening": OPENING, "fight": FIGHT, "coast": COAST}
COUNTS = {"opening": (77, 9959), "fight": (39, 234, 10916), "coast": (49, 1313, 24613)}


@pytest.mark.parametrize(
    ("name", "depth"), [(n, d) for n, counts in COUNTS.items() for d, _ in enumerate(counts, 1)]
)
def test_sequences_are_as_many_as_by_the_rules(name, depth):
    """Each order of a sequence is legal after those before it, chance's too; §2 to §4."""
    assert play.perft(GAME, load(POSITIONS[name]), depth) == COUNTS[name][depth - 1]
