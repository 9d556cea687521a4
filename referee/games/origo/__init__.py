"""Origo, a game of the migration of peoples."""

from __future__ import annotations

from typing import Final

from referee.games.game import Game
from referee.games.origo.game import Origo
from referee.games.origo.position import Position

GAME: Final[Game[Position]] = Origo()
"""Origo, first edition."""
