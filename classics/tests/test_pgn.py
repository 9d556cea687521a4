"""PGN of chess and its variants: replayed by python-chess, and read from whoever wrote it."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

import chess.pgn
import pytest
from referee_classics.chess import GAME
from referee_classics.chess.antichess import GAME as ANTICHESS
from referee_classics.chess.crazyhouse import GAME as CRAZYHOUSE
from referee_classics.chess.fen import SQUARES
from referee_classics.chess.pgn import read_pgn, write_pgn
from support.archived import record_of
from support.club import open_club
from support.thorough import some

from referee.desk.archive import audit, take_in, transcripts
from referee.desk.archive.take_in import BadRecord
from referee.games.game import BadDocument, Transcript, replace
from referee.games.play import complete_options, play, random_play

pytestmark = pytest.mark.fast

CHECK = Path(__file__).parents[2] / "docs" / "verify_record.py"

OPERA = """[Event "Opera"]
[Site "Paris"]
[Date "1858.??.??"]
[Round "-"]
[White "Morphy, Paul"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8.
Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14.
Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""


def played(read: Transcript, game=GAME):
    """Return the last position of a game that was read."""
    start = game.start(read.seats, read.options, read.board)
    return play(game, start, [game.parse(text, "en") for text in read.orders]).position


def test_a_masters_game_is_read_and_written_back_the_same():
    """Morphy's opera game comes to its mate, with its players, signs of check and lines."""
    read = read_pgn(GAME, OPERA)
    position = played(read)

    assert GAME.result(position).ending == "checkmate"
    written = write_pgn(GAME, replace(read, match="Opera", orders=position.moves))
    assert written == OPERA.replace("Paris", "?")


@pytest.mark.parametrize("game", [GAME, ANTICHESS, CRAZYHOUSE], ids=lambda game: game.name)
@pytest.mark.parametrize("seed", some(range(2), range(2, 40)))
def test_what_is_written_is_replayed_to_its_end_by_another_program(game, seed):
    """python-chess finds no fault, the same board, and every line is narrow; so do we."""
    rng = Random(seed)
    options = complete_options(game, {"chess960": True} if seed % 2 and game is GAME else {})
    built = game.board(("white", "black"), options, None, rng)
    start = game.start(("white", "black"), options, built)
    last = [step.after for step in islice(random_play(game, start, rng), 200)][-1]
    told = Transcript(last.seats, options, last.moves, built, None, {"white": "Ann Lee"})
    text = write_pgn(game, told)

    other = chess.pgn.read_game(io.StringIO(text))
    board = other.end().board()
    assert not other.errors
    assert other.headers["White"] == "Ann Lee"
    over = game.result(last) is not None
    assert other.headers["Result"] == (board.result(claim_draw=True) if over else "*")
    assert len(board.move_stack) == len(last.moves)
    assert {
        chess.square_name(square): man.symbol() for square, man in board.piece_map().items()
    } == SQUARES.men(game.board_text(last))
    assert max(len(line) for line in text.splitlines() if not line.startswith("[FEN")) < 80
    for read in (read_pgn(game, text), read_pgn(game, str(other))):
        assert played(read, game).moves == last.moves


def test_quotation_marks_in_a_name_are_kept():
    """They are escaped in the file, and a name stands in one line."""
    told = Transcript(GAME.colours, {}, (), players={"white": 'Ann "A" \\ Lee\n'})
    text = write_pgn(GAME, told)

    assert '[White "Ann \\"A\\" \\\\ Lee"]' in text
    assert read_pgn(GAME, text).players["white"] == 'Ann "A" \\ Lee'


def test_a_start_and_whose_move_it_is_are_kept():
    """A game that begins with Black's move is numbered so, in either direction."""
    fen = "4k3/P7/8/8/8/8/8/4K3 b - - 3 31"
    text = write_pgn(GAME, Transcript(GAME.colours, {}, ("Kd7", "a8=Q"), {"start": fen}))

    assert f'[SetUp "1"]\n[FEN "{fen}"]' in text
    assert text.endswith("\n31... Kd7 32. a8=Q *\n")
    read = read_pgn(GAME, text)
    assert read.orders == ("Kd7", "a8=Q")
    assert read.places == ("move 31 of Black", "move 32 of White")


def test_comments_variations_and_clocks_are_passed_over():
    """Whatever programs put between moves is left out, and German letters are read."""
    text = (
        '\ufeff% a line of a program\r\n[Event "x"]\r\n[ White "A" ]\r\n\r\n'
        "1.e4 {[%clk 0:10:00] (best) 1-0} $1 e5! ; 2. d4 was possible\n2. Sf3 (2. f4 exf4 "
        "(2... d5 {Falkbeer}) 3. Nf3) 2... Nc6?! {[%eval 0.3]} 3 . Lb5 a6 4.Bxc6 dxc6 5.0-0 ½-½"
    )
    read = read_pgn(GAME, text)

    assert " ".join(played(read).moves) == "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O"
    assert read.players == {"white": "A", "black": "?"}
    assert read.result.places == {"white": 1, "black": 1}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (OPERA.replace("13. Rxd7", "13. Rxc7"), "move 13 of White: Rxc7: "),
        (OPERA.replace("Rxd7 14.", "Qxa2 14."), "move 13 of Black: Qxa2: "),
        (OPERA.replace("12. O-O-O", "12. castled"), "move 12 of White: castled: "),
        (OPERA.replace("Nbd7", "Nd7"), "move 11 of Black: Nd7: “Nd7” may mean several"),
        (OPERA.replace("17. Rd8#", "17. Rd8# Ke7"), "move 17 of Black: Ke7: the game is over"),
        (OPERA.replace("1-0", "0-1"), "its result is not that of the rules"),
        (
            OPERA.replace('[Result "1-0', '[Result "0-1'),
            "Result: is 0-1, but the moves end with 1-0",
        ),
        (OPERA.replace("# 1-0", "# 0-1"), "Result: is 1-0, but the moves end with 0-1"),
        (OPERA.replace("1858.??.??", "1998.13.02"), "its date 1998-13-02 cannot be taken: month"),
        (
            OPERA.replace("1858", "0800"),
            "its date 0800-01-01 cannot be taken: year must be in 1000",
        ),
    ],
)
def test_a_move_that_cannot_be_played_is_told_by_its_number_when_a_file_is_taken_in(
    text, fault, tmp_path
):
    """The rules judge it, as they judge any match, and say why it is none."""
    desk = open_club(tmp_path).desk
    with pytest.raises(BadRecord, match=re.escape(fault)):
        transcripts.read_transcript(desk, text.encode(), transcripts.formats_for("pgn", "chess"))


@pytest.mark.parametrize("day", ["1858.11.02", "1858.??.??", "1474.??.??"])
def test_a_game_of_any_century_is_taken_in_with_its_day_and_audited(day, tmp_path):
    """It is known by its day, and whoever has its record finds it in order."""
    club = open_club(tmp_path)
    read = OPERA.replace("1858.??.??", day).encode()
    found = transcripts.read_transcript(club.desk, read, transcripts.formats_for("pgn", "chess"))
    with club.desk.writing() as change:
        name, _ = take_in.take_record(change, found)
    row = club.match(name)
    assert f"{row.started:%Y.%m.%d}" == day.replace("??", "01")
    with club.desk.reading() as change:
        assert audit.audit_match(change, row).fault is None
    record = tmp_path / "opera.jsonl"
    record.write_bytes(record_of(club, name))
    checked = subprocess.run(
        [sys.executable, "-I", "-S", CHECK, record], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_a_result_that_stands_in_one_place_alone_counts():
    """An asterisk in the other one says nothing against it."""
    for text in (OPERA.replace("# 1-0", " *"), OPERA.replace('"1-0"', '"*"')):
        assert read_pgn(GAME, text).result.places == {"white": 1, "black": 2}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (OPERA.replace("9. Bg5", "9. Bg5 {never"), "{ behind 17 moves has no other end"),
        (OPERA * 2, "PGN: holds 2 games"),
        ("1. e4 e5 *\n" * 10_000, "PGN: holds 10000 games"),
        ("1. e4 e5 1-0 1. d4 d5 0-1", "PGN: holds 2 games"),
        ("", "PGN: holds no game"),
        ("  \n\n", "PGN: holds no game"),
        ('[Variant "Crazyhouse"]\n\n1. e4 *', "Variant: is 'Crazyhouse', not chess"),
        ('[Variant "Fairy"]\n\n1. e4 *', "Variant: is 'Fairy', not chess"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *', "FEN: White must have one king"),
        ('[Variant "Chess960"]\n\n1. e4 *', "FEN: must be the FEN that this match of Chess960"),
        ('[FEN "4k3/8/8/8/8/8/8/3K3R w K - 0 1"]\n\n1. O-O *', "FEN: castling K is that of"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_game_is_told_by_its_fault(text, fault):
    """The place is named, or how many games there are."""
    with pytest.raises(BadDocument) as error:
        read_pgn(GAME, text)
    assert fault in str(error.value)


@pytest.mark.parametrize("seed", some(range(1), range(1, 100)))
def test_damaged_files_raise_nothing_else(seed):
    """Whatever happens to a file, it is a game or a bad document."""
    rng = Random(seed)
    for _ in range(300):
        signs = list(OPERA)
        for _ in range(rng.randrange(1, 8)):
            at = rng.randrange(len(signs))
            signs[at : at + rng.randrange(12)] = rng.choices('{}()[];%$"\\.x1#*- \n\0é', k=2)
        try:
            read_pgn(GAME, "".join(signs))
        except BadDocument:
            continue
