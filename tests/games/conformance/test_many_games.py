"""The promises of random games, many times at every table."""

from __future__ import annotations

import pytest
from support.conformance import check_replay, check_step
from support.tables import Table, random_games

MANY = 12


@pytest.mark.timeout(1200)
def test_many_games_keep_every_promise(table: Table) -> None:
    """A dozen games at every table end, conserve all pieces, and replay to the same position."""
    ended = 0
    for played in random_games(table, 100, many=MANY, steps=10**9):
        assert table.game.result(played.end) is not None
        check_replay(table.game, played.start, played.orders, played.end)
        for step in played.steps[::15]:
            check_step(table.game, step)
        ended += 1
    assert ended == MANY
