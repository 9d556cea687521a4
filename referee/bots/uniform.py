"""The bot ``random``, which takes any legal order with the same probability."""

from __future__ import annotations

from random import Random

from referee.bots.bot import Table
from referee.games.game import Order


def uniform(table: Table, rng: Random) -> Order:
    """Return a random legal order."""
    return table.orders[rng.randrange(len(table.orders))]
