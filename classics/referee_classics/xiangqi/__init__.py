"""Xiangqi: the notation of its federation, squares, and Chinese signs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, TypeAlias

from referee.games.game import (
    MOST_SUGGESTIONS,
    Cell,
    Fact,
    Figure,
    Ground,
    Json,
    Mark,
    Order,
    Panel,
    Scene,
    Sentence,
    View,
)
from referee.text import likeness
from referee_classics.aside import lost, pieces_aside
from referee_classics.classic import Classic
from referee_classics.engine import State
from referee_classics.position import Move, Position
from referee_classics.strokes import STROKES

PIECES: Final[Mapping[str, str]] = {
    "K": "general", "A": "advisor", "E": "elephant", "H": "horse", "R": "chariot",
    "C": "cannon", "P": "soldier",
}  # fmt: skip
"""The words of the pieces, by letter."""

FILES, RANKS = "abcdefghi", "9876543210"

Men: TypeAlias = Mapping[str, str]
"""The letter of each piece by its square, capital if it is Red's."""

_ORTHOGONAL: Final = ((0, 1), (0, -1), (1, 0), (-1, 0))
_DIAGONAL: Final = ((1, 1), (1, -1), (-1, 1), (-1, -1))

_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("車车俥", "R"),
        **dict.fromkeys("馬马傌", "H"), **dict.fromkeys("炮砲包", "C"),
        **dict.fromkeys("相象", "E"), **dict.fromkeys("仕士", "A"), **dict.fromkeys("兵卒", "P"),
        **dict.fromkeys("帥将將帅", "K"), **dict.fromkeys("進进前", "+"),
        **dict.fromkeys("退后後", "-"),
        "平": "=", "–": "-", **dict.fromkeys("!?"),
        **{sign: str(number) for number, sign in enumerate("一二三四五六七八九", start=1)},
    }
)  # fmt: skip

_KINDS: Final = str.maketrans("GBNS.", "KEHP=")
_WXF: Final = re.compile(r"([KAEHRCP])([1-9+-])([+=-])([1-9])")
_COORDINATES: Final = re.compile(r"([a-i][0-9])([a-i][0-9])")


def men_of(board: str) -> dict[str, str]:
    """Return the pieces of a board of the engine by their squares."""
    letters = str.maketrans("GSgs", "KPkp")
    return {
        f"{file}{rank}": man.translate(letters)
        for rank, row in zip(RANKS, board.split("\n"), strict=True)
        for file, man in zip(FILES, row, strict=True)
        if man != "."
    }


def goes(men: Men, square: str) -> Iterator[str]:
    """Yield the squares that a piece could go to if its general were in no danger."""
    man, red = men[square].upper(), men[square].isupper()
    column, row = FILES.index(square[0]), int(square[1])

    def at(along: int, up: int) -> str:
        x, y = column + along, row + up
        return f"{FILES[x]}{y}" if 0 <= x < 9 and 0 <= y < 10 else ""

    def is_own_half(place: str) -> bool:
        return (place[1] <= "4") is red

    if man in "RC":
        for x, y in _ORTHOGONAL:
            way = [place for far in range(1, 10) if (place := at(x * far, y * far))]
            stops = [place for place in way if place in men]
            yield from way[: way.index(stops[0])] if stops else way
            # A cannon captures beyond the piece that it jumps.
            yield from stops[:1] if man == "R" else stops[1:2]
    elif man in "KA":
        for x, y in _ORTHOGONAL if man == "K" else _DIAGONAL:
            to = at(x, y)
            if to and to[0] in "def" and to[1] in ("012" if red else "789"):
                yield to
    elif man == "E":
        for x, y in _DIAGONAL:
            if (to := at(2 * x, 2 * y)) and is_own_half(to) and at(x, y) not in men:
                yield to
    elif man == "H":
        for x, y in _ORTHOGONAL:
            if at(x, y) not in men:
                yield from filter(
                    None, (at(2 * x + side * y, 2 * y + side * x) for side in (1, -1))
                )
    else:
        steps = [(0, 1 if red else -1), *([] if is_own_half(square) else [(1, 0), (-1, 0)])]
        yield from filter(None, (at(x, y) for x, y in steps))


def attackers(men: Men, *, red: bool) -> list[str]:
    """Return the squares of the pieces that give check to a side's general."""
    general = next(square for square, man in men.items() if man == ("K" if red else "k"))
    others = [square for square, man in men.items() if man.isupper() is not red]
    return [square for square in others if general in goes(men, square)]


def are_facing(men: Men) -> bool:
    """Return whether the generals stand on one file with nothing between them."""
    red, black = (next(square for square, man in men.items() if man == king) for king in "Kk")
    between = {f"{red[0]}{rank}" for rank in range(int(red[1]) + 1, int(black[1]))}
    return red[0] == black[0] and not between & men.keys()


class Xiangqi(Classic):
    """Xiangqi, Chinese chess. Who cannot move has lost; repetition is not forbidden."""

    name = "xiangqi"
    engine = "xiangqi"
    colours = ("red", "black")
    max_orders = 501
    endings = frozenset({"no-moves", "move-limit"})

    # Moves.

    def named(self, state: State) -> dict[str, tuple[str, str, int]]:
        """Return squares, plain text and the engine's number of each legal move, by its text."""
        men = men_of(str(state))
        plain: list[tuple[str, str, str, int]] = []
        for action in state.legal_actions():
            rows_and_columns = re.findall(r"(\d),(\d)", state.action_to_string(action))
            way = "".join(f"{FILES[int(x)]}{RANKS[int(y)]}" for y, x in rows_and_columns)
            plain.append((way, *_names(men, way), action))
        tandems = [tandem for _, _, tandem, _ in plain]
        return {
            tandem if tandems.count(tandem) == 1 else way: (way, text, action)
            for way, text, tandem, action in plain
        }

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        return {text: (action,) for text, (_, _, action) in self.named(state).items()}

    def parse(self, line: str, language: str) -> Order:
        # A sign before the letter says which of two on a file is meant, and is no mark of a list.
        text = unicodedata.normalize("NFKC", line).translate(_SIGNS)
        return super().parse(
            re.sub(r"^\s*([+-])([a-zA-Z])(?=[-+=.][1-9])", r"\2\1", text), language
        )

    def spellings(self, tidied: str, language: str) -> Iterable[str]:
        text = re.sub(r"^\d{1,3}\.+(?=\D)", "", tidied)
        squares = re.sub(r"(?<=\d)-(?=[a-i])", "", text.lower())
        if _COORDINATES.fullmatch(squares):
            yield squares
        elif _WXF.fullmatch(text.upper().translate(_KINDS)):
            yield text.upper().translate(_KINDS)

    def readings(self, position: Position, move: str) -> list[str]:
        state = self.reached(position).state
        named, men = self.named(state), men_of(str(state))
        if move in named:
            return [move]
        # Where two files have two pieces each, front and rear may mean either of two.
        return [
            text for text, (way, _, _) in named.items() if move == way or move in _names(men, way)
        ]

    def nearest(self, position: Position, move: str) -> tuple[Order, ...]:
        """Return moves of the same piece first, then those that look or lead most alike."""
        named = self.named(self.reached(position).state)

        def strangeness(text: str) -> tuple[bool | float, ...]:
            way, plain, _ = named[text]
            if _COORDINATES.fullmatch(move):
                pairs = zip(way[2:], move[2:], strict=True)
                return way[:2] != move[:2], max(abs(ord(a) - ord(b)) for a, b in pairs)
            return plain[0] != move[:1], plain[1] != move[1:2], -likeness(move, text)

        return tuple(Move(text) for text in sorted(named, key=strangeness)[:MOST_SUGGESTIONS])

    def way(self, position: Position, move: str) -> tuple[str, ...]:
        way, _, _ = self.named(self.reached(position).state)[move]
        return way[:2], way[2:]

    def why_not(self, position: Position, move: str) -> tuple[str, dict[str, Json]]:
        men, red = men_of(self.board_text(position)), self.to_act(position) == "red"
        if move not in self.spellings(move, "en"):
            return super().why_not(position, move)
        if _COORDINATES.fullmatch(move):
            if move[:2] not in men:
                return "nothing-there", {"square": move[:2]}
            if men[move[:2]].isupper() is not red:
                return "not-yours", {"piece": PIECES[men[move[:2]].upper()], "square": move[:2]}
            able = [move[:2]]
        else:
            able = [
                square for square, man in men.items()
                if man == (move[0] if red else move[0].lower())
                and move[1] in {"+", "-", _file(square, red=red)}
            ]  # fmt: skip
        if not able:
            return "no-such-piece", {"piece": PIECES[move[0]], "file": move[1].strip("+-")}
        ways = [square + to for square in able for to in goes(men, square)]
        for way in ways:
            if move == way or move in _names(men, way):
                to = way[2:]
                if to in men and men[to].isupper() is red:
                    return "own-piece", {"piece": PIECES[men[to].upper()], "square": to}
                there = {place: man for place, man in men.items() if place != way[:2]}
                there[to] = men[way[:2]]
                if are_facing(there):
                    return "facing", {}
                for square in attackers(there, red=red):
                    return "in-check", {"piece": PIECES[there[square].upper()], "square": square}
        piece = PIECES[men[able[0]].upper()]
        for square in able:
            for to in goes({square: men[square]}, square):
                if move == square + to or move in _names(men, square + to):
                    code = "no-screen" if piece == "cannon" and to in men else "blocked"
                    return code, {"piece": piece, "square": square, "to": to}
        start = able[0] if len(able) == 1 else ""
        return "out-of-reach", {"piece": piece, "start": start, "move": move}

    # What happened.

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        facts, seat = super().told(before, move, after), "black"
        if self.to_act(before) == "black":
            seat = "red"
        if attackers(men_of(self.board_text(after)), red=seat == "red"):
            over = self.result(after) is not None and self.ending(after) == "no-moves"
            facts.append(Fact("mated" if over else "checked", {"seat": seat}))
        return facts

    def ending(self, position: Position) -> str:
        return "no-moves" if any(self.reached(position).state.returns()) else "move-limit"

    def scene(self, view: View) -> Scene:
        document: Any = view.document
        men = men_of(document["board"])
        files, ranks = (FILES, RANKS) if view.seat != "black" else (FILES[::-1], RANKS[::-1])
        cells = tuple(
            Cell(f"{file}{rank}", row, column, "point", ".", _marks(men.get(f"{file}{rank}")))
            for row, rank in enumerate(ranks) for column, file in enumerate(files)
        )  # fmt: skip
        gone = sorted(lost(_ALL, men.values()), key=lambda man: [*PIECES].index(man.upper()))
        taken, track = pieces_aside("taken", "lost", {
            seat: [*chain(*(_marks(man) for man in gone if man.isupper() is red))]
            for seat, red in (("red", True), ("black", False))
        })  # fmt: skip
        last = Sentence("last-moves", {"moves": list(document["moves"][-6:])})
        return Scene(
            10, 9, cells, (*taken, Panel("moves", (last,))) if document["moves"] else taken,
            {"point": "#f0d9a8"},
            tuple((letter, "mark", word) for letter, word in PIECES.items()),
            grounds={"point": Ground("light", "#f0d9a8", told=False)},
            row_names=tuple(ranks), column_names=tuple(files), lattice="crossings", lines=_LINES,
            tracks=(track,),
        )  # fmt: skip


_LINES: Final = (
    *(tuple(f"{file}{rank}" for file in FILES) for rank in RANKS),
    *(tuple(f"{file}{rank}" for rank in RANKS) for file in "ai"),
    *(tuple(f"{file}{rank}" for rank in half) for file in "bcdefgh" for half in ("01234", "56789")),
    ("d0", "e1", "f2"), ("f0", "e1", "d2"), ("d7", "e8", "f9"), ("f7", "e8", "d9"),
)  # fmt: skip
"""The lines of the board: the river parts the files, and the palaces have diagonals."""

_ALL: Final = "RHEAKAEHRCCPPPPP" + "rheakaehrccppppp"
"""The pieces with which a game begins."""

_DISC: Final = "M50 5A45 45 0 1 1 50 95A45 45 0 1 1 50 5Z"


def _marks(man: str | None) -> tuple[Mark, ...]:
    if man is None:
        return ()
    seat = "red" if man.isupper() else "black"
    return (Mark(man, PIECES[man.upper()], seat, Figure(_DISC, STROKES[man.upper()])),)


def _file(square: str, *, red: bool) -> str:
    """Return the number of a square's file, which each side counts from its right."""
    return str(9 - FILES.index(square[0]) if red else FILES.index(square[0]) + 1)


def _names(men: Men, way: str) -> tuple[str, str]:
    """Return a move's text by its file, and by front or rear where two stand on it."""
    start, to, man = way[:2], way[2:], men[way[:2]]
    red = man.isupper()
    ahead = (int(to[1]) - int(start[1])) * (1 if red else -1)
    sign = "+" if ahead > 0 else "-" if ahead < 0 else "="
    aim = _file(to, red=red) if start[0] != to[0] else str(abs(ahead))
    plain = f"{man.upper()}{_file(start, red=red)}{sign}{aim}"
    beside = [square for square, other in men.items() if other == man and square[0] == start[0]]
    if len(beside) != 2 or man in "KkAaEe":
        return plain, plain
    is_front = start == (max(beside) if red else min(beside))
    return plain, f"{man.upper()}{'+' if is_front else '-'}{sign}{aim}"


GAME: Final = Xiangqi()
