"""The comparisons of the quicker tiers over many more games and positions."""

from random import Random

import pytest
from support.origo_cases import load
from support.origo_compare import COLOURS, follow, same_orders, walk
from support.origo_random import random_document
from support.origo_twin import Table

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("seed", range(100, 110))
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_many_random_games_go_as_the_rules_read(players, seed):
    """Every position of many random games is what the rules say; §8.7."""
    walk(COLOURS[:players], seed, every=1)


@pytest.mark.parametrize("block", range(100, 130))
def test_many_crowded_positions_go_as_the_rules_read(block):
    """Orders of many crowded positions, and what they do, are what the rules say; §3 to §6."""
    rng = Random(block)
    for _ in range(30):
        given = random_document(rng)
        position, table = load(given), Table(given)
        same_orders(position, table)
        follow(position, table, rng, most=6)
