"""What a turn holds, how it ends, and the cards drawn after it: §3."""

import pytest
from support.origo_cases import (
    GAME,
    after,
    allowed,
    document,
    filled,
    hand,
    heap,
    legal,
    outcomes,
    owned,
    position_after,
    refused,
    rejected,
    settled,
)

from referee.games.game import CHANCE

pytestmark = pytest.mark.fast


def turn(**fields):
    """Return a position with red to act, holding cards and shields on land and sea."""
    base = {
        "shields": owned(red="C2 I3 I4 E8", blue="E7"),
        "founded": ["POL"],
        "hands": {"red": ["row:E", "row:E", "row:E", "col:7", "ship"]},
    }
    return document(**(base | fields))


DEEDS = {
    "expand": ["expand E1 with row:E"],
    "attack": ["attack E7 with row:E", "yield"],
    "migrate": ["migrate C2 D2"],
    "sail": ["sail I3 J3"],
    "exchange": ["exchange row:E ship"],
}


def test_who_did_nothing_passes():
    """A turn in which nothing was done is a pass, not done; §3."""
    assert refused(turn(), "done").rule.startswith("Origo")
    assert after(turn(), "pass")["passed"] == ["red"]


@pytest.mark.parametrize("deed", DEEDS)
def test_who_did_something_is_done(deed):
    """After any deed, an exchange included, the turn ends with done; §3."""
    mid_turn = settled(turn(), *DEEDS[deed])

    assert refused(mid_turn, "pass").rule.startswith("Origo")
    result = settled(mid_turn, "done")
    assert result["passed"] == []
    assert result["to_act"] == "blue"
    assert result["had_turn"] == ["red"]


def test_everything_is_optional():
    """Who could do much may pass at once; §3."""
    assert "pass" in legal(turn())


@pytest.mark.parametrize(
    "lines",
    [
        ["expand E1 with row:E", "expand E2 with row:E"],
        ["expand E1 with row:E", "attack E7 with row:E", "yield"],
        ["attack E7 with row:E", "yield", "expand E1 with row:E"],
    ],
)
def test_there_are_two_card_actions(lines):
    """Two expansions or attacks in any mixture, no third; §3."""
    case = turn(hands={"red": ["row:E", "row:E", "row:E"], "blue": []})

    assert after(case, *lines)["turn"]["actions"] == 2
    assert rejected(case, *lines, "expand E3 with row:E")
    assert not any(line.startswith(("expand", "attack")) for line in legal(case, *lines))


@pytest.mark.parametrize("first", ["migrate C2 D2", "exchange row:E ship"])
@pytest.mark.parametrize("second", ["migrate E8 E9", "exchange row:E col:7"])
def test_one_migration_or_one_exchange(first, second):
    """Never both and neither twice; §3."""
    assert rejected(settled(turn(), first), second)


def test_deeds_are_freely_interleaved():
    """Sailing, card actions and the migration may stand in any order; §3."""
    lines = ["sail I3 J3", "expand E1 with row:E", "migrate C2 D2", "sail I4 I3"]

    result = after(turn(), *lines, "expand E2 with row:E", "sail E1 D1")

    assert result["shields"] == owned(red="J3 I3 D2 D1 E2 E8", blue="E7")
    assert result["to_act"] == "red"


def test_exchange_discards_two_and_draws_two():
    """Two cards go to the discards, two come from the pile, and the turn goes on; §3."""
    result = settled(turn(draw={"people": 9}), "exchange row:E ship")

    assert hand(result, "red") == ["col:7", "people", "people", "row:E", "row:E"]
    assert heap(result, "discards") == {"row:E": 1, "ship": 1}
    assert heap(result, "draw") == {"people": 7}
    assert (result["to_act"], result["phase"]) == ("red", "turn")
    assert result["turn"]["exchanged"]


def test_exchange_after_an_action_does_not_refill_the_hand():
    """Exactly two cards are drawn, whatever the hand holds; §3."""
    result = settled(turn(draw={"people": 9}), "expand E1 with row:E", "exchange row:E ship")

    assert len(hand(result, "red")) == 4


def test_exchanged_cards_may_come_back():
    """Both are discarded first, so an empty pile gives them back; §3."""
    result = settled(turn(hands={"red": ["ship", "people"]}), "exchange people ship")

    assert hand(result, "red") == ["people", "ship"]
    assert heap(result, "draw") == heap(result, "discards") == {}


def test_exchange_reshuffles_between_its_two_cards():
    """The pile's last card first, then from all discards, the two exchanged among them; §3."""
    case = turn(draw={"people": 1}, discards={"row:J": 1})

    position = position_after(case, "exchange row:E ship", "draw red people")

    assert outcomes(position) == {"draw red row:J": 1, "draw red row:E": 1, "draw red ship": 1}


@pytest.mark.parametrize(
    "line",
    [
        "exchange row:E",
        "exchange row:E ship col:7",
        "exchange ship ship",
        "exchange ship people",
        "exchange",
        "exchange ship sword",
    ],
)
def test_exchange_needs_two_cards_in_hand(line):
    """Exactly two cards which he holds are exchanged; §3."""
    assert rejected(turn(), line)


def test_who_holds_one_card_cannot_exchange():
    """He must hold two; §3."""
    assert not any(o.startswith("exchange") for o in legal(turn(hands={"red": ["ship"]})))


def test_two_equal_cards_may_be_exchanged():
    """Every distinct choice of two is one order; §3."""
    pairs = {o for o in legal(turn()) if o.startswith("exchange")}

    assert len(pairs) == 4
    assert "exchange row:E row:E" in pairs


def test_empty_supply_allows_no_card_action():
    """Without a shield in supply one can neither expand nor attack, but do the rest; §3."""
    case = turn(supply={"red": 0})

    assert {o.split()[0] for o in legal(case)} == {"migrate", "exchange", "sail", "pass"}
    assert rejected(case, "expand E1 with row:E")
    assert rejected(case, "attack E7 with row:E")


def test_the_last_shield_allows_one_card_action():
    """An attack takes a shield from supply, so no second action follows; §3."""
    case = turn(supply={"red": 1})

    assert rejected(case, "attack E7 with row:E", "yield", "expand E1 with row:E")


def test_the_player_draws_to_ten_at_the_end_of_his_turn():
    """Cards played are replaced only when the turn is over; §3."""
    case = turn(draw={"people": 50})

    assert len(hand(after(case, "expand E1 with row:E"), "red")) == 4
    assert len(hand(settled(case, "expand E1 with row:E", "done"), "red")) == 10
    assert len(hand(settled(case, "pass"), "red")) == 10


def test_cards_are_drawn_by_weight_of_the_pile():
    """One card at a time, as likely as it is often in the pile; §3."""
    position = position_after(turn(draw={"people": 3, "land:POL": 1}), "pass")

    assert GAME.to_act(position) == CHANCE
    assert outcomes(position) == {"draw red people": 3, "draw red land:POL": 1}


def test_a_full_hand_draws_nothing():
    """A hand is drawn to ten and never reduced; §3."""
    for number in (10, 11):
        case = turn(hands={"red": ["people"] * number}, draw={"ship": 5})
        assert after(case, "pass")["to_act"] == "blue"
        assert hand(after(case, "pass"), "red") == ["people"] * number


def test_defenders_who_spent_cards_draw_clockwise_from_him():
    """First the player himself, then from his left who defended; others wait; §3."""
    case = document(
        to_act="blue",
        seats=["red", "blue", "black", "green"],
        turn={"defended": ["red", "black"], "actions": 1},
        hands={"blue": ["ship"] * 9, "red": ["people"] * 9, "black": ["row:A"] * 8, "green": []},
        draw={"col:7": 30},
    )
    lines = ["done", "draw blue col:7", "draw black col:7", "draw black col:7", "draw red col:7"]

    result = after(case, *lines)

    assert result["to_act"] == "black"
    assert {s: len(cards) for s, cards in result["hands"].items()} == {
        "red": 10,
        "blue": 10,
        "black": 10,
        "green": 0,
    }


def test_defence_is_forgotten_after_the_turn():
    """Only cards spent this turn count; §3."""
    case = turn(turn={"defended": ["blue"], "actions": 1}, hands={})

    assert after(case, "done")["turn"]["defended"] == []


def test_discards_become_the_pile_when_a_card_is_due_and_it_is_empty():
    """All discards then lying there are drawn from; §3."""
    case = turn(hands={"red": ["people"] * 8}, draw={"ship": 1}, discards={"row:A": 2, "col:9": 1})
    position = position_after(case, "pass", "draw red ship")

    assert outcomes(position) == {"draw red row:A": 2, "draw red col:9": 1}
    result = after(case, "pass", "draw red ship", "draw red row:A")
    assert heap(result, "draw") == {"row:A": 1, "col:9": 1}
    assert heap(result, "discards") == {}


def test_discards_lie_until_a_card_is_due():
    """The last card of the pile drawn, the discards stay until the next is due; §3."""
    case = turn(hands={"red": ["people"] * 9}, draw={"ship": 1}, discards={"row:A": 2})

    result = after(case, "pass", "draw red ship")

    assert heap(result, "draw") == {}
    assert heap(result, "discards") == {"row:A": 2}


def test_with_both_piles_empty_one_draws_what_there_is():
    """Nobody waits for cards that do not exist; §3."""
    case = turn(hands={"red": ["people"] * 5}, draw={"ship": 1})

    result = after(case, "pass", "draw red ship")

    assert len(hand(result, "red")) == 6
    assert result["to_act"] == "blue"


def test_players_take_turns_clockwise_from_the_start_player():
    """Every player has one turn, beginning with the start player; §3."""
    case = document(start_player="blue", to_act="blue", round=4, hands={})
    case["shields"] = owned(red="C2", blue="E7", black="H8")
    lines = ["migrate E7 D7", "done", "pass", "pass"]

    result = after(case, *lines)

    assert after(case, *lines[:2])["to_act"] == "black"
    assert after(case, *lines[:3])["to_act"] == "red"
    assert (result["to_act"], result["start_player"], result["round"]) == ("blue", "blue", 5)
    assert (result["had_turn"], result["passed"]) == ([], [])


def test_a_new_turn_begins_with_nothing_done():
    """What the last player did does not bind the next; §3."""
    case = turn(shields=filled("POL", "red", ["E7"]) | owned(blue="E7 I3", red="I4"), hands={})

    result = after(case, "sail I4 J4", "migrate D7 C7", "done")

    fresh = {"actions": 0, "migrated": False, "exchanged": False, "sailed": [], "defended": []}
    assert {name: result["turn"][name] for name in fresh} == fresh
    assert allowed(result, "sail I3 I4", "migrate E7 D7")


def test_a_drawn_card_is_news_for_its_owner_alone():
    """Which card was drawn is hidden from the others; §1."""
    case = turn(hands={"red": ["people"] * 8}, draw={"land:POL": 1, "ship": 4})
    position = position_after(case, "pass")

    _, told = GAME.apply(position, GAME.parse("draw red land:POL", "en"))

    naming = [each for each in told if "land:POL" in str(dict(each.fields))]
    assert naming
    assert all(each.audience == {"red"} and each.news for each in naming)


@pytest.mark.parametrize("line", ["add row:E", "yield", "start blue", "start red"])
def test_orders_of_other_moments_are_refused(line):
    """Nobody adds, yields or names a start player in the middle of a turn; §3."""
    assert refused(turn(), line).rule.startswith("Origo")


def test_nothing_is_forced_in_a_turn():
    """Even an only order is the player's own; §3, §4."""
    position = position_after(turn(hands={}, shields={}))

    assert len(GAME.orders(position)) == 1
    assert GAME.forced(position) is None
