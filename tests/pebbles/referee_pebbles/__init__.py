"""Pebbles: a game of hidden weights on a tiny board, in two editions."""

from __future__ import annotations

from typing import Final

from referee_pebbles.game import Pebbles

FIRST: Final = Pebbles(edition=1)
SECOND: Final = Pebbles(edition=2)
