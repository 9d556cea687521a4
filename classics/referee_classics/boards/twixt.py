"""Twixt on 24 by 24 holes. Links are made by themselves, and no two of them cross.

The engine shows them as strokes of text, so they are made from the moves. There is one size alone:
the engine keeps what may cross for all boards at once, by the size of the one begun last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from referee.games.game import Fact, Json, Move, Scene, Sentence, View, replace
from referee_classics.above import panels_of
from referee_classics.boards import BoardGame, beside
from referee_classics.classic import Position, State

Peg: TypeAlias = tuple[int, int]
"""A hole by its column from the left and its row from above, from 0."""

Links: TypeAlias = dict[tuple[Peg, Peg], int]
"""The player of each link by its pegs, the left one first, in the sequence of making."""

_KNIGHT: Final = ((1, -2), (1, 2), (2, -1), (2, 1), (-1, 2), (-1, -2), (-2, 1), (-2, -1))
"""The ways of a link, to the right and down."""


class Twixt(BoardGame):
    """Twixt: a chain of linked pegs from one's own side to the other."""

    def rows(self, state: State) -> list[str]:
        return [row[5::3].rstrip() for row in str(state).splitlines() if re.match(" *[0-9]", row)]

    def signs(self, state: State) -> dict[str, str]:
        # A board of twixt has no corners.
        return {space: sign for space, sign in super().signs(state).items() if sign != " "}

    def links(self, position: Position) -> list[Move]:
        """Return the links of a position, in the sequence in which they were made."""
        return [
            Move(self.colours[player], tuple(beside("a1", *peg) for peg in link))
            for link, player in _links(position.moves).items()
        ]

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        (fact,), made = super().told(before, move, after), self.links(after)
        made = made[len(self.links(before)) :]
        pegs: list[Json] = [space for link in made for space in link.spaces if space != move]
        return [Fact("moved", {**fact.fields, "linked": pegs})]

    def scene(self, view: View) -> Scene:
        scene, links = super().scene(view), self.links(self.seen(view))
        names, last = scene.column_names, scene.rows
        sides = (
            *(Move("red", (f"b{row}", f"{names[-2]}{row}")) for row in (1, last)),
            *(Move("blue", (f"{column}2", f"{column}{last - 1}")) for column in names[:: last - 1]),
        )
        told = list[Sentence]()
        for seat in self.colours:
            chains = _chains(link.spaces for link in links if link.seat == seat)
            ways: list[Json] = [*map("-".join, chains)]
            told += [Sentence("linked", {"seat": seat, "chains": ways})] if ways else []
        return replace(
            scene, cells=tuple(replace(cell, sign="+") for cell in scene.cells),
            panels=(*scene.panels, *panels_of(links=told)), lines=(*sides, *links),
        )  # fmt: skip


@lru_cache(maxsize=200)
def _links(moves: Sequence[str]) -> Links:
    """Return the links that moves make, as each peg is linked when it is put."""
    pegs: dict[Peg, int] = {}
    links: Links = {}
    for number, move in enumerate(moves):
        player = number % 2
        if move == "swap":
            # The first peg becomes the other's, and is worth to them what it was to its player.
            (column, row), _ = pegs.popitem()
            peg = (23 - row, column)
        else:
            peg = (ord(move[0]) - ord("a"), int(move[1:]) - 1)
        pegs[peg] = player
        for right, down in _KNIGHT:
            other = (peg[0] + right, peg[1] + down)
            if pegs.get(other) == player and not any(_cross(peg, other, *link) for link in links):
                links[min(peg, other), max(peg, other)] = player
    return links


def _cross(first: Peg, second: Peg, third: Peg, fourth: Peg) -> bool:
    """Whether two links cross, each given by its pegs."""

    def side(a: Peg, b: Peg, c: Peg) -> int:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    parts = side(first, second, third) * side(first, second, fourth)
    return parts < 0 and side(third, fourth, first) * side(third, fourth, second) < 0


def _chains(links: Iterable[tuple[str, ...]]) -> list[list[str]]:
    """Return links drawn together to as few ways as is easily done, peg by peg."""
    chains: list[list[str]] = []
    for first, second in links:
        for old, new in ((first, second), (second, first)):
            if chain := next((chain for chain in chains if chain[-1] == old), None):
                chain.append(new)
                break
            if chain := next((chain for chain in chains if chain[0] == old), None):
                chain.insert(0, new)
                break
        else:
            chains.append([first, second])
    return chains


GAME: Final = Twixt("twixt")
