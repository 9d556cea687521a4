"""The bot ``random``: any legal order, each as likely as the others."""

from __future__ import annotations

from random import Random

from referee.bots.bot import Table
from referee.games.game import Order


def uniform(table: Table, rng: Random) -> Order:
    """Return one of the legal orders by chance."""
    return table.orders[rng.randrange(len(table.orders))]
