"""The comparisons of the fast tier over many more games, positions and islands."""

from random import Random

import pytest
from support.nord_cases import GAME, load
from support.nord_compare import COLOURS, follow, same_orders, walk
from support.nord_random import random_document
from support.nord_twin import Table

from referee.games.play import complete_options

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("island", ["standard", "variable"])
@pytest.mark.parametrize("seed", range(100, 108))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_many_random_games_go_as_the_rules_read(players, seed, island):
    """Every position of many random games is what the rules say; §11.7."""
    walk(COLOURS[:players], complete_options(GAME, {"island": island}), seed, every=1)


@pytest.mark.parametrize("block", range(100, 130))
def test_many_crowded_positions_go_as_the_rules_read(block):
    """Orders of many crowded positions, and what they do, are what the rules say; §4."""
    rng = Random(block)
    for _ in range(40):
        given = random_document(rng)
        position, table = load(given), Table(given)
        same_orders(position, table)
        follow(position, table, rng, most=25)
