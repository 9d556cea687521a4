"""Xiangqi: every spelling of a move, refusals, and whole games by a second account of the rules."""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import Any

import pytest
from referee_classics.classic import Move, Position
from referee_classics.xiangqi import GAME, SQUARES, are_facing
from support.thorough import some

from referee.games.game import Unreadable, replace
from referee.games.play import perft

pytestmark = pytest.mark.fast

START = GAME.start(("red", "black"), {})


def after(*lines: str) -> Position:
    """Return the position after moves."""
    position = START
    for line in lines:
        position, _ = GAME.apply(position, GAME.canonical(position, GAME.parse(line, "en")))
    return position


def meant(position: Position, line: str, language: str = "en") -> Any:
    """Return the legal move that a line means, or the code of its refusal."""
    order: Any = GAME.parse(line, language)
    refusal = GAME.refusal(position, order)
    played: Any = GAME.canonical(position, order)
    return refusal.code if refusal else played.move


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("C2=5", "C2=5"), ("c2=5", "C2=5"), ("C2.5", "C2=5"), ("h2e2", "C2=5"), ("H2-E2", "C2=5"),
        ("h2 - e2", "C2=5"), ("炮二平五", "C2=5"), ("炮2平5", "C2=5"), ("1. C2=5", "C2=5"),
        ("1. 炮二平五", "C2=5"), ("C 2 = 5", "C2=5"), ("C2=5!", "C2=5"), ("* C2=5", "C2=5"),
        ("H2+3", "H2+3"), ("N2+3", "H2+3"), ("h0g2", "H2+3"), ("馬二進三", "H2+3"),
        ("马二进三", "H2+3"), ("E3+5", "E3+5"), ("B3+5", "E3+5"), ("相三進五", "E3+5"),
        ("P5+1", "P5+1"), ("S5+1", "P5+1"), ("兵五進一", "P5+1"), ("K5+1", "K5+1"),
        ("G5+1", "K5+1"), ("帥五進一", "K5+1"), ("A4+5", "A4+5"), ("仕四進五", "A4+5"),
        ("R1+2", "R1+2"), ("車一進二", "R1+2"), ("C2+7", "C2+7"),
        ("cannon 2 to 5", "C2=5"), ("the cannon from h2 to e2", "C2=5"),
        ("Kanone h2 nach e2", "C2=5"),
        ("horse 2 forward 3", "H2+3"), ("knight to g2", "H2+3"), ("H-g2", "H2+3"),
        ("Pferd 2 vor 3", "H2+3"), ("soldier to e4", "P5+1"),
        ("chariot 1 ahead by 2 points", "R1+2"),
        ("cannon takes h9", "C2+7"), ("my cannon on h2 takes your horse on h9", "C2+7"),
        ("Kanone schlägt Pferd auf h9", "C2+7"), ("C2+7, check", "C2+7"), ("h2e2 Schach!", "C2=5"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_move_is_read_in_every_usual_spelling(line, move, language):
    """Letters of the federation and of programs, squares and Chinese signs say the same."""
    assert meant(START, line, language) == move


def test_files_are_counted_from_the_mover_s_own_right():
    """Black's cannon of file 8 stands opposite Red's of file 2."""
    position = after("C2=5")
    assert meant(position, "H8+7") == "H8+7"
    assert GAME.way(position, "H8+7") == ("h9", "g7")
    assert meant(position, "馬8進7") == "H8+7"


def test_of_two_on_a_file_the_front_or_the_rear_one_is_named():
    """A file alone is asked back, and signs are read before or behind the letter."""
    position = after("C2=5", "P1+1", "C5+4", "P9+1", "C8=5", "P1+1")
    front, rear = "C+-1", "C-=8"
    assert {front, rear} <= {order.move for order in GAME.orders(position)}
    assert meant(position, "C5=6") == "several"
    assert meant(position, "-C=8") == meant(position, "後炮平八") == rear
    assert meant(position, "+C-1") == meant(position, "前炮退一") == front


def test_the_front_one_of_two_files_is_asked_about():
    """Two soldiers stand on each of two files, so their squares say which is meant."""
    red = ("a3a4", "a4a5", "a5b5", "b5c5", "i3i4", "i4i5", "i5h5", "h5g5")
    position = after(*chain(*zip(red, ("a9a8", "a8a9") * 4, strict=True)))
    refusal = GAME.refusal(position, GAME.parse("P++1", "en"))
    assert refusal is not None
    assert (refusal.code, refusal.fields["readings"]) == ("several", ["c5c6", "g5g6"])
    assert meant(position, "c5c6") == "c5c6"


@pytest.mark.parametrize(
    "line",
    [
        "ok", "no", "e4", "Nf3", "25", "h2", "C2", "P5+1 please", "a4 paper please", "", "+", "炮",
        "I am on B 5 today", "C2=5 would lose", "2=5", "C2=0", "k2e2", "h2e2e3",
    ],
)  # fmt: skip
def test_talk_plays_nothing(line):
    """A square, a number or a piece alone is no move, nor is a move within a sentence."""
    for language in ("en", "de"):
        with pytest.raises(Unreadable) as unread:
            GAME.parse(line, language)
        assert unread.value.chatter


@pytest.mark.parametrize(
    ("moves", "line", "code", "fields"),
    [
        ((), "C2+9", "off-board", {"move": "C2+9"}),
        ((), "H2=5", "out-of-reach", {"piece": "horse", "start": "h0", "move": "H2=5"}),
        ((), "P5=4", "before-river", {}),
        (("P5+1", "A4+5", "P5+1", "A5-4"), "P5=7", "out-of-reach",
         {"piece": "soldier", "start": "e5", "move": "P5=7"}),
        ((), "C5=2", "no-such-piece", {"piece": "cannon", "where": "5"}),
        ((), "chariot to a5", "blocked", {"piece": "chariot", "square": "a0", "to": "a5"}),
        ((), "R1=2", "own-piece", {"piece": "horse", "square": "h0"}),
        ((), "h9h8", "not-yours", {"piece": "horse", "square": "h9"}),
        ((), "h3h4", "nothing-there", {"square": "h3"}),
        ((), "b0d1", "blocked", {"piece": "horse", "square": "b0", "to": "d1"}),
        ((), "e3e5", "out-of-reach", {"piece": "soldier", "start": "e3", "move": "e3e5"}),
        (("C2=4", "P5+1"), "f2f9", "no-screen", {"piece": "cannon", "square": "f2", "to": "f9"}),
        (("C2=5", "C8=5", "C5+4"), "P1+1", "in-check",
         {"piece": "cannon", "square": "e6", "still": True}),
        (("C2=5", "R9+1", "C5+4"), "A4+5", "in-check",
         {"piece": "cannon", "square": "e6", "still": False}),
    ],
)  # fmt: skip
def test_a_refusal_names_the_reason(moves, line, code, fields):
    """It tells the piece and the point that are in the way, and three moves that can be played."""
    position = after(*moves)
    refusal = GAME.refusal(position, GAME.parse(line, "en"))

    assert refusal is not None
    assert (refusal.code, dict(refusal.fields)) == (code, fields)
    assert len(refusal.legal) >= 3


@pytest.mark.parametrize("depth", some([1, 2], [3]))
def test_all_games_of_a_length_are_as_many_as_are_known(depth):
    """The numbers are those that programs for xiangqi are checked by."""
    assert perft(GAME, START, depth) == (44, 1920, 79666)[depth - 1]


def test_black_sees_its_own_side_below():
    """Pieces stand on crossings, and the board is turned for Black."""
    scene = GAME.scene(GAME.view(START, "black"))
    assert (scene.lattice, scene.cells[0].space, scene.cells[-1].space) == ("crossings", "i0", "a9")
    assert [mark.seat for mark in scene.cells[-1].marks] == ["black"]


@pytest.mark.parametrize("seed", some(range(1), range(1, 40)))
def test_random_games_are_those_of_a_second_account_of_the_rules(seed):
    """Every legal move, and no other, is found by how pieces go; each text is read back."""
    rng, position = Random(seed), START
    while GAME.to_act(position) is not None and len(position.moves) < 200:
        red = GAME.to_act(position) == "red"
        legal = [order.move for order in GAME.orders(position)]
        men, found = SQUARES.men(GAME.board_text(position)), set()
        for square in [square for square, man in men.items() if man.isupper() is red]:
            for to in SQUARES.goes(men, square):
                there = {place: man for place, man in men.items() if place != square}
                there[to] = men[square]
                own = to in men and men[to].isupper() is red
                if not own and not are_facing(there) and not SQUARES.checks(there, capital=red):
                    found.add(square + to)
        assert {"".join(GAME.way(position, move)) for move in legal} == found
        move = rng.choice(legal)
        assert meant(position, move) == meant(position, "".join(GAME.way(position, move))) == move
        position, _ = GAME.apply(position, Move(move))


def test_captured_pieces_stand_beside_the_board():
    """Those of either side are told, none at first."""
    assert not GAME.scene(GAME.view(START, "red")).panels
    scene = GAME.scene(GAME.view(after("C2+7"), "red"))
    assert [dict(sentence.fields) for sentence in scene.panels[0].sentences] == [
        {"seat": "black", "pieces": [["horse", 1]]}
    ]


def test_what_is_no_text_of_a_start_is_refused():
    """The engine knows no other start than the usual one."""
    with pytest.raises(ValueError, match="must be left out"):
        GAME.board(("red", "black"), {}, {"start": "x"}, Random(0))
    assert GAME.load({"game": "xiangqi", "moves": ["C2=5"]}) == replace(START, moves=("C2=5",))
