"""The bot ``greedy``: it looks one order ahead for the best lead."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from referee.bots.bot import BotView
from referee.games.game import AnyGame, Order, Seat

MOST_TRIED: Final = 120
"""Orders examined at most, so that a turn stays quick."""


def greedy(view: BotView, rng: Random) -> Order:
    """Return the order with the best lead in points; chance breaks ties."""
    orders = list(view.orders)
    # Before cutting: the first orders of a long list are all of one kind.
    rng.shuffle(orders)
    return max(orders[:MOST_TRIED], key=lambda order: _lead_after(view, order))


def _lead_after(view: BotView, order: Order) -> int:
    position, _ = view.game.apply(view.position, order)
    return _lead(view.game, position, view.seat)


def _lead(game: AnyGame, position: Any, seat: Seat) -> int:
    points = game.points(position)
    rivals = [value for other, value in points.items() if other != seat]
    # The lead over all rivals together; multiplied, so that no fraction is needed.
    return points[seat] * len(rivals) - sum(rivals)
