"""The interface of a bot: a view in, an order out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

from referee.games.game import AnyGame, Order, Seat, View
from referee.value import Value


class BotView(Value):
    """The knowledge a bot may use when it is to act.

    ``position`` is redealt for the seat: everything hidden from the seat is dealt anew, so looking
    ahead in it reveals no secret.
    """

    game: AnyGame
    seat: Seat
    view: View
    orders: Sequence[Order]
    position: Any


Bot: TypeAlias = Callable[[BotView, Random], Order]
"""A function that chooses one of the legal orders."""
