"""Treasures at the end, places, and the end itself: §7, §8, with §11.2."""

import pytest
from support.nord_cases import GAME, after, document, legal, load, points, position_after, posted

pytestmark = pytest.mark.fast

SYMBOLS = ("gold", "hammer", "goblet", "axe", "helmet", "sword")


def last(hands: dict, **fields: object) -> dict:
    """Return a position in which blue owes the fourth scoring and nobody has warriors."""
    base = {"seats": ["blue", "red", "green"], "scorings_done": 3, "hands": hands}
    return document("Sk~D", **(base | fields))


@pytest.mark.parametrize(
    ("hand", "worth"),
    [
        ({}, 0),
        *[(dict.fromkeys(SYMBOLS[:n], 1), w) for n, w in enumerate((1, 2, 3, 5, 10, 15), 1)],
        *[({"axe": n}, 1 + w) for n, w in enumerate((0, 0, 9, 16, 25, 36), 1)],
        ({"helmet": 3, "axe": 3, "gold": 1, "sword": 1}, 23),
        ({"goblet": 2}, 1),
        (dict.fromkeys(SYMBOLS, 6), 15 + 6 * 36),
    ],
)
def test_tiles_in_hand_score(hand, worth):
    """Different symbols and every symbol held at least three times score; §7, §11.2."""
    assert points(after(last({"red": hand}), "score"))["red"] == worth


def test_tiles_score_only_at_the_end():
    """The third scoring gives nothing for tiles in hand; §7."""
    result = after(last({"red": {"axe": 3}}, scorings_done=2), "score")

    assert points(result)["red"] == 0


def test_fourth_scoring_ends_the_game_in_mid_round():
    """Warriors, then treasures, then the game is over and nobody acts; §7, §8."""
    case = last({"red": {"axe": 3}}, settlements={"A1": posted(red=2)}, points={"red": 5})
    position = position_after(case, "score")

    assert GAME.to_act(position) is None
    assert GAME.result(position).points == {"blue": 0, "red": 16, "green": 0}
    assert list(GAME.orders(position)) == []


def test_fourth_scoring_by_a_full_boat_ends_the_game():
    """A challenge that fills the boat for the fourth time ends the game; A3, §8."""
    case = document(
        "S~D~",
        settlements={"A1": {"jarl": "neutral", "warriors": {"red": 2}}},
        workers={"A2": "green"},
        large_boat=["man:green"] * 9,
        scorings_done=3,
    )
    position = position_after(case, "challenge A1")

    assert GAME.to_act(position) is None
    assert GAME.result(position).points == {"red": 24, "green": 0}


def test_no_result_while_the_game_runs():
    """A position that is not over has no result; §8."""
    assert GAME.result(load(document("Sk~D", settlements={"A1": posted(red=1)}))) is None


def places(hands: dict, given: dict) -> dict:
    """Return the places after the last scoring."""
    return dict(GAME.result(position_after(last(hands, points=given), "score")).places)


def test_places_by_points():
    """More points are the better place; §8."""
    assert places({}, {"blue": 3, "red": 9, "green": 5}) == {"red": 1, "green": 2, "blue": 3}


def test_equal_points_are_parted_by_tiles_in_hand():
    """Of equal points the one with more tiles in hand comes first; §8."""
    hands = {"red": {"axe": 2}, "green": {"axe": 1}}

    assert places(hands, {"blue": 0, "red": 4, "green": 4}) == {"red": 1, "green": 2, "blue": 3}


def test_equal_points_and_tiles_share_the_place():
    """Equal on both: the place is shared, and the next one is left out; §8."""
    assert places({}, {"blue": 1, "red": 4, "green": 4}) == {"red": 1, "green": 1, "blue": 3}


def test_all_may_share_the_first_place():
    """Three equal players are all first; §8."""
    assert places({}, {}) == {"blue": 1, "red": 1, "green": 1}


def test_points_are_one_number_beyond_the_track():
    """Points above 50 and 100 are plain numbers; §8."""
    assert points(after(last({}, points={"red": 149}), "score"))["red"] == 149


def test_nothing_is_legal_after_the_end():
    """An ended position offers no order; §8."""
    assert legal(last({}), "score") == set()
