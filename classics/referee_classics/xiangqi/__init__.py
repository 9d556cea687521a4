"""Xiangqi: the notation of its federation, squares, and Chinese signs."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from referee.games.game import Figure, Ground, Order, Scene, View, replace
from referee.text import likeness
from referee_classics.classic import Position, State, Why
from referee_classics.data import STROKES, patterns, signs_by_word
from referee_classics.pieces import (
    DIAGONAL,
    STRAIGHT,
    TAKING,
    Men,
    PieceGame,
    Squares,
    king_of,
    moved,
)

_SIGNS: Final = str.maketrans(signs_by_word(__name__, "signs"))

_KINDS: Final = str.maketrans("GBNS.", "KEHP=")
_SAID: Final = patterns(__name__, "patterns")


_LEAPS: Final = {
    "E": [((x, y), (2 * x, 2 * y)) for x, y in DIAGONAL],
    "H": [((x, y), (2 * x + to * y, 2 * y + to * x)) for x, y in STRAIGHT for to in (1, -1)],
}
"""The steps of elephant and horse, each behind that of the point on its way that must be free."""


class _Palaces(Squares):
    """The board of xiangqi, with a palace on either side and a river between them."""

    def goes(self, men: Men, square: str) -> Iterator[str]:
        man, red = men[square].upper(), men[square].isupper()

        def is_own_half(place: str) -> bool:
            return (place[1] <= "4") is red

        if man in "RC":
            for along, up in STRAIGHT:
                way = [*self.line(square, along, up)]
                stops = [place for place in way if place in men]
                yield from way[: way.index(stops[0])] if stops else way
                # A cannon captures beyond the piece that it jumps.
                yield from stops[:1] if man == "R" else stops[1:2]
        elif man in "KA":
            for along, up in STRAIGHT if man == "K" else DIAGONAL:
                to = self.at(square, along, up)
                if to and to[0] in "def" and to[1] in ("012" if red else "789"):
                    yield to
        elif man in _LEAPS:
            for between, step in _LEAPS[man]:
                to = self.at(square, *step)
                if to and self.at(square, *between) not in men and (man == "H" or is_own_half(to)):
                    yield to
        else:
            steps = [(0, 1 if red else -1), *([] if is_own_half(square) else [(1, 0), (-1, 0)])]
            yield from filter(None, (self.at(square, along, up) for along, up in steps))


SQUARES: Final = _Palaces("abcdefghi", "0123456789", engines=("GSgs", "KPkp"))

USUAL: Final = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR"


def are_facing(men: Men) -> bool:
    """Return whether the generals stand on one file with nothing between them."""
    red, black = (king_of(men, capital=capital) for capital in (True, False))
    return red[0] == black[0] and not {*SQUARES.way(red, black)[:-1]} & men.keys()


class Xiangqi(PieceGame):
    """Xiangqi, Chinese chess. Who cannot move has lost; repetition is not forbidden."""

    squares, usual = SQUARES, USUAL
    grounds = {"point": Ground("light", "#f0d9a8", told=False)}

    # Moves.

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        men = SQUARES.men(str(state))
        ways = {self.to_way(state, action): action for action in state.legal_actions()}
        # Where front and rear may mean either of two, the squares tell.
        tandems = {way: _names(men, way)[1] for way in ways}
        often = Counter(tandems.values())
        names = {way: tandem if often[tandem] == 1 else way for way, tandem in tandems.items()}
        return {name: (ways[way],) for way, name in names.items()}

    def to_way(self, state: State, action: int) -> str:
        places = re.findall(r"(\d),(\d)", state.action_to_string(action))
        return "".join(f"{SQUARES.files[int(x)]}{9 - int(y)}" for y, x in places)

    def parse(self, line: str, language: str) -> Order:
        # A sign before the letter says which of two on a file is meant, and is no mark of a list.
        text = unicodedata.normalize("NFKC", line).translate(_SIGNS)
        text = re.sub(r"^\s*([+-])([a-zA-Z])(?=[-+=.][1-9])", r"\2\1", text)
        return super().parse(text, language)

    def tidy(self, line: str) -> str:
        return super().tidy(self.in_signs(line))

    def spellings(self, tidied: str, language: str) -> Iterable[str]:
        text = re.sub(r"^\d{1,3}\.+(?=\D)", "", tidied)
        if named := _SAID["named"].fullmatch(text):
            piece, start, to = named.groups()
            yield f"{start}{to}" if start else f"{piece.translate(_KINDS)}={to}"
        squares = re.sub(r"(?<=\d)(?:-|to|nach|auf)(?=[a-i]\d)", "", text.lower())
        squares = re.sub(rf"(?<=\d)(?:[x:×]|{'|'.join(TAKING)})(?=[a-i]\d)", "x", squares)
        if _SAID["coordinates"].fullmatch(squares.replace("x", "")):
            yield squares
        elif _SAID["wxf"].fullmatch(text.upper().translate(_KINDS)):
            yield text.upper().translate(_KINDS)

    def readings(self, position: Position, move: str) -> list[str]:
        ways, men = self.ways(position), SQUARES.men(self.board_text(position))
        if move in ways:
            return [move]
        if "x" in move:
            # Whoever takes something where nothing is sees another board.
            return self.readings(position, move.replace("x", "")) if move[3:] in men else []
        # Where two files have two pieces each, front and rear may mean either of two.
        return [text for text, way in ways.items() if _says(move, men, way)]

    def nearest(self, position: Position, move: str) -> list[str]:
        """Return moves of the same piece first, then those that look or lead most alike."""
        move = move.replace("x", "")
        ways, men = self.ways(position), SQUARES.men(self.board_text(position))

        def strangeness(text: str) -> tuple[bool | float, ...]:
            way = ways[text]
            if _SAID["coordinates"].fullmatch(move):
                return way[:2] != move[:2], SQUARES.apart(way[2:], move[2:])
            plain, _ = _names(men, way)
            return plain[0] != move[:1], plain[1] != move[1:2], -likeness(move, text)

        return sorted(ways, key=strangeness)

    def why_not(self, position: Position, move: str) -> Why:
        men, red = SQUARES.men(self.board_text(position)), self.to_act(position) == "red"
        if "x" in move and (meant := self.readings(position, move.replace("x", ""))):
            return "takes-nothing", {"move": meant[0]}
        move = move.replace("x", "")
        if _SAID["coordinates"].fullmatch(move):
            if why := self.why_not_own(men, move[:2], capital=red):
                return why
            able = [move[:2]]
        else:
            kind, anywhere = move[0] if red else move[0].lower(), move[2] in SQUARES.files
            own = [square for square, man in men.items() if man == kind]
            able = [at for at in own if anywhere or move[1] in {"+", "-", _file(at, red=red)}]
        if not able:
            return "no-such-piece", {"piece": self.kinds[move[0]], "where": move[1]}
        ways = [square + to for square in able for to in SQUARES.goes(men, square)]
        for way in ways:
            if _says(move, men, way):
                to = way[2:]
                if to in men and men[to].isupper() is red:
                    return "own-piece", {"piece": self.word(men, to), "square": to}
                there = moved(men, way[:2], to)
                if are_facing(there):
                    return "facing", {}
                if check := self.why_not_check(there, capital=red):
                    still = check[1]["square"] in SQUARES.checks(men, capital=red)
                    return check[0], {**check[1], "still": still}
        piece = self.word(men, able[0])
        for square in able:
            for to in SQUARES.goes({square: men[square]}, square):
                if _says(move, men, square + to):
                    code = "no-screen" if piece == "cannon" and to in men else "blocked"
                    return code, {"piece": piece, "square": square, "to": to}
        goes = [(at, to) for at in able for to in SQUARES.goes({at: men[at]}, at)]
        if piece == "soldier" and move[2:3] == "=" and all(at[0] == to[0] for at, to in goes):
            return "before-river", {}
        if any(_is_beyond(move, men[square], square) for square in able):
            return "off-board", {"move": move}
        start = able[0] if len(able) == 1 else ""
        return "out-of-reach", {"piece": piece, "start": start, "move": move}

    def ending(self, position: Position) -> str:
        return "move-limit" if self.is_drawn(position) else self.stopped(position)

    # What is seen.

    def figure(self, kind: str, *, own: bool) -> Figure:
        return Figure("M50 5A45 45 0 1 1 50 95A45 45 0 1 1 50 5Z", STROKES[kind])

    def scene(self, view: View) -> Scene:
        return replace(super().scene(view), lattice="crossings", lines=_LINES)


_LINES: Final = (
    *(tuple(f"{file}{rank}" for file in SQUARES.files) for rank in SQUARES.ranks[::-1]),
    *(tuple(f"{file}{rank}" for rank in SQUARES.ranks[::-1]) for file in "ai"),
    *(tuple(f"{file}{rank}" for rank in half) for file in "bcdefgh" for half in ("01234", "56789")),
    ("d0", "e1", "f2"), ("f0", "e1", "d2"), ("d7", "e8", "f9"), ("f7", "e8", "d9"),
)  # fmt: skip
"""The lines of the board: the river parts the files, and the palaces have diagonals."""


def _file(square: str, *, red: bool) -> str:
    """Return the number of a square's file, which each side counts from its right."""
    column = SQUARES.files.index(square[0])
    return str(9 - column if red else column + 1)


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


def _is_beyond(move: str, man: str, square: str) -> bool:
    """Return whether a piece that goes straight would leave the board."""
    sign, steps = move[2:3], move[3:]
    if man.upper() not in "KRCP" or sign not in {"+", "-"} or not steps.isdigit():
        return False
    ahead = int(steps) if (sign == "+") is man.isupper() else -int(steps)
    return not 0 <= int(square[1]) + ahead <= int(SQUARES.ranks[-1])


def _says(move: str, men: Men, way: str) -> bool:
    """Return whether a text is that of a move: its squares, its file, or a piece and its goal."""
    return move in {way, f"{men[way[:2]].upper()}={way[2:]}", *_names(men, way)}


GAME: Final = Xiangqi("xiangqi")
