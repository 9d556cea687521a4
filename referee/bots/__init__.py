"""Players made of program: which there are, and how one is found by its name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from referee.bots.bot import Bot, Table
from referee.bots.greedy import greedy
from referee.bots.uniform import uniform

BOTS: Final[Mapping[str, Bot]] = MappingProxyType({"greedy": greedy, "random": uniform})
"""Every bot by the name organisers use."""

__all__ = ["BOTS", "Bot", "Table"]
