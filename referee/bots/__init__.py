"""Bots: players made of program, found by their names.

A bot chooses one of the legal orders of its seat by a position redealt for it, so that it can
neither cheat nor leak. It knows nothing of mail, store or time, and a new one is a function and its
row in ``BOTS``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, TypeAlias

from referee.games.game import AnyGame, Order, Seat
from referee.games.play import merits
from referee.value import Value

MOST_TRIED: Final = 120
"""Orders that ``greedy`` examines at most, so that a turn stays quick."""


class BotView(Value):
    """The knowledge a bot may use when it is to act.

    ``position`` is redealt for the seat: everything hidden from the seat is dealt anew, so looking
    ahead in it reveals no secret.
    """

    game: AnyGame
    seat: Seat
    orders: Sequence[Order]
    position: Any


Bot: TypeAlias = Callable[[BotView, Random], Order]
"""A function that chooses one of the legal orders."""


def greedy(view: BotView, rng: Random) -> Order:
    """Return the order with the best lead in points one order ahead; chance breaks ties."""

    def lead_after(order: Order) -> int:
        position, _ = view.game.apply(view.position, order)
        points = merits(view.game, position)
        rivals = [value for other, value in points.items() if other != view.seat]
        # The lead over all rivals together; multiplied, so that no fraction is needed.
        return points[view.seat] * len(rivals) - sum(rivals)

    orders = list(view.orders)
    # Before cutting: the first orders of a long list are all of one kind.
    rng.shuffle(orders)
    return max(orders[:MOST_TRIED], key=lead_after)


def uniform(view: BotView, rng: Random) -> Order:
    """Return a legal order, all of them equally likely."""
    return view.orders[rng.randrange(len(view.orders))]


BOTS: Final[Mapping[str, Bot]] = {"greedy": greedy, "random": uniform}
"""Every bot by the name organisers use."""
