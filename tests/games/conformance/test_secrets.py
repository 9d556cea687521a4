"""Nothing a seat is shown or told depends on what it cannot know; planted leaks are caught."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.conformance import check_nothing_leaks, check_redeal_changes, hides
from support.leaks import LEAKS, InEverybodysFacts, Leaky, NothingRedealt, WithoutNews
from support.tables import Table, sampled, shared_games, tables_of

from referee.games.game import CHANCE, AnyGame
from referee.matches.log import AnyMatch, Match, Turn
from referee.matches.match import preview_ahead
from referee.matches.terms import Terms
from referee.matches.trial import STARTED


def check_games(game: AnyGame, table: Table, most: int) -> None:
    """Check some positions of a table's random games for every seat and a spectator.

    Among them are some in which something is told that not everybody may know or foresee.
    """
    telling = [
        step
        for played in shared_games(table)
        for step in played.steps
        if any(fact.audience is not None or fact.news for fact in step.facts)
    ]
    rng, steps = Random(5), [*sampled(table, most), *telling[:: -(-len(telling) // 8) or 1]]
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


def test_previews_out_of_turn_leak_nothing(table: Table) -> None:
    """Redealt for a seat that is not to act, its preview is the same; most can be made."""
    game, rng, tried = table.game, Random(8), []
    terms = Terms(
        match="try", game=game.name, edition=game.edition, seats=table.seats, words={}, board={},
        options=table.options, started=STARTED, commitment="0" * 64, practice=True,
    )  # fmt: skip
    turn = Turn(1, None, 0, over=False)
    for step in sampled(table, most=60):
        position = step.position
        others = [each for each in table.seats if each != game.to_act(position)]
        for seat in others if step.seat != CHANCE else ():
            shown = []
            for each in (position, game.redeal(position, seat, rng)):
                match: AnyMatch = Match(game, terms, bytes(32), each, 0, "", 0, turn)
                shown.append(preview_ahead(match, seat, [step.order]))
            assert shown[0] == shown[1]
            tried.append(shown[0] is not None)
    if not any(tried):
        pytest.skip("the game names no seat to act in its positions")
    assert sum(tried) > len(tried) // 2


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
