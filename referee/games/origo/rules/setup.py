"""The beginning of a game (Origo 2)."""

from __future__ import annotations

from typing import Final

from referee.games.game import Seat
from referee.games.origo.board import Board
from referee.games.origo.orders import COLOURS
from referee.games.origo.position import PLACE, SHIELDS, Position

FOR_TWO: Final = frozenset({"red", "blue"})
"""The colours with enough shields for a match of two (Origo 1)."""


def first_position(seats: tuple[Seat, ...], board: Board) -> Position:
    """Return the position before the first card is dealt. Raises ValueError for wrong seats."""
    number = len(seats)
    if number not in SHIELDS:
        raise ValueError("there are 2 to 5 seats")
    if not set(seats) <= set(COLOURS) or len(set(seats)) != number:
        raise ValueError(f"seats are different colours among {', '.join(COLOURS)}")
    if number == len(FOR_TWO) and set(seats) != FOR_TWO:
        raise ValueError("a match for two is red and blue, who alone have 44 shields")
    return Position(
        board=board,
        seats=seats,
        phase=PLACE,
        seat=0,
        chance=True,
        round=1,
        start=0,
        passed=0,
        supplied=0,
        last_round=False,
        shields=(0,) * number,
        founded=(),
        ordered=0,
        supply=(SHIELDS[number],) * number,
        # The leaders stand on 1, 2, 3, … in turn order (Origo 2, ruling).
        path=tuple(range(1, number + 1)),
        # Dealt by chance before the first shield is placed (Origo 2, ruling).
        hands=((),) * number,
        draw=board.counts,
        discards=(0,) * len(board.counts),
    )
