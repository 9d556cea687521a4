"""Games on boards of squares, crossings or hexes, read out of the engine's text.

A game here is data: the engine's name, who sits where, the signs of the engine's board, sizes, and
the shape of its moves. What is a game's own, such as captures that go on, is in a file beside this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_lowercase
from typing import Final, Literal

from referee.games.game import View
from referee.games.scene import Figure, Mark, Move, Scene, Shape
from referee.games.values import Order, Seat, Sentence
from referee.value import Value, replace
from referee_classics import classic
from referee_classics.above import CHEQUERED, WOOD, connected, from_above, lit, panels_of
from referee_classics.classic import Classic, Position, State, Why
from referee_classics.data import SHARED, whole


class Man(Value, array_like=True):
    """Something on a board: its key under ``mark``, its letter as text, whose it is, its shape."""

    word: str
    letter: str
    seat: Seat | None = None
    shape: Shape | Figure | None = "stone"


class BoardGame(Classic):
    """A game of two whose whole board is to be seen, row by row, in the engine's text.

    Of ``men`` each has the engine's sign; ``row`` is the pattern of a row of them. ``rising`` says
    that the first row is the lowest, ``upward`` that the engine's text begins with it, ``faces``
    that everybody sees their own men below. A line of the pattern ``form``, without spaces, is a
    move, and ``spelled`` a template of its groups; in both the letters of ``spelling`` stand for
    others.

    ``engines`` are letters of the engine's moves and ours for them, ``respelled`` patterns of its
    moves and templates of ours. ``barred`` is the code of a refusal that has no other reason.
    ``line`` is how many men in one line win; where a chain wins, ``steps`` are the columns and
    numbers from a space to half of its neighbours, the others lying opposite. ``remark`` is the
    panel, and its one sentence, that stands beside every board.
    """

    men: Mapping[str, Man] = {}
    row: str = r"^(?:[svz^ ]*[0-9]+)?([ .\-\[\]{signs}]+)[a-z^ ]*[0-9]*$"
    rising: bool = True
    upward: bool = False
    faces: bool = False
    ground: str = "square"
    fill: str = WOOD
    lattice: Literal["spaces", "crossings", "hexes"] = "spaces"
    form: str = "{space}"
    spelled: str = r"\g<0>"
    spelling: tuple[str, str] = ("", "")
    engines: tuple[str, str] = ("", "")
    respelled: Sequence[tuple[str, str]] = ()
    written = {"de": {"pass": "passe", "swap": "tausche"}}
    barred: str = "out-of-reach"
    line: int = 0
    steps: Sequence[tuple[int, int]] = ()
    remark: str = ""
    family = (__name__, SHARED)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.shape = re.compile(whole(__name__, self.form))
        self.said = {"pass": "pass", **self.said}
        self.goes = "{way}" in self.form

    # The board.

    def rows(self, state: State) -> list[str]:
        """Return the signs of each row, from the highest on the engine's board; free is a dot."""
        row = self.row.replace("{signs}", re.escape("".join(self.men)))
        rows = re.findall(row, str(state), re.MULTILINE)
        rows = [re.sub(r"[ \[\]]", "", row).replace("-", ".") for row in rows]
        return [row for row in (rows[::-1] if self.upward else rows) if row]

    def signs(self, state: State) -> dict[str, str]:
        """Return the sign of every space of the board, by its letter and number."""
        rows = self.rows(state)
        return {
            f"{letter}{len(rows) - number if self.rising else number + 1}": sign
            for number, row in enumerate(rows)
            for letter, sign in zip(self.letters(number, len(rows)), row, strict=False)
        }

    def squares(self, position: Position) -> dict[str, str]:
        """Return the sign of every space, by the name that players know it by."""
        return self.signs(self.reached(position).state)

    def letters(self, row: int, rows: int) -> str:
        """Return the letters of the columns of a row, counted from the highest."""
        return ascii_lowercase

    def board_text(self, position: Position) -> str:
        return "/".join(self.rows(self.reached(position).state))

    def owner(self, squares: Mapping[str, str], space: str) -> Seat | None:
        """Return the seat of the man on a space; None if it is free."""
        man = self.men.get(squares.get(space, ""))
        return man.seat if man else None

    # Moves.

    def spell(self, state: State, action: int) -> str:
        # Whoever plays where the only man stands takes it over.
        if "swap" in self.said and [action] == state.history():
            return "swap"
        text = super().spell(state, action).translate(str.maketrans(*self.engines))
        for engines, ours in self.respelled:
            text = re.sub(engines, ours, text)
        return text

    def spellings(self, tidied: str, language: str) -> Iterable[str]:
        if (parts := self.shape.fullmatch(tidied)) is None:
            return []
        # Of half an order the sign goes that would stand before the rest.
        spelled = parts.expand(self.spelled).rstrip(" /")
        return [spelled.translate(str.maketrans(*self.spelling))]

    def readings(self, position: Position, move: str) -> list[str]:
        legal = self.reached(position).legal
        if move in legal:
            return [move]
        meant = [text for text in legal if plain(text) == plain(move)]
        # Of men that move the goal may be all that is told, with the file they come from.
        if not meant and self.goes and len(way := self.way(position, move)) == 1:
            file = move.partition(way[0])[0].rstrip("x-")
            meant = [text for text in legal if text.endswith(way[0]) and text.startswith(file)]
        # Whoever takes something where nothing is sees another board.
        return meant if "x" not in move else [text for text in meant if "x" in text]

    def why_not(self, position: Position, move: str) -> Why:
        return (f"no-{move}", {}) if move in self.said else self.why_barred(position, move)

    def why_barred(self, position: Position, move: str) -> Why:
        """Return the code and fields of a refusal of a move that is no word."""
        if "x" in move and (meant := self.readings(position, move.replace("x", "-"))):
            return "takes-nothing", {"move": meant[0]}
        squares, way, seat = self.squares(position), self.way(position, move), self.to_act(position)
        if beyond := [space for space in way if space not in squares]:
            return "no-such-space", {"space": beyond[0]}
        if len(way) == 1 and self.goes:
            return "none-goes", {"space": way[0]}
        if len(way) == 1:
            if squares[way[0]] in self.men:
                return "occupied", {"space": way[0]}
        elif squares[way[0]] not in self.men:
            return "nothing-there", {"space": way[0]}
        elif self.owner(squares, way[0]) != seat:
            return "not-yours", {"space": way[0]}
        elif self.owner(squares, way[-1]) == seat and way[0] != way[-1]:
            return "own-man", {"space": way[-1]}
        return self.barred, {"move": move}

    def points(self, position: Position) -> Mapping[Seat, int]:
        squares = self.squares(position) if self.scored else {}
        owners = [self.owner(squares, space) for space in squares]
        return {seat: owners.count(seat) for seat in position.seats}

    # What is seen.

    def winning(self, squares: Mapping[str, str]) -> list[Move]:
        """Return the lines of as many men as win."""
        lines = []
        for space in squares if self.line else ():
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line, beyond, seat = [space], beside(space, right, up), self.owner(squares, space)
                while seat and self.owner(squares, beyond) == seat:
                    line, beyond = [*line, beyond], beside(beyond, right, up)
                begun = self.owner(squares, beside(space, -right, -up)) == seat
                if seat and not begun and len(line) >= self.line:
                    lines.append(Move(seat, tuple(line)))
        return lines

    def chain(self, squares: Mapping[str, str], last: str) -> set[str]:
        """Return the spaces of the men that hang together with the one that came last."""
        own = {space for space in squares if squares[space] == squares[last]}
        steps = [*self.steps, *((-right, -up) for right, up in self.steps)]
        return connected([last], lambda space: own & {beside(space, *step) for step in steps})

    def scene(self, view: View) -> Scene:
        position = self.seen(view)
        signs = self.signs(self.reached(position).state)
        # The engine's first player sits below.
        turned = self.faces and self.players[view.seat or self.colours[0]] == 1
        columns = sorted({space[0] for space in signs}, reverse=turned)
        rows = sorted({int(space[1:]) for space in signs}, reverse=self.rising is not turned)
        scene = from_above(
            columns, [*map(str, rows)],
            CHEQUERED if self.ground == "chequered" else {self.ground: self.fill},
            lambda space: self.marks(signs.get(space, "")),
        )  # fmt: skip
        lines = self.winning(signs)
        told = [Sentence("line", {"seat": line.seat, "spaces": [*line.spaces]}) for line in lines]
        chained = []
        if self.steps and not self.is_drawn(position):
            # Whoever won made the last move.
            last = position.moves[-1]
            chain = self.chain(signs, last)
            scene = lit(scene, chain)
            spaces = [cell.space for cell in scene.cells if cell.space in chain]
            chained = [Sentence("line", {"seat": self.owner(signs, last), "spaces": [*spaces]})]
        always = {self.remark: [Sentence(self.remark)]} if self.remark else {}
        return replace(
            scene, cells=tuple(cell for cell in scene.cells if cell.space in signs),
            legend=tuple(
                (man.letter, "seat", man.seat) if man.seat else (man.letter, "mark", man.word)
                for man in self.men.values()
            ),
            lattice=self.lattice, lines=tuple(lines),
            panels=panels_of(line=told, chain=chained, **always),
        )  # fmt: skip

    def marks(self, sign: str) -> tuple[Mark, ...]:
        man = self.men.get(sign)
        return (Mark(man.letter, man.word, man.seat, man.shape),) if man else ()


def plain(move: str) -> str:
    """Return a move without the signs between its spaces."""
    return re.sub(r"[-x/() ]", "", move)


def beside(space: str, right: int, up: int) -> str:
    """Return the name of the space so many columns to the right and rows up."""
    return f"{chr(ord(space[0]) + right)}{int(space[1:]) + up}"


def sides_of(space: str, far: int) -> list[int]:
    """Return the sides of a hexagon that a space is on; ``far`` is the steps along one."""
    x, y = ord(space[0]) - ord("a"), int(space[1:]) - 1
    steps = (x, y, 2 * far - x, 2 * far - y, far + x - y, far + y - x)
    return [side for side, away in enumerate(steps) if not away]


class ConnectFour(BoardGame):
    """Connect four, in columns a to g; the space that a disc falls to may be told as well."""

    def way(self, position: Position, move: str) -> tuple[str, ...]:
        free = [space for space, sign in self.squares(position).items() if sign == "."]
        return tuple(sorted(space for space in free if space[0] == move[0])[:1])

    def readings(self, position: Position, move: str) -> list[str]:
        falls = move[1:] == "" or self.way(position, move) == (move,)
        return super().readings(position, move[0]) if falls else []

    def why_barred(self, position: Position, move: str) -> Why:
        if move[1:] and (falls := self.way(position, move)):
            return "falls-to", {"column": move[0], "space": falls[0]}
        return "column-full" if move[0] in "abcdefg" else "no-such-column", {"column": move[0]}


class Gomoku(BoardGame):
    """Gomoku on 15 by 15 crossings: five or more in a row."""

    def spell(self, state: State, action: int) -> str:
        row, column = divmod(action, 15)
        return f"{ascii_lowercase[column]}{15 - row}"

    def scene(self, view: View) -> Scene:
        scene, grid = super().scene(view), dict[str, list[str]]()
        for cell in scene.cells:
            grid.setdefault(cell.space[0], []).append(cell.space)
            grid.setdefault(cell.space[1:], []).append(cell.space)
        return replace(scene, lines=(*map(tuple, grid.values()), *scene.lines))


class Breakthrough(BoardGame):
    """Breakthrough, won on the far row or where the other side has no man left."""

    def ending(self, position: Position) -> str:
        # Whoever won made the last move.
        squares, last = self.squares(position), position.moves[-1]
        through = last[-1] == ("8" if self.owner(squares, last[-2:]) == "white" else "1")
        return "through" if through else "none-left"


class LinesOfAction(BoardGame):
    """Lines of action, drawn when a position comes back."""

    def why_barred(self, position: Position, move: str) -> Why:
        code, fields = super().why_barred(position, move)
        if code != "not-so-far":
            return code, fields
        start, stop = self.way(position, move)
        right, up = ord(stop[0]) - ord(start[0]), int(stop[1:]) - int(start[1:])
        if len({abs(right), abs(up)} - {0}) != 1:
            return "not-straight", fields
        squares = self.squares(position)
        steps = ((right > 0) - (right < 0), (up > 0) - (up < 0))
        line = [beside(start, n * steps[0], n * steps[1]) for n in range(-8, 9)]
        men = sum(squares.get(space, ".") != "." for space in line)
        return code, {**fields, "men": men}

    def ending(self, position: Position) -> str:
        if not self.is_drawn(position):
            return "joined"
        before = (replace(position, moves=position.moves[:n]) for n in range(len(position.moves)))
        here = self.board_text(position)
        return "repetition" if any(self.board_text(was) == here for was in before) else "long"


class Hex(BoardGame):
    """Hex on a slanted board; the second player may take the first stone over, mirrored."""

    def scene(self, view: View) -> Scene:
        scene, sides = super().scene(view), dict[tuple[Seat, int], list[str]]()
        for cell in scene.cells:
            sides.setdefault(("red", cell.row), []).append(cell.space)
            sides.setdefault(("blue", cell.column), []).append(cell.space)
        edges = [(seat, edge) for seat in self.colours for edge in (0, scene.rows - 1)]
        return replace(scene, lines=tuple(Move(side[0], tuple(sides[side])) for side in edges))


class Havannah(BoardGame):
    """Havannah: a ring, a bridge or a fork."""

    def ending(self, position: Position) -> str:
        if self.is_drawn(position):
            return "full"
        squares, last = self.squares(position), position.moves[-1]
        far = len(self.rows(self.reached(position).state)) // 2
        touched = [sides_of(space, far) for space in self.chain(squares, last)]
        if sum(len(sides) == 2 for sides in touched) > 1:
            return "bridge"
        # A corner belongs to no side.
        joined = {side for sides in touched if len(sides) == 1 for side in sides}
        return "fork" if len(joined) > 2 else "ring"

    def letters(self, row: int, rows: int) -> str:
        return ascii_lowercase[max(0, rows // 2 - row) :]


class Pentago(BoardGame):
    """Pentago, whose quarters are told apart by their shades."""

    def ending(self, position: Position) -> str:
        if not self.is_drawn(position):
            return "five"
        return "both" if self.winning(self.squares(position)) else "full"

    def clicks(self, view: View, order: Order) -> tuple[str, ...]:
        # The stone and the turn.
        return tuple(order.move.split()) if isinstance(order, classic.Move) else ()

    def scene(self, view: View) -> Scene:
        scene = super().scene(view)
        cells = (
            replace(cell, ground="dark" if (cell.row < 3) is (cell.column < 3) else "light")
            for cell in scene.cells
        )
        return replace(scene, cells=tuple(cells))


OTHELLO: Final = BoardGame("othello")
CONNECT_FOUR: Final = ConnectFour("connectfour")
GOMOKU: Final = Gomoku("gomoku")
BREAKTHROUGH: Final = Breakthrough("breakthrough")
LINES_OF_ACTION: Final = LinesOfAction("linesofaction")
CLOBBER: Final = BoardGame("clobber")
HEX: Final = Hex("hex")
Y: Final = BoardGame("y")
HAVANNAH: Final = Havannah("havannah")
PENTAGO: Final = Pentago("pentago")
