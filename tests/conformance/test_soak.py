"""The promises of random games, a thousand times."""

from __future__ import annotations

import pytest
from support.conformance import check_replay, check_step
from support.tables import Table, random_games

pytestmark = [pytest.mark.soak, pytest.mark.timeout(7200)]


def test_a_thousand_games_keep_every_promise(table: Table) -> None:
    """A thousand games per number of seats end within bounds and replay to the same position."""
    for played in random_games(table, 1000, many=1000, steps=10**9):
        assert table.game.result(played.end) is not None
        check_replay(table.game, played.start, played.orders, played.end)
        for step in played.steps[::10]:
            check_step(table.game, step)
