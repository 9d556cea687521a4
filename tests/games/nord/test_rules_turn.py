"""Which turn is possible, the trigger, the challenge and the blocked player: §4, A3, B."""

import pytest
from support.nord_cases import (
    GAME,
    after,
    allowed,
    boat,
    document,
    legal,
    load,
    points,
    posted,
    refused,
)

pytestmark = pytest.mark.fast


def throne(jarl: str | None = "neutral", **fields: object) -> dict:
    """Return a settlement connected to the small boat, with a jarl and red's two warriors."""
    holds = {"jarl": jarl} if jarl else {}
    base = {
        "settlements": {"A1": holds | posted(red=2)},
        "workers": {"A2": "green", "A3": "green"},
    }
    return document("Sk~D", "k~~~", **(base | fields))


@pytest.mark.parametrize("jarl", ["neutral", "green"])
def test_challenged_jarl_goes_to_the_lowest_place_for_its_number(jarl):
    """A neutral or another player's jarl takes the lowest empty place and scores it; B."""
    case = throne(jarl, large_boat=["jarl:blue", "man:green"])

    result = after(case, "challenge A1")

    assert boat(result) == ["jarl:blue", "man:green", f"jarl:{jarl}"]
    assert points(result) == {"red": 6, "green": 0}
    assert result["settlements"]["A1"].get("jarl") is None
    assert result["to_act"] == "green"


def test_boat_numbers_of_the_board_are_scored():
    """The number scored is the board's own; B, §10."""
    case = throne()
    case["board"]["boat_numbers"] = [1, 3, 4, 5, 6, 7, 8, 9, 10]

    assert points(after(case, "challenge A1"))["red"] == 1


@pytest.mark.parametrize("jarl", ["red", None])
def test_own_or_no_jarl_is_not_challenged(jarl):
    """The jarl must be there and not in the player's colour; B."""
    assert refused(throne(jarl), "challenge A1").rule.startswith("Nord B")


@pytest.mark.parametrize(
    ("there", "legal_"),
    [
        ({"red": 1}, False),
        ({"red": 2, "green": 2}, False),
        ({"red": 2, "green": 3}, False),
        ({"red": 3, "green": 2}, True),
        ({"red": 2, "green": 1, "blue": 1}, True),
        ({"red": 3, "green": 2, "blue": 2}, True),
        ({"green": 2}, False),
    ],
)
def test_challenger_needs_two_and_more_than_each_other(there, legal_):
    """At least 2 warriors and strictly more than every other single player; B."""
    case = throne(
        seats=["red", "green", "blue"],
        settlements={"A1": {"jarl": "neutral", "warriors": there}},
    )

    assert allowed(case, "challenge A1") is legal_


def test_challenge_needs_a_connection_to_the_small_boat():
    """A settlement not connected to the small boat keeps its jarl; B."""
    assert refused(throne(workers={"A2": "green"}), "challenge A1").rule.startswith("Nord B")


def test_settlement_beside_the_small_boat_needs_a_worker():
    """Standing next to each other connects nothing, a component must touch both; §3, B."""
    holds = {"A1": {"jarl": "neutral", "warriors": {"red": 2}}}
    apart = document("SD", "~~", settlements=holds)
    joined = document("SD", "~~", settlements=holds, workers={"B1": "green", "B2": "green"})

    assert not allowed(apart, "challenge A1")
    assert allowed(joined, "challenge A1")


def test_challenge_of_no_settlement_is_refused():
    """A space without a settlement has no jarl; B."""
    assert not allowed(throne(), "challenge A2")


def test_challenge_that_fills_the_boat_brings_a_scoring():
    """The jarl scores the last number, then the next scoring happens; B."""
    case = throne(large_boat=["man:green"] * 9)

    result = after(case, "challenge A1")

    assert points(result)["red"] == 20
    assert result["scorings_done"] == 1
    assert boat(result) == ["jarl:neutral"]


def test_challenge_ends_the_turn():
    """One jarl per turn, and nothing is placed with it; B."""
    assert not allowed(throne(), "challenge A1", "challenge A1")
    assert after(throne(), "challenge A1")["to_act"] == "green"


def test_no_challenge_after_placing():
    """Placing uses the turn up: the next player is to act; §4."""
    assert after(throne(), "place B1")["to_act"] == "green"


def test_both_kinds_of_turn_are_listed():
    """Where A and B are possible the player chooses; §4."""
    assert {"challenge A1", "place B1"} <= legal(throne())


def test_the_only_possible_turn_must_be_done():
    """A player who can only challenge must; §4."""
    case = throne(men={"red": 0})

    assert legal(case) == {"challenge A1"}
    assert not allowed(case, "score")


def test_no_voluntary_scoring():
    """Who can place may not ask for a scoring; §4."""
    assert not allowed(document("Sk~D", settlements={"A1": posted(red=1)}), "score")


BLOCKED = document(
    "Sk~D",
    settlements={"A1": posted(green=2)},
    workers={"A2": "green"},
    large_boat=["jarl:blue", "man:red"],
)


def test_blocked_player_has_only_the_scoring():
    """Who can neither place nor challenge owes the next scoring; §4."""
    assert legal(BLOCKED) == {"score"}
    assert GAME.format(GAME.forced(load(BLOCKED)), "en") == "score"


def test_blocked_player_scores_although_the_boat_is_not_full():
    """The scoring happens at once, is his whole turn, and the next player is up; §4."""
    result = after(BLOCKED, "score")

    assert result["scorings_done"] == 1
    assert boat(result) == ["jarl:blue"]
    assert result["to_act"] == "green"


def test_no_men_in_supply_makes_placing_impossible():
    """With no man left in supply a player who cannot challenge is blocked; §4, A1.5."""
    case = document("Sk~D", settlements={"A1": posted(red=1)}, men={"red": 0})

    assert legal(case) == {"score"}


def test_unwanted_attack_does_not_excuse_from_placing():
    """A is possible even if every placement forces an attack; §4."""
    case = document("SkSD", settlements={"A1": posted(red=1)})

    assert legal(case) == {"place A2"}
    assert legal(case, "place A2") == {"attack A1 A3"}


def test_turns_go_round_in_seat_order():
    """After the last seat the first is up again, whatever the colours; §2.8."""
    case = document("Sk~D", settlements={"A1": posted(blue=1, red=1)}, seats=["blue", "red"])

    assert after(case, "place A2")["to_act"] == "red"
    assert after(case, "place A2", "place A3")["to_act"] == "blue"


def test_map_without_a_small_boat_can_be_tried():
    """A partial document may leave the small boat out; nothing is connected to it."""
    case = document("Sk", settlements={"A1": {"jarl": "neutral", "warriors": {"red": 2}}})

    assert legal(case) == {"place A2"}
