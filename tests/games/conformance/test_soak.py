"""The promises of random games, a thousand times."""

from __future__ import annotations

from random import Random

import pytest
from support.conformance import (
    candidates,
    check_nothing_leaks,
    check_refusal,
    check_replay,
    check_step,
)
from support.tables import Table, random_games

from referee.games.game import CHANCE

pytestmark = [pytest.mark.soak, pytest.mark.timeout(7200)]


def test_a_thousand_games_keep_every_promise(table: Table) -> None:
    """A thousand games per number of seats end within bounds and replay to the same position."""
    for played in random_games(table, 1000, many=1000, steps=10**9):
        assert table.game.result(played.end) is not None
        check_replay(table.game, played.start, played.orders, played.end)
        for step in played.steps[::10]:
            check_step(table.game, step)


def test_nothing_leaks_in_hundreds_of_games(table: Table) -> None:
    """In two hundred games per number of seats nothing depends on what a seat cannot know."""
    rng = Random(10)
    for played in random_games(table, 3000, many=200, steps=10**9):
        known = [step.order for step in played.steps if step.seat != CHANCE]
        for step in played.steps[::13]:
            # One of them each time; all of them are compared many times in so many games.
            seat = rng.choice((*table.seats, None))
            check_nothing_leaks(table.game, step.position, seat, known, rng)


def test_refused_are_exactly_the_orders_not_listed_in_hundreds_of_games(table: Table) -> None:
    rng = Random(11)
    for played in random_games(table, 4000, many=200, steps=10**9):
        known = [step.order for step in played.steps if step.seat != CHANCE]
        for step in played.steps[::23]:
            if step.seat != CHANCE:
                for order in candidates(table.game, step.position, known, rng):
                    check_refusal(table.game, step.position, order)
