"""Haggle: open bids of hidden cards for a row of prizes."""

from __future__ import annotations

from typing import Final

from referee_haggle.game import Haggle

GAME: Final = Haggle()
