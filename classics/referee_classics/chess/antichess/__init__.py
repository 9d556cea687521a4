"""Antichess: whoever can capture must, and who has no piece or no move left wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee_classics.chess import MOST_HALF_MOVES, Chess
from referee_classics.chess.fen import SQUARES
from referee_classics.classic import Position, State, Why, beginning
from referee_classics.data import SHARED
from referee_classics.pieces import Men


class Antichess(Chess):
    """Antichess (losing chess), in which the king is a piece like any other."""

    resources = (__name__, "referee_classics.chess", SHARED)

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        legal = super().listing(state)
        taking = {move: actions for move, actions in legal.items() if "x" in move}
        # To the engine en passant is no capture: it may be left out, or be listed beside others.
        for move, pawns in _passing(str(state)):
            taking[move] = (beginning(self.engine, pawns).string_to_action(move),)
        return taking or legal

    def to_way(self, state: State, action: int) -> str:
        # The engine shows no board of this game: start and end are the squares that change.
        after, white = state.clone(), " w " in str(state)
        after.apply_action(action)
        before, there = (
            {square: man for square, man in SQUARES.men(fen).items() if man.isupper() is white}
            for fen in (str(state), str(after))
        )
        left = next(square for square in before if square not in there)
        return left + next(square for square in there if before.get(square) != there[square])

    def why_not_castle(self, board: str, move: str) -> Why:
        return "no-castling", {}

    def barred(self, before: Men, men: Men, move: str, *, white: bool) -> Why | None:
        return "must-capture", {"move": move}

    def ending(self, position: Position) -> str:
        state = self.reached(position).state
        men = SQUARES.men(str(state)).values()
        if len(set(state.returns())) > 1:
            return "no-moves" if len({man.isupper() for man in men}) > 1 else "no-pieces"
        return "fifty-moves" if int(str(state).split()[4]) >= MOST_HALF_MOVES else "repetition"


def _passing(fen: str) -> Iterator[tuple[str, str]]:
    """Yield each capture en passant, with a board that holds the two pawns of it alone."""
    board, colour, _, passed = fen.split()[:4]
    if passed == "-":
        return
    men, (rank, own) = SQUARES.men(board), ("5", "P") if colour == "w" else ("4", "p")
    for file in SQUARES.files:
        if abs(ord(file) - ord(passed[0])) == 1 and men.get(f"{file}{rank}") == own:
            pair = {file: own, passed[0]: own.swapcase()}
            row = "".join(pair.get(other, "1") for other in SQUARES.files)
            rows = "/".join(row if other == rank else "8" for other in "87654321")
            yield f"{file}x{passed}", f"{rows} {colour} - {passed} 0 1"


GAME: Final = Antichess("antichess")
