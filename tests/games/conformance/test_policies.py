"""What every game says about orders given in advance holds together."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.conformance import (
    check_follow,
    check_policies_leak_not,
    check_policy_round_trip,
    policies_of,
)
from support.leaks import InFollow
from support.tables import Table, sampled, tables_of
from support.thorough import some
from support.wordbook import Saying, catalogue, check_words, keys_of

from referee.games.game import LANGUAGES, AnyGame, Unreadable


def with_policies(game: AnyGame) -> AnyGame:
    """Return the game; skips when it has no standing orders of its own."""
    if not game.policies:
        pytest.skip("the game has no policies")
    return game


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_shows_policies_that_read(game: AnyGame, language: str) -> None:
    """Every kind of policy has an example, which is written as the game would write it."""
    shown = catalogue(with_policies(game), language)["help"]["policies"]
    for each in shown:
        policy = game.parse_policy(each["order"], language)
        assert game.format_policy(policy, language) == each["order"]
        assert each["about"]
        check_policy_round_trip(game, policy)
    assert {each.word for each in policies_of(game, language)} == set(game.policies)


def test_no_order_is_read_as_a_policy(table: Table) -> None:
    """A line of an order is no policy, and is called chatter where policies are read."""
    for step in sampled(table, most=60):
        for language in LANGUAGES:
            line = table.game.format(step.order, language)
            with pytest.raises(Unreadable) as caught:
                table.game.parse_policy(line, language)
            assert caught.value.chatter, line


@pytest.mark.parametrize("most", some([150], [400]))
def test_what_a_policy_gives_is_legal_and_its_end_has_words(table: Table, most: int) -> None:
    """An order only when the seat is to act, and one that is listed; ends are worded."""
    game, saying = with_policies(table.game), Saying()
    for step in sampled(table, most=most):
        for seat in table.seats:
            for policy in policies_of(game):
                check_follow(game, step.position, seat, policy, saying)
    for language in LANGUAGES:
        check_words(game, language, saying.said)


def check_games(game: AnyGame, table: Table) -> None:
    """Check what policies do in positions of random games, for every seat."""
    rng, policies = Random(21), policies_of(table.game)
    for step in sampled(table, most=120):
        for seat in table.seats:
            check_policies_leak_not(game, step.position, seat, policies, rng)


def test_what_a_policy_does_depends_on_what_its_seat_sees(table: Table) -> None:
    """Redealt for its seat, a policy does the same; so does whoever's turn is interrupted."""
    check_games(table.game, table)


def test_a_policy_that_looks_at_hidden_cards_is_caught(game: AnyGame) -> None:
    """The very same check fails for a policy that knows more than its seat."""
    leaky: Any = InFollow(with_policies(game))
    with pytest.raises(AssertionError, match="leaks"):
        check_games(leaky, tables_of(game)[0])


def test_the_words_for_ends_are_the_same_in_every_language(game: AnyGame) -> None:
    """No language has the end of a policy that another lacks."""
    words = [keys_of(catalogue(game, language)).get("expired", []) for language in LANGUAGES]
    assert all(each == words[0] for each in words)
