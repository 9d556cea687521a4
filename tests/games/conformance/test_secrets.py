"""Nothing a seat is shown or told depends on what it cannot know; planted leaks are caught."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.conformance import check_nothing_leaks, check_redeal_changes, hides
from support.leaks import LEAKS, InEverybodysFacts, Leaky, NothingRedealt, WithoutNews
from support.tables import Table, sampled, shared_games, tables_of

from referee.games.game import CHANCE, AnyGame


def check_games(game: AnyGame, table: Table, most: int) -> None:
    """Check some positions of a table's random games for every seat and a spectator."""
    rng, steps = Random(5), sampled(table, most)
    known = [step.order for step in steps if step.seat != CHANCE]
    for step in steps:
        for seat in (*table.seats, None):
            check_nothing_leaks(game, step.position, seat, known, rng)


def test_nothing_leaks(table: Table) -> None:
    """Redealt for a seat, its view, scene, orders, refusals and answers stay as they were."""
    check_games(table.game, table, most=16)


def test_redeal_changes_what_is_hidden(table: Table) -> None:
    """Nine in ten of the positions that hide anything come out different."""
    positions = [step.position for step in sampled(table, most=30)]
    check_redeal_changes(table.game, positions, table.seats, Random(6))


def hiding_table(game: AnyGame) -> Table:
    """Return a table of a game that hides something in random games; skips when none does."""
    for table in tables_of(game):
        positions = [step.position for step in sampled(table, most=30)]
        if any(hides(game, each, seat, table.seats) for each in positions for seat in table.seats):
            return table
    pytest.skip("the game hides nothing")


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_caught(game: AnyGame, leak: type[Leaky]) -> None:
    """The very same check fails for a game that tells something hidden."""
    table = hiding_table(game)
    if leak is InEverybodysFacts and not tells_apart(table):
        pytest.skip("the game tells everybody everything")
    if leak is WithoutNews and not tells_news(table):
        pytest.skip("no seat learns anything by its own order")
    leaky: Any = leak(game)
    with pytest.raises(AssertionError, match=r"leak|more than the view|nobody called news"):
        check_games(leaky, table, most=60)


def test_a_redeal_that_deals_nothing_is_caught(game: AnyGame) -> None:
    """A redeal that changes nothing would make every other check here worthless."""
    table = hiding_table(game)
    leaky: Any = NothingRedealt(game)
    positions = [step.position for step in sampled(table, most=30)]
    with pytest.raises(AssertionError, match="changed"):
        check_redeal_changes(leaky, positions, table.seats, Random(7))


def tells_apart(table: Table) -> bool:
    """Tell whether anything happens in random games that not everybody learns."""
    steps = [step for played in shared_games(table) for step in played.steps]
    return any(fact.audience is not None for step in steps for fact in step.facts)


def tells_news(table: Table) -> bool:
    """Tell whether a seat's own order ever tells it news in random games."""
    steps = [step for played in shared_games(table) for step in played.steps]
    return any(fact.news and fact.known_to(step.seat) for step in steps for fact in step.facts)
