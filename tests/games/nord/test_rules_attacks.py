"""Compulsory attacks after placing: A2, with the worked cases 1, 3, 4 and 5 of §11."""

import pytest
from support.nord_cases import (
    GAME,
    after,
    allowed,
    boat,
    document,
    legal,
    position_after,
    posted,
    refused,
    texts,
    warriors,
)

pytestmark = pytest.mark.fast


def line_of(attackers: int, **fields: object) -> dict:
    """Return a chain of seven spaces, so many of them red once A2 is placed, the others green."""
    workers = {f"A{n}": "red" if n < attackers + 2 else "green" for n in range(3, 9)}
    return document(
        "SkkkkkkkS", "~~~~~~~~D", settlements={"A1": posted(red=1)}, workers=workers, **fields
    )


@pytest.mark.parametrize(
    ("attackers", "dead", "goal", "start", "back"),
    [(1, 1, 0, 0, 0), (2, 1, 1, 0, 0), (3, 1, 1, 1, 0), (4, 2, 1, 1, 0)],
)
def test_attackers_are_counted_off(attackers, dead, goal, start, back):
    """1 to 4 attackers die, go to B, go to A, die; A2.3, §11.1."""
    case = line_of(attackers)
    before = GAME.dump(GAME.load(case))["men"]["red"]

    result = after(case, "place A2", "attack A1 A9")

    assert boat(result) == ["man:red"] * dead
    assert warriors(result, "A9").get("red", 0) == goal
    assert warriors(result, "A1")["red"] == 1 + start
    assert result["men"]["red"] == before - 1 + back


@pytest.mark.parametrize("fifth", ["start", "goal"])
@pytest.mark.parametrize(("attackers", "back"), [(5, 0), (6, 1), (7, 2)])
def test_fifth_attacker_goes_where_said_and_the_rest_home(attackers, back, fifth):
    """The 5th becomes a warrior in A or B by choice, later ones return; A2.3, §11.1."""
    case = line_of(attackers)
    before = GAME.dump(GAME.load(case))["men"]["red"]

    result = after(case, "place A2", f"attack A1 A9 fifth {fifth}")

    assert boat(result) == ["man:red", "man:red"]
    assert warriors(result, "A9") == {"red": 2 if fifth == "goal" else 1}
    assert warriors(result, "A1") == {"red": 3 if fifth == "start" else 2}
    assert result["men"]["red"] == before - 1 + back


def test_fifth_attacker_must_be_placed():
    """With five attackers the order must say where the fifth goes; A2.1."""
    case = line_of(5)

    assert refused(case, "place A2", "attack A1 A9").rule.startswith("Nord A2")
    assert legal(case, "place A2") == {"attack A1 A9 fifth start", "attack A1 A9 fifth goal"}


def test_fifth_attacker_is_no_forced_order():
    """An attack with a fifth man to place leaves a choice and is never forced; A2.1."""
    assert GAME.forced(position_after(line_of(5), "place A2")) is None


def test_single_attack_is_forced():
    """One pair with one chain and no fifth man leaves no alternative; A2."""
    position = position_after(line_of(4), "place A2")

    assert GAME.format(GAME.forced(position), "en") == "attack A1 A9"


def test_simple_attack():
    """Two new workers link A to an undefended B: one dies, one is posted there; §11.3."""
    case = document("SkkS~D", settlements={"A1": posted(red=1)})

    result = after(case, "place A2 A3", "attack A1 A4")

    assert result["workers"] == {}
    assert boat(result) == ["man:red"]
    assert (warriors(result, "A1"), warriors(result, "A4")) == ({"red": 1}, {"red": 1})
    assert result["to_act"] == "green"


def test_no_attack_where_both_hold_own_warriors():
    """Linking two settlements that both hold own warriors attacks nothing; §11.4."""
    case = document("SkkS~D", settlements={"A1": posted(red=1), "A4": posted(red=1)})

    result = after(case, "place A2 A3")

    assert result["workers"] == {"A2": "red", "A3": "red"}
    assert result["to_act"] == "green"


def test_no_attack_over_a_second_link():
    """Settlements connected before the turn are not attacked over a second link; §11.4."""
    case = document(
        "SkkS", "kkkk", "~D~~", settlements={"A1": posted(red=1)},
        workers={"A2": "green", "A3": "green"},
    )  # fmt: skip
    case["workers"] |= {"B1": "red", "B3": "red", "B4": "red"}

    assert after(case, "place B2")["to_act"] == "green"


def test_foreign_warriors_are_no_defence_of_others():
    """A settlement with only other players' warriors is attacked; A2."""
    case = document("SkkS~D", settlements={"A1": posted(red=1), "A4": posted(green=3)})

    result = after(case, "place A2 A3", "attack A1 A4")

    assert warriors(result, "A4") == {"green": 3, "red": 1}


def test_links_of_others_are_no_attack():
    """Settlements linked beyond the goal, without own warriors, are left alone; A2."""
    case = document(
        "SkSkSkS~D",
        settlements={"A1": posted(red=1)},
        workers={"A4": "green", "A6": "red"},
    )

    assert after(case, "place A2", "attack A1 A3")["workers"] == {"A4": "green", "A6": "red"}


def test_attack_may_start_from_a_settlement_not_built_from():
    """A new link opens attacks from every settlement with own warriors it reaches; A2."""
    case = document(
        "SkSkS",
        "~k~~k",
        "~kkkk",
        "~~D~~",
        settlements={"A1": posted(red=1), "A3": posted(red=1)},
        workers=dict.fromkeys(("B2", "C2", "C3", "C4", "C5", "B5"), "green"),
    )

    assert legal(case, "place A2") == {"attack A1 A5", "attack A3 A5"}


def test_foreign_workers_stay():
    """Only his own workers on the chain leave the map; A2.2."""
    case = document(
        "SkkkS~D", settlements={"A1": posted(red=1)}, workers={"A3": "green", "A4": "green"}
    )

    result = after(case, "place A2", "attack A1 A5")

    assert result["workers"] == {"A3": "green", "A4": "green"}


def test_own_old_workers_on_the_chain_attack_too():
    """Workers placed in earlier turns count as attackers, those off the chain stay; A2.2."""
    case = document(
        "SkkkS~D",
        "~k~~~~~",
        settlements={"A1": posted(red=1)},
        workers={"A3": "red", "A4": "red", "B2": "red"},
    )

    result = after(case, "place A2", "attack A1 A5")

    assert result["workers"] == {"B2": "red"}
    assert warriors(result, "A1") == {"red": 2}
    assert warriors(result, "A5") == {"red": 1}


def test_fishing_boats_of_attackers_return():
    """A sea worker that attacks gives his fishing boat back to the common supply; A2.2."""
    case = document("S~~S", "~~~~", "~~~D", settlements={"A1": posted(red=1)}, fishing_boats=2)

    result = after(case, "place A2 A3", "attack A1 A4")

    assert (result["fishing_boats"], result["workers"]) == (2, {})


def test_link_runs_over_land_and_sea():
    """A chain of land and sea workers is an attack like any other; §3, A2."""
    case = document("Sk~S", "~~~D", settlements={"A1": posted(red=1)}, workers={"A3": "red"})

    result = after(case, "place A2", "attack A1 A4")

    assert (result["workers"], result["fishing_boats"]) == ({}, 6)
    assert warriors(result, "A4") == {"red": 1}


def test_dead_take_the_lowest_empty_places_for_no_points():
    """Dead men stand on the lowest-numbered empty places and score nothing; A2.3."""
    case = line_of(4, large_boat=["jarl:blue", "jarl:yellow", "man:green"])

    result = after(case, "place A2", "attack A1 A9")

    assert boat(result) == ["jarl:blue", "jarl:yellow", "man:green", "man:red", "man:red"]
    assert set(result["points"].values()) == {0}


THREE_CHAINS = document(
    "SkkS~",
    "kk~~~",
    "kS~~D",
    settlements={"A1": posted(red=1), "A4": posted(red=1)},
    workers={"C1": "green", "A3": "green"},
)
PLACED = "place A2 B1 B2"


def test_three_shortest_chains_are_three_choices():
    """Chains that take different own workers are choices of their own; A2.1, §11.5."""
    found = legal(THREE_CHAINS, PLACED)

    assert found == {
        "attack A1 C2 via A2 B2",
        "attack A1 C2 via B1 B2",
        "attack A1 C2 via B1 C1",
        "attack A4 C2",
    }


def test_chosen_chain_leaves_the_rest_joined():
    """Over the second chain one dies, one is posted, and A and C stay joined; §11.5."""
    result = after(THREE_CHAINS, PLACED, "attack A1 C2 via B1 B2")

    assert boat(result) == ["man:red"]
    assert warriors(result, "C2") == {"red": 1}
    assert result["workers"] == {"A2": "red", "A3": "green", "C1": "green"}
    assert result["to_act"] == "green"


def test_lone_attacker_must_attack_again():
    """While the pair still qualifies he must attack, until it does not; A2, §11.5."""
    once = position_after(THREE_CHAINS, PLACED, "attack A1 C2 via B1 C1")

    assert GAME.to_act(once) == "red"
    assert texts(once) == {"attack A1 C2", "attack A4 C2"}
    result = after(THREE_CHAINS, PLACED, "attack A1 C2 via B1 C1", "attack A1 C2")
    assert boat(result) == ["man:red", "man:red"]
    assert warriors(result, "C2") == {"red": 1}
    assert result["to_act"] == "green"


@pytest.mark.parametrize(
    "line",
    [
        "attack A1 C2",
        "attack A1 C2 via A2 B1 B2",
        "attack A1 C2 via A2 C1",
        "attack A1 C2 via A2 B3",
        "attack A1 C2 via B2 B1",
        "attack A4 C2 via A3 A2",
        "attack A1 A4",
        "attack C2 A1",
        "place A2",
        "challenge A1",
    ],
)
def test_other_chains_pairs_and_orders_are_refused(line):
    """An attack owed is over a qualifying pair and one of its shortest chains; A2, A2.1."""
    assert refused(THREE_CHAINS, PLACED, line).rule.startswith("Nord A2")


def test_chains_that_take_the_same_need_not_be_named():
    """Two chains over different foreign workers take the same man: one choice; A2.1."""
    case = document(
        "~kS~",
        "Skk~",
        "~~~D",
        settlements={"B1": posted(red=1), "A3": {}},
        workers={"A2": "green", "B3": "green"},
    )

    assert legal(case, "place B2") == {"attack B1 A3"}
    for via in ("B2 A2", "B2 B3"):
        named = after(case, "place B2", f"attack B1 A3 via {via}")
        assert named == after(case, "place B2", "attack B1 A3")


def test_canonical_order_names_no_needless_chain():
    """A chain that is the only choice is dropped from the order; A2.1."""
    position = position_after(line_of(3), "place A2")
    long = GAME.parse("attack A1 A9 via A2 A3 A4 A5 A6 A7 A8", "en")

    assert GAME.format(GAME.canonical(position, long), "en") == "attack A1 A9"


TWO_GOALS = document(
    "SkkS",
    "kk~~",
    "k~~~",
    "S~~D",
    settlements={"A1": posted(red=1)},
    workers={"A3": "green", "C1": "green"},
)


def test_every_qualifying_pair_is_attacked_in_turn():
    """He chooses the pair and attacks on until none qualifies; A2."""
    assert legal(TWO_GOALS, "place A2 B1 B2") == {"attack A1 A4", "attack A1 D1"}

    result = after(TWO_GOALS, "place A2 B1 B2", "attack A1 D1", "attack A1 A4")

    assert boat(result) == ["man:red", "man:red"]
    assert result["workers"] == {"A3": "green", "B2": "red", "C1": "green"}
    assert result["to_act"] == "green"


def test_what_was_connected_at_the_start_is_never_attacked():
    """Of two goals only the one not connected at the turn's start qualifies; A2."""
    case = TWO_GOALS | {"workers": {"A2": "green", "A3": "green", "C1": "green"}}

    assert legal(case, "place B1 B2") == {"attack A1 D1"}


def test_start_of_the_turn_survives_a_dump_in_the_middle():
    """A document written while an attack is owed still knows the turn's start; A2."""
    position = position_after(TWO_GOALS, "place A2 B1 B2", "attack A1 D1")

    again = GAME.load(GAME.dump(position))

    assert texts(again) == {"attack A1 A4"}
    assert again == position


FULL_SOON = ["jarl:blue", "jarl:yellow"] + ["man:green"] * 7


def test_boat_may_be_full_while_attacks_are_owed():
    """The scoring waits for the last attack, though the boat is full before; A2, A3."""
    case = TWO_GOALS | {"large_boat": FULL_SOON}

    between = position_after(case, "place A2 B1 B2", "attack A1 D1")

    assert GAME.to_act(between) == "red"
    assert len(boat(GAME.dump(between))) == 10
    assert GAME.dump(between)["scorings_done"] == 0
    assert GAME.load(GAME.dump(between)) == between


def test_dead_turned_away_from_a_full_boat_return_to_supply():
    """With no place empty the dead return to supply, and one scoring follows; A2.3, A3."""
    case = TWO_GOALS | {"large_boat": FULL_SOON}
    men = GAME.dump(GAME.load(case))["men"]

    result = after(case, "place A2 B1 B2", "attack A1 D1", "attack A1 A4")

    assert boat(result) == ["jarl:blue", "jarl:yellow"]
    assert result["scorings_done"] == 1
    assert result["men"] == {"red": men["red"] - 1, "green": men["green"] + 7}
    assert result["to_act"] == "green"


def test_attack_is_not_a_choice():
    """After placing, nothing but an owed attack is legal; A2."""
    case = document("SkkS~D", settlements={"A1": posted(red=1)})

    assert all(each.startswith("attack") for each in legal(case, "place A2 A3"))
    assert not allowed(case, "place A2 A3", "place A2")
    assert not allowed(case, "attack A1 A4")
