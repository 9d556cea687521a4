"""The bot ``greedy``, which looks one order ahead and takes the best lead."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from referee.bots.bot import Table
from referee.games.game import AnyGame, Order, Seat

MOST_TRIED: Final = 120
"""Orders examined at most: a random sample of a longer list, so that a turn stays quick."""


def greedy(table: Table, rng: Random) -> Order:
    """Return the order with the best lead in points right after it; chance breaks ties."""
    orders = list(table.orders)
    rng.shuffle(orders)
    return max(orders[:MOST_TRIED], key=lambda order: _lead_after(table, order))


def _lead_after(table: Table, order: Order) -> int:
    position, _ = table.game.apply(table.position, order)
    return _lead(table.game, position, table.seat)


def _lead(game: AnyGame, position: Any, seat: Seat) -> int:
    points = game.points(position)
    rivals = [value for other, value in points.items() if other != seat]
    return points[seat] * len(rivals) - sum(rivals)
