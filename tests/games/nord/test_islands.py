"""Islands of Nord: built by chance, given by an organiser, drawn as a map."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from random import Random

import pytest
from jsonschema import Draft202012Validator

from referee.games import play
from referee.games.game import BadDocument
from referee.games.nord import GAME
from referee.games.nord.orders import Start


def schema(name):
    text = resources.files(GAME.resources).joinpath(f"schemas/{name}.schema.json").read_text()
    return Draft202012Validator(json.loads(text))


@pytest.mark.parametrize("players", list(GAME.seats))
def test_variable_islands_keep_every_rule_and_preference(players):
    """Islands built by chance read back as boards without a fault, on many seeds; Nord 9."""
    options = play.complete_options(GAME, {"island": "variable"})
    seats = GAME.colours[:players]
    boards = [GAME.board(seats, options, None, Random(seed)) for seed in range(12)]

    assert len({tuple(board["map"]) for board in boards}) == 12
    for board in boards:
        assert list(schema("board").iter_errors(board)) == []
        assert list(GAME.check(GAME.dump(GAME.start(seats, options, board)))) == []


def test_on_a_variable_island_seats_choose_their_start_in_turn_order():
    """Each seat takes a free settlement; those left over get a neutral jarl; Nord 2.7."""
    seats = GAME.colours[:3]
    options = play.complete_options(GAME, {"island": "variable"})
    first = GAME.start(seats, options, GAME.board(seats, options, None, Random(1)))
    steps = play.random_play(GAME, first, Random(1))
    starts = [step for step in steps if isinstance(step.order, Start)]

    assert [step.seat for step in starts] == list(GAME.colours[:3])
    assert len({step.order.space for step in starts}) == 3
    assert Counter(starts[-1].after.jarls)["neutral"] == len(starts[-1].after.jarls) - 3
    assert GAME.to_act(starts[-1].after) == "red"


def given(change):
    """Return the shipped board file with a change."""
    text = resources.files(GAME.resources).joinpath("boards/reconstructed.json").read_text()
    document = json.loads(text)
    change(document)
    return document


FAULTY = {
    "$.boat_numbers": lambda d: d["boat_numbers"].pop() and d["boat_numbers"].pop(),
    "$.tiles.3": lambda d: d["tiles"].update({"3": ["fff", "fff"]}),
    "$.tiles.9": lambda d: d["tiles"].update({"9": ["ffff", "ffff"]}),
    "$.islands.standard-2.tiles[0]": lambda d: d["islands"]["standard-2"]["tiles"][0].update(
        {"tile": "A"}
    ),
    "$.islands.standard-2.tiles[0].rotation": lambda d: d["islands"]["standard-2"]["tiles"][
        0
    ].update({"rotation": 4}),
    "$.islands.standard-2.tiles": lambda d: d["islands"]["standard-2"]["tiles"].pop(),
    "$.islands.standard-3.boat": lambda d: d["islands"]["standard-3"].update({"boat": [9, 9]}),
    "$.islands.standard-3.starts": lambda d: d["islands"]["standard-3"]["starts"].pop(),
    "$.islands.standard-4.settlements[0]": lambda d: d["islands"]["standard-4"][
        "settlements"
    ].__setitem__(0, [20, 20]),
    "$.name": lambda d: d.update({"name": 7}),
    "$": lambda d: d.pop("islands"),
}


@pytest.mark.parametrize("path", FAULTY)
def test_a_faulty_board_file_is_told_with_its_place(path):
    """A board file that breaks a rule is refused, naming where."""
    options = play.complete_options(GAME)

    with pytest.raises(BadDocument) as caught:
        GAME.board(("red", "green"), options, given(FAULTY[path]), Random(1))

    wanted = "$.islands.standard-2.tiles[1]" if path.endswith("2.tiles[0]") else path
    assert caught.value.path == wanted


@pytest.mark.parametrize(("island", "players"), [("standard-3", 2), ("atlantis", 2)])
def test_an_island_that_does_not_fit_is_refused(island, players):
    """An unknown island, or one for another number of players, is a ValueError."""
    options = play.complete_options(GAME, {"island": island})

    with pytest.raises(ValueError, match="island"):
        GAME.board(GAME.colours[:players], options, None, Random(1))


def test_margin_is_the_sea_around_the_island():
    """A margin of one more makes the map two wider and two higher; Nord 9."""
    seats = ("red", "green")
    maps = [
        GAME.board(seats, play.complete_options(GAME, {"margin": n}), None, Random(1))["map"]
        for n in (1, 2)
    ]

    assert (len(maps[1]), len(maps[1][0])) == (len(maps[0]) + 2, len(maps[0][0]) + 2)
    assert [row[1:-1] for row in maps[1][1:-1]] == maps[0]
