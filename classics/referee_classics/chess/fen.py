"""The board of chess as text (FEN), and where its pieces can go.

The engine knows the rules; this tells a player why it does not let a piece go somewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from referee.games.documents import Node
from referee_classics.pieces import Men, king_of, squares_of

USUAL: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
"""The pieces of the usual start."""

SQUARES: Final = squares_of("referee_classics.chess")

PROMOTED: Final[dict[str, Any]] = {
    letter: f"{man}~" for letter, man in zip(*SQUARES.engines, strict=True)
}
"""The pieces that are pawns again when taken (crazyhouse), by the engine's letters."""


def reaches(men: Men, square: str, to: str, passed: str = "-") -> bool:
    """Return whether a piece could go to a square if its king were in no danger.

    One that a pawn has just ``passed`` is taken in passing, which the engine knows.
    """
    white = men[square].isupper()
    if to in men and men[to].isupper() is white:
        return False
    if men[square].upper() != "P":
        return to in SQUARES.goes(men, square)
    if square[0] != to[0]:
        return (to in men or to == passed) and to in SQUARES.goes(men, square)
    most = 2 if square[1] == ("2" if white else "7") else 1
    way = [*islice(SQUARES.line(square, 0, 1 if white else -1), most)]
    return to in way and not {*way[: way.index(to) + 1]} & men.keys()


def number_of(start: str, count: int) -> tuple[int, str]:
    """Return the number and the colour of a move, by how many were made since the start."""
    first = start.split()
    ply = count + (first[1:2] == ["b"])
    return (int(first[5]) if first else 1) + ply // 2, "Black" if ply % 2 else "White"


def numbered(start: str, moves: Sequence[str]) -> list[list[str]]:
    """Return moves in pairs behind their number, ``1.``, or ``1…`` where Black begins."""
    pairs: list[list[str]] = []
    for count, move in enumerate(moves):
        number, colour = number_of(start, count)
        if colour == "White" or not pairs:
            pairs.append([f"{number}{'.' if colour == 'White' else '…'}"])
        pairs[-1].append(move)
    return pairs


def read_fen(node: Node, *, kings: bool = True, pockets: bool = False) -> str:
    """Return the text of a start that can be played. Raises BadDocument for any other.

    Without ``kings`` no piece is royal; with ``pockets`` captured pieces stand behind the board.
    """
    fen = " ".join(node.text().split())
    parts = fen.split(" ")
    if len(parts) in {1, 2, 4}:
        parts += ["w", "-", "-", "0", "1"][len(parts) - 1 :]
    if len(parts) != 6:
        node.fail("must be a FEN of six parts: board, colour, castling, en passant, two numbers")
    whole, colour, castling, passing, half, full = parts
    board, bracket, pocket = whole.partition("[")
    if bracket and not (pockets and re.fullmatch(r"[qrbnpQRBNP]*\]", pocket)):
        node.fail(f"holds something else than pieces in brackets: {bracket}{pocket}")
    if pockets:
        for letter, man in PROMOTED.items():
            board = board.replace(man, letter)
    letters = "kqrbnpKQRBNP" + "".join(PROMOTED) * pockets
    SQUARES.check_rows(node, board, f"[1-8{letters}]+")
    men = SQUARES.men(board)
    if colour not in {"w", "b"}:
        node.fail(f"the second part says whose move it is, w or b, not {colour!r}")
    if pawns := [square for square, man in men.items() if man in "Pp" and square[1] in "18"]:
        node.fail(f"a pawn cannot stand on {pawns[0]}")
    own = [man.isupper() for man in (*men.values(), *pocket.rstrip("]"))]
    for white, name in ((True, "White"), (False, "Black")):
        number, most = [*men.values()].count("K" if white else "k"), 32 if pockets else 16
        if kings and number != 1:
            node.fail(f"{name} must have one king, not {number or 'none'}")
        if not own.count(white):
            node.fail(f"{name} has no piece")
        if own.count(white) > most:
            node.fail(f"{name} has more than {most} pieces")
    waiting = colour == "b"
    if kings and SQUARES.checks(men, capital=waiting):
        node.fail(f"{'White' if waiting else 'Black'} is in check, but it is not its move")
    rights = re.fullmatch(r"-|[KQA-H]{0,2}[kqa-h]{0,2}", castling)
    if rights is None or not castling:
        node.fail(f"the third part names the castlings left, such as KQkq or -, not {castling!r}")
    if not re.fullmatch(r"-|[a-h][36]", passing):
        node.fail(f"the fourth part is a square passed by a pawn, or -, not {passing!r}")
    if passing != "-":
        behind, pawn, before = ("4", "P", "3") if waiting else ("5", "p", "6")
        if passing[1] != before or men.get(f"{passing[0]}{behind}") != pawn or passing in men:
            node.fail(f"no pawn has just passed {passing}")
    if not all(re.fullmatch(r"[0-9]{1,4}", moves) for moves in (half, full)):
        node.fail(f"must end with two numbers of moves, not {half!r} and {full!r}")
    left = _castling(men, castling) if kings else "-"
    return " ".join((board + bracket + pocket, colour, left, passing, half, full))


def _castling(men: Men, castling: str) -> str:
    """Return the rights of castling that king and rook still stand for."""
    left = ""
    for right in castling.strip("-"):
        rank, rook = ("1", "R") if right.isupper() else ("8", "r")
        king = king_of(men, capital=right.isupper())
        rooks = [f"{file}{rank}" for file in SQUARES.files if men.get(f"{file}{rank}") == rook]
        east = [square for square in rooks if square > king]
        west = [square for square in rooks if square < king]
        side = {"K": east, "Q": west}.get(right.upper(), [f"{right.lower()}{rank}"])
        if king[1] == rank and set(side) & set(rooks):
            left += right
    return left or "-"


def unusual_castling(fen: str) -> str:
    """Return the rights of castling for which king or rook stand elsewhere than usually."""
    men = SQUARES.men(fen)
    usual = {"K": ("e1", "h1"), "Q": ("e1", "a1"), "k": ("e8", "h8"), "q": ("e8", "a8")}
    return "".join(
        right
        for right in fen.split()[2].strip("-")
        if right not in usual
        or [men.get(square, "").upper() for square in usual[right]] != ["K", "R"]
    )
