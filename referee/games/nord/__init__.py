"""Nord, a game of jarls."""

from __future__ import annotations

from typing import Final

from referee.games.game import Game
from referee.games.nord.game import Nord
from referee.games.nord.position import Position

GAME: Final[Game[Position]] = Nord()
"""Nord, first edition."""
