"""In which order leaders run in a tribe scoring, when it is held, and who then begins: §4."""

import pytest
from support.origo_cases import (
    after,
    document,
    legal,
    owned,
    rejected,
    scored,
    zeroed,
)

pytestmark = pytest.mark.fast


def order_of(shields, red, blue, **fields):
    """Return where red and blue end after a scoring that moves them near each other."""
    path = scored(shields, path={"red": red, "blue": blue, "black": 60}, **fields)
    return path["red"], path["blue"]


ONLY_CLANS = {"board": zeroed(clans=False)}


def test_clans_move_place_by_place():
    """Red's first clan runs 8 before blue's second and third run 6 and 4; §4."""
    shields = owned(red="F2 F3 F4 G2 G3", blue="D7 D8 D9 D10 A1 A2 B1")

    assert order_of(shields, 10, 8, **ONLY_CLANS) == (18, 19)


def test_one_players_clans_of_a_place_are_one_move():
    """16 fields at once: the leader on the way is not stopped by one on the eighth; §4."""
    shields = owned(red="F2 F3 F4 D7 D8 D9")

    assert order_of(shields, 10, 18, **ONLY_CLANS) == (26, 18)


@pytest.mark.parametrize(("start", "ends"), [("red", (17, 22)), ("blue", (16, 22))])
def test_within_a_place_ties_go_from_the_start_player(start, ends):
    """Both earn 6: who begins the round runs first; §4."""
    shields = owned(red="F2 F3 F4", blue="D7 D8 D9")

    assert order_of(shields, 10, 16, start_player=start, **ONLY_CLANS) == ends


def test_start_player_last_seat_goes_before_those_after_him():
    """Ties run clockwise from the start player, not in seat order; §4."""
    shields = owned(red="F2 F3 F4", black="D7 D8 D9")
    path = {"red": 10, "blue": 60, "black": 16}

    assert scored(shields, path=path, start_player="black", **ONLY_CLANS)["red"] == 16
    assert scored(shields, path=path, start_player="blue", **ONLY_CLANS)["red"] == 16
    assert scored(shields, path=path, start_player="red", **ONLY_CLANS)["red"] == 17


def test_within_a_place_most_points_go_first():
    """Red's two tied clans run 12 before the start player's 6; §4."""
    shields = owned(red="F2 F3 F4 I5 I6 I7", blue="D7 D8 D9")

    assert order_of(shields, 16, 10, start_player="blue", **ONLY_CLANS) == (28, 16)


def test_sea_points_and_bonus_are_one_move():
    """3 + 2 run at once, past the leader on the third field; §4."""
    assert order_of(owned(red="A3 I3 J9"), 10, 13, board=zeroed()) == (15, 13)


def test_at_sea_most_points_go_first():
    """Red's 5 run before the start player's 2 + 1; §4."""
    shields = owned(red="A3 I3 J9", blue="B4 J4")

    assert order_of(shields, 13, 10, start_player="blue", board=zeroed()) == (18, 13)


def test_clans_move_before_sea_power():
    """Red's clan runs to 18, so blue's ship ends on 19; §4."""
    shields = owned(red="F2 F3 F4", blue="A3")

    assert order_of(shields, 10, 15, **ONLY_CLANS) == (18, 19)


def test_sea_power_moves_before_lands():
    """Blue's ship runs to 18, so red's land ends on 19; §4."""
    shields = owned(red="A1", blue="A3")

    assert order_of(shields, 14, 15) == (19, 18)


@pytest.mark.parametrize(
    ("order", "ends"), [(["BRI", "GER"], (15, 18)), (["GER", "BRI"], (14, 18))]
)
def test_lands_move_one_by_one_in_scoring_order(order, ends):
    """The land scored first moves its leader into or out of the other's way; §4."""
    board = zeroed(lands=False)
    board["scoring_order"] = order + [n for n in board["scoring_order"] if n not in order]

    assert order_of(owned(red="A1", blue="C5"), 10, 14, board=board) == ends


def test_within_a_land_most_points_go_first():
    """4 points run before the start player's 2; §4."""
    shields = owned(red="A1 A2", blue="B1")

    assert order_of(shields, 12, 10, start_player="blue") == (16, 12)


def ordered(number, **fields):
    """Return a position in which the last seat's pass ends a round with scorings ordered."""
    base = {
        "scorings_ordered": number,
        "to_act": "black",
        "shields": owned(red="A1 A2 B1"),
        "path": {"red": 10, "blue": 40, "black": 5},
    }
    return document(**(base | fields))


def test_a_round_without_order_holds_no_scoring():
    """The start player stays the same and begins the next round; §4."""
    result = after(ordered(0), "pass")

    assert result["path"] == {"red": 10, "blue": 40, "black": 5}
    assert (result["phase"], result["to_act"], result["start_player"]) == ("turn", "red", "red")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_rounds_end_holds_one_scoring_and_takes_one_off(number):
    """The others are held at the ends of the next rounds; §4."""
    result = after(ordered(number), "pass")

    assert result["path"] == {"red": 10 + 8 + 4, "blue": 40, "black": 5}
    assert result["scorings_ordered"] == number - 1
    assert (result["phase"], result["to_act"]) == ("start", "black")


def test_carried_over_scoring_comes_with_the_next_rounds_end():
    """Two ordered in one round: one now, one a round later; §4."""
    again = after(ordered(2), "pass", "start red", "pass", "pass")

    result = after(again | {"passed": []}, "pass")

    assert again["path"]["red"] == 22
    assert result["path"]["red"] == 34
    assert (result["phase"], result["scorings_ordered"]) == ("start", 0)


def test_scoring_waits_for_the_end_of_the_round():
    """A red value uncovered in the round scores only when all had their turn; §4."""
    case = ordered(1, to_act="blue")

    assert after(case, "pass")["path"]["red"] == 10
    assert after(case, "pass")["to_act"] == "black"


@pytest.mark.parametrize("chosen", ["red", "blue", "black"])
def test_the_last_on_the_path_names_the_start_player(chosen):
    """Black stands last and may name anybody, also himself; §4."""
    case = ordered(1, round=7)

    assert legal(case, "pass") == {"start red", "start blue", "start black"}
    result = after(case, "pass", f"start {chosen}")
    assert (result["phase"], result["to_act"], result["start_player"]) == ("turn", chosen, chosen)
    assert (result["round"], result["had_turn"], result["passed"]) == (8, [], [])


def test_last_is_reckoned_after_the_scoring_and_by_total():
    """Field 5 of the second lap is far ahead of field 40; §4, §5."""
    case = ordered(1, path={"red": 30, "blue": 40, "black": 105})

    assert after(case, "pass")["to_act"] == "blue"
    assert after(ordered(1, path={"red": 30, "blue": 45, "black": 105}), "pass")["to_act"] == "red"


@pytest.mark.parametrize(
    "line", ["start green", "start purple", "start", "pass", "done", "start red blue"]
)
def test_only_a_seat_of_the_match_is_named(line):
    """Nothing else is done before the next round; §4."""
    assert rejected(ordered(1), "pass", line)


def test_named_start_player_opens_the_round_clockwise():
    """Blue first, then black, then red; §3, §4."""
    case = ordered(1, shields=owned(red="A1", blue="D7"))

    lines = ["pass", "start blue", "migrate D7 D8", "done"]
    assert after(case, *lines)["to_act"] == "black"
    assert after(case, *lines, "pass")["to_act"] == "red"
    assert after(case, *lines, "pass", "pass")["to_act"] == "blue"
