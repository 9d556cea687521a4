"""Antichess and crazyhouse: what differs from chess, and their rules against python-chess."""

from __future__ import annotations

from random import Random
from typing import Any

import chess.variant
import pytest
from referee_classics.chess.antichess import GAME as ANTICHESS
from referee_classics.chess.crazyhouse import GAME as CRAZYHOUSE
from referee_classics.chess.fen import SQUARES
from referee_classics.classic import Move
from support.thorough import some

from referee.games.game import BadDocument

pytestmark = pytest.mark.fast

POCKETS = "4k3/8/8/8/8/8/P7/R3K3[QNPPn] w Q - 0 1"


def told(game: Any, fen: str, line: str, language: str = "en") -> Any:
    """Return the legal move that a line means, or the code of its refusal."""
    position = game.load({"game": game.name, "start": fen})
    order = game.parse(line, language)
    refusal = game.refusal(position, order)
    return refusal.code if refusal else game.canonical(position, order).move


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("N@f3", "N@f3"), ("n@f3", "N@f3"), ("S@f3", "N@f3"), ("N @ f3", "N@f3"),
        ("♘@f3", "N@f3"), ("12. N@f3+!", "N@f3"), ("P@e4", "P@e4"), ("@e4", "P@e4"),
        ("D@e4", "Q@e4+"), ("Rd1", "Rd1"), ("O-O-O", "O-O-O"), ("a4", "a4"),
        ("B@f3", "not-in-hand"), ("R@f3", "not-in-hand"), ("N@a2", "occupied"),
        ("N@e8", "occupied"), ("P@b1", "no-pawn-there"), ("@h8", "no-pawn-there"),
        ("Nf3", "no-such-piece"), ("Qe4", "no-such-piece"), ("place the knight on f3", "N@f3"),
        ("Springer auf f3 einsetzen", "N@f3"), ("Ich setze einen Bauern auf e4 ein.", "P@e4"),
        ("drop my pawn on e4", "P@e4"), ("Nf3 from hand", "N@f3"), ("N*f3", "N@f3"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_piece_in_hand_is_put_by_its_letter_and_a_sign(line, move, language):
    """Either language's letters are read; what cannot be put is told why."""
    assert told(CRAZYHOUSE, POCKETS, line, language) == move


def test_a_drop_that_leaves_the_king_in_check_is_refused_with_the_attacker():
    """Only a piece that stands between ends the check."""
    fen = "4k3/8/8/8/4r3/8/8/4K3[N] w - - 0 1"
    position = CRAZYHOUSE.load({"game": "crazyhouse", "start": fen})
    refusal = CRAZYHOUSE.refusal(position, Move("N@a5"))

    assert refusal is not None
    assert refusal.code == "in-check"
    assert dict(refusal.fields) == {"piece": "rook", "square": "e4", "still": True}
    assert told(CRAZYHOUSE, fen, "N@e2") == "N@e2"


def test_suggestions_in_place_of_a_drop_are_drops():
    """A pawn on the board that could go there is another move."""
    position = CRAZYHOUSE.load(
        {"game": "crazyhouse", "start": "4k3/8/8/8/8/8/4P3/4K3[N] w - - 0 1"}
    )
    refusal = CRAZYHOUSE.refusal(position, Move("P@e4"))
    assert refusal is not None
    assert {order.move[:2] for order in refusal.legal} == {"N@"}
    assert refusal.legal[0] == Move("N@e4")


def test_pieces_in_hand_stand_beside_the_board():
    """Each side's are told, the strongest first, and are chosen by their letter and a square."""
    position = CRAZYHOUSE.load({"game": "crazyhouse", "start": POCKETS})
    view = CRAZYHOUSE.view(position, "white")

    assert [dict(sentence.fields) for sentence in CRAZYHOUSE.scene(view).panels[0].sentences] == [
        {"seat": "white", "pieces": [["queen", 1], ["knight", 1], ["pawn", 2]]},
        {"seat": "black", "pieces": [["knight", 1]]},
    ]
    assert CRAZYHOUSE.clicks(view, Move("N@f3")) == ("N@", "f3")
    assert CRAZYHOUSE.clicks(view, Move("a4")) == ("a2", "a4")


def test_a_promoted_piece_is_told_and_moves_as_what_it_is():
    """It is a queen to everybody, and two queens are told apart."""
    fen = "4k3/8/8/8/8/8/8/Q~3K1Q1[] w - - 0 1"
    assert told(CRAZYHOUSE, fen, "Qaa7") == "Qaa7"
    assert told(CRAZYHOUSE, fen, "Qga7") == "Qga7"
    assert told(CRAZYHOUSE, fen, "Qa7") == "several"
    assert told(CRAZYHOUSE, fen, "Qa8") == "Qa8+"


@pytest.mark.parametrize(
    ("fen", "line", "move"),
    [
        ("8/8/8/3p4/4P3/8/8/R6N w - - 0 1", "exd5", "exd5"),
        ("8/8/8/3p4/4P3/8/8/R6N w - - 0 1", "e4d5", "exd5"),
        ("8/8/8/3p4/4P3/8/8/R6N w - - 0 1", "Ra2", "must-capture"),
        ("8/8/8/3p4/4P3/8/8/R6N w - - 0 1", "Ng4", "out-of-reach"),
        ("8/8/8/3p4/4P3/8/8/R6N w - - 0 1", "O-O", "no-castling"),
        ("8/4P3/8/8/8/8/1p6/8 w - - 0 1", "e8=K", "e8=K"),
        ("8/4P3/8/8/8/8/1p6/8 w - - 0 1", "e8", "several"),
        ("8/8/8/8/1pPp4/8/8/8 b - c3 0 1", "bxc3", "bxc3"),
        ("8/8/8/8/1pPp4/8/8/8 b - c3 0 1", "d3", "must-capture"),
        ("8/8/8/8/1pPp4/4P3/8/8 b - c3 0 1", "dxe3", "dxe3"),
        ("8/8/8/8/1pPp4/4P3/8/8 b - c3 0 1", "dxc3 e.p.", "dxc3"),
    ],
)
def test_whoever_can_capture_must(fen, line, move):
    """En passant counts as a capture among others; kings are pieces like any other."""
    assert told(ANTICHESS, fen, line) == move


@pytest.mark.parametrize(
    ("game", "other"),
    [
        (ANTICHESS, chess.variant.AntichessBoard), (CRAZYHOUSE, chess.variant.CrazyhouseBoard),
    ],
)  # fmt: skip
@pytest.mark.parametrize("seed", some(range(3), range(3, 100)))
def test_random_games_go_as_in_python_chess(game, other, seed):
    """Moves and board are the same after each move, and whoever wins there wins here."""
    rng, board = Random(seed), other()
    position = game.start(("white", "black"), {})
    while game.to_act(position) is not None and len(position.moves) < 150:
        legal = [order.move for order in game.orders(position)]
        known = {
            board.san(move).rstrip("#" if game is ANTICHESS else ""): move
            for move in board.legal_moves
        }
        known = {f"P{move}" if move[0] == "@" else move: known[move] for move in known}
        assert sorted(legal) == sorted(known)
        move = rng.choice(legal)
        if "@" not in move and move[0] != "O":
            promoted = move.rstrip("+#").partition("=")[2]
            assert game.readings(position, known[move].uci()[:4] + "=" * bool(promoted) + promoted)
            assert "".join(game.way(position, move)) == known[move].uci()[:4]
        position, _ = game.apply(position, Move(move))
        board.push(known[move])
        assert SQUARES.men(game.board_text(position)) == {
            chess.square_name(square): man.symbol() for square, man in board.piece_map().items()
        }
    result = game.result(position)
    if result is not None and len(set(result.places.values())) > 1:
        assert board.result() == ("1-0" if result.places["white"] == 1 else "0-1")


@pytest.mark.parametrize(
    ("game", "fen", "fault"),
    [
        (ANTICHESS, "8/8/8/8/8/8/8/8 w - - 0 1", "White has no piece"),
        (ANTICHESS, "8/8/8/8/8/8/8/R7 w - - 0 1", "Black has no piece"),
        (ANTICHESS, "8/8/8/p7/P7/8/8/8 w - - 0 1", "over before it begins"),
        (ANTICHESS, "8/8/8/8/8/8/8/Rx6 w - - 0 1", "something else"),
        (CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", "in brackets"),
        (CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3[ w - - 0 1", "in brackets"),
        (CRAZYHOUSE, "4k3/8/8/8/8/8/8/P~3K3[] w - - 0 1", "something else"),
        (CRAZYHOUSE, "4k3/8/8/8/8/8/8/8[Q] w - - 0 1", "White must have one king"),
    ],
)
def test_a_start_that_cannot_be_played_is_told_with_its_fault(game, fen, fault):
    """Pockets are read in crazyhouse alone, and antichess needs no king."""
    with pytest.raises(BadDocument, match=fault):
        game.board(("white", "black"), {}, {"start": fen}, Random(0))
