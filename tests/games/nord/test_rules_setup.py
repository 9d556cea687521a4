"""Setting up for 2, 3 and 4 players on standard and variable islands: §2."""

import json
from collections import Counter

import pytest
from support.nord_cases import ACTIONS, GAME, boat, dealt, outcomes, texts, tiles, warriors

from referee.games.play import complete_options
from referee.resources import game_resource

pytestmark = pytest.mark.fast

COLOURS = ("red", "green", "blue", "yellow")
PLAYERS = [2, 3, 4]


def opened(seats):
    """Return the first position on the standard island."""
    return GAME.start(seats, complete_options(GAME))


def ready(seats, seed=0):
    """Return the document once the tiles are dealt."""
    return GAME.dump(dealt(opened(seats), seed))


@pytest.mark.parametrize("players", PLAYERS)
def test_pieces_at_the_start(players):
    """Players + 4 settlements and boats, 23 men in supply, a warrior and a jarl each; §2.1, 2.5."""
    seats = COLOURS[:players]
    document = ready(seats)

    assert len(document["settlements"]) == document["fishing_boats"] == players + 4
    assert document["men"] == dict.fromkeys(seats, 23)
    assert document["points"] == dict.fromkeys(seats, 0)
    assert document["workers"] == {}
    jarls = Counter(each["jarl"] for each in document["settlements"].values())
    assert jarls == Counter(seats) + Counter({"neutral": 4})
    for space, each in document["settlements"].items():
        own = {} if each["jarl"] == "neutral" else {each["jarl"]: 1}
        assert warriors(document, space) == own


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (("red", "green"), ["jarl:blue", "jarl:yellow"]),
        (("yellow", "green"), ["jarl:red", "jarl:blue"]),
        (("yellow", "blue", "red"), ["jarl:green"]),
        (COLOURS, []),
    ],
)
def test_unused_jarls_stand_on_the_large_boat(seats, expected):
    """The jarls of unused colours take the lowest places in the order of the colours; §2.3."""
    assert boat(ready(seats)) == expected


@pytest.mark.parametrize("players", PLAYERS)
def test_one_tile_of_each_action_in_each_hand(players):
    """Each player holds one tile of each of the three actions; §2.4."""
    for hand in ready(COLOURS[:players])["hands"].values():
        assert sorted(ACTIONS[s] for s in tiles(hand)) == [
            "many workers",
            "negotiator",
            "two regions",
        ]


@pytest.mark.parametrize("players", PLAYERS)
def test_every_stone_pile_holds_a_tile_and_the_rest_are_the_supply(players):
    """One tile lies on every uncovered stone pile, 36 there are in all; §2.4, §11.7."""
    document = ready(COLOURS[:players])
    piles = sum(row.count("K") for row in document["board"]["map"])

    assert len(document["treasures"]) == piles > 0
    supply = sum(tiles(document["supply"]).values())
    assert supply == 36 - 3 * players - piles
    assert tiles(document["discards"]) == {}


def test_hands_are_drawn_from_the_remaining_tiles():
    """A seat's tile is drawn from what is left of that action, by weight; §2.4 (ruling)."""
    position = opened(("red", "green"))
    seen = {}
    while (weights := outcomes(position)) and all(each.startswith("deal") for each in weights):
        first = min(weights)
        seen[first.split()[1], ACTIONS[first.split()[2]]] = sorted(weights.values())
        position, _ = GAME.apply(position, GAME.parse(first, "en"))

    assert len(seen) == 6
    assert all(w == ([6, 6] if seat == "red" else [5, 6]) for (seat, _), w in seen.items())


def test_tiles_are_laid_rows_first():
    """The stone piles are filled rows top to bottom, columns left to right; §2.4."""
    position = opened(("red", "green"))
    spaces = []
    while GAME.to_act(position) == "chance":
        line = min(outcomes(position))
        if line.startswith("lay"):
            spaces.append(line.split()[1])
        position, _ = GAME.apply(position, GAME.parse(line, "en"))

    assert spaces == sorted(spaces, key=lambda name: (name[0], int(name[1:])))
    assert set(spaces) == set(GAME.dump(position)["treasures"])


@pytest.mark.parametrize("seats", [("red", "green"), ("blue", "yellow", "red"), COLOURS[::-1]])
def test_first_seat_begins_and_starts_are_in_seat_order(seats):
    """On a standard island starts are given in seat order and the first seat begins; §2.7, 2.8."""
    document = ready(seats)
    file = json.loads(game_resource(GAME, "boards/reconstructed.json"))
    island = file["islands"][f"standard-{len(seats)}"]
    names = sorted(document["settlements"], key=lambda n: (n[0], int(n[1:])))
    by_place = dict(zip(sorted(map(tuple, island["settlements"])), names, strict=True))

    assert document["to_act"] == seats[0]
    for seat, start in zip(seats, island["starts"], strict=True):
        assert document["settlements"][by_place[tuple(start)]]["jarl"] == seat


def test_hidden_symbols_are_nobodys_to_see():
    """Map and supply are hidden from all, a hand from all but its owner; §2, public and hidden."""
    position = dealt(opened(("red", "green")))
    document = GAME.dump(position)

    red = GAME.view(position, "red").document
    nobody = GAME.view(position, None).document

    assert all(symbol in repr(red) for symbol in tiles(document["hands"]["red"]))
    assert not any(symbol in repr(nobody) for symbol in ACTIONS)
    others = set(ACTIONS) - set(tiles(document["hands"]["red"]))
    assert not any(symbol in repr(red) for symbol in others)
    assert texts(position)
