"""Amazons: a move and its arrow are one order, ``d1-d7/g7``, of three actions of the engine."""

from __future__ import annotations

from typing import Final

from referee_classics.boards import BoardGame
from referee_classics.classic import Position, State, Why

SQUARES: Final = [f"{file}{rank}" for rank in range(10, 0, -1) for file in "abcdefghij"]
"""The squares by the engine's number."""


class Amazons(BoardGame):
    """The game of the amazons."""

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        legal: dict[str, tuple[int, ...]] = {}
        for start in state.legal_actions():
            chosen = state.clone()
            chosen.apply_action(start)
            for stop in chosen.legal_actions():
                moved = chosen.clone()
                moved.apply_action(stop)
                way = f"{SQUARES[start]}-{SQUARES[stop]}/"
                for shot in moved.legal_actions():
                    legal[f"{way}{SQUARES[shot]}"] = (start, stop, shot)
        return legal

    def why_barred(self, position: Position, move: str) -> Why:
        way = self.way(position, move)
        if len(way) < 2:
            return "only-arrow", {"space": way[0]}
        start, stop, *shot = way
        arrow = shot[0] if shot else ""
        if any(text.startswith(f"{start}-{stop}/") for text in self.reached(position).legal):
            if not shot:
                return "no-arrow", {"move": f"{start}-{stop}"}
            there = arrow in self.squares(position)
            return ("no-shot" if there else "no-such-space"), {"space": arrow}
        return super().why_barred(position, f"{start}-{stop}")


GAME: Final = Amazons("amazons")
