"""Bots: players made of program, found by their names.

A bot chooses one order from the view of its seat and a position redealt for it, so that it can
neither cheat nor leak. It knows nothing of mail, store or time, and a new one is a new row here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from referee.bots.bot import Bot, BotView
from referee.bots.greedy import greedy
from referee.bots.uniform import uniform

BOTS: Final[Mapping[str, Bot]] = MappingProxyType({"greedy": greedy, "random": uniform})
"""Every bot by the name organisers use."""

__all__ = ["BOTS", "Bot", "BotView"]
