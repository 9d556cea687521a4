"""Shogi: every spelling of a move, drops and promotion, refusals, endings, and random games."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from referee_classics.classic import Move, Position
from referee_classics.shogi import GAME, SQUARES
from support.thorough import some

from referee.games.game import BadDocument, Unreadable
from referee.games.play import perft
from referee.render.drawings.board import text_board
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast

START = GAME.load({"game": "shogi"})
HANDS = "4k4/9/9/9/4P4/9/9/9/4K4 b PNLG2r 1"
NEAR = "4k4/9/2P6/9/9/9/9/3+R5/4K4 b - 1"


def at(sfen: str) -> Position:
    """Return the position of an SFEN."""
    return GAME.load({"game": "shogi", "start": sfen})


def meant(position: Position, line: str, language: str = "en") -> Any:
    """Return the legal move that a line means, or the code of its refusal."""
    order: Any = GAME.parse(line, language)
    refusal = GAME.refusal(position, order)
    played: Any = GAME.canonical(position, order)
    return refusal.code if refusal else played.move


@pytest.mark.parametrize(
    "line",
    [
        "P-7f", "P7f", "p-7f", "P - 7f", "7g7f", "7g-7f", "P7g-7f", "P-76", "P76", "P7776",
        "7六歩", "▲7六歩", "☗７六歩", "７六歩(77)", "7六歩不成",
        "pawn to 7f", "the pawn goes to 7f.", "Bauer nach 7f", "pawn from 7g to 7f",
        "1. P-7f", "1) P-7f", "P-7f!", "P-7F",
        "76歩", "* P-7f", "P-7f=", "7f", "7六", "７六", "1. 7f", "P-7f, check!", "P-7f Schach",
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_move_is_read_in_every_usual_spelling(line, language):
    """Letters, numbers, squares and Japanese signs say the same."""
    assert meant(START, line, language) == "P-7f"


@pytest.mark.parametrize(
    ("sfen", "line", "move"),
    [
        (HANDS, "G*4b", "G*4b"), (HANDS, "G'4b", "G*4b"), (HANDS, "G@4b", "G*4b"),
        (HANDS, "g*4b", "G*4b"), (HANDS, "G * 42", "G*4b"), (HANDS, "４二金打", "G*4b"),
        (HANDS, "4二金", "G*4b"), (HANDS, "gold on 4b", "G*4b"), (HANDS, "Gold auf 4b", "G*4b"),
        (HANDS, "drop a gold at 4b", "G*4b"), (HANDS, "I drop my gold on 4b", "G*4b"),
        (HANDS, "setze ein Gold auf 4b", "G*4b"), (HANDS, "drop the bishop in 5f", "not-in-hand"),
        (NEAR, "P-7b no promotion", "P-7b="), (NEAR, "P-7b, without promoting", "P-7b="),
        (NEAR, "P-7b ohne Beförderung", "P-7b="),
        (NEAR, "Bauer nach 7b und wird befördert", "P-7b+"),
        (NEAR, "Bauer nach 7b und wird nicht befördert", "P-7b="),
        (NEAR, "pawn to 7b and is promoted", "P-7b+"),
        (NEAR, "pawn to 7b and promotes", "P-7b+"), (NEAR, "Drache nach 4h", "+R-4h"),
        (HANDS, "G4b", "G*4b"), (HANDS, "G-4b", "no-such-piece"),
        (NEAR, "P-7b+", "P-7b+"), (NEAR, "P-7b=", "P-7b="), (NEAR, "7c7b+", "P-7b+"),
        (NEAR, "7二歩成", "P-7b+"), (NEAR, "7二歩不成", "P-7b="), (NEAR, "P72+", "P-7b+"),
        (NEAR, "P-7b", "several"), (NEAR, "7c7b", "several"), (NEAR, "+R-4h", "+R-4h"),
        (NEAR, "D-4h", "+R-4h"), (NEAR, "4八龍", "+R-4h"), (NEAR, "4八竜", "+R-4h"),
        (NEAR, "6h4h", "+R-4h"), (NEAR, "+R6h-48", "+R-4h"), (NEAR, "R-4h", "no-such-piece"),
        ("", "G-5h", "several"), ("", "G6i-5h", "G6i-5h"), ("", "5八金右", "several"),
        ("", "G69-58", "G6i-5h"), ("", "5八金(49)", "G4i-5h"),
    ],
)  # fmt: skip
def test_drops_and_promotions_are_read_as_players_write_them(sfen, line, move):
    """Where both can be meant a piece of the board goes first; what is open is asked back."""
    position = at(sfen) if sfen else START
    assert meant(position, line) == meant(position, line, "de") == move


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("同歩", "Px2d"), ("△同　歩", "Px2d"), ("同歩(23)", "Px2d"), ("Px同", "Px2d"),
        ("同飛", "out-of-reach"), ("同歩打", "not-in-hand"),
    ],
)  # fmt: skip
def test_the_square_of_the_move_before_is_named_by_its_sign(line, move):
    """A recapture is written so in Japan."""
    position = START
    for played in ("P-2f", "P-8d", "P-2e", "P-8e", "P-2d"):
        position, _ = GAME.apply(position, Move(played))
    assert meant(position, line) == move
    assert GAME.refusal(START, GAME.parse(line, "en")) is not None


@pytest.mark.parametrize(
    "line",
    [
        "ok", "no", "so", "e4", "Nf3", "76", "7776", "P", "P-7f please",
        "a4 paper please",
        "I am on B 5 today", "G-5h would lose", "", "+", "歩", "同", "good move", "24h", "9 a",
    ],
)  # fmt: skip
def test_talk_plays_nothing(line):
    """A square or two numbers alone are no move, nor is a move within a sentence."""
    for language in ("en", "de"):
        with pytest.raises(Unreadable) as unread:
            GAME.parse(line, language)
        assert unread.value.chatter


@pytest.mark.parametrize(
    ("sfen", "line", "code", "fields"),
    [
        (HANDS, "S*4b", "not-in-hand", {"piece": "silver"}),
        (HANDS, "G*5e", "occupied", {"square": "5e"}),
        (HANDS, "P*5c", "two-pawns", {"file": "5"}),
        (HANDS, "P*4a", "no-way-on", {"piece": "pawn", "square": "4a"}),
        (HANDS, "N*4b", "no-way-on", {"piece": "knight", "square": "4b"}),
        (HANDS, "P-5c", "out-of-reach", {"piece": "pawn", "start": "5e", "square": "5c"}),
        (
            "",
            "B-5e",
            "blocked",
            {
                "piece": "bishop",
                "start": "8h",
                "to": "5e",
                "by": "pawn",
                "square": "7g",
            },
        ),
        (HANDS, "5a5b", "not-yours", {"piece": "king", "square": "5a"}),
        (HANDS, "3c3d", "nothing-there", {"square": "3c"}),
        (HANDS, "P-5d+", "no-promotion", {"piece": "pawn"}),
        ("", "R-7g", "own-piece", {"piece": "pawn", "square": "7g"}),
        ("k8/4P4/9/9/9/9/9/9/4K4 b - 1", "P-5a=", "must-promote", {"piece": "pawn"}),
        ("7lk/7n1/7G1/9/9/9/9/9/4K4 b P 1", "P*1b", "pawn-mate", {}),
        ("4k4/9/9/4r4/4G4/9/9/9/4K4 b - 1", "G-4e", "in-check", {"piece": "rook", "square": "5d"}),
        ("k8/9/9/4r4/9/9/9/9/4K4 b G 1", "G*1a", "in-check", {"piece": "rook", "square": "5d"}),
    ],
)
def test_a_refusal_names_the_reason(sfen, line, code, fields):
    """It tells what players of shogi would say, and three moves that can be played."""
    position = at(sfen) if sfen else START
    refusal = GAME.refusal(position, GAME.parse(line, "en"))

    assert refusal is not None
    assert (refusal.code, dict(refusal.fields)) == (code, fields)
    assert len(refusal.legal) >= 3


@pytest.mark.parametrize(
    ("sfen", "fault"),
    [
        ("hello there b", "9 ranks"),
        ("9/9/9/9/9/9/9/9/9 b - 1", "Black must have one king"),
        ("4k4/8/9/9/9/9/9/9/4K4 b - 1", "rank b has 8 squares"),
        ("4k4/x8/9/9/9/9/9/9/4K4 b - 1", "rank b holds something else"),
        ("4k4/9/9/9/9/9/9/9/4K4 x - 1", "b or w"),
        ("4k4/9/9/9/9/9/9/9/4K4 b K 1", "pieces in hand"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 3R 1", "more than 2 of R"),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 0", "number of the move"),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 1٣", "number of the move"),
        ("4k4/9/P8/P8/9/9/9/9/4K4 b - 1", "two pawns on one file"),
        ("P3k4/9/9/9/9/9/9/9/4K4 b - 1", "pawn on 9a could never move"),
        ("4k4/9/9/9/9/9/9/4r4/4K4 w - 1", "Black is in check"),
        ("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1", "over before it begins"),
    ],
)
def test_a_start_that_cannot_be_played_is_told_with_its_fault(sfen, fault):
    """Handicaps are given as SFEN; each fault of one has a message of its own."""
    with pytest.raises(BadDocument, match=fault):
        GAME.board(("black", "white"), {}, {"start": sfen}, Random(0))


@pytest.mark.parametrize("depth", some([1, 2], [3]))
def test_all_games_of_a_length_are_as_many_as_are_known(depth):
    """The numbers are those that programs for shogi are checked by."""
    assert perft(GAME, START, depth) == (30, 900, 25470)[depth - 1]


def test_hands_stand_beside_the_board_and_white_sees_the_board_from_above():
    """Pieces in hand are told the strongest first, and are dropped by two clicks."""
    position = at(HANDS)
    scene = GAME.scene(GAME.view(position, "white"))

    assert [dict(sentence.fields) for sentence in scene.panels[0].sentences] == [
        {"seat": "black", "pieces": [["gold", 1], ["knight", 1], ["lance", 1], ["pawn", 1]]},
        {"seat": "white", "pieces": [["rook", 2]]},
    ]
    assert [(place.label, place.marks[0].word) for place in scene.tracks[0].places][3:] == [
        ("", "pawn"), ("×2", "rook"),
    ]  # fmt: skip
    assert (scene.cells[0].space, scene.row_names[0], scene.column_names[0]) == ("1i", "i", "1")
    assert GAME.clicks(GAME.view(position, "black"), Move("G*4b")) == ("G*", "4b")
    near = GAME.view(at(NEAR), "black")
    assert GAME.clicks(near, Move("P-7b+")) == ("7c", "7b", "+")


def test_the_plus_of_a_promoted_piece_stands_for_nothing_more_on_its_square():
    """The legend tells of “+R”; a plus alone would stand for what a cell has no room for."""
    view = GAME.view(at(NEAR), "black")
    drawn = " ".join(text_board(GAME.scene(view), Wording(GAME, "en")))
    assert "+R dragon" in drawn
    assert "more there" not in drawn


@pytest.mark.parametrize("seed", some(range(2), range(2, 60)))
def test_random_games_are_read_back_and_never_leave_a_king_in_check(seed):
    """Each move by text and by squares is itself, and reasons are had for moves that are none."""
    rng, position = Random(seed), START
    for _ in range(150):
        if GAME.to_act(position) is None:
            break
        legal = [order.move for order in GAME.orders(position)]
        assert len(set(legal)) == len(legal)
        move = rng.choice(legal)
        assert meant(position, move) == meant(position, move, "de") == move
        way = GAME.way(position, move)
        if len(way) == 2:
            assert meant(position, "".join(way) + move[2:][-1:].strip("abcdefghi")) == move
        other = "".join(map(rng.choice, ("PLNSGBRK", "-*x", "123456789", "abcdefghi")))
        assert GAME.refusal(position, Move(other)) is not None or meant(position, other) in legal
        black = GAME.to_act(position) == "black"
        position, _ = GAME.apply(position, Move(move))
        assert not SQUARES.checks(SQUARES.men(GAME.board_text(position)), capital=black)
