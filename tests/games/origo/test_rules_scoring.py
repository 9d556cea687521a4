"""What clans, sea power and lands are worth in a tribe scoring: §4."""

import pytest
from support.origo_cases import (
    filled,
    gains,
    owned,
    zeroed,
)

pytestmark = pytest.mark.fast

FIVE = ["red", "blue", "black", "green", "orange"]


def clans(**squares):
    """Return what clans alone earn, on a board whose lands are worth nothing."""
    return gains(owned(**squares), board=zeroed(clans=False), seats=FIVE)


def earned(**points):
    """Return a gain for each of five seats."""
    return dict.fromkeys(FIVE, 0) | points


def test_clans_earn_by_size():
    """Five clans of five sizes earn 8, 6, 4, 2 and 1; §4."""
    found = clans(
        red="F2 F3 F4 G2 G3 G4 H3",
        blue="I5 I6 I7 I8 H6 H7",
        black="A8 A9 A10 B9 B10",
        green="D7 D8 D9 D10",
        orange="A1 A2 B1",
    )

    assert found == earned(red=8, blue=6, black=4, green=2, orange=1)


def test_two_or_diagonal_shields_are_no_clan():
    """A clan is 3 or more orthogonally connected shields of one player; §1."""
    found = clans(red="A1 A2", blue="F2 G3 H4 F4", black="D7 D9 E8", green="I5 I6 I7")

    assert found == earned(green=8)


def test_clans_hang_together_over_land_and_sea():
    """Three shields across a coast are a clan; the one at sea counts for sea power too; §1, §4."""
    assert clans(red="B2 B3 A1 A2") == earned(red=8 + 1 + 2)


def test_sixth_clan_earns_nothing():
    """There are five places; §4."""
    found = clans(
        red="F2 F3 F4 G2 G3 G4 H3 H4 A4 A5 A6",
        blue="H5 H6 H7 I5 I6 I7 I8",
        black="A8 A9 A10 B9 B10 C10",
        green="D7 D8 D9 D10 E7",
        orange="A1 A2 B1 B2",
    )

    assert found == earned(red=8, blue=6, black=4, green=2, orange=1)


def test_equal_clans_of_one_player_each_earn_their_place():
    """Two first clans of red earn 8 twice, the next is third; §4."""
    found = clans(red="F2 F3 F4 G2 D7 D8 D9 D10", blue="A1 A2 B1")

    assert found == earned(red=16, blue=4)


def test_tied_clans_of_several_players_earn_the_next_lower_value():
    """Two first: 6 each, and the third place follows; §4."""
    found = clans(red="F2 F3 F4 G2", blue="D7 D8 D9 D10", black="A1 A2 B1")

    assert found == earned(red=6, blue=6, black=4)


def test_three_tied_clans_take_just_the_next_lower_value():
    """Three first: 6 each, and the fourth place follows; §4."""
    found = clans(red="F2 F3 F4 G2", blue="D7 D8 D9 D10", black="I5 I6 I7 I8", green="A1 A2 B1")

    assert found == earned(red=6, blue=6, black=6, green=2)


def test_player_with_two_clans_in_a_tie_earns_twice():
    """Red's two and blue's one tied first: 12 and 6; §4."""
    found = clans(red="F2 F3 F4 G2 I5 I6 I7 I8", blue="D7 D8 D9 D10", green="A1 A2 B1")

    assert found == earned(red=12, blue=6, green=2)


def test_tie_below_the_first_place():
    """Two second earn 4 each, the next is fourth; §4."""
    found = clans(red="F2 F3 F4 G2 G3", blue="D7 D8 D9 D10", black="I5 I6 I7 I8", green="A1 A2 B1")

    assert found == earned(red=8, blue=4, black=4, green=2)


def test_tied_fifth_place_earns_nothing():
    """Below the fifth value there is none; §4."""
    found = clans(
        red="F2 F3 F4 G2 G3 G4 H3 A8 A9 A10 B9 B10",
        blue="I5 I6 I7 I8 H6 H7",
        black="D7 D8 D9 D10",
        green="A1 A2 B1",
        orange="G8 G9 H8",
    )

    assert found == earned(red=8 + 4, blue=6, black=2)


def test_tied_fourth_place_earns_the_fifth_value():
    """Two fourth earn 1 each; §4."""
    found = clans(
        red="F2 F3 F4 G2 G3 G4 A8 A9 A10 B9 B10",
        blue="D7 D8 D9 D10",
        green="A1 A2 B1",
        orange="G8 G9 H8",
    )

    assert found == earned(red=8 + 6, blue=4, green=1, orange=1)


def sea(**squares):
    """Return what sea power alone earns."""
    return gains(owned(**squares), board=zeroed(), seats=FIVE)


@pytest.mark.parametrize(
    ("squares", "expected"),
    [
        ({"red": "A3"}, {"red": 1 + 2}),
        ({"red": "A3 I3 J9", "blue": "B3 J4", "black": "C7"}, {"red": 5, "blue": 3, "black": 1}),
        ({"red": "A3 I3", "blue": "B4 J4", "black": "C7"}, {"red": 3, "blue": 3, "black": 1}),
        ({"red": "A3 I3", "blue": "B4", "black": "C7"}, {"red": 4, "blue": 1, "black": 1}),
        ({"red": "A3", "blue": "B4", "black": "C7"}, {"red": 2, "blue": 2, "black": 2}),
        (
            {"red": "A3 I3 J9", "blue": "B4 J4", "black": "C7 J6", "green": "E1"},
            {"red": 5, "blue": 2, "black": 2, "green": 1},
        ),
        ({"red": "A3 I3", "blue": "B4", "black": "A1 A2"}, {"red": 4, "blue": 2}),
    ],
)
def test_sea_power(squares, expected):
    """A point per shield at sea; +2 alone strongest, +1 tied, +1 alone second; §4."""
    assert sea(**squares) == earned(**expected)


def lands(founded=(), **squares):
    """Return what lands alone earn, clans being worth nothing."""
    return gains(owned(**squares), board=zeroed(lands=False), seats=FIVE, founded=list(founded))


@pytest.mark.parametrize(
    ("squares", "expected"),
    [
        ({"red": "A8 A9 B9", "blue": "C8"}, {"red": 4, "blue": 2}),
        ({"red": "A8 A9 B9", "blue": "C8 C9", "green": "C10"}, {"red": 4, "blue": 2, "green": 1}),
        ({"red": "A4 A5", "blue": "A6 B5", "black": "B6"}, {"red": 2, "blue": 2, "black": 1}),
        ({"red": "A4", "blue": "A6", "black": "B6"}, {"red": 2, "blue": 2, "black": 2}),
        ({"red": "A4 A5 A6", "blue": "B5", "black": "B6"}, {"red": 3, "blue": 1, "black": 1}),
        (
            {"red": "A8 A9 A10", "blue": "B9 B10", "black": "C8", "green": "C9"},
            {"red": 4, "blue": 2},
        ),
        (
            {"red": "A8 A9 A10", "blue": "B9", "black": "C8", "green": "C9"},
            {"red": 4, "blue": 1, "black": 1, "green": 1},
        ),
        (
            {"red": "A1 A2", "blue": "B1 B2", "black": "C1", "green": "C2"},
            {"red": 2, "blue": 2},
        ),
        ({"red": "D4", "blue": "E3"}, {"red": 1, "blue": 1}),
        ({"red": "D4 E4", "blue": "E3"}, {"red": 2, "blue": 1}),
    ],
)
def test_lands_earn_by_number_of_shields(squares, expected):
    """Alone on a place its value, tied the next lower one, and places are used up; §4, §8.5."""
    assert lands(**squares) == earned(**expected)


def test_fourth_in_a_land_earns_nothing():
    """There are three values; places are used up by ties above; §4."""
    assert lands(red="A8 A9", blue="A10 B9", black="B10 C8", green="C9") == earned(
        red=2, blue=2, black=2
    )
    assert lands(red="A8 A9 A10", blue="B9 B10", black="C8 C9", green="C10") == earned(
        red=4, blue=1, black=1
    )


@pytest.mark.parametrize(
    ("founded", "squares", "points"),
    [
        (["BEL"], "D4 E3 E4", 4),
        (["BEL"], "D4", 4),
        ([], "D4", 2),
        ([], "D4 E3", 2),
        (["POL"], "D4", 2),
        (["BAL"], "A8", 6),
    ],
)
def test_sole_holder_of_a_founded_land_earns_two_more(founded, squares, points):
    """Empty squares do not matter, the stone does; §4, §8.5."""
    assert lands(founded, red=squares) == earned(red=points)


def test_founded_land_of_two_players_earns_no_bonus():
    """Only who is alone there gets it; §4."""
    assert lands(["BEL"], red="D4 E4", blue="E3") == earned(red=2, blue=1)


def test_empty_lands_and_seas_earn_nothing():
    """Nobody moves in a scoring of an empty board; §4, §5."""
    assert gains({}, seats=FIVE) == earned()


def test_everything_is_added_up():
    """Clan 8, sea 1 + 2, Britannien 4 + 2 founded; Germanien 4 for blue alone; §4."""
    shields = owned(red="B2 B3 A1 A2", blue="C6")

    assert gains(shields, founded=["BRI"]) == {"red": 8 + 3 + 6, "blue": 4, "black": 0}


def test_a_full_sea_of_one_player_is_one_clan():
    """Clans stand on the seas too: 8, and 12 + 2 for sea power; §1, §4."""
    found = gains(filled("MIT", "red"), board=zeroed(clans=False))

    assert found["red"] == 8 + 12 + 2
