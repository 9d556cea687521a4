"""How a fight goes on card by card, and what it leaves: §3, Attack 1 to 4."""

import pytest
from support.origo_cases import (
    GAME,
    after,
    allowed,
    filled,
    hand,
    heap,
    legal,
    lost,
    order,
    owned,
    position_after,
    refused,
    rejected,
    settled,
)
from support.origo_midland import MANY, MIDLAND, fight

from referee.games.game import replace

pytestmark = pytest.mark.fast


def test_attacker_puts_a_shield_beside_the_defenders():
    """It has left the supply and stands neither for a neighbour nor for the owner; §3, attack 1."""
    result = after(fight(black=MANY), "attack E7 with row:E")

    assert result["phase"] == "combat"
    assert result["combat"] == {
        "square": "E7",
        "attacker": "black",
        "defender": "orange",
        "attacker_cards": ["row:E"],
        "defender_cards": [],
    }
    assert result["shields"] == MIDLAND
    assert result["supply"]["black"] == 30 - 4 - 1
    assert hand(result, "black") == sorted(set(MANY) - {"row:E"})
    assert lost(result, "black") == 0


def test_attacker_with_more_points_waits_for_the_defender():
    """One card and two neighbours make 4 against 3; §3, attack 2 and 3, §8.2."""
    assert after(fight(black=MANY), "attack E7 with row:E")["to_act"] == "orange"


def test_attacker_without_more_points_is_behind():
    """One card and one neighbour make 3 against 3: ties favour the defender; §3, attack 3."""
    shields = owned(orange="E7 D7 E6", black="E8")

    result = after(fight(shields, black=MANY), "attack E7 with row:E")

    assert result["to_act"] == "black"
    assert legal(fight(shields, black=MANY), "attack E7 with row:E") == {
        "yield",
        "add land:POL",
        "add col:7",
        "add people",
    }


@pytest.mark.parametrize(
    ("shields", "opening", "behind"),
    [
        (owned(orange="E7", black="E8"), "row:E", "orange"),
        (owned(orange="E7 D7", black="E8"), "row:E", "orange"),
        (owned(orange="E7 D7 E6", black="E8"), "row:E", "black"),
        (owned(orange="E7 D7 E6 F7", black="E8"), "row:E", "black"),
        (owned(orange="E7 D7 E6 F7", black="E8"), "row:E col:7", "orange"),
        (owned(orange="E7 D7 D6 D8 F8", black="E8 E6 F7"), "row:E", "orange"),
        (owned(orange="E7 D7 E6", black="E8", red="F7"), "row:E", "black"),
    ],
)
def test_points_are_two_per_card_and_one_per_neighbour(shields, opening, behind):
    """Orthogonal own neighbours count, others' and diagonal ones do not; §3, attack 2."""
    assert after(fight(shields, black=MANY), f"attack E7 with {opening}")["to_act"] == behind


def test_the_side_behind_answers_card_by_card():
    """3 + 2 beats 4, then 6 beats 5, and so on until one gives up; §3, attack 3."""
    case = fight(black=MANY, orange=("land:POL", "row:E", "people", "row:D"))
    lines = ["attack E7 with row:E", "add people", "add col:7", "add row:E", "add land:POL"]
    sides = [after(case, *lines[:number])["to_act"] for number in range(1, 6)]

    assert sides == ["orange", "black", "orange", "black", "orange"]
    assert legal(case, *lines) == {"yield", "add land:POL"}


def test_the_side_behind_may_answer_until_it_is_ahead():
    """Who is still behind after a card decides again; §3, attack 3."""
    case = fight(owned(orange="E7", black="E8 E6 F7 D7"), black=["row:E"], orange=["row:E"] * 2)

    assert after(case, "attack E7 with row:E", "add row:E")["to_act"] == "orange"
    assert after(case, "attack E7 with row:E", "add row:E", "add row:E")["to_act"] == "orange"
    assert legal(case, "attack E7 with row:E", "add row:E", "add row:E") == {"yield"}


def test_who_is_ahead_has_no_say():
    """The orders there are belong to the side behind; §3, attack 3."""
    case = fight(black=MANY, orange=("row:E",))

    assert legal(case, "attack E7 with row:E") == {"yield", "add row:E"}
    assert rejected(case, "attack E7 with row:E", "add col:7")


def test_a_defended_tie_leaves_the_attacker_behind():
    """Equal points after the defender's card: the attacker decides; §3, attack 3."""
    shields = owned(orange="E7 D7 E6", black="E8")
    case = fight(shields, black=MANY, orange=("people",))

    result = after(case, "attack E7 with row:E col:7", "add people")

    assert result["to_act"] == "black"


def test_defenders_own_square_is_no_neighbour_for_his_population_card():
    """His shield on the square does not make people valid for him; §3."""
    alone = fight(owned(orange="E7", black="E8"), black=["row:E"], orange=["people", "row:E"])
    beside = fight(owned(orange="E7 D7", black="E8"), black=["row:E"], orange=["people", "row:E"])

    assert legal(alone, "attack E7 with row:E") == {"yield", "add row:E"}
    assert legal(beside, "attack E7 with row:E") == {"yield", "add row:E", "add people"}


def test_each_side_lists_equal_cards_once():
    """Two equal cards are one order; §3."""
    case = fight(black=["row:E"], orange=["col:7", "col:7"])

    assert legal(case, "attack E7 with row:E") == {"yield", "add col:7"}


def test_defender_who_yields_loses_his_shield():
    """It leaves the game, the attacker's holds the square; §3, attack 4."""
    result = after(fight(black=MANY), "attack E7 with row:E", "yield")

    assert result["shields"] == MIDLAND | {"E7": "black"}
    assert (lost(result, "orange"), lost(result, "black")) == (1, 0)
    assert result["supply"]["orange"] == 30 - 6
    assert (result["phase"], result["to_act"], result["combat"]) == ("turn", "black", None)
    assert heap(result, "discards") == {"row:E": 1}


def test_attacker_who_yields_loses_his_shield():
    """It does not return to supply; the defender's stays; §3, attack 4."""
    shields = owned(orange="E7 D7 E6", black="E8")

    result = after(fight(shields, black=MANY), "attack E7 with row:E", "yield")

    assert result["shields"] == shields
    assert (lost(result, "orange"), lost(result, "black")) == (0, 1)
    assert result["supply"]["black"] == 30 - 1 - 1


def test_all_cards_played_go_to_the_discards():
    """Both sides' cards, won or lost; §3, attack 4."""
    case = fight(black=MANY, orange=("land:POL", "row:E"))

    result = after(case, "attack E7 with row:E", "add row:E", "add col:7", "add land:POL", "yield")

    assert heap(result, "discards") == {"row:E": 2, "col:7": 1, "land:POL": 1}
    assert hand(result, "orange") == []
    assert lost(result, "black") == 1


def test_side_without_a_valid_card_gives_up_by_its_own_word():
    """The defender with nothing to add is still asked, and nothing is forced; §3, attack 4."""
    position = position_after(fight(black=MANY, orange=("col:1",)), "attack E7 with row:E")

    assert GAME.to_act(position) == "orange"
    assert {GAME.format(o, "en") for o in GAME.orders(position)} == {"yield"}
    assert GAME.forced(position) is None


def test_side_whose_hand_is_empty_gives_up_at_once():
    """Everybody sees that it has nothing to add, and so nothing is told by it; §3, attack 4."""
    position = position_after(fight(black=MANY, orange=()), "attack E7 with row:E")

    assert GAME.forced(position) == order("yield")


@pytest.mark.parametrize(("kept", "forced"), [(None, True), ("people", False), ("land:POL", False)])
def test_side_that_can_hold_no_valid_card_gives_up_at_once(kept, forced):
    """So it is once each card that counts there lies open, and not before; §3, attack 4."""
    before = position_after(fight(black=MANY, orange=("col:1",)), "attack E7 with row:E")
    board, square = before.board, before.combat.square
    counting = {*board.fitting[square], board.people} - {kept and board.number[kept]}
    open_cards = tuple(n if card in counting else 0 for card, n in enumerate(board.counts))
    position = replace(before, discards=open_cards)

    assert (GAME.forced(position) == order("yield")) is forced


@pytest.mark.parametrize("line", ["pass", "done", "expand A1 with row:A", "add row:A", "add ship"])
def test_nothing_else_is_done_in_a_fight(line):
    """The side behind adds a valid card it holds or gives up; §3, attack 3."""
    case = fight(black=MANY, orange=("row:A",))

    assert refused(case, "attack E7 with row:E", line).rule.startswith("Origo")


@pytest.mark.parametrize("line", ["add", "add row:E row:E", "add row:Z", "yield now please E7 x"])
def test_answers_that_cannot_be_read(line):
    """One card is added at a time; §3, attack 3."""
    assert rejected(fight(black=MANY, orange=["row:E"] * 2), "attack E7 with row:E", line)


def test_attack_is_one_action_however_many_cards():
    """After it one more card action is left; §3."""
    case = fight(black=MANY)
    lines = ["attack E7 with row:E col:7 people", "yield"]

    assert after(case, *lines)["turn"]["actions"] == 1
    assert after(case, *lines, "expand A1 with row:A")["turn"]["actions"] == 2


def test_both_actions_may_attack_the_same_square():
    """A lost attack may be tried again, a third time not; §3."""
    shields = owned(orange="E7 D7 E6", black="E8 I3")
    case = fight(shields, black=("row:E", "col:7", "people"))
    again = ["attack E7 with row:E", "yield", "attack E7 with col:7", "yield"]

    result = after(case, *again)

    assert lost(result, "black") == 2
    assert result["turn"]["actions"] == 2
    assert rejected(case, *again, "attack E7 with people")
    assert allowed(case, *again, "sail I3 I4")


def test_defender_who_spent_cards_draws_after_the_turn():
    """Cards spent defending are replaced at the end of the attacker's turn; §3."""
    case = fight(black=MANY, orange=("row:E",), draw={"ship": 11, "col:3": 30})
    lines = ["attack E7 with row:E", "add row:E", "yield", "done"]

    result = settled(case, *lines)

    assert after(case, *lines[:3])["turn"]["defended"] == ["orange"]
    assert {s: len(cards) for s, cards in result["hands"].items() if cards} == {
        "orange": 10,
        "black": 10,
    }


def test_defender_who_gave_up_at_once_draws_nothing():
    """Who spent no card in defence waits for his own turn; §3."""
    case = fight(black=MANY, orange=("row:E",), draw={"col:3": 30})

    result = settled(case, "attack E7 with row:E", "yield", "done")

    assert hand(result, "orange") == ["row:E"]


def test_winning_by_attack_founds_nothing():
    """Leaders and stones stay as they are; §3."""
    case = fight(filled("POL", "orange") | owned(black="E8"), black=MANY)

    result = after(case, "attack E7 with row:E", "yield")

    assert result["founded"] == ["POL"]
    assert result["path"] == {"orange": 1, "black": 2, "red": 3}


def test_a_fight_can_be_written_down():
    """A position in combat loads, and the side behind is to act; the positions' format."""
    case = fight(
        phase="combat",
        to_act="orange",
        supply={"black": 20},
        orange=["people"],
        combat={
            "square": "E7",
            "attacker": "black",
            "defender": "orange",
            "attacker_cards": ["row:E", "col:7"],
            "defender_cards": [],
        },
    )

    assert legal(case) == {"yield", "add people"}
    result = after(case, "yield")
    assert (result["shields"]["E7"], result["to_act"]) == ("black", "black")
    assert heap(result, "discards") == {"row:E": 1, "col:7": 1}
    assert result["supply"]["black"] == 20


def test_written_answers_count_on():
    """2 × 2 + 2 against 3 + 2: one more card of the defender puts him ahead; §3, attack 2."""
    case = fight(
        phase="combat",
        to_act="orange",
        supply={"black": 20},
        orange=["people"],
        black=["land:POL"],
        combat={
            "square": "E7",
            "attacker": "black",
            "defender": "orange",
            "attacker_cards": ["row:E", "col:7"],
            "defender_cards": ["col:5/6/7"],
        },
    )

    result = after(case, "add people")

    assert result["to_act"] == "black"
    assert result["combat"]["defender_cards"] == ["col:5/6/7", "people"]
    assert legal(case, "add people") == {"yield", "add land:POL"}
