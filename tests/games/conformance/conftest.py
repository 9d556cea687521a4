"""Every test here runs for each registered game, edition and number of seats; it names none."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("support.conformance", "support.wordbook")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give ``table`` every table there is, and ``game`` every edition of every game."""
    from support.tables import tables

    from referee.games import registry

    if "table" in metafunc.fixturenames:
        every = tables()
        metafunc.parametrize("table", every, ids=[table.name for table in every])
    if "game" in metafunc.fixturenames:
        games = registry.installed_games().all()
        metafunc.parametrize("game", games, ids=[f"{game.name}-{game.edition}" for game in games])
