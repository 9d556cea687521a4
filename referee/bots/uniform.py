"""The bot ``random``: all legal orders are equally likely."""

from __future__ import annotations

from random import Random

from referee.bots.bot import BotView
from referee.games.game import Order


def uniform(view: BotView, rng: Random) -> Order:
    """Return a random legal order."""
    return view.orders[rng.randrange(len(view.orders))]
