"""English draughts: captures that go on are one order, in numbers of squares or coordinates."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from referee.games.game import Scene, View, replace
from referee_classics.boards import BoardGame
from referee_classics.classic import Position, State, Why

DARK: Final = [f"{file}{rank}" for rank in range(1, 9) for file in ("hfdb", "geca")[rank % 2]]
NUMBERS: Final = {space: str(number) for number, space in enumerate(DARK, start=1)}
"""The number of each dark square, from Black's side, where the engine's first player sits."""


class Checkers(BoardGame):
    """English draughts (checkers): Black begins, whoever can capture must."""

    players = {"black": 0, "white": 1}

    def squares(self, position: Position) -> dict[str, str]:
        signs = super().squares(position)
        return {NUMBERS.get(space, space): sign for space, sign in signs.items()}

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        legal: dict[str, tuple[int, ...]] = {}
        begun: list[tuple[State, tuple[str, ...], tuple[int, ...]]] = [(state, (), ())]
        while begun:
            now, way, actions = begun.pop()
            for action in now.legal_actions():
                text, played, after = now.action_to_string(action), (*actions, action), now.clone()
                path = (*(way or (text[:2],)), text[2:4])
                sign = "x" if abs(ord(text[0]) - ord(text[2])) == 2 else "-"
                after.apply_action(action)
                if sign == "x" and after.current_player() == state.current_player():
                    begun.append((after, path, played))
                else:
                    legal[sign.join(NUMBERS[space] for space in path)] = played
        return legal

    def spellings(self, tidied: str, language: str) -> Iterable[str]:
        if not self.shape.fullmatch(tidied):
            return []
        names = re.findall(r"[a-h][1-8]|[0-9]+", tidied)
        sign = "x" if "x" in tidied else "-"
        return [sign.join(NUMBERS.get(name, name) for name in names)]

    def readings(self, position: Position, move: str) -> list[str]:
        ways = {text: self.way(position, text) for text in self.reached(position).legal}
        way = self.way(position, move)
        whole = [text for text, names in ways.items() if names == way]
        ends = [text for text, names in ways.items() if (names[0], names[-1]) == way]
        return [text for text in whole or ends if "x" in text or "x" not in move]

    def why_barred(self, position: Position, move: str) -> Why:
        legal, way = self.reached(position).legal, self.way(position, move)
        for text in legal:
            path = self.way(position, text)
            if len(path) > len(way) and path[: len(way)] == way:
                return "goes-on", {"move": move, "whole": text}
        code, fields = super().why_barred(position, move)
        if code != "out-of-reach":
            return code, fields
        if taken := [space for space in way[1:] if self.owner(self.squares(position), space)]:
            return "occupied", {"space": taken[0]}
        if "x" in move:
            return "no-jump", fields
        return ("must-capture" if any("x" in text for text in legal) else code), fields

    def ending(self, position: Position) -> str:
        if self.is_drawn(position):
            return "no-capture"
        squares = self.squares(position)
        owners = {self.owner(squares, space) for space in squares}
        return "no-move" if owners.issuperset(self.colours) else "no-man"

    def scene(self, view: View) -> Scene:
        scene, unnamed = super().scene(view), ("",) * 8
        # The dark squares bear their numbers.
        cells = tuple(
            replace(cell, space=number, name=number) if number else replace(cell, sign=" ")
            for cell in scene.cells
            for number in [NUMBERS.get(cell.space, "")]
        )
        return replace(
            scene, cells=cells, row_names=unnamed, column_names=unnamed,
            legend=(("b", "seat", "black"), ("w", "seat", "white"), ("B/W", "mark", "king")),
        )  # fmt: skip


GAME: Final = Checkers("checkers")
