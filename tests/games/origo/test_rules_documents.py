"""Which position documents can be read, their defaults, and what a check finds in them."""

import copy
from random import Random

import pytest
from support.origo_board import board_document
from support.origo_cases import CASES, GAME, after, document, filled, legal, load, owned

from referee.games.play import complete_options

pytestmark = pytest.mark.fast


def whole(**fields):
    """Return a small readable document."""
    base = {
        "to_act": "black",
        "shields": {"E7": "red", "E8": "black"},
        "founded": ["POL"],
        "hands": {"black": ["col:7", "row:E", "people"]},
        "draw": {"ship": 3},
    }
    return document(**(base | fields))


def test_defaults_fill_a_partial_document():
    """What is not given takes the default the document format names."""
    dumped = GAME.dump(load(whole()))

    assert dumped["supply"] == {"red": 29, "blue": 30, "black": 29}
    assert dumped["path"] == {"red": 1, "blue": 2, "black": 3}
    assert (dumped["phase"], dumped["round"], dumped["start_player"]) == ("turn", 1, "red")
    assert (dumped["had_turn"], dumped["passed"]) == (["red", "blue"], [])
    assert (dumped["scorings_ordered"], dumped["last_round"]) == (0, False)
    assert dumped["combat"] is None
    turn = {"actions": 0, "migrated": False, "exchanged": False, "sailed": [], "defended": []}
    assert {name: dumped["turn"][name] for name in turn} == turn


def test_who_had_a_turn_follows_from_start_player_and_who_acts():
    """The seats before the one to act, in the round's order, have had theirs."""
    dumped = GAME.dump(load(whole(start_player="blue", to_act="red")))

    assert dumped["had_turn"] == ["blue", "black"]


def test_first_seat_acts_if_nobody_is_named():
    case = whole()
    del case["to_act"]

    assert GAME.to_act(load(case)) == "red"


def test_seats_may_stand_in_any_order():
    """The seats are listed in turn order, whatever the colours."""
    case = document(seats=["orange", "red", "green"])

    assert GAME.dump(load(case))["seats"] == ["orange", "red", "green"]
    assert GAME.to_act(load(case)) == "orange"


def test_given_values_are_kept():
    """Supply, path, round and marks given stand as given."""
    given = {
        "supply": {"red": 20, "blue": 7, "black": 29},
        "path": {"red": 110, "blue": 9, "black": 42},
        "round": 4,
        "scorings_ordered": 2,
        "passed": ["red"],
        "discards": {"row:A": 1},
    }

    dumped = GAME.dump(load(whole(**given)))

    assert {name: dumped[name] for name in given} == given


def test_board_may_be_given_in_full():
    """A board document stands in place of a name, and is played on."""
    board = board_document(founding_track=[9] * 12)
    case = whole(
        board=board,
        shields=filled("BEL", "red", ["D4"]),
        hands={"black": ["row:D"]},
    )
    position, _ = GAME.apply(load(case), GAME.parse("expand D4 with row:D", "en"))

    assert GAME.dump(position)["path"]["black"] == 12


def test_dumped_document_reads_back_the_same():
    """What was written loads to the same position and is written the same again."""
    position = load(whole())

    assert GAME.load(GAME.dump(position)) == position
    assert GAME.dump(GAME.load(GAME.dump(position))) == GAME.dump(position)


LANDS = board_document()["scoring_order"]
COMBAT = {
    "square": "E7",
    "attacker": "black",
    "defender": "red",
    "attacker_cards": ["row:E"],
    "defender_cards": [],
}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"shields": {"K1": "red"}}, "K1"),
        ({"shields": {"A11": "red"}}, "A11"),
        ({"shields": {"A1": "green"}}, "A1"),
        ({"shields": {"A1": "pink"}}, "A1"),
        ({"shields": []}, "shields"),
        ({"founded": ["ATL"]}, "founded"),
        ({"founded": ["NOR"]}, "founded"),
        ({"founded": ["POL", "POL"]}, "founded"),
        ({"seats": ["red"]}, "seats"),
        ({"seats": ["red", "red"]}, "seats"),
        ({"seats": ["red", "pink", "black"]}, "seats"),
        ({"to_act": "green"}, "to_act"),
        ({"start_player": "green"}, "start_player"),
        ({"phase": "lunch"}, "phase"),
        ({"supply": {"red": -1}}, "supply"),
        ({"supply": {"green": 1}}, "supply"),
        ({"path": {"red": 0}}, "path"),
        ({"path": {"red": "far"}}, "path"),
        ({"hands": {"green": ["ship"]}}, "hands"),
        ({"hands": {"red": ["spoon"]}}, "hands"),
        ({"hands": {"red": ["row:A/C"]}}, "hands"),
        ({"draw": {"ship": -1}}, "draw"),
        ({"draw": {"spoon": 1}}, "draw"),
        ({"discards": {"row:K": 1}}, "discards"),
        ({"scorings_ordered": -1}, "scorings_ordered"),
        ({"round": 0}, "round"),
        ({"passed": ["green"]}, "passed"),
        ({"had_turn": ["green"]}, "had_turn"),
        ({"turn": {"actions": 3}}, "actions"),
        ({"turn": {"sailed": ["A1"]}}, "sailed"),
        ({"turn": {"sailed": ["E7"]}}, "sailed"),
        ({"turn": {"defended": ["green"]}}, "defended"),
        ({"phase": "combat"}, "combat"),
        ({"combat": COMBAT}, "combat"),
        ({"phase": "combat", "combat": COMBAT | {"square": "A1"}}, "combat"),
        ({"phase": "combat", "combat": COMBAT | {"defender": "blue"}}, "combat"),
        ({"phase": "combat", "combat": COMBAT | {"attacker": "red"}}, "combat"),
        ({"board": "atlantis"}, "board"),
        ({"board": {}}, "board"),
        ({"board": board_document(founding_track=[1, 2])}, "founding_track"),
        ({"board": board_document(scoring_order=["BRI"])}, "scoring_order"),
        ({"board": board_document(scoring_order=["BRI", *LANDS[:-1]])}, "scoring_order"),
        ({"board": board_document(founding_red=[0, 4])}, "founding_red"),
        ({"board": board_document(founding_red=[4, 13])}, "founding_red"),
        ({"board": board_document(map=["BRI"])}, "map"),
        ({"board": board_document(cards={"ship": 97})}, "cards"),
        ({"game": "chess"}, "game"),
        ({"edition": 9}, "edition"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_unreadable_document_names_the_place(change, place):
    """What cannot stand on a table is refused with the place that is wrong."""
    assert place in CASES.unreadable(copy.deepcopy(whole()) | change)


def test_cards_in_a_combat_tell_who_defended():
    """Their owner draws at the end of the turn, like everybody who defended before; §3, Attack."""
    combat = COMBAT | {"defender_cards": ["row:E"]}
    case = whole(phase="combat", combat=combat, turn={"defended": ["blue"]})

    assert set(GAME.dump(load(case))["turn"]["defended"]) == {"red", "blue"}


def test_ended_position_reads_back_the_same():
    """Nobody acts when the game is over, and the document says so; §6."""
    position = load(whole(phase="over", to_act=None))

    assert GAME.to_act(position) is None
    assert GAME.load(GAME.dump(position)) == position


def test_attack_in_a_combat_is_an_action():
    """So whoever ends the turn behind it has not passed, and one more is left; §3."""
    case = whole(phase="combat", combat=COMBAT, to_act="red")

    assert GAME.dump(load(case))["turn"]["actions"] == 1
    assert after(case, "yield", "done")["passed"] == []
    assert "actions" in CASES.unreadable(case | {"turn": {"actions": 0}})


@pytest.mark.parametrize("junk", [None, [], "origo", 7, {}])
def test_what_is_no_document_is_refused(junk):
    """Anything but an object with seats is refused."""
    assert CASES.unreadable(junk)


def mapped(square, area):
    """Return a board on which one square lies in another land or sea."""
    rows = [line.split() for line in board_document()["map"]]
    rows["ABCDEFGHIJ".index(square[0])][int(square[1:]) - 1] = area
    return board_document(map=[" ".join(row) for row in rows])


def limited(land, limit):
    """Return a board on which a land holds so many starting shields."""
    board = board_document()
    board["lands"][land] = board["lands"][land] | {"setup_limit": limit}
    return board


@pytest.mark.parametrize(
    "board", [mapped("J1", "GER"), mapped("C5", "OST"), mapped("A1", "ATL"), limited("BEL", 3)]
)
def test_board_that_breaks_its_promises_is_refused(board):
    """Lands and seas hang together, and every land is larger than its limit; §7."""
    assert CASES.unreadable(whole(board=board))


def test_board_with_other_borders_is_played_on():
    """A square given to a neighbouring land belongs to it; §7."""
    board = mapped("B2", "NOR")
    case = whole(board=board, shields={}, founded=[], hands={"black": ["ship"]})

    assert "expand B2 with ship" in legal(case)


def test_check_finds_a_partial_document_incomplete():
    """Cards and shields that are nowhere are faults, though the document can be tried."""
    assert GAME.check(whole())


def complete(**fields):
    """Return what the game writes of a position with all cards in the pile."""
    cards = dict(board_document()["cards"])
    return GAME.dump(load(document(draw=cards, shields=owned(red="A1", blue="A3"), **fields)))


def test_check_finds_nothing_in_what_the_game_wrote():
    """A document with all cards and shields that the game wrote is complete."""
    assert list(GAME.check(complete())) == []


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"draw": board_document()["cards"] | {"ship": 13}}, "ship"),
        ({"draw": board_document()["cards"] | {"row:A": 0}}, "row:A"),
        ({"hands": {"red": ["people"]}}, "people"),
        ({"supply": {"red": 30, "blue": 29, "black": 30}}, "red"),
        ({"path": {"red": 102, "blue": 2, "black": 3}}, "path"),
    ],
)
def test_check_finds_what_cannot_be(change, place):
    """Cards and shields are conserved, leaders stand apart; §5, §8.7."""
    faults = GAME.check(complete() | change)

    assert any(place in f"{fault.path} {fault.message}" for fault in faults)


def first_deal():
    """Return the document of a match whose first cards are being dealt."""
    options = complete_options(GAME, {})
    seats = ("red", "blue", "black")
    return GAME.dump(GAME.start(seats, options, GAME.board(seats, options, None, Random(1))))


@pytest.mark.parametrize(
    "change",
    [
        {"turn": {"seat": "red", "defended": ["blue"]}},
        {"turn": {"seat": "red", "actions": 1}},
        {"turn": {"seat": "red", "exchanged": True}},
        {"turn": {"seat": "red", "ended": True}},
        {"supply": {"red": 0, "blue": 30, "black": 30}},
    ],
)
def test_first_deal_must_end_in_a_position_one_can_place_from(change):
    """While chance deals nobody has had a turn, and whoever is first has a shield to place."""
    assert GAME.dump(load(first_deal())) == first_deal()
    assert CASES.unreadable(first_deal() | change)


def test_deal_reads_back_at_every_card():
    """Whatever chance draws first, each position of the deal can be read again."""
    rng, position = Random(2), load(first_deal())
    while GAME.to_act(position) == "chance":
        order = rng.choice([each for each, _ in GAME.chance(position)])
        position, _ = GAME.apply(position, order)
        assert GAME.load(GAME.dump(position)) == position
    assert GAME.to_act(position) == "red"
