"""Hive: tiles put and moved as they are written, and why one may not."""

from __future__ import annotations

from functools import partial
from itertools import islice
from random import Random
from typing import Any

import pytest
from referee_classics.classic import Move, Position
from referee_classics.hive import GAME, is_one_hive, name_of, spot_beside, stacks_of
from support import lines

from referee.games.game import Unreadable
from referee.games.play import complete_options, random_play

pytestmark = pytest.mark.fast


code = partial(lines.code, GAME)


def played(*told: str, **options: bool) -> Position:
    """Return the position after lines as they are written."""
    start = GAME.start(GAME.colours, complete_options(GAME, options))
    return lines.play(GAME, start, *told)[0]


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("wS1", "wS1"), ("s1", "S1"), ("1. wS1", "wS1"), ("spider 1", "S1"),
        ("bA1 wS1-", "bA1 wS1-"), ("ba1 -ws1", "bA1 -wS1"), ("bA1 /wS1", "bA1 /wS1"),
        ("bA1 wS1/", "bA1 wS1/"), (r"bA1 \wS1", r"bA1 \wS1"), ("bA1 wS1\\", "bA1 wS1\\"),
        ("A1 -Q", "A1 -Q"), ("wB1 bQ", "wB1 bQ"), ("beetle 1 onto the queen", "B1 Q"),
        ("Käfer 1 auf die Königin", "B1 Q"), ("B1 on black queen", "B1 bQ"),
        ("ant 1 to k28", "A1 k28"), ("weiße Ameise 1 nach k28", "wA1 k28"),
        ("my queen to k29", "Q k29"), ("n30-p28", "n30 p28"), ("zz30 to aa28", "zz30 aa28"),
        ("wA1-k29", "wA1 k29"), ("wA1 – wB1", "wA1 -wB1"), ("wA1-wB1", "wA1 -wB1"),
        ("l30 – m30", "l30 m30"), ("wB1 wQ -", "wB1 wQ-"), ("ant to k30", "A? k30"),
        ("the beetle climbs onto my queen", "B? Q"), ("wA1 to the left of wB1", "wA1 -wB1"),
        ("A1 rechts neben Q", "A1 Q-"), ("wA1 above right of wB1", "wA1 wB1/"),
        ("Ameise 1 unten links von wQ", "A1 /wQ"), ("wB1 on top of wQ", "wB1 wQ"),
        ("wG2 -> wQ/", "wG2 wQ/"), ("wA1 -b1", "wA1 -B1"), ("passe", "pass"),
        ("Passing", "pass"), ("Ich passe", "pass"),
        ("bA1 left wS1", "bA1 -wS1"), ("bA1 southeast of wS1", "bA1 wS1\\"),
        ("Ameise 1 rechts unten von wS1", "A1 wS1\\"), ("bA1wS1-", "bA1 wS1-"),
        ("bA1, wS1-", "bA1 wS1-"), ("bA wS1-", "bA? wS1-"),
    ],
)  # fmt: skip
def test_moves_are_read_as_they_are_written(line: str, move: str) -> None:
    """By a neighbour, on top of a tile or by the name of a space, in letters or words."""
    assert GAME.parse(line, "en") == GAME.parse(line, "de") == Move(move)


@pytest.mark.parametrize("line", ["ant left of spider", "Ameise links von der Spinne", "A1 -S?"])
def test_a_place_may_be_told_beside_a_kind_of_tile(line: str) -> None:
    """Where one of them lies it is that one."""
    position = played("wS1")
    assert GAME.readings(position, GAME.parse(line, "en").move) == ["bA1 -wS1"]


@pytest.mark.parametrize(
    "line",
    [
        "I like ants",
        "ant hill",
        "b2 or not",
        "k29",
        "wA1 -wQ-",
        "k9",
        "the ant would be trapped",
        "bee happy",
    ],
)
def test_talk_is_no_order(line: str) -> None:
    """Though insects are in it."""
    with pytest.raises(Unreadable):
        GAME.parse(line, "en")


def test_each_sign_is_a_side_of_a_tile() -> None:
    """Before it or behind it, level, upwards or downwards."""
    stacks = stacks_of(("wS1",))
    beside = ("-wS1", "wS1-", "/wS1", "wS1/", "\\wS1", "wS1\\", "wS1")
    named = [name_of(spot_beside(stacks, told)) for told in beside]
    assert named == ["m30", "o30", "m31", "o29", "n29", "n31", "n30"]


def test_a_place_is_told_by_any_neighbour_or_by_its_name() -> None:
    """It is written by one of them, so that no place is listed twice."""
    position = played("wS1", "bA1 wS1-", "wQ -wS1", "bQ bA1-")
    for told in (("wA1 wQ\\", "A1 /wS1", "wA1 m31"), ("wA1 -wQ", "A1 -Q", "wA1 l30")):
        orders = {GAME.canonical(position, GAME.parse(line, "en")) for line in told}
        assert len(orders) == 1
        assert orders <= {Move(move) for move in GAME.reached(position).legal}


def test_the_queen_comes_with_the_fourth_tile_at_the_latest() -> None:
    """Nor with the first, and before her nothing moves."""
    position = played()
    assert code(position, "wQ") == "queen-first"
    assert code(position, "wS1 n31") == "first-tile"
    assert GAME.canonical(position, Move("S1 n30")) == Move("wS1")
    position = played("wS1", "bS1 wS1-", "wA1 -wS1", "bA1 bS1-")
    assert code(position, "wA1 -bS1") == "queen-before"
    position = played("wS1", "bS1 wS1-", "wA1 -wS1", "bA1 bS1-", "wA2 -wA1", "bA2 bA1-")
    assert code(position, "wA3 -wA2") == "queen-now"


def test_a_new_tile_touches_its_own_side_alone() -> None:
    """But for the first of Black."""
    position = played("wS1", "bA1 wS1-", "wQ -wS1", "bQ bA1-")
    assert code(position, "wA1 bQ-") == "touch-own"
    assert code(position, "wA1 wS1/") == "touch-own"
    assert code(position, "wA1 wQ-") == "occupied"
    assert code(position, "wA1 a30") == "no-such-place"
    assert code(position, "bA2 bQ-") == "not-yours"
    assert code(position, "pass") == "no-pass"


def test_the_hive_stays_in_one_piece() -> None:
    """A tile that holds two parts together does not move, nor does one that is covered."""
    position = played("wS1", "bA1 wS1-", "wQ -wS1", "bQ bA1-")
    assert code(position, "wS1 /wQ") == "one-hive"
    position = played(
        "wS1", "bA1 wS1-", "wQ -wS1", "bQ bA1-", "wB1 -wQ", "bB1 bQ-", "wB1 wQ", "bA2 bB1-"
    )
    assert code(position, "wQ /wS1") == "covered"
    assert code(position, "wB1 bQ") == "goes-beetle"
    assert dict(stacks_of(position.moves))[-1, 0] == ("wQ", "wB1")
    # Without a pillbug nobody moves the other's tiles, whatever else would hinder them.
    assert code(position, "bQ bB1-") == "not-yours"
    # The engine forgets it for Black as long as White's queen is in hand.
    position = played("wS1", "bG1 wS1-", "wA1 -wS1", "bQ bG1-", "wA2 -wA1")
    assert code(position, "bG1 -wA2") == "one-hive"
    assert is_one_hive(frozenset({(0, 0), (1, 0), (1, 1)}))
    assert not is_one_hive(frozenset({(0, 0), (2, 0)}))


@pytest.mark.parametrize(
    ("tile", "to", "kind"),
    [
        ("A1", "bG1", "ant"), ("G1", "\\wQ", "grasshopper"), ("S2", "bQ-", "spider"),
        ("B1", "bQ", "beetle"), ("M", "bQ-", "mosquito"), ("L", "bQ-", "ladybug"),
        ("P", "bQ-", "pillbug"),
    ],
)  # fmt: skip
def test_a_tile_that_cannot_go_there_is_told_how_it_moves(tile: str, to: str, kind: str) -> None:
    """Each kind in its own words."""
    position = played("wS1", "bG1 wS1-", "wQ -wS1", "bQ bG1-", f"w{tile} -wQ", "bA1 bQ-")
    assert code(position, f"w{tile} {to}") == f"goes-{kind}"


def test_of_several_tiles_in_hand_the_first_is_meant() -> None:
    """Of those at the hive it must be clear which goes there."""
    position = played("wS1", "bA1 wS1-", "wQ -wS1", "bQ bA1-")
    assert GAME.canonical(position, GAME.parse("ant /wQ", "en")) == Move("wA1 /wQ")
    position = played(
        "wS1", "bA1 wS1-", "wQ -wS1", "bQ bA1-", "wA1 /wQ", "bA2 bQ-", "wA2 -wQ", "bA3 bA2-"
    )
    assert code(position, "ant to l29") == "several"


def test_a_tile_does_not_leave_the_hive() -> None:
    position = played("wS1", "bA1 wS1-", "wQ -wS1", "bQ bA1-", "wB1 -wQ", "bA2 bQ-")
    assert code(position, "wB1 k31") == "touch-none"
    assert code(position, r"wB1 \wB1") == "touch-none"


def test_a_queen_goes_one_space() -> None:
    position = played("wS1", "bG1 wS1-", "wQ -wS1", "bQ bG1-", "wA1 wQ\\", "bA1 bQ-")
    assert code(position, "wQ bQ/") == "goes-queen"
    assert code(position, "p20 n30") == "nothing-there"


def test_a_pillbug_lifts_its_neighbours() -> None:
    """Whosever they are, but for what was put down or moved in the last turn, which stays."""
    lines = ["wP", "bS1 wP-", "wQ -wP", "bQ bS1-", "wA1 -wQ", "bA1 bQ-", "wA2 -wA1", r"bA1 \bS1"]
    assert code(played(*lines), "bA1 /wP") == "just-moved"
    lines += ["wA3 -wA2", "bA2 bQ-", "wG1 -wA3", "bA3 bA2-"]
    position = played(*lines)
    assert code(position, "bA2 /wP") == "one-hive"
    assert code(position, "bS1 /wP") == "one-hive"
    assert code(position, "bA1 -wG1") == "not-lifted"
    position = played(*lines, "bA1 /wP")
    assert stacks_of(position.moves)[-1, 1] == ("bA1",)
    assert code(position, "bA1 bA3-") == "just-moved"


def test_a_hive_may_stretch_as_far_as_it_has_tiles() -> None:
    """The engine's own board would end the game on the way."""
    sides = {"w": "-wQ", "b": "bQ-"}
    position = played("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-")
    for tile in ("A1", "A2", "A3", "G1", "G2", "G3", "S2", "B1", "B2", "M", "L", "P"):
        for side, beside in sides.items():
            position, _ = GAME.apply(position, Move(f"{side}{tile} {beside}"))
            sides[side] = f"-w{tile}" if side == "w" else f"b{tile}-"
    assert GAME.result(position) is None
    scene = GAME.scene(GAME.view(position, None))
    assert len({cell.space for cell in scene.cells}) == len(scene.cells)
    assert {cell.space[:-2] for cell in scene.cells} == {*scene.column_names}


def test_without_expansions_their_tiles_are_not_there() -> None:
    assert code(played(expansions=False), "wM") == "no-such-tile"
    assert "wM" not in GAME.reached(played(expansions=False)).legal
    assert "wM" in GAME.reached(played()).legal


def test_piles_and_tiles_in_hand_are_shown() -> None:
    """The highest tile is seen, and named from above."""
    position = played("wS1", "bA1 wS1-", "wQ -wS1", "bQ bA1-", "wB1 -wQ", "bB1 bQ-", "wB1 wQ")
    scene = GAME.scene(GAME.view(position, "black"))
    marks = {cell.space: [mark.letter for mark in cell.marks] for cell in scene.cells if cell.marks}
    assert marks == {"m30": ["B1"], "n30": ["S1"], "o30": ["a1"], "p30": ["q"], "q30": ["b1"]}
    panels: Any = {panel.title: panel.sentences[0].fields for panel in scene.panels}
    assert panels["stacks"] == {"piles": [["wB1", "wQ"]]}
    assert panels["hand"]["tiles"][:3] == ["A1", "A2", "A3"]
    assert GAME.clicks(GAME.view(position, "black"), Move("bB1 bA1/")) == ("q30", "p29")
    assert GAME.clicks(GAME.view(position, "black"), Move("bA2 bB1-")) == ("bA2", "r30")


@pytest.mark.parametrize("seed", range(3))
def test_random_games_list_each_place_once(seed: int) -> None:
    """The engine tells a place by each of its neighbours; every legal move is read as written."""
    start = GAME.start(GAME.colours, complete_options(GAME, {}))
    for step in islice(random_play(GAME, start, Random(seed)), 0, 80, 8):
        legal = [*GAME.reached(step.position).legal]
        goals = {(move.partition(" ")[0], GAME.way(step.position, move)) for move in legal}
        assert len(goals) == len(legal)
        for move in legal:
            assert GAME.parse(GAME.format(Move(move), "de"), "de") == Move(move)


def test_a_queen_surrounded_loses() -> None:
    """Whosever tiles are around her."""
    position = played(
        "wG3", "bS1 wG3/", "wB1 -wG3", "bQ bS1-", "wG1 /wB1", r"bG2 \bS1", "wQ wG1-", "bG2 wG3-",
        r"wA3 \wG1", r"bB1 \bQ", "wA1 /wG1", "bB1 bQ", r"wS2 \wA1", "bA3 bG2-", "wG2 /wQ",
        "bA1 bS1/", "wA3 /bA3", "bA1 wQ-",
        expansions=False,
    )  # fmt: skip
    assert GAME.result(position) is None
    position, _ = GAME.apply(position, Move("wA1 wQ\\"))
    result = GAME.result(position)
    assert result is not None
    assert (result.ending, dict(result.places)) == ("surrounded", {"white": 2, "black": 1})
