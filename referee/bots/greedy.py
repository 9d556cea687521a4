"""The bot ``greedy``: it looks one order ahead for the best lead."""

from __future__ import annotations

from random import Random
from typing import Final

from referee.bots.bot import BotView
from referee.games.game import Order

MOST_TRIED: Final = 120
"""Orders examined at most, so that a turn stays quick."""


def greedy(view: BotView, rng: Random) -> Order:
    """Return the order with the best lead in points; chance breaks ties."""

    def lead_after(order: Order) -> int:
        position, _ = view.game.apply(view.position, order)
        points = view.game.points(position)
        rivals = [value for other, value in points.items() if other != view.seat]
        # The lead over all rivals together; multiplied, so that no fraction is needed.
        return points[view.seat] * len(rivals) - sum(rivals)

    orders = list(view.orders)
    # Before cutting: the first orders of a long list are all of one kind.
    rng.shuffle(orders)
    return max(orders[:MOST_TRIED], key=lead_after)
