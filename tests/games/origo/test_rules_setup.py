"""What a match begins with, the deal and the starting shields: §1 and §2."""

from random import Random

import pytest
from support.origo_board import AREA, BIG, CARDS, SEAS, SMALL, SQUARES, board_document
from support.origo_cases import (
    CASES,
    GAME,
    after,
    allowed,
    dealt,
    document,
    legal,
    load,
    owned,
    refused,
    rejected,
)

from referee.games.game import CHANCE
from referee.games.play import complete_options

pytestmark = pytest.mark.fast

COLOURS = ("red", "blue", "black", "green", "orange")


def board():
    """Return the board of a match for two."""
    return GAME.board(("red", "blue"), complete_options(GAME), None, Random(0))


def test_two_to_five_play_in_five_colours():
    """The colours stand in their default order, for 2 to 5 players; §1."""
    assert GAME.seats == range(2, 6)
    assert GAME.colours == COLOURS


@pytest.mark.parametrize(
    "field",
    ["map", "scoring_order", "founding_track", "founding_red", "clan_values", "provenance"],
)
def test_the_board_that_ships_is_the_reconstruction(field):
    """Map, orders, tracks and values are the reconstructed ones; §7."""
    assert board()[field] == board_document()[field]


def test_lands_have_their_values_and_limits():
    """Every land has three values and what it holds at the start; §4, §2.3."""
    keys = ("values", "setup_limit")
    expected = board_document()["lands"]

    found = board()["lands"]

    assert {n: [each[k] for k in keys] for n, each in found.items()} == {
        n: [each[k] for k in keys] for n, each in expected.items()
    }


def test_there_are_98_cards():
    """26 row, 26 column, 18 land, 16 population and 12 ship cards; §1."""
    cards = board()["cards"]

    kinds = {k: sum(n for c, n in cards.items() if c.startswith(k)) for k in ("row", "col", "land")}

    assert kinds == {"row": 26, "col": 26, "land": 18}
    assert (cards["people"], cards["ship"], sum(cards.values())) == (16, 12, 98)
    assert cards == CARDS


def test_squares_the_rule_book_names_lie_where_it_says():
    """The map satisfies every fact the rule book's text gives; §7."""
    known = {"E7": "POL", "D7": "POL", "E8": "DAK", "F7": "HEL", "E6": "GER", "B3": "NOR"}
    known |= {"F1": "BIS", "I3": "MIT", "I4": "MIT", "H9": "DAL", "H5": "ITA", "G3": "GAL"}
    rows = [line.split() for line in board()["map"]]

    found = {s: rows["ABCDEFGHIJ".index(s[0])][int(s[1:]) - 1] for s in known}

    assert found == known


@pytest.mark.parametrize(("players", "number"), [(2, 44), (3, 30), (4, 25), (5, 22)])
def test_everybody_begins_with_ten_cards_and_all_his_shields(players, number):
    """Ten cards each before the starting shields, leaders on 1, 2, 3, …; §2.1, §2.2, §8.1."""
    seats = COLOURS[:players]

    dumped = GAME.dump(dealt(GAME.start(seats, complete_options(GAME))))

    assert {seat: len(cards) for seat, cards in dumped["hands"].items()} == dict.fromkeys(seats, 10)
    assert sum(dumped["draw"].values()) == 98 - 10 * players
    assert sum(dumped["discards"].values()) == 0
    assert dumped["supply"] == dict.fromkeys(seats, number)
    assert dumped["path"] == {seat: i for i, seat in enumerate(seats, 1)}
    assert (dumped["phase"], dumped["to_act"], dumped["shields"]) == ("place", seats[0], {})


def test_the_deal_is_drawn_card_by_card_from_all_98():
    """Chance deals one card at a time, weighted by what the pile holds; §2.1."""
    position = GAME.start(("red", "blue"), complete_options(GAME))

    outcomes = GAME.chance(position)

    assert GAME.to_act(position) == CHANCE
    assert sum(weight for _, weight in outcomes) == 98
    assert len(outcomes) == len(CARDS)


def test_a_dealt_hand_is_told_to_nobody_else():
    """Cards in hands are hidden from all but their owner; §1."""
    position, told = GAME.start(("red", "blue"), complete_options(GAME)), []
    rng = Random(2)
    while GAME.to_act(position) == CHANCE:
        position, more = GAME.apply(position, CASES.drawn(position, rng))
        told += more
    cards = set(GAME.dump(position)["hands"]["red"])

    naming = [each for each in told if any(card in str(dict(each.fields)) for card in cards)]

    assert any(each.known_to("red") for each in naming)
    assert not any(each.known_to(None) for each in naming)
    assert not any(each.known_to("red") and each.known_to("blue") for each in naming)


def test_any_two_colours_can_be_tried():
    """A position for two takes any two colours; §1."""
    assert allowed(document(seats=["green", "black"]), "pass")


@pytest.mark.parametrize("seats", [("red", "blue"), ("blue", "red")])
def test_a_match_for_two_is_red_and_blue(seats):
    """Only these two have 44 shields, whoever begins; §1."""
    options = complete_options(GAME)

    assert GAME.to_act(GAME.start(seats, options)) == CHANCE
    with pytest.raises(ValueError):
        GAME.start(("green", seats[0]), options)


@pytest.mark.parametrize("seats", [("red",), (*COLOURS, "pink"), ("red", "red"), ("red", "pink")])
def test_seats_that_do_not_fit_are_an_error(seats):
    """Two to five different colours of the game play; §1."""
    with pytest.raises(ValueError):
        GAME.start(seats, complete_options(GAME))


def placing(**fields):
    """Return a position in which red is to place a starting shield."""
    return document(**({"phase": "place"} | fields))


def test_starting_shields_are_placed_one_at_a_time_in_turn():
    """Each player places one from his supply, then the next; §2.3."""
    result = after(placing(), "place C4", "place A1")

    assert result["shields"] == {"C4": "red", "A1": "blue"}
    assert result["supply"] == {"red": 29, "blue": 29, "black": 30}
    assert (result["phase"], result["to_act"]) == ("place", "black")


def test_every_free_square_below_its_cap_may_be_taken():
    """On an empty board all 100 squares, land and sea, are open; §2.3."""
    assert legal(placing()) == {f"place {square}" for square in SQUARES}


@pytest.mark.parametrize("land", BIG)
def test_a_big_land_holds_four_starting_shields(land):
    """Four of all players together fill a big land for now; §2.3."""
    squares = [s for s in SQUARES if AREA[s] == land]
    four = dict(zip(squares, ("red", "blue", "black", "red"), strict=False))

    assert rejected(placing(shields=four), f"place {squares[4]}")
    assert allowed(placing(shields=dict(list(four.items())[:3])), f"place {squares[4]}")


@pytest.mark.parametrize("land", SMALL)
def test_a_small_land_holds_two_starting_shields(land):
    """Two of all players together fill a small land for now; §2.3."""
    squares = [s for s in SQUARES if AREA[s] == land]

    assert rejected(placing(shields={squares[0]: "red", squares[1]: "blue"}), f"place {squares[2]}")
    assert allowed(placing(shields={squares[0]: "red"}), f"place {squares[2]}")


@pytest.mark.parametrize("sea", SEAS)
def test_seas_have_no_limit(sea):
    """A sea may be filled to its last square; §2.3."""
    *most, last = [s for s in SQUARES if AREA[s] == sea]
    shields = {s: ("red", "blue")[i % 2] for i, s in enumerate(most)}
    case = placing(seats=["red", "blue"], shields=shields)

    assert after(case, f"place {last}")["shields"][last] == "red"


@pytest.mark.parametrize("line", ["place A1", "place K1", "place A11", "place A0", "place"])
def test_occupied_or_unknown_square_is_not_taken(line):
    """A starting shield needs a free square of the board; §2.3."""
    assert rejected(placing(shields={"A1": "blue"}), line)


@pytest.mark.parametrize("line", ["pass", "done", "expand A1 with row:A", "sail C4 C3", "yield"])
def test_nothing_but_placing_is_done_before_the_first_round(line):
    """Starting shields come first, and nobody passes; §2.3."""
    case = placing(shields={"C4": "red"}, hands={"red": ["row:A"]})

    assert refused(case, line).rule.startswith("Origo")


NEARLY = {
    2: owned(red="J4 J5 J6 J7 J8 J9 J10 I3 I4 I9 I10", blue="A3 B3 B4 C3 C4 D3 A7 B7 B8 C7 E1"),
    3: owned(
        red="J4 J5 J6 J7 J8 J9 J10", blue="A3 B3 B4 C3 C4 D3 A7", black="E1 E2 F1 I3 I4 B7 B8"
    ),
    4: owned(red="J4 J5 J6 J7", blue="A3 B3 B4 C3", black="E1 E2 F1 I3", green="A7 B7 B8 C7"),
    5: owned(
        red="J4 J5 J6", blue="A3 B3 B4", black="E1 E2 F1", green="A7 B7 B8", orange="A4 I3 J1"
    ),
}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_after_the_last_starting_shield_the_first_seat_begins_round_one(players):
    """12, 8, 5 or 4 shields each, then the first seat is start player of round 1; §2, §8.1."""
    seats = list(COLOURS[:players])
    lines = [f"place {square}" for square in ("C1", "D1", "G2", "H2", "C9")[:players]]
    case = placing(seats=seats, shields=NEARLY[players])

    assert after(case, *lines[:-1])["phase"] == "place"
    result = after(case, *lines)

    assert (result["phase"], result["to_act"], result["start_player"]) == ("turn", "red", "red")
    assert (result["round"], result["had_turn"], result["passed"]) == (1, [], [])
    assert len(result["shields"]) == players * {2: 12, 3: 8, 4: 5, 5: 4}[players]


def test_starting_shields_are_not_placed_in_a_turn():
    """Placing without a card belongs to the set-up; §2.3."""
    assert refused(document(), "place C4").rule.startswith("Origo")
    assert load(document()) == load(document(phase="turn"))
