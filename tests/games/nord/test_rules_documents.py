"""Which position documents can be read, their defaults, and what a check finds in them."""

import copy
from random import Random

import pytest
from support.nord_cases import CASES, GAME, Doc, boat, dealt, document, legal, load, tiles
from support.nord_random import random_document

pytestmark = pytest.mark.fast

ROWS = ("~~~~", "~SK~", "~kD~", "~~~~")


def whole() -> Doc:
    """Return a small readable document."""
    return document(
        *ROWS,
        settlements={"B2": {"jarl": "red", "warriors": {"red": 1}}},
        workers={"C2": "red", "A2": "green"},
        treasures={"B3": "axe"},
        hands={"red": {"hammer": 1}},
        large_boat=["jarl:blue", "man:red"],
    )


def test_defaults_fill_a_partial_document():
    """What is not given takes the default the document format names."""
    dumped = GAME.dump(load(whole()))

    assert dumped["men"] == {"red": 21, "green": 23}
    assert dumped["fishing_boats"] == 5
    assert dumped["points"] == {"red": 0, "green": 0}
    assert (dumped["to_act"], dumped["phase"], dumped["scorings_done"]) == ("red", "turn", 0)
    assert tiles(dumped["supply"]) == tiles(dumped["discards"]) == {}
    assert boat(dumped) == ["jarl:blue", "man:red"]


def test_given_numbers_are_kept():
    """Men, points, boats and scorings given stand as given."""
    case = whole() | {"men": {"red": 5}, "points": {"green": 7}, "fishing_boats": 1}

    dumped = GAME.dump(load(case))

    assert dumped["men"] == {"red": 5, "green": 23}
    assert dumped["points"] == {"red": 0, "green": 7}
    assert dumped["fishing_boats"] == 1


def test_more_than_25_men_are_out_only_where_the_supply_is_given():
    """The 25 figures of a colour say what is in supply, unless the document does; §1."""
    crowded = whole() | {"settlements": {"B2": {"jarl": "red", "warriors": {"red": 30}}}}

    assert "men" in CASES.unreadable(crowded)
    assert GAME.dump(load(crowded | {"men": {"red": 2}}))["men"]["red"] == 2


def test_settlements_not_named_are_empty():
    dumped = GAME.dump(load(document("SkS", "~D~")))

    assert set(dumped["settlements"]) == {"A1", "A3"}


def test_dumped_document_reads_back_the_same():
    """What was written loads to the same position and is written the same again."""
    position = load(whole())

    assert GAME.load(GAME.dump(position)) == position
    assert GAME.dump(GAME.load(GAME.dump(position))) == GAME.dump(position)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"workers": {"B2": "red"}}, "B2"),
        ({"workers": {"C3": "red"}}, "C3"),
        ({"workers": {"B3": "red"}}, "B3"),
        ({"workers": {"Z9": "red"}}, "Z9"),
        ({"workers": {"C2": "blue"}}, "C2"),
        ({"treasures": {"C2": "axe"}}, "C2"),
        ({"treasures": {"B3": "spoon"}}, "B3"),
        ({"treasures": {"A1": "axe"}}, "A1"),
        ({"large_boat": ["man:red"] * 10}, "large_boat"),
        ({"large_boat": ["man:red"] * 11}, "large_boat"),
        ({"large_boat": ["dog:red"]}, "large_boat"),
        ({"settlements": {"C2": {}}}, "C2"),
        ({"settlements": {"B2": {"jarl": "purple"}}}, "B2"),
        ({"settlements": {"B2": {"warriors": {"red": -1}}}}, "B2"),
        ({"settlements": {"B2": {"warriors": {"pink": 1}}}}, "B2"),
        ({"seats": ["red", "red"]}, "seats"),
        ({"seats": ["red", "pink"]}, "seats"),
        ({"seats": ["red"]}, "seats"),
        ({"to_act": "blue"}, "to_act"),
        ({"phase": "lunch"}, "phase"),
        ({"scorings_done": 5}, "scorings_done"),
        ({"hands": {"red": {"spoon": 1}}}, "hands"),
        ({"hands": {"blue": {"axe": 1}}}, "hands"),
        ({"supply": {"axe": -1}}, "supply"),
        ({"men": {"red": -1}}, "men"),
        ({"points": {"red": "many"}}, "points"),
        ({"fishing_boats": -1}, "fishing_boats"),
        ({"board": {"map": ["~S~", "~~"]}}, "board"),
        ({"board": {"map": ["~X~", "~~~"]}}, "board"),
        ({"board": {"map": ["~"] * 27}}, "board"),
        ({"board": {}}, "board"),
        ({"board": {"island": "atlantis", "margin": 2}}, "board"),
        ({"game": "chess"}, "game"),
        ({"workers": []}, "workers"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_unreadable_document_names_the_place(change, place):
    """What cannot stand on a table is refused with the place that is wrong."""
    assert place in CASES.unreadable(copy.deepcopy(whole()) | change)


def owed(**fields) -> Doc:
    """Return a document in which red owes an attack from B2 to B5."""
    base = {
        "settlements": {"B2": {"warriors": {"red": 1}}},
        "workers": {"B3": "red", "B4": "green"},
        "phase": "attack",
        "turn": {"connected": []},
    }
    return document("~~~~~~", "~SffS~", "~~ff~~", "~~~~D~", **(base | fields))


def test_pair_that_others_connect_alone_is_no_attack():
    """An attack takes off a worker of its seat, or it would be owed for ever; A2.2."""
    assert legal(owed()) == {"attack B2 B5"}
    others = {"B3": "green", "B4": "green"}

    for workers in (others, others | {"C3": "red"}):
        assert CASES.unreadable(owed(workers=workers)).startswith("$.turn")


def test_pair_that_others_connect_over_a_longer_way_is_no_attack():
    """Once red's worker on the shorter way has fallen, nothing would end the attack; A2."""
    rows = ("~~~~~~", "~kkkk~", "~SkkS~", "~~~~D~")
    settlements = {"C2": {"warriors": {"red": 1}}}
    workers = {"C3": "red", "C4": "green", "B2": "green", "B3": "green"}
    case = owed(board={"map": list(rows)}, settlements=settlements, workers=workers)

    assert legal(case) == {"attack C2 C5"}
    assert "C2" in CASES.unreadable(case | {"workers": workers | {"B4": "green"}})


def choosing(**fields) -> Doc:
    """Return a document of two seats that choose settlements on a small map."""
    return document("~S~S~", "~kkk~", "~S~S~", "~~D~~", phase="start", **fields)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"settlements": {s: {"jarl": "blue"} for s in ("A2", "A4", "C2")}}, "phase"),
        ({"settlements": {s: {"jarl": "blue"} for s in ("A2", "A4", "C2", "C4")}}, "phase"),
        ({"settlements": {"A2": {"jarl": "green"}}}, "to_act"),
        ({"settlements": {"A2": {"jarl": "neutral"}}}, "settlements"),
        ({"settlements": {"A2": {"jarl": "red"}}, "to_act": "red"}, "to_act"),
        ({"to_act": "chance", "supply": {"gold": 1}}, "supply"),
        ({"to_act": "chance", "supply": {"gold": 9, "axe": 9, "sword": 1}}, "supply"),
        (
            {
                "to_act": "chance",
                "supply": dict.fromkeys(("gold", "axe", "sword"), 6),
                "settlements": {s: {"jarl": "blue"} for s in ("A2", "A4", "C2")},
            },
            "phase",
        ),
    ],
)
def test_set_up_that_could_not_be_finished_is_refused(change, place):
    """There are tiles to deal and settlements to choose for every seat still without; §2."""
    assert legal(choosing()) == {"start A2", "start A4", "start C2", "start C4"}
    assert place in CASES.unreadable(choosing(**change))


def test_set_up_is_finished_from_a_scant_supply():
    """Three tiles for two seats, one of which holds one, are dealt to the last; §2.4."""
    hands = {"red": {"gold": 1}, "green": {"axe": 1, "sword": 1}}
    case = choosing(to_act="chance", hands=hands, supply={"hammer": 1, "goblet": 1, "helmet": 1})

    after_deal = GAME.dump(dealt(load(case)))

    assert (after_deal["to_act"], tiles(after_deal["supply"])) == ("red", {})


def test_boat_full_of_jarls_is_read():
    """The scoring empties it of men alone, so it stays full of jarls; A3, §6."""
    case = document("SkkS", "~~~~", "~~~D", settlements={"A1": {"warriors": {"red": 1}}})
    case["board"]["boat_numbers"] = [2]
    case["large_boat"] = ["jarl:blue"]

    result = CASES.settled(case, "place A2")

    assert (result["scorings_done"], boat(result)) == (1, ["jarl:blue"])
    assert GAME.dump(load(result)) == result


@pytest.mark.parametrize("junk", [None, [], "nord", 7, {}])
def test_what_is_no_document_is_refused(junk):
    """Anything but an object with a board and seats is refused."""
    assert CASES.unreadable(junk)


def test_check_finds_a_partial_document_incomplete():
    """A document that leaves pieces out has faults, though it can be tried."""
    assert GAME.check(whole())


def test_position_written_in_mid_turn_goes_on_the_same():
    """Documents written after a tile or between attacks load to equal positions; A0, A2."""
    rng = Random(3)
    written = 0
    for _ in range(60):
        position = load(random_document(rng))
        for order in GAME.orders(position)[:12]:
            after = dealt(GAME.apply(position, order)[0])
            assert GAME.load(GAME.dump(after)) == after
            written += GAME.dump(after)["phase"] == "attack" or order.word == "play"
    assert written > 20
