"""The game and the slow reading of the rules through random games: §3 to §8, §11.7."""

import pytest
from support.nord_compare import COLOURS, walk
from support.thorough import some

from referee.games.nord import GAME
from referee.games.play import complete_options


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", some([0], [10, 20, 30]))
def test_random_game_goes_as_the_rules_read(players, seed):
    """Orders, outcomes and the result of a random game are what the rules say; §11.7."""
    walk(COLOURS[:players], complete_options(GAME), 10 * (seed + players) + players)


def test_random_game_on_a_built_island_goes_as_the_rules_read():
    """The same on an island built from a seed, starts chosen at random; §9, §11.7."""
    walk(("yellow", "red", "blue"), complete_options(GAME, {"island": "variable"}), 1)
