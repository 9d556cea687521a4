"""A game played by lines as people write them, without mail."""

from __future__ import annotations

from typing import Any

from referee.games import play as games_play
from referee.games.game import AnyGame, Fact


def play(game: AnyGame, position: Any, *lines: str) -> tuple[Any, list[Fact]]:
    """Return the position after lines, and the facts; every one must be legal."""
    played = games_play.play(game, position, [game.parse(line, "en") for line in lines])
    assert played.refusal is None, lines[len(played.orders)]
    return played.position, [*played.facts]


def code(game: AnyGame, position: Any, line: str) -> str:
    """Return the code of the refusal of a line."""
    refused = games_play.refusal(game, position, game.parse(line, "en"))
    assert refused is not None, line
    return refused.code
