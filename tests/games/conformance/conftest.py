"""Every test here runs for each registered game, edition and number of seats; it names none.

Of the referee's own games the tables between the smallest and the largest are for the soak.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support.tables import Table

pytest.register_assert_rewrite("support.conformance", "support.wordbook")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give ``table`` every table there is, and ``game`` every edition of every game."""
    from support.tables import tables

    from referee.games import registry

    if "table" in metafunc.fixturenames:
        # All tables of other games are asked in a part of the soak of its own.
        own = not os.environ.get("TESTED_GAMES")
        metafunc.parametrize(
            "table",
            [
                pytest.param(
                    table,
                    id=table.name,
                    marks=[pytest.mark.soak] if own and is_between(table) else [],
                )
                for table in tables()
            ],
        )
    if "game" in metafunc.fixturenames:
        games = registry.installed_games().all()
        metafunc.parametrize("game", games, ids=[f"{game.name}-{game.edition}" for game in games])


def is_between(table: Table) -> bool:
    """Return whether a game is played by fewer too, and by more."""
    return min(table.game.seats) < len(table.seats) < max(table.game.seats)
