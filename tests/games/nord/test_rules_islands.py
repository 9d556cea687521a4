"""Standard and variable islands, and board files that break a rule: §9, §10."""

import copy
import json
from random import Random

import pytest
from support.nord_cases import GAME, dealt, outcomes, position_after, texts, warriors
from support.nord_island import broken, spaces_of
from support.nord_map import space_name, space_of

from referee.games.game import BadDocument
from referee.games.play import complete_options
from referee.resources import game_resource

pytestmark = pytest.mark.fast

COLOURS = ("red", "green", "blue", "yellow")
FILE = json.loads(game_resource(GAME, "boards/reconstructed.json"))
STANDARD = [2, 3, 4]


def made(players, island="standard", given=None, seed=0, **options):
    """Return the board document a match would be played on."""
    chosen = complete_options(GAME, {"island": island, **options})
    return GAME.board(COLOURS[:players], chosen, given, Random(seed))


def judged(board, players):
    """Return the rules the island of a complete board document breaks."""
    signs = {(r, c): s for r, row in enumerate(board["map"]) for c, s in enumerate(row)}
    (boat,) = [s for s, sign in signs.items() if sign == "D"]
    settlements = {s for s, sign in signs.items() if sign == "S"}
    return broken(FILE["tiles"], board["tiles"], boat, settlements, players)


@pytest.mark.parametrize("players", STANDARD)
def test_standard_islands_break_no_rule(players):
    """The islands that ship satisfy every rule of a variable island; §9, §10."""
    island = FILE["islands"][f"standard-{players}"]

    found = broken(
        FILE["tiles"],
        island["tiles"],
        tuple(island["boat"]),
        set(map(tuple, island["settlements"])),
        players,
    )

    assert found == set()


@pytest.mark.parametrize("players", STANDARD)
@pytest.mark.parametrize("seed", range(3))
def test_built_islands_break_no_rule(players, seed):
    """Whatever island is built from a seed satisfies every rule; §9."""
    assert judged(made(players, "variable", seed=seed), players) == set()


@pytest.mark.parametrize("players", STANDARD)
@pytest.mark.parametrize("island", ["standard", "variable"])
def test_map_shows_the_tiles_as_laid(players, island):
    """Each land space of the map has the terrain of its tile, turned clockwise; §10."""
    board = made(players, island)
    rows = board["map"]
    land = {s: t for each in board["tiles"] for s, t in spaces_of(FILE["tiles"], each).items()}

    for r, row in enumerate(rows):
        for c, sign in enumerate(row):
            expected = land.get((r, c), "~")
            assert sign == expected or (sign == "S" and expected != "~") or sign == "D"


def test_same_seed_builds_the_same_island():
    """An island follows from the generator's seed alone; §9."""
    assert made(3, "variable", seed=5) == made(3, "variable", seed=5)
    assert made(3, "variable", seed=5)["map"] != made(3, "variable", seed=6)["map"]


@pytest.mark.parametrize("margin", [1, 2, 3, 4])
@pytest.mark.parametrize("island", ["standard", "variable"])
def test_margin_of_sea_around_the_island(margin, island):
    """So many spaces of sea lie between the island and the edge on every side; §9."""
    rows = made(4, island, margin=margin)["map"]
    columns = ["".join(each) for each in zip(*rows, strict=True)]

    for lines in (rows, rows[::-1], columns, columns[::-1]):
        bare = [set(line) <= {"~"} for line in lines]
        assert bare.index(False) == margin
    assert len(rows) <= 26


def test_variable_island_starts_are_chosen_in_seat_order():
    """Each player in seat order chooses a free settlement, then the first begins; §2.6, 2.7."""
    seats = ("blue", "red")
    options = complete_options(GAME, {"island": "variable"})
    board = GAME.board(seats, options, None, Random(1))
    position = dealt(GAME.start(seats, options, board))
    free = sorted(GAME.dump(position)["settlements"], key=space_of)

    assert GAME.to_act(position) == "blue"
    assert texts(position) == {f"start {space}" for space in free}
    position, _ = GAME.apply(position, GAME.parse(f"start {free[0]}", "en"))
    position = dealt(position)
    assert GAME.to_act(position) == "red"
    assert texts(position) == {f"start {space}" for space in free[1:]}
    assert GAME.refusal(position, GAME.parse(f"start {free[0]}", "en")) is not None
    assert GAME.refusal(position, GAME.parse("start A1", "en")) is not None
    position, _ = GAME.apply(position, GAME.parse(f"start {free[3]}", "en"))
    document = GAME.dump(dealt(position))

    assert document["to_act"] == "blue"
    jarls = {space: each["jarl"] for space, each in document["settlements"].items()}
    expected = dict.fromkeys(free, "neutral") | {free[0]: "blue", free[3]: "red"}
    assert jarls == expected
    assert (warriors(document, free[0]), warriors(document, free[3])) == ({"blue": 1}, {"red": 1})
    assert document["men"] == {"blue": 23, "red": 23}


def test_no_start_is_chosen_on_a_standard_island():
    """On a standard island the starts are given, nobody chooses; §2.7."""
    options = complete_options(GAME)
    position = dealt(GAME.start(("red", "green"), options))

    assert GAME.refusal(position, GAME.parse("start D3", "en")) is not None
    assert all(each.split()[0] == "place" for each in texts(position) if "play" not in each)


def test_boat_numbers_of_a_board_file_are_used():
    """An organiser's board file names the large boat's numbers; §10."""
    given = copy.deepcopy(FILE) | {"boat_numbers": [1, 2, 3, 5, 8, 13, 21, 34, 55]}

    board = made(2, given=given)
    position = GAME.start(("red", "green"), complete_options(GAME), board)

    assert GAME.dump(position)["board"]["boat_numbers"] == [1, 2, 3, 5, 8, 13, 21, 34, 55]


def test_given_board_file_is_used():
    """The file that ships, given by an organiser, makes the same board; §10."""
    assert made(3, given=copy.deepcopy(FILE)) == made(3)


def island_of(given):
    """Return the island for two players of a board file."""
    return given["islands"]["standard-2"]


def fewer_tiles(given):
    del island_of(given)["tiles"][-1]
    del island_of(given)["settlements"][-1]


def more_tiles(given):
    island_of(given)["tiles"].append({"tile": "7", "rotation": 0, "row": 6, "column": -1})


def overlap(given):
    island_of(given)["tiles"][5]["row"] -= 1


def twice(given):
    island_of(given)["tiles"][5]["tile"] = "5"


def front_and_back(given):
    island_of(given)["tiles"][5]["tile"] = "E"


def unknown_tile(given):
    island_of(given)["tiles"][5]["tile"] = "9"


def odd_rotation(given):
    island_of(given)["tiles"][5]["rotation"] = 4


def apart(given):
    island_of(given)["tiles"][5]["row"] += 3


def boat_on_land(given):
    island_of(given)["boat"] = [1, 0]


def boat_at_the_rim(given):
    island_of(given)["boat"] = [-2, 4]


def boat_without_land(given):
    island_of(given)["boat"] = [9, 9]


def two_in_one_tile(given):
    island_of(given)["settlements"][0] = [-2, 3]


def settlement_at_sea(given):
    island_of(given)["settlements"][0] = [-5, -5]


def settlement_inland(given):
    island_of(given)["settlements"][0] = [-2, -2]


def settlement_missing(given):
    del island_of(given)["settlements"][0]


def close_to_the_boat(given):
    island_of(given)["settlements"][4] = [0, 1]


def start_elsewhere(given):
    island_of(given)["starts"][0] = [-3, -3]


def same_start_twice(given):
    island_of(given)["starts"][0] = island_of(given)["starts"][1]


def too_few_starts(given):
    del island_of(given)["starts"][0]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (fewer_tiles, "tiles"),
        (more_tiles, "tiles"),
        (overlap, "tiles"),
        (twice, "tiles"),
        (front_and_back, "tiles"),
        (unknown_tile, "tiles"),
        (odd_rotation, "tiles"),
        (apart, "tiles"),
        (boat_on_land, "boat"),
        (boat_at_the_rim, "boat"),
        (boat_without_land, "boat"),
        (two_in_one_tile, "settlements"),
        (settlement_at_sea, "settlements"),
        (settlement_inland, "settlements"),
        (settlement_missing, "settlements"),
        (close_to_the_boat, "settlements"),
        (start_elsewhere, "starts"),
        (same_start_twice, "starts"),
        (too_few_starts, "starts"),
    ],
)
def test_board_file_that_breaks_a_rule_is_refused(change, place):
    """A broken island is refused with the place in the file that is wrong; §9."""
    given = copy.deepcopy(FILE)
    change(given)

    with pytest.raises(BadDocument) as caught:
        made(2, given=given)

    assert "standard-2" in caught.value.path
    assert place in caught.value.path


def two_rows(shift):
    """Return a board file with two rows of three tiles, the lower one shifted."""
    given = copy.deepcopy(FILE)
    places = [(0, 3 * n) for n in range(3)] + [(3, 3 * n + shift) for n in range(3)]
    given["islands"]["standard-2"]["tiles"] = [
        {"tile": str(n), "rotation": 0, "row": row, "column": column}
        for n, (row, column) in enumerate(places, 1)
    ]
    return given


@pytest.mark.parametrize(("shift", "narrow"), [(0, False), (1, True)])
def test_narrow_island_is_refused(shift, narrow):
    """10 by 6 is more than 1.6 times as long as wide and refused for it, 9 by 6 is not; §9."""
    with pytest.raises(BadDocument) as caught:
        made(2, given=two_rows(shift))

    assert ("1.6" in caught.value.message) is narrow


@pytest.mark.parametrize(
    "numbers", [[2, 4, 6, 8, 10, 12, 14, 16], [2, 4, 6, 8, 8, 10, 12, 14, 16, 18], []]
)
def test_boat_numbers_rise_and_are_at_least_nine(numbers):
    """Fewer than nine numbers, or numbers that do not rise, are refused; §10."""
    given = copy.deepcopy(FILE) | {"boat_numbers": numbers}

    with pytest.raises(BadDocument) as caught:
        made(2, given=given)

    assert "boat_numbers" in caught.value.path


@pytest.mark.parametrize(
    "box", [["mm.", "mmf", "kk."], ["mm.", "mx f", "kkf"], [], ["mmm", "fff", "kkk"]]
)
def test_tile_has_eight_land_spaces(box):
    """A tile that is no box of eight land spaces is refused; §1, §10."""
    given = copy.deepcopy(FILE)
    given["tiles"]["2"] = box

    with pytest.raises(BadDocument) as caught:
        made(2, given=given)

    assert "tiles" in caught.value.path


@pytest.mark.parametrize("cut", [["mm..", "..ff", "kkff"], ["mmm.", "...k", "ff.k", "f..."]])
def test_tile_in_two_pieces_is_refused(cut):
    """Corners and the ends of two rows join nothing: a land tile is one piece; §1."""
    given = copy.deepcopy(FILE)
    given["tiles"]["2"] = cut

    with pytest.raises(BadDocument) as caught:
        made(2, given=given)

    assert (caught.value.path, "one piece" in caught.value.message) == ("$.tiles.2", True)


def test_island_for_another_number_of_players_is_refused():
    """An island is for its own number of players only; §2.2."""
    with pytest.raises(ValueError, match="players"):
        made(3, "standard-2")


@pytest.mark.parametrize("seed", range(4))
def test_every_uncovered_pile_gets_a_tile(seed):
    """Once the starts are chosen a tile lies on each stone pile, 36 there are; §2.4."""
    options = complete_options(GAME, {"island": "variable"})
    board = GAME.board(("red", "green"), options, None, Random(seed))
    position = dealt(GAME.start(("red", "green"), options, board))
    for _ in range(2):
        position = dealt(GAME.apply(position, GAME.orders(position)[0])[0])
    document = GAME.dump(position)
    rows = document["board"]["map"]
    piles = {
        space_name((r, c))
        for r, row in enumerate(rows)
        for c, sign in enumerate(row)
        if sign == "K"
    }

    assert set(document["treasures"]) == piles
    assert sum(document["supply"].values()) == 36 - 6 - len(piles)


def test_dump_of_a_variable_island_reads_back():
    """A position on a built island is written with its map and reads back; §9."""
    options = complete_options(GAME, {"island": "variable"})
    board = GAME.board(("red", "green"), options, None, Random(4))
    position = GAME.start(("red", "green"), options, board)

    assert GAME.load(GAME.dump(position)) == position
    assert outcomes(position)
    assert position_after(GAME.dump(position), min(outcomes(position)))
