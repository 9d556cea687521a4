"""Dots and boxes: a line is named by its two dots, ``a1-b1``, a box by two dots that face."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from math import isqrt
from string import ascii_lowercase
from typing import Final

from referee.games.game import Cell, Fact, Figure, Json, Scene, View
from referee_classics.above import plain_scene
from referee_classics.boards import BoardGame, Man
from referee_classics.classic import Position, State, Why
from referee_classics.data import STROKES

_SIGNS: Final = str.maketrans(" ─│", ".-|", "")
_ACROSS: Final = Figure("M-45 48H145V52H-45Z")
_UPRIGHT: Final = Figure("M48 -45H52V145H48Z")
_BOX: Final = "M-18 -18H118V118H-18Z"


class DotsAndBoxes(BoardGame):
    """Dots and boxes: whoever closes a box draws again."""

    men = {
        "1": Man("box", "R", "red", Figure(_BOX, STROKES["R"])),
        "2": Man("box", "B", "blue", Figure(_BOX, STROKES["B"])),
        "-": Man("line", "-", None, _ACROSS), "|": Man("line", "|", None, _UPRIGHT),
    }  # fmt: skip

    def rows(self, state: State) -> list[str]:
        # Every other sign of the engine's drawing is a dot, a line or a box.
        rows = (row[::2].translate(_SIGNS) for row in str(state).splitlines() if row)
        return [re.sub("[┌-┼]", "+", row) for row in rows]

    def signs(self, state: State) -> dict[str, str]:
        rows = self.rows(state)
        return {
            _name(column, len(rows) - 1 - down): sign
            for down, row in enumerate(rows)
            for column, sign in enumerate(row)
        }

    def spell(self, state: State, action: int) -> str:
        way, down, column = re.findall(r"[hv]|\d+", state.action_to_string(action)[2:])
        # In n rows of boxes there are 2 * n * (n + 1) lines.
        up = 2 * (isqrt(state.num_distinct_actions() // 2) - int(down))
        return _name(2 * int(column) + (way == "h"), up - (way == "v"))

    def spellings(self, tidied: str, language: str) -> Iterable[str]:
        dots = self.shape.fullmatch(tidied)
        ends = sorted(dots.groups(), key=lambda dot: (len(dot), dot)) if dots else []
        return ["-".join(ends)] if ends else []

    def why_barred(self, position: Position, move: str) -> Why:
        squares = self.squares(position)
        if beyond := [dot for dot in move.split("-") if dot not in squares]:
            return "no-such-space", {"space": beyond[0]}
        return "occupied" if squares.get(move) in {"-", "|"} else "not-beside", {"space": move}

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        (fact,), was = super().told(before, move, after), self.squares(before)
        changed = [space for space, sign in self.squares(after).items() if sign != was[space]]
        boxes: list[Json] = [space for space in changed if space != move]
        return [Fact("moved", {**fact.fields, "boxes": boxes})]

    def scene(self, view: View) -> Scene:
        squares = self.squares(self.seen(view))
        wide = isqrt(len(squares))
        signs = {space: "+" if sign == "+" else " " for space, sign in squares.items()}
        cells = (
            Cell(space, *divmod(number, wide), "paper", signs[space], self.marks(sign))
            for number, (space, sign) in enumerate(squares.items())
        )
        # Dots alone have names: they take turns with what lies between them.
        return plain_scene(
            cells, {"paper": "#f7f3e8"}, lattice="crossings",
            legend=(("R", "seat", "red"), ("B", "seat", "blue"), ("-", "mark", "line")),
            row_names=tuple("" if up % 2 else str(up // 2 + 1) for up in range(wide)[::-1]),
            column_names=tuple("" if at % 2 else ascii_lowercase[at // 2] for at in range(wide)),
            # Nothing joins the dots before somebody does.
            lines=tuple((space,) for space, sign in signs.items() if sign == "+"),
        )  # fmt: skip


@cache
def _name(column: int, up: int) -> str:
    """Return the dots that a dot, line or box lies between, by half columns and half rows."""
    first, last = (f"{ascii_lowercase[(column + n) // 2]}{(up + n) // 2 + 1}" for n in (0, 1))
    return first if first == last else f"{first}-{last}"


GAME: Final = DotsAndBoxes("dotsandboxes")
