"""The bot ``greedy``: looks one order deep and takes what leaves it the furthest ahead."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from referee.bots.bot import Table
from referee.games.game import AnyGame, Order, Seat

MOST_TRIED: Final = 120
"""Orders looked at; of a longer list a sample, so that a turn never takes long."""


def greedy(table: Table, rng: Random) -> Order:
    """Return an order with the best lead in points right after it; ties fall by chance."""
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
