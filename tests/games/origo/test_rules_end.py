"""When the last round has come, the final scoring, and who has won: §6."""

import pytest
from support.origo_cases import (
    GAME,
    after,
    document,
    filled,
    load,
    owned,
    position_after,
    refused,
    settled,
)

pytestmark = pytest.mark.fast

ELEVEN = ["BRI", "GER", "BAL", "GAL", "HIS", "ITA", "BEL", "SKA", "HEL", "DAK", "DAL"]
APART = {"red": 10, "blue": 40, "black": 70}


def last_stone(**fields):
    """Return a position in which red may place the twelfth stone in Polen."""
    base = {
        "shields": filled("POL", "blue", ["E7"]) | owned(red="A1"),
        "founded": ELEVEN,
        "path": APART,
        "hands": {"red": ["col:7"]},
    }
    return document(**(base | fields))


def ending(given, *lines):
    """Return how a game ended after orders."""
    return GAME.result(position_after(given, *lines)).ending


STONES = ["expand E7 with col:7", "done", "draw red col:7", "pass", "pass"]


def test_round_of_the_twelfth_stone_is_completed():
    """The others still have their turns; then the game is over; §6."""
    case = last_stone()

    assert after(case, *STONES[:1])["last_round"] is True
    assert after(case, *STONES[:3])["to_act"] == "blue"
    assert after(case, *STONES[:4])["to_act"] == "black"
    position = position_after(case, *STONES)
    assert GAME.to_act(position) is None
    assert GAME.dump(position)["phase"] == "over"
    assert list(GAME.orders(position)) == []


def test_final_scoring_takes_the_place_of_any_ordered():
    """One scoring, though three were ordered, and none is left; §4, §6."""
    result = after(last_stone(scorings_ordered=2), *STONES)

    polen = {"red": 2, "blue": 3}
    assert result["path"] == {
        "red": 10 + 7 + 4 + 2 + polen["red"],
        "blue": 40 + 8 + polen["blue"],
        "black": 70,
    }
    assert result["scorings_ordered"] == 0


def test_twelfth_stone_by_the_last_seat_ends_with_his_turn():
    """Nobody has a turn after the last of the round; §6."""
    case = last_stone(to_act="black", hands={"black": ["col:7"]})

    assert after(case, "expand E7 with col:7", "done", "draw black col:7")["to_act"] is None


def test_the_last_players_may_still_do_anything():
    """The last round is a round like any other; §6."""
    case = last_stone(hands={"red": ["col:7"], "blue": ["row:J"]})

    result = settled(case, *STONES[:2], "expand J1 with row:J", "migrate D7 C7", "done", "pass")

    assert (result["phase"], result["shields"]["J1"]) == ("over", "blue")


def empty(**fields):
    """Return a position in which red has one shield left."""
    base = {
        "shields": owned(red="A1 E8", blue="E7 D7 E6"),
        "founded": ["POL"],
        "supply": {"red": 1},
        "path": APART,
        "hands": {"red": ["row:A", "row:E"]},
    }
    return document(**(base | fields))


def test_empty_supply_by_expansion_brings_the_last_round():
    """The round is completed, then the final scoring comes; §6."""
    case = empty()

    assert after(case, "expand A2 with row:A")["last_round"] is True
    result = settled(case, "expand A2 with row:A", "done", "pass", "pass")
    assert result["phase"] == "over"
    assert result["path"]["red"] == 10 + 4 + 3


def test_empty_supply_by_an_attack_that_fails_brings_the_last_round():
    """The shield lost has left the supply; §6."""
    case = empty()

    result = settled(case, "attack E7 with row:E", "yield", "done", "pass", "pass")

    assert result["shields"]["E7"] == "blue"
    assert result["supply"]["red"] == 0
    assert result["phase"] == "over"


def test_shield_left_goes_on():
    """With one in supply the game goes on; §6."""
    result = settled(empty(supply={"red": 2}), "expand A2 with row:A", "done", "pass", "pass")

    assert (result["phase"], result["round"], result["last_round"]) == ("turn", 2, False)


def still(**fields):
    """Return a position for two in which nobody must do anything."""
    base = {
        "seats": ["red", "blue"],
        "shields": owned(red="A1 A2 B1", blue="D7"),
        "path": {"red": 10, "blue": 40},
    }
    return document(**(base | fields))


def test_everybody_passing_in_one_round_ends_the_game():
    """The final tribe scoring is held at once; §6."""
    result = after(still(), "pass", "pass")

    assert (result["phase"], result["to_act"]) == ("over", None)
    assert result["path"] == {"red": 10 + 8 + 4, "blue": 40 + 3}


def test_final_scoring_when_all_passed_replaces_an_ordered_one():
    """Not two; §6."""
    assert after(still(scorings_ordered=1), "pass", "pass")["path"]["red"] == 22


def test_passes_across_a_rounds_border_do_not_add_up():
    """Blue and then red pass one after the other, but in two rounds; §6."""
    lines = ["migrate A1 C1", "done", "pass", "pass", "migrate D7 D8", "done"]

    result = after(still(), *lines)

    assert (result["phase"], result["round"]) == ("turn", 3)


def test_one_player_not_passing_keeps_the_game_going():
    """Two of three passes are not enough; §6."""
    case = document(shields=owned(black="D7"))

    assert after(case, "pass", "pass", "migrate D7 D8", "done")["phase"] == "turn"


def test_round_of_passes_begins_with_the_start_player():
    """From start player to last seat; §6."""
    case = still(start_player="blue", to_act="blue")

    assert after(case, "pass", "pass")["phase"] == "over"
    assert after(still(start_player="blue", to_act="red"), "pass", "pass")["phase"] == "turn"


def test_exchange_is_no_pass():
    """Who exchanged cards did something; §3, §6."""
    case = still(hands={"red": ["ship", "ship"]})

    assert settled(case, "exchange ship ship", "done", "pass")["phase"] == "turn"


def idle_round(number):
    """Return one round in which red moves a shield to and fro, and blue passes."""
    return ["migrate B1 B2" if number % 2 == 0 else "migrate B2 B1", "done", "pass"]


def idle_rounds(first, last):
    """Return the orders of several such rounds."""
    return [line for number in range(first, last) for line in idle_round(number)]


def test_ten_rounds_in_which_no_shield_leaves_a_supply_end_the_game():
    """After nine rounds the game goes on, after the tenth it is over; §6."""
    nine = after(still(), *idle_rounds(0, 9))

    assert (nine["phase"], nine["round"]) == ("turn", 10)
    assert after(nine, *idle_rounds(9, 10))["phase"] == "over"
    assert after(still(), *idle_rounds(0, 10))["path"] == {"red": 22, "blue": 43}


def test_ten_quiet_rounds_are_counted_from_the_round_of_a_written_position():
    """What came before a partial document is not held against it; §6."""
    late = still(round=30)

    assert after(late, *idle_rounds(0, 9))["phase"] == "turn"
    assert after(late, *idle_rounds(0, 10))["phase"] == "over"


def test_quiet_rounds_survive_being_written_down():
    """A document the game wrote in the middle of quiet rounds goes on counting; §6."""
    written = after(still(), *idle_rounds(0, 4))

    assert after(written, *idle_rounds(0, 6))["phase"] == "over"


def test_an_expansion_starts_the_ten_rounds_anew():
    """The rounds must be in a row; §6."""
    case = still(hands={"blue": ["row:J"]})
    moved = ["migrate B2 B1", "done", "expand J1 with row:J", "done", "draw blue row:J"]

    sixth = after(case, *idle_rounds(0, 5), *moved)
    nine_more = after(sixth, *idle_rounds(0, 9))

    assert (nine_more["phase"], nine_more["round"]) == ("turn", 16)
    assert after(nine_more, *idle_rounds(9, 10))["phase"] == "over"


def test_an_attack_starts_the_ten_rounds_anew():
    """Also a shield lost in a fight has left the supply; §6."""
    case = still(
        shields=owned(red="A1 A2 B1 E8", blue="D7 E7 E6"), founded=["POL"], hands={"red": ["row:E"]}
    )
    fight = ["attack E7 with row:E", "yield", "done", "draw red row:E", "pass"]

    result = after(case, *fight, *idle_rounds(0, 9))

    assert result["phase"] == "turn"
    assert after(result, *idle_rounds(9, 10))["phase"] == "over"


def test_endings_are_told_apart():
    """Stones, supply, passes and standstill are four endings; §6."""
    found = {
        ending(last_stone(), *STONES),
        ending(empty(), "expand A2 with row:A", "done", "draw red row:A", "pass", "pass"),
        ending(still(), "pass", "pass"),
        ending(still(), *idle_rounds(0, 10)),
    }

    assert len(found) == 4
    assert found <= GAME.endings


def test_furthest_leader_wins():
    """Points are the totals, places follow them; there are no ties; §5, §6."""
    case = document(
        seats=["red", "blue", "black", "green"],
        to_act="green",
        passed=["red", "blue", "black"],
        path={"red": 99, "blue": 110, "black": 12, "green": 105},
    )

    result = GAME.result(position_after(case, "pass"))

    assert dict(result.points) == {"red": 99, "blue": 110, "black": 12, "green": 105}
    assert dict(result.places) == {"blue": 1, "green": 2, "red": 3, "black": 4}


def test_leaders_who_meet_in_the_final_scoring_stand_apart():
    """Two earn the same and stood side by side; nobody shares a place; §6."""
    case = still(shields=owned(red="A1", blue="D7"), path={"red": 10, "blue": 11})

    result = GAME.result(position_after(case, "pass", "pass"))

    assert sorted(result.places.values()) == [1, 2]


def test_there_is_no_result_before_the_end():
    """The result is known when the final scoring is held; §6."""
    assert GAME.result(load(still())) is None
    assert GAME.result(position_after(still(), "pass")) is None


@pytest.mark.parametrize("line", ["pass", "done", "start red", "migrate A1 C1"])
def test_nothing_is_played_after_the_end(line):
    """The game is over; §6."""
    assert refused(still(), "pass", "pass", line).code == "game-over"


def test_written_empty_supply_says_that_the_last_round_has_come():
    """A document need not say so; the positions' format."""
    case = still(supply={"blue": 0})

    assert after(case, "migrate A1 C1")["last_round"] is True
    assert after(case, "migrate A1 C1", "done", "pass")["phase"] == "over"


@pytest.mark.parametrize(("last", "told"), [(False, 2), (True, 1)])
def test_the_last_round_announces_one_scoring(last, told):
    """It takes the place of any still ordered; §6."""
    scene = GAME.scene(GAME.view(load(still(scorings_ordered=2, last_round=last)), "red"))
    said = {each.key: each.fields for panel in scene.panels for each in panel.sentences}

    assert said["ordered"] == {"ordered": told}


def test_written_last_round_ends_with_this_round():
    """A document may say that the last round has come; the positions' format."""
    case = still(last_round=True)

    assert after(case, "migrate A1 C1", "done", "pass")["phase"] == "over"
