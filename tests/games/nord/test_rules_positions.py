"""The game and the slow reading of the rules on crowded random positions: §3 to §8."""

from itertools import combinations
from random import Random

import pytest
from support.nord_cases import GAME, dealt, load
from support.nord_compare import follow, same_orders
from support.nord_random import random_document
from support.nord_twin import Table


@pytest.mark.fast
@pytest.mark.parametrize("block", range(6))
def test_crowded_positions_go_as_the_rules_read(block):
    """Orders, and what some of each kind do, are what the rules say; §4."""
    rng = Random(block)
    for _ in range(25):
        given = random_document(rng)
        position, table = load(given), Table(given)
        same_orders(position, table)
        follow(position, table, rng, most=3)


@pytest.mark.fast
@pytest.mark.parametrize("tile", [None, "two regions", "many workers"])
def test_no_legal_set_is_overlooked(tile):
    """Judging all subsets of all spaces finds no more than the contiguous ones; A1."""
    rng = Random(7)
    for _ in range(4):
        table = Table(random_document(rng))
        seat = table.to_act
        table.men[seat], table.boats = 5, 3
        free = [s for s in table.grid if s not in table.workers][:14]
        most = 5 if tile == "many workers" else 3
        judged = {
            frozenset(chosen)
            for size in range(1, most + 1)
            for chosen in combinations(free, size)
            if table.placement_fits(seat, chosen, tile)
        }

        assert judged == {chosen for chosen in table.placements(seat, tile) if chosen <= set(free)}


@pytest.mark.fast
def test_position_written_in_mid_turn_goes_on_the_same():
    """Documents written after a tile or between attacks load to equal positions; A0, A2."""
    rng = Random(3)
    written = 0
    for _ in range(60):
        position = load(random_document(rng))
        for order in GAME.orders(position)[:12]:
            after = dealt(GAME.apply(position, order)[0])
            assert GAME.load(GAME.dump(after)) == after
            written += GAME.dump(after)["phase"] == "attack" or order.word == "play"
    assert written > 20
