"""Crazyhouse: who captures a piece may put it back on the board as their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from referee_classics.chess import Chess, alphabets
from referee_classics.chess.fen import SQUARES
from referee_classics.classic import Position, State, Why
from referee_classics.data import SHARED, patterns
from referee_classics.pieces import king_of

_SAID: Final = patterns("referee_classics.chess", "patterns")


class Crazyhouse(Chess):
    """Crazyhouse by the usual rules: what was promoted is a pawn when it is taken."""

    resources = (__name__, "referee_classics.chess", SHARED)

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        men, white, legal = SQUARES.men(str(state)), " w " in str(state), {}
        king = king_of(men, capital=not white)
        for move, actions in super().listing(state).items():
            man, to, sign = move[0] if white else move[0].lower(), move[2:4], ""
            # The engine leaves out the signs of check and mate on drops.
            if "@" in move and king in SQUARES.goes({**men, to: man}, to):
                after = state.clone()
                after.apply_action(actions[0])
                sign = "#" if after.is_terminal() else "+"
            legal[f"{move}{sign}"] = actions
        # The engine names a promoted piece by a letter of its own: no player does.
        if not any(move[0] in "ECAH" for move in legal):
            return legal
        goes = {
            move: (move[0].translate(SQUARES.ours), self.to_way(state, action))
            for move, (action,) in legal.items() if move[0] in "QRBNECAH" and "@" not in move
        }  # fmt: skip
        named = {move: actions for move, actions in legal.items() if move not in goes}
        for move, (kind, way) in goes.items():
            starts = [at[:2] for man, at in goes.values() if (man, at[2:]) == (kind, way[2:])]
            names = ("", way[0], way[1], way[:2])
            start = next(name for name in names if sum(name in start for start in starts) == 1)
            takes, sign = "x" if "x" in move else "", move[len(move.rstrip("+#")) :]
            named[f"{kind}{start}{takes}{way[2:4]}{sign}"] = legal[move]
        return named

    def tidy(self, line: str) -> str:
        told = _SAID["put"].fullmatch(" ".join(line.casefold().rstrip(" .!").split()))
        if told and any(told[part] for part in ("verb", "hand", "sign", "behind")):
            kind = self.words.get(told["kind"], told["kind"]).upper() or "P"
            return f"{kind}@{told['to']}" if kind in {*"QRBNP"} else super().tidy(line)
        return super().tidy(line)

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        dropped = _SAID["dropped"].fullmatch(tidied)
        if dropped is None:
            yield from super().spellings(tidied, language)
            return
        piece, square = dropped[1].upper() or "P", dropped[2].lower()
        for english in alphabets(language):
            # Words were told in English letters, so a B is no German's pawn.
            if piece in english and (piece == "P") is (english[piece] == "P"):
                yield f"{english[piece]}@{square}{dropped[3]}"

    def ways(self, position: Position) -> dict[str, str]:
        # A drop is read as one by its sign alone.
        return {text: way for text, way in super().ways(position).items() if "@" not in text}

    def nearest(self, position: Position, move: str) -> list[str]:
        """Return drops of the same piece first, then other drops, the nearest square first."""
        dropped = _SAID["dropped"].fullmatch(move)
        if dropped is None:
            # What no man on the board can do, one in hand may.
            put = re.fullmatch(r"([QRBN]?)([a-h][1-8])[+#]?", move)
            drop = f"{put[1] or 'P'}@{put[2]}" if put else move
            legal = self.reached(position).legal
            drops = [text for text in legal if text.rstrip("+#") == drop]
            return [*drops, *super().nearest(position, move)]
        to = dropped[2].lower()

        def strangeness(text: str) -> tuple[bool, bool, int]:
            squares = re.findall(r"[a-h][1-8]", text) or [to]
            return text[:2] != move[:2], "@" not in text, SQUARES.apart(squares[-1], to)

        legal = self.reached(position).legal
        return sorted(legal, key=strangeness)

    def why_not(self, position: Position, move: str) -> Why:
        if "@" not in move:
            return super().why_not(position, move)
        board, white = self.board_text(position), self.to_act(position) == "white"
        (piece, to), men = move.rstrip("+#").split("@"), SQUARES.men(board)
        if (piece if white else piece.lower()) not in _pocket(board):
            return "not-in-hand", {"piece": self.kinds[piece]}
        if to in men:
            return "occupied", {"square": to}
        if piece == "P" and to[1] in "18":
            return "no-pawn-there", {"square": to}
        dropped = {**men, to: piece if white else piece.lower()}
        return self.barred(men, dropped, move, white=white) or super().why_not(position, move)

    def off(self, document: Any) -> Iterable[str]:
        return _pocket(document["board"])


def _pocket(board: str) -> str:
    """Return the letters of the pieces in hand, capital if they are White's."""
    return board.partition("[")[2].partition("]")[0]


GAME: Final = Crazyhouse("crazyhouse")
