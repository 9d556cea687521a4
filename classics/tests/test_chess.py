"""Chess: every spelling of a move, its refusals and endings, and the rules against python-chess."""

from __future__ import annotations

from random import Random
from typing import Any

import chess
import pytest
from referee_classics.chess import GAME
from referee_classics.classic import Move, Position
from support.thorough import some

from referee.games.game import BadDocument, Unreadable
from referee.games.play import complete_options, perft
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast

START = GAME.load({"game": "chess"})
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PROMOTES = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"
TRADES = "rnb1kbnr/ppp1pppp/8/3q4/3QP3/8/PPP2PPP/RNB1KBNR w KQkq - 0 1"
KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
BISHOPS = "4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1"
PASSES = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"


def at(fen: str) -> Position:
    """Return the position of a FEN."""
    return GAME.load({"game": "chess", "start": fen})


def meant(position: Position, line: str, language: str = "en") -> str:
    """Return the legal move that a line means, or the code of its refusal."""
    order = GAME.parse(line, language)
    refusal = GAME.refusal(position, order)
    played: Any = GAME.canonical(position, order)
    return refusal.code if refusal else played.move


def refused(fen: str, line: str) -> tuple[str, dict[str, Any]]:
    """Return the code and fields of a line's refusal."""
    refusal = GAME.refusal(at(fen), GAME.parse(line, "en"))
    assert refusal is not None
    assert len(refusal.legal) >= 3
    return refusal.code, dict(refusal.fields)


@pytest.mark.parametrize(
    "line",
    [
        "Nf3", "nf3", "N f3", "Ng1f3", "Ng1-f3", "Ngf3", "N1f3", "N-f3", "g1f3", "g1-f3", "G1 F3",
        "g1 - f3", "g1–f3", "♘f3", "♘g1-f3", "1. Nf3", "1.Nf3", "1 Nf3", "1... Nf3", "1 ... Nf3",
        "1. ... Nf3", "...Nf3", "… Nf3", "105. Nf3", "Nf3!", "Nf3!?", "Nf3 ?!", "Nf3+", "Nf3#",
        "Nf3 check", "Nf3 mate", "Nf3 Schach", "Nf3, check!", "Nf3 and mate", "Sf3, schachmatt!",
        "Springer f3, Schach", "Sf3", "sf3", "Sg1f3", "Sg1-f3", "Springer f3",
        "knight to f3", "knight g1 to f3", "knight from g1 to f3", "N on g1 to f3",
        "Springer von g1 nach f3", "knight back to f3", "Springer nach f3", "* Nf3", "1) Nf3",
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_move_is_read_in_every_usual_spelling(line, language):
    """Numbers, signs, figurines, squares, words and the letters of either language are read."""
    assert meant(START, line, language) == "Nf3"


@pytest.mark.parametrize(
    ("fen", "line", "move"),
    [
        (CASTLES, "O-O", "O-O"), (CASTLES, "0-0", "O-O"), (CASTLES, "o-o", "O-O"),
        (CASTLES, "O-O+", "O-O"), (CASTLES, "e1g1", "O-O"), (CASTLES, "Ke1-g1", "O-O"),
        (CASTLES, "Kg1", "O-O"), (CASTLES, "00", "O-O"), (CASTLES, "castles kingside", "O-O"),
        (CASTLES, "kurze Rochade", "O-O"), (CASTLES, "O-O-O", "O-O-O"), (CASTLES, "000", "O-O-O"),
        (CASTLES, "0-0-0!", "O-O-O"), (CASTLES, "e1c1", "O-O-O"), (CASTLES, "O–O–O", "O-O-O"),
        (CASTLES, "lange Rochade", "O-O-O"), (CASTLES, "Große Rochade", "O-O-O"),
        (CASTLES, "Ich mache die kurze Rochade", "O-O"), (CASTLES, "rochiere lang", "O-O-O"),
        (CASTLES, "I castle short", "O-O"), (CASTLES, "castle long", "O-O-O"),
        (CASTLES, "short castle", "O-O"), (CASTLES, "1. castle king side", "O-O"),
        (CASTLES, "Castling on the queen-side", "O-O-O"), (CASTLES, "castle queenside+", "O-O-O"),
        (PROMOTES, "a8=Q", "a8=Q"), (PROMOTES, "a8Q", "a8=Q"), (PROMOTES, "a8D", "a8=Q"),
        (PROMOTES, "a8=D", "a8=Q"), (PROMOTES, "a8(Q)", "a8=Q"), (PROMOTES, "a8/Q", "a8=Q"),
        (PROMOTES, "a8 = q", "a8=Q"), (PROMOTES, "a7a8n", "a8=N"), (PROMOTES, "a7-a8S", "a8=N"),
        (PROMOTES, "axb8=Q#", "axb8=Q+"), (PROMOTES, "ab8T", "axb8=R+"),
        (PROMOTES, "a:b8L", "axb8=B"),
        (PROMOTES, "a7xb8=Q", "axb8=Q+"), (PROMOTES, "pawn a7 takes b8 queen", "axb8=Q+"),
        (PROMOTES, "a8=♕", "a8=Q"), (PROMOTES, "a8 queen", "a8=Q"), (PROMOTES, "a8 Dame", "a8=Q"),
        (PASSES, "exd6", "exd6"), (PASSES, "exd6 e.p.", "exd6"), (PASSES, "e5d6", "exd6"),
        (PASSES, "exd6ep", "exd6"), (PASSES, "e5xd6 e. p.", "exd6"), (PASSES, "e:d6", "exd6"),
        (PASSES, "exd", "exd6"), (PASSES, "e:d", "exd6"),
        (PASSES, "pawn takes d6", "exd6"), (PASSES, "Bauer schlägt d6", "exd6"),
        (TRADES, "Qxd5", "Qxd5"), (TRADES, "QxQ", "Qxd5"), (TRADES, "DxD", "Qxd5"),
        (PASSES, "exd6 en passant", "exd6"), (PASSES, "e:d6 en passant!", "exd6"),
        (TRADES, "queen takes queen", "Qxd5"), (TRADES, "pawn takes queen", "exd5"),
        (TRADES, "PxQ", "exd5"), (TRADES, "Bauer schlägt Dame", "exd5"),
        (TRADES, "The queen takes the queen on d5", "Qxd5"),
        (TRADES, "Der Bauer nimmt d5", "exd5"), (TRADES, "my queen captures on d5", "Qxd5"),
        (TRADES, "take on d5 with the pawn", "exd5"), (TRADES, "mit dem Springer nach f3", "Nf3"),
        (TRADES, "die Dame mit der Dame schlagen", "Qxd5"),
        (TRADES, "Mit der Dame auf d5 schlagen", "Qxd5"),
        (TRADES, "schlage mit dem Bauern auf d5", "exd5"),
        (BISHOPS, "BxC4", "Bxc4"), (BISHOPS, "B takes C4", "Bxc4"), (BISHOPS, "bxC4", "bxc4"),
        (BISHOPS, "B schlägt c4", "bxc4"), (KNIGHTS, "knight b1 goes to d2", "Nbd2"),
        (KNIGHTS, "Nbd2", "Nbd2"), (KNIGHTS, "N1d2", "Nbd2"), (KNIGHTS, "Nb1-d2", "Nbd2"),
        (KNIGHTS, "b1d2", "Nbd2"), (KNIGHTS, "sbd2", "Nbd2"), (KNIGHTS, "Sf3-d2", "Nfd2"),
        ("4k3/8/8/8/2B5/8/8/4K3 w - - 5 9", "bd3", "game over"),
        ("4k3/8/8/8/2B4R/8/8/4K3 w - - 5 9", "bd3", "Bd3"),
        ("4k3/8/8/8/8/2b4R/3P4/4K3 w - - 5 9", "dxc3", "dxc3"),
    ],
)  # fmt: skip
def test_castling_promotion_and_captures_are_read_as_players_write_them(fen, line, move):
    """Signs, squares and words say the same; a small b may be the bishop where no pawn can go."""
    if move == "game over":
        with pytest.raises(BadDocument, match="over before it begins"):
            at(fen)
    else:
        assert meant(at(fen), line) == meant(at(fen), line, "de") == move


@pytest.mark.parametrize(
    "line",
    [
        "a4 paper please", "I am on B 5 today", "Kf1 would lose", "d4 looks nice", "Nf3 good luck",
        "ok", "no", "so", "ooo", "OOO", "be", "ed", "to", "dame", "short", "queen", "44", "x", "e",
        "king castles", "castle queen", "castle short or long",
        "axe", "1.", "...", "e4 e5 e6", "i9", "good move", "schach", "mate", "my knight",
        "the knight on b1", "der Springer auf b1", "my queen", "king to the opera",
        "to be or not to be", "the pawn to e4 was bad", "", "+", "K", "O", "-",
    ],
)  # fmt: skip
def test_talk_plays_nothing(line):
    """A square, a letter or a piece within a sentence is no move, in either language."""
    for language in ("en", "de"):
        with pytest.raises(Unreadable) as unread:
            GAME.parse(line, language)
        assert unread.value.code == "unknown-order"
        assert unread.value.chatter


@pytest.mark.parametrize(
    ("fen", "line", "readings"),
    [
        (KNIGHTS, "Nd2", ["Nbd2", "Nfd2"]),
        (KNIGHTS, "Sd2", ["Nbd2", "Nfd2"]),
        (BISHOPS, "bc4", ["bxc4", "Bxc4"]),
        (BISHOPS, "BXC4", ["bxc4", "Bxc4"]),
        (BISHOPS, "B TAKES C4", ["bxc4", "Bxc4"]),
        (BISHOPS, "I take on c4", ["bxc4", "Bxc4"]),
        (BISHOPS, "dann nimmt c4", ["bxc4", "Bxc4"]),
        (CASTLES, "I castle", ["O-O-O", "O-O"]),
        (PROMOTES, "a8", ["a8=Q", "a8=R", "a8=B", "a8=N"]),
        (PROMOTES, "a7b8", ["axb8=Q+", "axb8=R+", "axb8=B", "axb8=N"]),
    ],
)
def test_what_has_several_readings_is_asked_back(fen, line, readings):
    """The answer names each of them, a queen first."""
    refusal = GAME.refusal(at(fen), GAME.parse(line, "de"))

    assert refusal is not None
    assert refusal.code == "several"
    assert refusal.fields["readings"] == readings
    assert [order.move for order in refusal.legal] == readings


@pytest.mark.parametrize(
    ("fen", "line", "code", "fields"),
    [
        ("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", "Nf3", "in-check", ("bishop", "b4")),
        ("3k4/8/8/8/8/8/8/R3K2q w - - 0 1", "Ra2", "in-check", ("queen", "h1")),
        (CASTLES, "Kd3", "out-of-reach", ("king", "d3")),
        (CASTLES, "Ra9", "no-such-square", ("a9",)),
        (PASSES, "exf", "no-capture", ()),
        (CASTLES, "Qd1", "no-such-piece", ("queen",)),
        (CASTLES, "Rh1", "own-piece", ("rook", "h1")),
        (CASTLES, "e8e7", "not-yours", ("king", "e8")),
        (CASTLES, "b4b5", "nothing-there", ("b4",)),
        (CASTLES, "pass", "no-passing", ()),
        (CASTLES, "Ke2=Q", "no-promotion", ()),
        (PROMOTES, "a8=K", "no-promotion", ()),
        (PASSES, "e6=Q", "no-promotion", ()),
        (PASSES, "O-O", "no-castling", ()),
        ("4k3/8/8/8/8/8/8/4K1NR w K - 0 1", "O-O", "castling-blocked", ()),
        ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "castling-through-check", ("rook", "f8")),
        ("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "castling-through-check", ("rook", "g8")),
        ("4k3/4r3/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", "castling-in-check", ("rook", "e7")),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "exd6", "nothing-to-take", ("d6", True)),
        ("", "exd3", "nothing-to-take", ("d3", False)),
        ("4k3/8/8/3pP3/8/8/2P5/4K3 w - d6 0 1", "cxd6", "nothing-to-take", ("d6", False)),
        ("", "Nxf3", "nothing-to-take", ("f3",)),
        ("", "Qh5", "blocked", ("queen", "d1", "pawn", "e2")),
        ("", "O-O", "castling-blocked", ("bishop", "f1")),
        ("", "e1g1", "castling-blocked", ("bishop", "f1")),
        ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "castle", "castling-blocked", ("knight", "b1")),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "castle", "no-castling", ()),
        ("", "e5", "out-of-reach", ("pawn", "e2", "e5")),
        ("", "Nc3d5", "no-such-piece", ("knight", "c", "3")),
        ("4k3/8/8/8/3p4/4P3/3P4/4K3 w - - 0 1", "d4", "blocked", ("pawn", "d2", "d4")),
        ("rn2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "Bxb8", "no-such-piece", ("bishop",)),
        ("k7/8/8/r2pP2K/8/8/8/8 w - d6 0 1", "exd6", "in-check", ("rook", "a5")),
    ],
)
def test_a_refusal_names_the_reason(fen, line, code, fields):
    """It tells the piece and the square that are in the way, and moves that are legal."""
    told, named = refused(fen, line)
    assert told == code
    assert set(fields) <= set(named.values())


def test_suggestions_begin_with_the_piece_that_was_named():
    """Whoever may not castle is told of the king's moves or the rook's, not of any."""
    refusal = GAME.refusal(START, GAME.parse("Nd2", "en"))

    assert refusal is not None
    assert [order.move for order in refusal.legal[:4]] == ["Nc3", "Nf3", "Na3", "Nh3"]


@pytest.mark.parametrize(
    ("fen", "line", "first"),
    [
        ("", "Nd5", ["Nc3", "Nf3", "Na3", "Nh3"]),
        ("", "O-O", ["Nf3", "Nh3"]),
        ("rn2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "Bxb8", ["axb8=Q+", "axb8=R+", "axb8=B"]),
        ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "O-O-O", ["O-O"]),
        ("", "Nxf3", ["Nf3"]),
    ],
)
def test_suggestions_are_what_may_have_been_meant(fen, line, first):
    """The same piece, then the same square, then the nearest; a queen before other pieces."""
    position = at(fen) if fen else START
    refusal = GAME.refusal(position, GAME.parse(line, "en"))
    assert refusal is not None
    assert [order.move for order in refusal.legal[: len(first)]] == first


def test_examples_of_what_may_be_done_begin_with_a_new_queen():
    """Of many moves only some are shown, and this one is what its player looks for."""
    position = at("3k4/PP6/8/8/8/8/4Q3/4K2R w K - 0 1")
    assert [order.move for order in GAME.orders(position)[:2]] == ["a8=Q+", "b8=Q+"]
    assert GAME.orders(position)[-1].move.rstrip("+") in {"b8=R", "b8=B", "b8=N"}


@pytest.mark.parametrize(
    ("moves", "lost"),
    [
        ("e4 e5", {}),
        ("e4 d5 exd5 Qxd5 Nc3 Qxg2", {"white": [["pawn", 2]], "black": [["pawn", 1]]}),
        (
            "a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8=Q",
            {"black": [["rook", 1], ["bishop", 1], ["pawn", 2]]},
        ),
        (
            "e4 d5 Qg4 Bxg4 exd5 c6 dxc6 a6 cxb7 h6 bxa8=Q",
            {"white": [["queen", 1]], "black": [["rook", 1], ["pawn", 3]]},
        ),
    ],
)
def test_captured_pieces_stand_beside_the_board(moves, lost):
    """A pawn that became a queen was not captured, nor does it stand for the queen that was."""
    position = GAME.load({"game": "chess", "moves": moves.split()})
    scene = GAME.scene(GAME.view(position, "white"))
    told = [dict(sentence.fields) for panel in scene.panels if panel.title == "taken"
            for sentence in panel.sentences]  # fmt: skip
    assert {fields["seat"]: fields["pieces"] for fields in told} == lost
    (row,) = scene.tracks
    assert len(row.places) == sum(map(len, lost.values()))


@pytest.mark.parametrize(
    ("fen", "moves", "told"),
    [
        ("", ("e4", "e5", "Nf3"), [["1.", "e4", "e5"], ["2.", "Nf3"]]),
        ("4k3/8/8/8/8/8/8/R3K3 b Q - 0 30", ("Ke7", "Rd1"), [["30…", "Ke7"], ["31.", "Rd1"]]),
    ],
)
def test_the_last_moves_have_the_numbers_of_the_game(fen, moves, told):
    """Of a start by FEN, too, and if Black begins."""
    assert GAME.last_moves({"start": fen, "moves": moves}) == told


def test_moves_are_written_in_the_letters_of_the_reader():
    """A German reads Springer, Dame, Turm and Läufer, and both read castling alike."""
    written = {
        "Nf3": "Sf3", "Qxd7": "Dxd7", "e8=Q": "e8=D", "bxa1=N": "bxa1=S", "Rad1": "Tad1",
        "Bb5": "Lb5", "Kd2": "Kd2", "O-O-O": "O-O-O", "pass": "passe", "b4": "b4",
    }  # fmt: skip
    for move, german in written.items():
        assert GAME.format(Move(move), "de") == german
        assert GAME.format(Move(move), "en") == move
        for language in ("en", "de"):
            assert GAME.parse(german, language) == GAME.parse(move, language) == Move(move)


@pytest.mark.parametrize(
    ("fen", "fault"),
    [
        ("hello", "8 ranks"),
        ("8/8 w", "8 ranks, not 2"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "White must have one king, not none"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White must have one king"),
        ("4K3/8/8/8/8/8/8/R7 w - - 0 1", "Black must have one king"),
        ("4k3/8/8/8/8/8/8/K3K2R w - - 0 1", "White must have one king, not 2"),
        ("4k3/9/8/8/8/8/8/4K2R w - - 0 1", "rank 7 holds something else"),
        ("4k3/7/8/8/8/8/8/4K2R w - - 0 1", "rank 7 has 7 squares"),
        ("4k3/8/8/8/8/8/x7/4K2R w - - 0 1", "rank 2 holds something else"),
        ("4k3/8/8/8/8/8/8/P3K2R w - - 0 1", "a pawn cannot stand on a1"),
        ("4k2R/8/8/8/8/8/8/4K3 w - - 0 1", "Black is in check, but it is not its move"),
        ("4k3/8/8/8/8/8/8/4K2R x - - 0 1", "w or b"),
        ("4k3/8/8/8/8/8/8/4K2R w X - 0 1", "castlings left"),
        ("4k3/8/8/8/8/8/8/4K2R w - e4 0 1", "a square passed by a pawn"),
        ("4k3/8/8/8/8/8/8/4K2R w - e6 0 1", "no pawn has just passed e6"),
        ("4k3/8/8/8/8/8/8/4K2R w - - x 1", "two numbers"),
        ("4k3/8/8/8/8/8/8/4K2R w - - ٣ 1", "two numbers"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0", "six parts"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "over before it begins"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "over before it begins"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 100 80", "over before it begins"),
        ("4k3/8/8/8/8/8/8/4K2R[Q] w - - 0 1", "in brackets"),
        ("QQQQQQQQ/QQQQQQQQ/Q3k3/8/8/8/8/4K3 b - - 0 1", "White has more than 16 pieces"),
    ],
)
def test_a_start_that_cannot_be_played_is_told_with_its_fault(fen, fault):
    """Each fault of a FEN has a message of its own."""
    with pytest.raises(BadDocument, match=fault):
        GAME.board(("white", "black"), {"chess960": False}, {"start": fen}, Random(0))


def test_a_short_start_is_completed():
    """Fields left out of a FEN have their usual values; a right whose rook is gone is dropped."""
    assert at("4k3/8/8/8/8/8/8/4K2R").start == "4k3/8/8/8/8/8/8/4K2R w - - 0 1"
    assert at("4k3/8/8/8/8/8/8/4K2R b").start == "4k3/8/8/8/8/8/8/4K2R b - - 0 1"
    assert at("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1").start == "4k3/8/8/8/8/8/8/4K2R w K - 0 1"


@pytest.mark.parametrize(
    ("fen", "castling"),
    [
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "K"), ("r2k3r/8/8/8/8/8/8/R3K3 w Qkq - 0 1", "kq"),
        ("4k3/8/8/8/8/8/8/R3K1R1 w GQ - 0 1", "G"),
    ],
)  # fmt: skip
def test_castling_from_elsewhere_is_that_of_chess960(fen, castling):
    """Without that option such a start is refused, for nobody could castle by its rules."""
    seats = GAME.colours
    with pytest.raises(BadDocument, match=f"castling {castling} is that of Chess960"):
        GAME.start(seats, {"chess960": False, "fen": fen}, {"start": fen})
    assert GAME.start(seats, {"chess960": True, "fen": fen}, {"start": fen}).start == fen


def test_pieces_of_chess960_are_drawn_by_the_boards_chance():
    """The same draw gives the same start, others another, and all by the rules."""
    options = {"chess960": True}
    starts = {
        GAME.board(("white", "black"), options, None, Random(seed))["start"] for seed in range(20)
    }

    assert starts == {
        GAME.board(("white", "black"), options, None, Random(seed))["start"] for seed in range(20)
    }
    assert len(starts) > 15
    for start in starts:
        row = str(start).split("/")[0]
        assert sorted(row) == sorted("rnbqkbnr")
        assert row.index("r") < row.index("k") < row.rindex("r")
        assert (row.index("b") + row.rindex("b")) % 2
        assert chess.Board(str(start), chess960=True).status() == chess.STATUS_VALID


KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PINS = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "numbers"),
    [
        ("", (20, 400, 8902)),
        (KIWIPETE, (48, 2039)),
        (PINS, (14, 191, 2812)),
        pytest.param("", (20, 400, 8902, 197281), marks=pytest.mark.soak),
        pytest.param(KIWIPETE, (48, 2039, 97862), marks=pytest.mark.soak),
        pytest.param(PINS, (14, 191, 2812, 43238), marks=pytest.mark.soak),
    ],
)
def test_all_games_of_a_length_are_as_many_as_are_known(fen, numbers):
    """The numbers are those that every program for chess is checked by."""
    counted = [perft(GAME, at(fen), depth) for depth in range(1, len(numbers) + 1)]
    assert counted == list(numbers)


@pytest.mark.parametrize("seed", some(range(3), range(3, 60)))
def test_random_games_go_as_in_python_chess(seed):
    """Moves, board and ending are the same after each move, in every third game from Chess960."""
    rng, options = Random(seed), {"chess960": seed % 3 == 2}
    board = GAME.board(("white", "black"), options, None, rng)
    position = GAME.start(("white", "black"), options, board)
    other = chess.Board(str(board.get("start", chess.STARTING_FEN)), chess960=seed % 3 == 2)
    while GAME.to_act(position) is not None:
        legal = [order.move for order in GAME.orders(position)]
        known = {other.san(move): move for move in other.legal_moves}
        assert sorted(legal) == sorted(known)
        assert GAME.board_text(position).split()[:2] == other.fen().split()[:2]
        assert not other.is_checkmate()
        move = rng.choice(legal)
        assert meant(position, other.lan(known[move])) == move
        position, facts = GAME.apply(position, Move(move))
        other.push(known[move])
        assert any(fact.fact in {"checked", "mated"} for fact in facts) is other.is_check()

    result = GAME.result(position)
    assert result is not None
    outcome = other.outcome(claim_draw=True)
    assert outcome is not None
    assert (
        result.ending
        == {
            chess.Termination.CHECKMATE: "checkmate",
            chess.Termination.STALEMATE: "stalemate",
            chess.Termination.INSUFFICIENT_MATERIAL: "dead-position",
            chess.Termination.FIFTY_MOVES: "fifty-moves",
            chess.Termination.THREEFOLD_REPETITION: "repetition",
        }[outcome.termination]
    )
    winner = {True: "white", False: "black", None: None}[outcome.winner]
    assert winner is None or result.places[winner] == 1


def test_options_that_fit_nothing_are_refused():
    """An option of another type, or with another name, is told."""
    for options in ({"chess960": 1}, {"chess960": "yes"}, {"komi": 7}):
        with pytest.raises(ValueError, match=r"chess960|komi"):
            complete_options(GAME, options)
    for seats in (("white",), ("white", "white"), ("red", "blue")):
        with pytest.raises(ValueError, match=r"white|seat"):
            GAME.start(seats, {"chess960": False})


def test_a_match_of_chess960_names_where_it_begins():
    """Its start is drawn when it begins, and stands in its document."""
    with pytest.raises(BadDocument, match="must be the FEN"):
        GAME.load({"game": "chess", "options": {"chess960": True}})
    (fault,) = GAME.check({"game": "chess", "options": {"chess960": True}})
    assert fault.path == "$.start"


def test_castling_in_chess960_is_refused_for_the_right_reason():
    """Its rights name files of rooks: these two may castle yet, but for what stands between."""
    start = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"
    position = GAME.load({"game": "chess", "start": start, "options": {"chess960": True}})
    assert meant(position, "O-O-O") == "castling-blocked"


@pytest.mark.parametrize(
    ("row", "right", "line", "square"),
    [
        ("RR1NK3", "B", "O-O-O", "d1"),
        ("RKN5", "A", "O-O-O", "c1"),
        ("4KRN1", "F", "O-O", "g1"),
    ],
)
def test_castling_in_chess960_is_hindered_by_what_stands_where_king_or_rook_goes(
    row: str, right: str, line: str, square: str
) -> None:
    """Neither by a rook beyond the one that castles nor by something that has no name."""
    start = f"7k/8/8/8/8/8/8/{row} w {right} - 0 1"
    position = GAME.load({"game": "chess", "start": start, "options": {"chess960": True}})
    refusal = GAME.refusal(position, GAME.parse(line, "en"))
    assert refusal is not None
    assert (refusal.code, refusal.fields["square"]) == ("castling-blocked", square)


@pytest.mark.parametrize(
    ("fen", "line", "language", "move"),
    [
        ("4k3/8/8/8/8/4B3/8/1N2K3 w - - 0 1", "B1d2", "en", "Nd2"),
        ("4k3/8/8/8/8/8/8/3RK2Q w - - 0 1", "D1d5", "de", "several"),
        ("4k3/8/8/8/8/8/8/3RK3 w - - 0 1", "D1d5", "de", "Rd5"),
    ],
)
def test_a_square_in_capitals_is_not_taken_for_a_piece(fen, line, language, move):
    """Where either is legal, it is asked back."""
    assert meant(at(fen), line, language) == move


@pytest.mark.parametrize(
    ("line", "language", "told"),
    [
        ("DXE5", "en", "dxe5"),
        ("DXE5", "de", "Dxe5"),
        ("BXA3", "de", "BXA3"),
        ("LXA3", "de", "Lxa3"),
    ],
)
def test_a_capture_in_capitals_is_told_in_the_letters_of_its_writer(
    line: str, language: str, told: str
) -> None:
    """One of bishop and pawn that nothing tells apart stays as it is written."""
    assert GAME.format(GAME.parse(line, language), language) == told


OPENED = "rnbqkbnr/pppp1ppp/8/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq d3 0 3"


@pytest.mark.parametrize(
    ("fen", "line", "move"),
    [
        (OPENED, "horse c6", "Nc6"), (OPENED, "Gaul nach c6", "Nc6"),
        (OPENED, "nehme d4 mit dem Bauern", "exd4"),
        (PASSES, "en passant", "exd6"), (PASSES, "take en passant", "exd6"),
        (PASSES, "im Vorbeigehen", "exd6"),
        (PROMOTES, "Bauer schlägt Springer und wird Dame", "axb8=Q+"),
        (PROMOTES, "pawn takes knight and becomes a queen", "axb8=Q+"),
    ],
)  # fmt: skip
def test_a_move_is_read_in_more_words(fen: str, line: str, move: str) -> None:
    assert meant(at(fen), line) == meant(at(fen), line, "de") == move


@pytest.mark.parametrize(
    ("line", "code"),
    [("takes on a1", "no-taker"), ("takes on a7", "own-piece"), ("e.p.", "illegal")],
)
def test_where_no_piece_is_named_none_is_blamed(line: str, code: str) -> None:
    refusal = GAME.refusal(at(OPENED), GAME.parse(line, "en"))
    assert refusal is not None
    assert refusal.code == code


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("d7-d4", "Der Bauer auf d7 kann nicht nach d4 ziehen."),
        ("Sf3", "Keiner deiner Springer kann nach f3 ziehen."),
        ("Dd7", "Auf d7 steht schon dein Bauer."),
        ("Ta5", "Der Turm auf a8 kann nicht nach a5 ziehen: Auf a7 steht ein Bauer im Weg."),
        ("d1-d2", "Die Dame auf d1 gehört nicht dir."),
    ],
)  # fmt: skip
def test_german_refusals_are_sentences(line: str, told: str) -> None:
    refusal = GAME.refusal(at(OPENED), GAME.parse(line, "de"))
    assert refusal is not None
    assert Wording(GAME, "de").refusal(refusal) == told


def test_a_german_mail_repeats_german_signs() -> None:
    assert GAME.format(Move("castle"), "de") == "Rochade"
