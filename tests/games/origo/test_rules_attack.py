"""Who may be attacked, where, and with which cards: §3, Attack."""

import pytest
from support.origo_cases import (
    after,
    allowed,
    cards_for,
    filled,
    legal,
    owned,
    refused,
    rejected,
)
from support.origo_midland import MANY, fight

pytestmark = pytest.mark.fast


def test_valid_cards_name_line_land_or_neighbour():
    """E7 is attacked with land:POL, col:7, row:E and people; §3, §8.2."""
    assert cards_for(fight(black=MANY), "E7") == {"land:POL", "col:7", "row:E", "people"}


def test_double_and_triple_lines_are_valid_too():
    """A card that names several lines is valid for each of them; §3."""
    cards = ("row:E/F", "row:D/E/F", "col:7/8", "col:5/6/7", "row:C/D", "col:1/10")

    assert cards_for(fight(black=cards), "E7") == {"row:E/F", "row:D/E/F", "col:7/8", "col:5/6/7"}


def test_every_distinct_choice_of_opening_cards_is_an_order():
    """Two equal cards and another make five openings; §3, attack 1."""
    lines = legal(fight(black=("people", "row:E", "people")))
    openings = {o for o in lines if o.startswith("attack E7 with ")}

    assert {frozenset(o.split()[3:]) for o in openings} == {
        frozenset(["people"]),
        frozenset(["row:E"]),
        frozenset(["people", "row:E"]),
    }
    assert len(openings) == 5


def test_opening_cards_may_be_named_in_any_order():
    """The cards played at once are a set; §3, attack 1."""
    case = fight(black=MANY)

    one = after(case, "attack E7 with row:E col:7")

    assert one == after(case, "attack E7 with col:7 row:E")


def test_founded_land_need_not_be_full():
    """A land with a stone may be attacked though squares are empty; §3."""
    assert allowed(fight(owned(orange="E7", black="E8"), black=["row:E"]), "attack E7 with row:E")


def test_unfounded_land_is_safe():
    """Without a stone nobody is attacked there; §3."""
    assert rejected(fight(black=MANY, founded=["DAK"]), "attack E7 with row:E")


def sea_fight(but=(), **fields):
    """Return a position with the Bay of Biscay held by orange, save some, and black beside it."""
    shields = filled("BIS", "orange", but) | owned(black="F2")
    return fight(shields, **({"founded": [], "black": ["row:F", "ship", "land:GAL"]} | fields))


def test_full_sea_may_be_attacked():
    """A named sea completely occupied now is open to attack, ship cards included; §3."""
    assert cards_for(sea_fight(), "F1") == {"row:F", "ship"}


@pytest.mark.parametrize("gap", ["E1", "E2"])
def test_sea_with_a_free_square_is_safe(gap):
    """Every square of that sea must be occupied now; §3."""
    assert rejected(sea_fight(but=[gap]), "attack F1 with row:F")


def test_sea_filled_this_turn_may_be_attacked_at_once():
    """What counts is the sea as it is now; §3."""
    case = sea_fight(but=["E1"], black=["row:E", "row:F"])

    assert allowed(case, "expand E1 with row:E", "attack F1 with row:F")


def test_winning_a_square_at_sea_takes_it():
    """The attacker's shield holds the square; §3, attack 4."""
    result = after(sea_fight(), "attack F1 with ship", "yield")

    assert result["shields"]["F1"] == "black"


@pytest.mark.parametrize(
    ("square", "card"),
    [("D8", "col:8"), ("D6", "row:D"), ("E5", "row:E"), ("E8", "row:E"), ("E9", "row:E")],
)
def test_target_is_a_foreign_shield_beside_ones_own(square, card):
    """Not beside, own or empty squares cannot be attacked; §3."""
    case = fight(black=["col:8", "row:D", "row:E"], founded=["POL", "GER", "DAK"])
    if square == "D8":
        case["shields"] = case["shields"] | owned(black="F8 G7 F7")
        del case["shields"]["E8"]

    assert refused(case, f"attack {square} with {card}").rule.startswith("Origo")


@pytest.mark.parametrize(
    "line",
    [
        "attack E7 with row:F",
        "attack E7 with row:A",
        "attack E7 with row:E row:E",
        "attack E7 with row:E ship",
        "attack E7 with col:5/6/7",
        "attack E7 with",
        "attack E7",
        "attack",
        "attack K7 with row:E",
        "attack E11 with row:E",
        "attack E7 with row:E col:11",
    ],
)
def test_cards_that_do_not_fit_are_rejected(line):
    """Every opening card is held and valid, and there is at least one; §3, attack 1."""
    assert rejected(fight(black=MANY), line)


def test_attack_needs_a_shield_in_supply():
    """Without one nobody can attack; §3."""
    assert rejected(fight(black=MANY, supply={"black": 0}), "attack E7 with row:E")


def test_attack_needs_a_valid_card():
    """Cards for other squares start no fight; §3."""
    assert not any("attack" in o for o in legal(fight(black=("ship", "row:A"))))
