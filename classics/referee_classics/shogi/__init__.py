"""Shogi: Western notation, squares, and moves as Japanese players write them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from referee.games.documents import Node
from referee.games.game import Figure, Ground, Order
from referee_classics.classic import Position, State, Why
from referee_classics.data import STROKES, patterns, signs_by_word
from referee_classics.pieces import PieceGame, moved, squares_of

RANKS: Final = "abcdefghi"

SQUARES: Final = squares_of(__name__)

_SAID: Final = patterns(__name__, "patterns")

_SIGNS: Final = str.maketrans(signs_by_word(__name__, "signs"))


def hand_of(sfen: str) -> list[str]:
    """Return the letters of the pieces that both sides have in hand, Black's in capitals."""
    counted = re.findall(r"(\d*)([a-zA-Z])", sfen.split()[2])
    return [man for count, man in counted for _ in range(int(count or 1))]


def piece_in(move: str) -> str:
    """Return the letter of the piece that a move in its one spelling moves, with its plus."""
    return move[: 2 if move[0] == "+" else 1]


class Shogi(PieceGame):
    """Shogi by the usual rules; a king that enters the far camp with 28 points wins."""

    squares, promotes = SQUARES, "[+=]$"
    grounds = {"square": Ground("light", "#f0d9a8", told=False)}

    def read_start(self, node: Node) -> str:
        parts = node.text().split()
        if len(parts) == 3:
            parts.append("1")
        if len(parts) != 4:
            node.fail("must be an SFEN of four parts: board, colour, hands, number of the move")
        board, colour, hands, number = parts
        SQUARES.check_rows(node, board, r"(?:[1-9]|[KGkg]|\+?[PLNSRBplnsrb])+")
        if colour not in {"b", "w"}:
            node.fail(f"the second part says whose move it is, b or w, not {colour!r}")
        if not re.fullmatch(r"-|(?:(?:[2-9]|1[0-8])?[PLNSGRBplnsgrb])+", hands):
            node.fail(f"the third part holds the pieces in hand, or -, not {hands!r}")
        if not re.fullmatch(r"[1-9][0-9]{0,3}", number):
            node.fail(f"must end with the number of the move, not {number!r}")
        men = SQUARES.men(board)
        sfen = " ".join(parts)
        kinds = [man.lstrip("+").upper() for man in (*men.values(), *hand_of(sfen))]
        for kind, most in (("P", 18), ("L", 4), ("N", 4), ("S", 4), ("G", 4), ("B", 2), ("R", 2)):
            if kinds.count(kind) > most:
                node.fail(f"has more than {most} of {kind}")
        for man, name in (("K", "Black"), ("k", "White")):
            if list(men.values()).count(man) != 1:
                node.fail(f"{name} must have one king")
            pawn = "P" if man == "K" else "p"
            pawns = [square[0] for square, other in men.items() if other == pawn]
            if len(set(pawns)) < len(pawns):
                node.fail(f"{name} has two pawns on one file")
        for square, man in men.items():
            if not list(SQUARES.goes(men, square)):
                node.fail(f"{self.kinds[man.upper()]} on {square} could never move")
        if SQUARES.checks(men, capital=colour == "w"):
            waiting = "Black" if colour == "w" else "White"
            node.fail(f"{waiting} is in check, but it is not its move")
        return self.unfinished(node, sfen)

    # Moves.

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        men = SQUARES.men(str(state))
        usi = {self.to_way(state, action): action for action in state.legal_actions()}
        moving = {way[:4] for way in usi if way[1] != "*"}
        often = Counter((men[way[:2]].upper(), way[2:]) for way in moving)
        legal: dict[str, tuple[int, ...]] = {}
        for way, action in usi.items():
            if way[1] == "*":
                legal[way] = (action,)
                continue
            man, to = men[way[:2]].upper(), way[2:4]
            start = way[:2] if often[man, to] > 1 else ""
            declined = "=" if f"{way}+" in usi else ""
            legal[f"{man}{start}{'x' if to in men else '-'}{to}{way[4:] or declined}"] = (action,)
        return legal

    def to_way(self, state: State, action: int) -> str:
        return self.spell(state, action)

    def parse(self, line: str, language: str) -> Order:
        # A plus before a letter is a promoted piece, and no mark of a list.
        return super().parse(re.sub(r"^(\W*)\+(?=[a-zA-Z])", r"\1成", line), language)

    def tidy(self, line: str) -> str:
        text = re.sub(r"^\s*\d{1,3}\s*[.)]\s*", "", unicodedata.normalize("NFKC", line))
        text = _SAID["check"].sub("", text)
        text = self.in_signs(_SAID["unpromoted"].sub("=", _SAID["drop"].sub(r"\1 *", text)))
        text = re.sub(r"成(?=[a-zA-Z])", "+", text)
        text = re.sub(r"\s*([-x*+=])\s*", r"\1", text.translate(_SIGNS)).strip()
        japanese = _SAID["japanese"].fullmatch(text)
        if japanese is None:
            return text
        to, man, dropped, becomes, *start = japanese.groups("")
        sign = {"成": "+", "不成": "="}.get(becomes, "")
        return f"{man.replace('成', '+')}{''.join(start)}{dropped}{to}{sign}"

    def spellings(self, tidied: str, language: str) -> Iterable[str]:
        written = _SAID["written"].fullmatch(tidied)
        if written is None:
            return
        piece = written["piece"].upper().replace("D", "+R").replace("H", "+B").replace("++", "+")
        start, to = (
            square[:1] + RANKS[int(square[1]) - 1] if square[1:].isdigit() else square.lower()
            for square in (written["start"], written["to"])
        )
        # A lone square is a pawn's; two numbers alone are none of the squares that players write.
        if not (piece or start or written["how"]) and tidied[1:2].isalpha():
            piece = "P"
        if piece in self.kinds or (not piece and tidied[1:2].isalpha() and start):
            how = written["how"].lower() if piece else ""
            yield f"{piece}{start}{how}{to}{written['becomes']}"

    def where_played(self, position: Position, move: str) -> str:
        """Return a move with the square that 同 stands for, where there is one."""
        last = re.search(r"[1-9][a-i](?=[+=]?$)", position.moves[-1] if position.moves else "")
        return move.replace("同", last[0]) if last else move

    def readings(self, position: Position, move: str) -> list[str]:
        move = self.where_played(position, move)
        ways, written = self.ways(position), _SAID["written"].fullmatch(move)
        if move in ways or written is None:
            return [move] if move in ways else []
        meant = [
            text for text, way in ways.items()
            if way[2:4] == written["to"]
            and written["piece"] in {"", piece_in(text)}
            and written["start"] in {"", "" if way[1] == "*" else way[:2]}
            and (written["becomes"] == "+") <= text.endswith("+")
            and (written["becomes"] == "=") <= (not text.endswith("+"))
        ]  # fmt: skip
        dropped = [text for text in meant if ways[text][1] == "*"]
        moved = [text for text in meant if text not in dropped]
        if written["how"] == "*":
            return dropped
        # Who writes no sign of a drop means a piece of the board, where one can go there.
        moved.sort(key=lambda text: not text.endswith("+"))
        return moved or ([] if written["how"] else dropped)

    def nearest(self, position: Position, move: str) -> list[str]:
        """Return moves of the same piece first, then those to the square or near it."""
        written = _SAID["written"].fullmatch(self.where_played(position, move))
        if written is None:
            return super().nearest(position, move)
        ways, men = self.ways(position), SQUARES.men(self.board_text(position))
        man = men.get(written["start"], "").upper()

        def strangeness(text: str) -> tuple[bool | int, ...]:
            way = ways[text]
            return (
                piece_in(text) != (written["piece"] or man), way[:2] != written["start"],
                way[2:4] != written["to"], (way[1] == "*") is not (written["how"] == "*"),
                SQUARES.apart(way[2:4], written["to"]),
            )  # fmt: skip

        return sorted(ways, key=strangeness)

    def why_not(self, position: Position, move: str) -> Why:
        board, black = self.board_text(position), self.to_act(position) == "black"
        move = self.where_played(position, move)
        written, men = _SAID["written"].fullmatch(move), SQUARES.men(board)
        if written is None:
            return super().why_not(position, move)
        piece, start, how, to, becomes = written.groups()
        if how == "*":
            man, ranks = (piece, RANKS) if black else (piece.lower(), RANKS[::-1])
            if man not in hand_of(board):
                return "not-in-hand", {"piece": self.kinds[piece]}
            if to in men:
                return "occupied", {"square": to}
            if ranks.index(to[1]) < {"P": 1, "L": 1, "N": 2}.get(piece, 0):
                return "no-way-on", {"piece": self.kinds[piece], "square": to}
            if piece == "P" and any(men.get(f"{to[0]}{rank}") == man for rank in RANKS):
                return "two-pawns", {"file": to[0]}
            return self.why_not_check({**men, to: man}, capital=black) or ("pawn-mate", {})
        if start and (why := self.why_not_own(men, start, capital=black)):
            return why
        own = {square: man.upper() for square, man in men.items() if man.isupper() is black}
        able = [at for at, man in own.items() if piece in {"", man} and start in {"", at}]
        if not able:
            return "no-such-piece", {"piece": self.kinds[piece], "square": start}
        if piece == "P":
            able = [square for square in able if square[0] == to[0]] or able
        named = self.word(men, able[0])
        if to in men and men[to].isupper() is black:
            return "own-piece", {"piece": self.word(men, to), "square": to}
        for square in able:
            if to in SQUARES.goes(men, square):
                code = "no-promotion" if becomes == "+" else "must-promote"
                check = self.why_not_check(moved(men, square, to), capital=black)
                return check or (code, {"piece": named})
        for square in able:
            alone = {square: men[square]}
            if to in SQUARES.goes(alone, square) and (why := self.why_blocked(men, square, to)):
                return why
        start = able[0] if len(able) == 1 else ""
        return "out-of-reach", {"piece": named, "start": start, "square": to}

    # What happened.

    def ending(self, position: Position) -> str:
        state = self.reached(position).state
        won = len(set(state.returns())) > 1
        if state.is_repetition_end():
            return "perpetual-check" if won else "repetition"
        if not won:
            return "impasse"
        entered = state.board().has_legal_moves(False)
        return "entering-king" if entered else self.stopped(position)

    def off(self, document: Any) -> list[str]:
        return hand_of(document["board"])

    def figure(self, kind: str, *, own: bool) -> Figure:
        outline = "M50 8L73 18L84 92H16L27 18Z" if own else "M50 92L27 82L16 8H84L73 82Z"
        return Figure(outline, "".join(STROKES[sign] for sign in kind))


GAME: Final = Shogi("shogi")
