"""When a land is founded, by whom and for how much; how leaders run: §3, Founding, and §5."""

import pytest
from support.origo_board import TRACK
from support.origo_cases import GAME, after, document, filled, owned, position_after

pytestmark = pytest.mark.fast

LANDS = ["BRI", "GER", "BAL", "GAL", "HIS", "ITA", "BEL", "SKA", "HEL", "DAK", "DAL"]
APART = {"red": 10, "blue": 40, "black": 70}


def nearly(**fields):
    """Return a position in which only E7 of Polen is free and red is to act."""
    base = {
        "shields": filled("POL", "blue", ["E7"]) | owned(red="E8 D6"),
        "path": APART,
        "hands": {"red": ["col:7", "people", "row:E"]},
    }
    return document(**(base | fields))


def test_expansion_founds_the_land_it_fills():
    """Whose shields stand there does not matter: who moved last founds it; §3."""
    result = after(nearly(), "expand E7 with col:7")

    assert result["founded"] == ["POL"]
    assert result["path"] == APART | {"red": 13}
    assert result["scorings_ordered"] == 0


def test_migration_founds_the_land_it_fills():
    """Also a migration founds; §3."""
    assert after(nearly(), "migrate E8 E7")["path"]["red"] == 13


def test_sailing_founds_the_land_it_fills():
    """Also a ship that lands founds; §3."""
    case = nearly(shields=filled("SKA", "blue", ["A4"]) | owned(red="A3"))

    result = after(case, "sail A3 A4")

    assert result["founded"] == ["SKA"]
    assert result["path"]["red"] == 13


def test_land_with_a_free_square_is_not_founded():
    """One gap is enough to wait; §3."""
    case = nearly(shields=filled("POL", "blue", ["E7", "D10"]) | owned(red="E8"))

    result = after(case, "expand E7 with col:7")

    assert result["founded"] == []
    assert result["path"] == APART


def test_moving_within_a_land_leaves_it_unfounded():
    """The square left is free again; §3."""
    case = nearly(shields=filled("POL", "red", ["E7"]))

    assert after(case, "migrate D7 E7")["founded"] == []


def test_full_seas_are_not_founded():
    """Only lands bear stones; §1, §3."""
    case = nearly(shields=filled("BIS", "red", ["E1"]))

    result = after(case, "expand E1 with row:E")

    assert (result["founded"], result["path"]) == ([], APART)


@pytest.mark.parametrize("stones", range(12))
def test_each_stone_uncovers_the_next_value(stones):
    """3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7 in turn; §1, §3."""
    case = nearly(founded=LANDS[:stones])

    result = after(case, "expand E7 with col:7")

    assert result["founded"] == [*LANDS[:stones], "POL"]
    assert result["path"]["red"] == 10 + TRACK[stones]


@pytest.mark.parametrize(("stones", "red"), [(2, 0), (3, 1), (4, 0), (7, 1), (8, 0), (11, 1)])
def test_red_values_order_a_scoring(stones, red):
    """The 4th, 8th and 12th value order one more each; §3, §4."""
    case = nearly(founded=LANDS[:stones], scorings_ordered=1)

    assert after(case, "expand E7 with col:7")["scorings_ordered"] == 1 + red


def test_founded_land_is_never_founded_again():
    """It stays founded when squares empty, and filling it once more earns nothing; §3."""
    case = nearly(founded=["POL"])

    result = after(case, "expand E7 with col:7")
    left = after(case, "expand E7 with col:7", "migrate E7 F7")

    assert (result["founded"], result["path"]) == (["POL"], APART)
    assert left["founded"] == ["POL"]


def test_several_foundings_follow_one_another():
    """Two lands filled in one turn uncover one value after the other; §3."""
    shields = filled("POL", "blue", ["E7"]) | filled("BEL", "black", ["E3"]) | owned(red="A4")
    case = nearly(shields=shields, founded=["SKA", "DAK"])

    result = after(case, "expand E7 with col:7", "expand E3 with row:E")

    assert result["founded"] == ["SKA", "DAK", "POL", "BEL"]
    assert result["path"]["red"] == 10 + 3 + 4
    assert result["scorings_ordered"] == 1


def test_all_three_ways_found_in_one_turn():
    """Expansion, migration and sailing each found a land; §3."""
    shields = (
        filled("POL", "blue", ["E7"])
        | filled("BEL", "black", ["E3"])
        | filled("SKA", "blue", ["A4"])
        | owned(red="A3 F3")
    )
    case = nearly(shields=shields)

    result = after(case, "sail A3 A4", "migrate F3 E3", "expand E7 with col:7")

    assert result["founded"] == ["SKA", "BEL", "POL"]
    assert result["path"]["red"] == 10 + 3 + 3 + 3


@pytest.mark.parametrize(
    ("path", "reached"),
    [
        ({"red": 10, "blue": 40, "black": 70}, 13),
        ({"red": 10, "blue": 11, "black": 12}, 13),
        ({"red": 10, "blue": 13, "black": 70}, 14),
        ({"red": 10, "blue": 13, "black": 14}, 15),
        ({"red": 10, "blue": 14, "black": 15}, 13),
        ({"red": 10, "blue": 113, "black": 14}, 15),
        ({"red": 110, "blue": 13, "black": 70}, 114),
        ({"red": 107, "blue": 40, "black": 70}, 110),
        ({"red": 97, "blue": 40, "black": 70}, 100),
        ({"red": 98, "blue": 40, "black": 70}, 101),
        ({"red": 97, "blue": 100, "black": 70}, 101),
        ({"red": 97, "blue": 100, "black": 1}, 102),
        ({"red": 99, "blue": 2, "black": 3}, 104),
        ({"red": 198, "blue": 101, "black": 70}, 202),
    ],
)
def test_leaders_count_occupied_fields_but_do_not_stop_there(path, reached):
    """Points are fields; an occupied last field sends him to the next free one, laps on; §5."""
    assert after(nearly(path=path), "expand E7 with col:7")["path"] == path | {"red": reached}


def test_field_ten_on_the_second_lap_is_110_points():
    """The total is 100 for each lap and the field; §5, §8.6."""
    position = position_after(nearly(path=APART | {"red": 107}), "expand E7 with col:7")

    assert GAME.points(position)["red"] == 110


def test_founding_is_told_to_everybody():
    """Stone, value and the leader's run are public; §1."""
    position = position_after(nearly())

    _, told = GAME.apply(position, GAME.parse("expand E7 with col:7", "en"))

    assert any("POL" in str(dict(each.fields)) and each.audience is None for each in told)
