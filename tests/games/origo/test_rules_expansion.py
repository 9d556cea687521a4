"""Where each card lets a player expand, and what an expansion does: §3, Expansion."""

import pytest
from support.origo_board import AREA, SEAS, SQUARES
from support.origo_cases import (
    after,
    document,
    hand,
    heap,
    legal,
    owned,
    refused,
    rejected,
    squares_for,
)

pytestmark = pytest.mark.fast

SHIELDS = owned(red="E7 I4", blue="E6 D1 A10", black="J10")


def holding(*cards, **fields):
    """Return a position with red to act, holding cards."""
    return document(**({"shields": SHIELDS, "hands": {"red": list(cards)}} | fields))


def free(*lines):
    """Return the free squares of rows (letters) and columns (numbers)."""
    inside = {s for s in SQUARES if s[0] in lines or s[1:] in lines}
    return inside - set(SHIELDS)


@pytest.mark.parametrize(
    ("card", "lines"),
    [
        ("row:E", ["E"]),
        ("row:A", ["A"]),
        ("row:A/J", ["A", "J"]),
        ("row:D/E/F", ["D", "E", "F"]),
        ("col:1", ["1"]),
        ("col:10", ["10"]),
        ("col:1/10", ["1", "10"]),
        ("col:1/2", ["1", "2"]),
        ("col:5/6/7", ["5", "6", "7"]),
    ],
)
def test_line_card_allows_any_free_square_of_its_lines(card, lines):
    """A row or column card serves for each line it names, land or sea; §3."""
    assert squares_for(holding(card), card) == free(*lines)


def test_land_card_allows_free_squares_of_its_land():
    """E7 is taken, the four other squares of Polen are not; §3."""
    assert squares_for(holding("land:POL"), "land:POL") == {"D7", "D8", "D9", "D10"}


def test_population_card_allows_squares_next_to_own_shields():
    """Beside E7 and I4, not beside another player's; §3."""
    expected = {"D7", "E8", "F7", "H4", "I3", "I5", "J4"}

    assert squares_for(holding("people"), "people") == expected


def test_population_card_needs_a_shield_on_the_board():
    """Who has none there has no square beside one; §3."""
    assert squares_for(holding("people", shields=owned(blue="E6")), "people") == set()


def test_ship_card_allows_any_free_sea_square():
    """All four seas are open; §3."""
    seas = {s for s in SQUARES if AREA[s] in SEAS}

    assert squares_for(holding("ship"), "ship") == seas - set(SHIELDS)


def test_expansion_puts_a_shield_from_supply_and_discards_the_card():
    """One card, one shield, one action; no card is drawn yet; §3."""
    result = after(holding("ship", "ship", "row:C", draw={"people": 9}), "expand B3 with ship")

    assert result["shields"] == SHIELDS | {"B3": "red"}
    assert result["supply"]["red"] == 27
    assert hand(result, "red") == ["row:C", "ship"]
    assert heap(result, "discards") == {"ship": 1}
    assert result["turn"]["actions"] == 1
    assert result["to_act"] == "red"


def test_each_card_is_an_order_of_its_own():
    """A square that several cards allow is listed with each; equal cards once; §3."""
    lines = legal(holding("ship", "ship", "row:I", "people"))

    assert {o for o in lines if o.startswith("expand I3 ")} == {
        "expand I3 with ship",
        "expand I3 with row:I",
        "expand I3 with people",
    }


@pytest.mark.parametrize(
    "line",
    [
        "expand E1 with row:F",
        "expand E1 with row:E/F",
        "expand E1 with col:10",
        "expand E8 with land:POL",
        "expand E1 with people",
        "expand A1 with ship",
    ],
)
def test_card_that_does_not_fit_or_is_not_held_is_refused(line):
    """The card must be in hand and allow the square; §3."""
    case = holding("col:10", "land:POL", "people", "ship")

    assert refused(case, line).rule.startswith("Origo")


@pytest.mark.parametrize("square", ["E7", "E6"])
def test_occupied_square_is_refused(square):
    """One shield to a square, own or foreign; §1, §3."""
    assert refused(holding("row:E"), f"expand {square} with row:E").rule.startswith("Origo")


@pytest.mark.parametrize(
    "line",
    [
        "expand K1 with row:E",
        "expand E11 with row:E",
        "expand E0 with row:E",
        "expand E1 with row:K",
        "expand E1 with row:E row:E",
        "expand E1 with land:XYZ",
        "expand E1 with col:11",
        "expand E1 with row:C/E",
        "expand E1 with",
        "expand E1",
        "expand",
    ],
)
def test_square_or_card_that_does_not_exist_is_rejected(line):
    """Squares are A1 to J10, cards those of the game, one to an expansion; §1, §3."""
    assert rejected(holding("row:E", "row:E"), line)


def test_shields_just_placed_help_the_next_expansion():
    """The second population card counts from the first one's shield; §3."""
    case = holding("people", "people", shields=owned(red="E7"))

    assert after(case, "expand E8 with people", "expand E9 with people")["shields"]["E9"] == "red"
    assert rejected(case, "expand E9 with people")
