"""Kalah and oware: seeds sown from houses that each side names from its own left."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from referee.games.game import Called, Cell, Mark, Scene, Seat, View
from referee_classics.above import WOOD, plain_scene
from referee_classics.boards import BoardGame
from referee_classics.classic import Position, State, Why


class Sowing(BoardGame):
    """A game of two rows of six houses; the first of each is at its owner's left."""

    names: str
    """The names of the houses of either side."""

    def seeds(self, state: State) -> dict[Seat, list[int]]:
        """Return the seeds of each seat: its houses from its left, and its store."""
        upper, stores, lower = (
            [int(number) for number in re.findall("[0-9]+", row)]
            for row in str(state).splitlines()[:3]
        )
        return {"south": [*lower, stores[1]], "north": [*upper[::-1], stores[0]]}

    def rows(self, state: State) -> list[str]:
        seeds = self.seeds(state)
        return [" ".join(map(str, seeds[seat])) for seat in ("north", "south")]

    def signs(self, state: State) -> dict[str, str]:
        return {
            f"{seat[0]}{(*self.names, 'store')[number]}": str(count)
            for seat, counts in self.seeds(state).items()
            for number, count in enumerate(counts)
        }

    def way(self, position: Position, move: str) -> tuple[str, ...]:
        return (f"{str(self.to_act(position))[0]}{move}",)

    def why_barred(self, position: Position, move: str) -> Why:
        first, last = self.names[0], self.names[-1]
        if move not in self.names:
            return "no-such-house", {"house": move, "first": first, "last": last}
        return "empty", {"house": move}

    def points(self, position: Position) -> Mapping[Seat, int]:
        state = self.reached(position).state
        first = 0 if state.is_terminal() else -1
        return {seat: sum(counts[first:]) for seat, counts in self.seeds(state).items()}

    def scene(self, view: View) -> Scene:
        squares = self.squares(self.seen(view))
        sides: list[Seat] = ["north", "south"] if view.seat != "north" else ["south", "north"]
        places, cells = [*self.names, "store"], []
        for row, side in enumerate(sides):
            for number, place in enumerate(places if row else places[::-1]):
                space, ground = f"{side[0]}{place}", "store" if place == "store" else "house"
                marks = (Mark(squares[space], "seeds", side, "tile"),)
                called = Called(ground, side, place)
                cells.append(Cell(space, row, number + row, ground, ".", marks, called=called))
        return plain_scene(
            cells, {"house": WOOD, "store": "#cfa76a"},
            row_names=tuple(side[0].upper() for side in sides),
            # Each side counts from its own left: above the upper row, and below the lower one.
            column_names=("", *self.names[::-1], "", "", *self.names, ""),
        )  # fmt: skip


class Oware(Sowing):
    """Oware by the rules of Abapa."""

    def why_barred(self, position: Position, move: str) -> Why:
        if self.squares(position).get(self.way(position, move)[0], "0") == "0":
            return super().why_barred(position, move)
        # The other has no seeds, and would get none.
        return "must-feed", {"house": move}

    def seeds(self, state: State) -> dict[Seat, list[int]]:
        north, south = re.findall(r"^ +((?:[0-9]+ *){6})$", str(state), re.MULTILINE)
        stores = re.findall(r"score = ([0-9]+)", str(state))
        return {
            "south": [*map(int, south.split()), int(stores[1])],
            "north": [*map(int, north.split()[::-1]), int(stores[0])],
        }


MANCALA: Final = Sowing("mancala")
OWARE: Final = Oware("oware")
