"""The board of chess as text (FEN), and where its pieces can go.

The engine knows the rules; this tells a player why it does not let a piece go somewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from referee.games.documents import Node

FILES: Final = "abcdefgh"

USUAL: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
"""The pieces of the usual start."""

Men: TypeAlias = Mapping[str, str]
"""The letter of each piece by its square, capital if it is White's."""

STEPS: Final[Mapping[str, tuple[tuple[int, int], ...]]] = {
    "N": tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)),
    "K": tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)),
    "R": ((1, 0), (-1, 0), (0, 1), (0, -1)),
    "B": ((1, 1), (1, -1), (-1, 1), (-1, -1)),
}
"""The directions of knight, king, rook and bishop; a queen has the king's."""


PROMOTED: Final[Mapping[str, str]] = {
    "Q~": "E", "R~": "C", "B~": "A", "N~": "H", "q~": "e", "r~": "c", "b~": "a", "n~": "h",
}  # fmt: skip
"""The engine's letters of pieces that are pawns again when taken (crazyhouse)."""

PLAIN: Final = str.maketrans({letter: man[0] for man, letter in PROMOTED.items()})


def men_of(fen: str) -> dict[str, str]:
    """Return the pieces of a board."""
    men: dict[str, str] = {}
    board = fen.split(maxsplit=1)[0].partition("[")[0].translate(PLAIN)
    for rank, row in zip("87654321", board.split("/"), strict=True):
        spread = re.sub(r"\d", lambda empty: " " * int(empty[0]), row)
        men |= {f"{file}{rank}": man for file, man in zip(FILES, spread, strict=True) if man != " "}
    return men


def is_white(man: str) -> bool:
    """Return whether a piece is White's."""
    return man.isupper()


def goes(men: Men, square: str) -> Iterator[str]:
    """Yield the squares that a piece attacks."""
    kind, file, rank = men[square].upper(), FILES.index(square[0]), int(square[1])
    if kind == "P":
        ahead = 1 if is_white(men[square]) else -1
        steps: tuple[tuple[int, int], ...] = ((-1, ahead), (1, ahead))
    else:
        steps = STEPS["K" if kind == "Q" else kind]
    for along, up in steps:
        for far in range(1, 8 if kind in "QRB" else 2):
            x, y = file + along * far, rank + up * far
            if not (0 <= x < 8 and 1 <= y <= 8):
                break
            yield f"{FILES[x]}{y}"
            if f"{FILES[x]}{y}" in men:
                break


def attackers(men: Men, square: str, *, white: bool) -> list[str]:
    """Return the squares from which one side's pieces attack a square."""
    own = [place for place, man in men.items() if is_white(man) is white]
    return [place for place in own if square in goes(men, place)]


def reaches(men: Men, square: str, to: str) -> bool:
    """Return whether a piece could go to a square if its king were in no danger."""
    man = men[square]
    if to in men and is_white(men[to]) is is_white(man):
        return False
    if man.upper() != "P":
        return to in goes(men, square)
    ahead = 1 if is_white(man) else -1
    if square[0] != to[0]:
        # What is taken in passing stands elsewhere, and the engine knows when.
        return to in men and to in goes(men, square)
    far = (int(to[1]) - int(square[1])) * ahead
    way = [f"{square[0]}{int(square[1]) + ahead * n}" for n in range(1, far + 1)]
    most = 2 if square[1] == ("2" if ahead == 1 else "7") else 1
    return 1 <= far <= most and not set(way) & men.keys()


def king_of(men: Men, *, white: bool) -> str:
    """Return the square of a side's king."""
    return next(square for square, man in men.items() if man == ("K" if white else "k"))


def read_fen(node: Node, *, kings: bool = True, pockets: bool = False) -> str:
    """Return the text of a start that can be played. Raises BadDocument for any other.

    Without ``kings`` no piece is royal; with ``pockets`` captured pieces stand behind the board.
    """
    fen = " ".join(node.text().split())
    parts = fen.split(" ")
    if len(parts) in {1, 2}:
        parts += ["w", "-", "-", "0", "1"][len(parts) - 1 :]
    if len(parts) == 4:
        parts += ["0", "1"]
    if len(parts) != 6:
        node.fail("must be a FEN of six parts: board, colour, castling, en passant, two numbers")
    whole, colour, castling, passing, half, full = parts
    board, bracket, pocket = whole.partition("[")
    if bracket and not (pockets and re.fullmatch(r"[qrbnpQRBNP]*\]", pocket)):
        node.fail(f"holds something else than pieces in brackets: {bracket}{pocket}")
    if pockets:
        board = re.sub(r"[QRBNqrbn]~", lambda man: PROMOTED[man[0]], board)
    rows = board.split("/")
    if len(rows) != 8:
        node.fail(f"must have 8 ranks, not {len(rows)}")
    for rank, row in zip("87654321", rows, strict=True):
        if not re.fullmatch(r"[1-8kqrbnpKQRBNP]+", row.translate(PLAIN) if pockets else row):
            node.fail(f"rank {rank} holds something else than pieces and numbers: {row}")
        size = sum(int(sign) if sign.isdigit() else 1 for sign in row)
        if size != 8:
            node.fail(f"rank {rank} has {size} squares, not 8: {row}")
    men = men_of(board)
    if colour not in {"w", "b"}:
        node.fail(f"the second part says whose move it is, w or b, not {colour!r}")
    if pawns := [square for square, man in men.items() if man in "Pp" and square[1] in "18"]:
        node.fail(f"a pawn cannot stand on {pawns[0]}")
    own = [is_white(man) for man in (*men.values(), *pocket.rstrip("]"))]
    for white, name in ((True, "White"), (False, "Black")):
        number = list(men.values()).count("K" if white else "k")
        if kings and number != 1:
            node.fail(f"{name} must have one king, not {number or 'none'}")
        if not own.count(white):
            node.fail(f"{name} has no piece")
        if own.count(white) > (32 if pockets else 16):
            node.fail(f"{name} has more than {32 if pockets else 16} pieces")
    waiting = colour == "b"
    if kings and attackers(men, king_of(men, white=waiting), white=not waiting):
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
    if not all(re.fullmatch(r"\d{1,4}", moves) for moves in (half, full)):
        node.fail(f"must end with two numbers of moves, not {half!r} and {full!r}")
    left = _castling(men, castling) if kings else "-"
    return " ".join((board + bracket + pocket, colour, left, passing, half, full))


def _castling(men: Men, castling: str) -> str:
    """Return the rights of castling that king and rook still stand for."""
    left = ""
    for right in castling.strip("-"):
        rank, rook = ("1", "R") if right.isupper() else ("8", "r")
        king = king_of(men, white=right.isupper())
        rooks = [f"{file}{rank}" for file in FILES if men.get(f"{file}{rank}") == rook]
        east = [square for square in rooks if square > king]
        west = [square for square in rooks if square < king]
        side = {"K": east, "Q": west}.get(right.upper(), [f"{right.lower()}{rank}"])
        if king[1] == rank and set(side) & set(rooks):
            left += right
    return left or "-"


def unusual_castling(fen: str) -> str:
    """Return the rights of castling for which king or rook stand elsewhere than usually."""
    men = men_of(fen)
    usual = {"K": ("e1", "h1"), "Q": ("e1", "a1"), "k": ("e8", "h8"), "q": ("e8", "a8")}
    return "".join(
        right
        for right in fen.split()[2].strip("-")
        if right not in usual
        or [men.get(square, "").upper() for square in usual[right]] != ["K", "R"]
    )
