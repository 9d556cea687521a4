"""Matches of several games or deals, whose points are added up."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence

from referee.games.documents import Node
from referee.games.game import BadDocument, Options, Seat, replace
from referee_classics.classic import Classic, Position, Reached, reach


class Series(Classic):
    """A match of several games, of which the engine plays one.

    The start of a position is its number and the points that everybody has from those before it.
    ``goal`` is the option that says how many points end a match.
    """

    # Cards have no spaces, and the points of a board have other names for the other side.
    space = "(?!)"
    draws = False
    scored = True
    goal: str = "target"

    def uses_chance(self, options: Options) -> bool:
        return True

    @abstractmethod
    def gained(self, position: Position) -> Sequence[int]:
        """Return the points of this game by seat, as far as it has come."""

    def target(self, position: Position) -> int:
        return int(dict(position.options)[self.goal])

    def is_last(self, position: Position, totals: Sequence[int]) -> bool:
        """Whether no game follows one that ended with these points."""
        return max(totals) >= self.target(position)

    def begun(self, position: Position) -> tuple[int, tuple[int, ...]]:
        """Return the number of the game, and the points of those before it."""
        number, *points = map(int, (position.start or "1").split())
        return number, tuple(points) or (0,) * len(position.seats)

    def totals(self, position: Position) -> list[int]:
        before = self.begun(position)[1]
        return [old + new for old, new in zip(before, self.gained(position), strict=True)]

    def settled(self, position: Position) -> tuple[str, ...]:
        """Return the outcomes of the engine's draws before a game, settled by its number."""
        return ()

    def reached(self, position: Position) -> Reached:
        moves = (*self.settled(position), *position.moves)
        return reach(position.rules, "", moves, self.listing)

    def read_start(self, node: Node) -> str:
        if not re.fullmatch(r"[1-9]\d?( (0|[1-9]\d{0,2})){2,7}", node.text()):
            told = "the number of the deal and everybody's points"
            node.fail(f"must be {told}, such as '4 20 0 33 25'")
        return node.text()

    def check_start(self, position: Position) -> None:
        if len(self.begun(position)[1]) != len(position.seats):
            raise BadDocument("$.start", f"must have the points of {len(position.seats)} seats")

    def going_on(self, position: Position) -> Position:
        if self.to_act(position) is not None:
            return position
        number, totals = self.begun(position)[0], self.totals(position)
        if self.is_last(position, totals):
            return position
        return replace(position, start=" ".join(map(str, (number + 1, *totals))), moves=())

    def points(self, position: Position) -> Mapping[Seat, int]:
        return dict(zip(position.seats, self.totals(position), strict=True))
