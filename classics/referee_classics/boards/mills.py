"""Nine men's morris: a mill and the man it takes are one order, ``d6-d7xg7``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from referee.games.game import Order, Scene, Sentence, View, replace
from referee_classics.above import panels_of
from referee_classics.boards import BoardGame
from referee_classics.classic import Move, Position, State, Why


class NineMensMorris(BoardGame):
    """Nine men's morris; whoever has three men left may fly.

    ``crossings`` are the points in the engine's sequence, row by row from the highest.
    """

    crossings: Sequence[str]

    def rows(self, state: State) -> list[str]:
        return ["".join(re.findall("[.WB]", str(state).partition("Current")[0]))]

    def signs(self, state: State) -> dict[str, str]:
        (signs,) = self.rows(state)
        return dict(zip(self.crossings, signs, strict=True))

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        legal: dict[str, tuple[int, ...]] = {}
        for action in state.legal_actions():
            move, after = "-".join(self._points(state, action)), state.clone()
            after.apply_action(action)
            if after.is_terminal() or after.current_player() != state.current_player():
                legal[move] = (action,)
                continue
            for taken in after.legal_actions():
                legal[f"{move}x{self._points(after, taken)[0]}"] = (action, taken)
        return legal

    def spellings(self, tidied: str, language: str) -> Iterable[str]:
        parts = self.shape.fullmatch(tidied)
        if parts is None:
            return []
        start, sign, stop, taken = parts.groups()
        # Two points are a way, or two men that are put: the refusal shows no sign nobody wrote.
        way = f"{start}{sign or ' '}{stop}" if stop else start
        return [f"{way}x{taken}" if taken else way]

    def clicks(self, view: View, order: Order) -> tuple[str, ...]:
        return tuple(re.findall(r"[a-g][1-7]", order.move)) if isinstance(order, Move) else ()

    def why_barred(self, position: Position, move: str) -> Why:
        legal, (way, _, taken) = self.reached(position).legal, move.partition("x")
        way = way.replace(" ", "-")
        if any(text.partition("x")[0] == way for text in legal):
            code = "no-mill" if way in legal else "not-taken" if taken else "mill"
            return code, {"move": way, "space": taken or way}
        placing = not any("-" in text for text in legal)
        if placing is ("-" in way):
            return "still-placing" if placing else "all-placed", {"move": move}
        return super().why_barred(position, way)

    def ending(self, position: Position) -> str:
        if self.is_drawn(position):
            return "long"
        signs = [*self.squares(position).values()]
        return "beaten" if min(map(signs.count, self.men)) < 3 else "no-move"

    def scene(self, view: View) -> Scene:
        # Mills are closed on three points of a row, or of a column.
        columns = sorted(self.crossings, key=lambda point: (point[0], -int(point[1])))
        ways = (points[n : n + 3] for points in (self.crossings, columns) for n in range(0, 24, 3))
        text = str(self.reached(self.seen(view)).state)
        left, men = (
            re.findall("[0-9]+", line)
            for line in text.splitlines()
            if line.startswith(("Men to deploy", "Num men"))
        )
        told = [
            Sentence("men", {"seat": seat, "men": int(here), "left": int(beside)})
            for seat, here, beside in zip(self.colours, men, left, strict=True)
        ]
        panels = panels_of(men=told)
        return replace(super().scene(view), lines=tuple(map(tuple, ways)), panels=panels)

    def _points(self, state: State, action: int) -> list[str]:
        numbers = re.findall("[0-9]+", state.action_to_string(action))
        return [self.crossings[int(number)] for number in numbers]


GAME: Final = NineMensMorris("ninemensmorris")
