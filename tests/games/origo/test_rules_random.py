"""The game and the slow reading of the rules side by side on random games and positions: §8.7."""

from random import Random

import pytest
from support.origo_cases import load
from support.origo_compare import COLOURS, follow, same_orders, walk
from support.origo_random import random_document
from support.origo_twin import Table


@pytest.mark.fast
@pytest.mark.parametrize("block", range(8))
def test_crowded_positions_go_as_the_rules_read(block):
    """Orders, and what some of each kind do, are what the rules say; §3 to §6."""
    rng = Random(block)
    for _ in range(8):
        given = random_document(rng)
        position, table = load(given), Table(given)
        same_orders(position, table)
        follow(position, table, rng, most=1)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_game_goes_as_the_rules_read(players):
    """Orders, outcomes and the result of a random game are what the rules say; §8.7."""
    walk(COLOURS[:players], seed=players)


def test_random_game_with_seats_in_another_order_goes_as_the_rules_read():
    """The turn order is the seats' own; §1."""
    walk(("orange", "green", "red"), seed=9)
