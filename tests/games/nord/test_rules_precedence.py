"""Which rule a refused placement breaks first, on crowded random positions: A1."""

from random import Random

import pytest
from support.nord_cases import GAME, load
from support.nord_random import random_document
from support.nord_twin import Table, contiguous
from support.nord_twin_board import space_name

pytestmark = pytest.mark.fast


def first_broken(table, spaces, tile):
    """Return the rule a placement breaks first, read in the order of A1; None if it is legal."""
    at_sea = {table.grid[s] in "~D" for s in spaces}
    if len(at_sea) == 2:
        return "Nord A1"
    on_sea = at_sea == {True}
    if on_sea and tile == "two regions":
        return "Nord A0"
    if len(spaces) > ((3, 2) if tile != "many workers" else (5, 3))[on_sea]:
        return "Nord A1"
    if any(table.grid[s] in "SD" or s in table.workers for s in spaces):
        return "Nord A1.1"
    if not contiguous(spaces):
        return "Nord A1.2"
    if len({table.region(s) for s in spaces}) > (2 if tile == "two regions" else 1):
        return "Nord A1.3"
    if not table.reaches_own_warriors(table.to_act, spaces):
        return "Nord A1.4"
    short = len(spaces) > table.men[table.to_act] or (on_sea and len(spaces) > table.boats)
    return "Nord A1.5" if short else None


def cluster(table, rng):
    """Return one to six spaces, mostly beside each other."""
    every = sorted(table.grid)
    chosen = {rng.choice(every)}
    for _ in range(rng.randrange(6)):
        near = [s for s in every if any(abs(s[0] - r) + abs(s[1] - c) == 1 for r, c in chosen)]
        chosen.add(rng.choice(near if rng.random() < 0.9 else every))
    return chosen


@pytest.mark.parametrize("tile", [None, "axe", "sword"])
def test_refusals_name_the_rule_broken_first(tile):
    """Any set of spaces is refused for the first rule it breaks, or allowed; A1, A0."""
    rng = Random(11)
    met = set()
    for _ in range(80):
        given = random_document(rng)
        table, position = Table(given), load(given)
        action = {None: None, "axe": "two regions", "sword": "many workers"}[tile]
        if tile is not None:
            given["hands"] = {table.to_act: {tile: 1}}
            position = load(given)
            play = GAME.parse(f"play {tile}", "en")
            if GAME.refusal(position, play) is not None:
                continue
            position, _ = GAME.apply(position, play)
        for _ in range(25):
            spaces = cluster(table, rng)
            line = "place " + " ".join(map(space_name, sorted(spaces)))
            refusal = GAME.refusal(position, GAME.parse(line, "en"))
            expected = first_broken(table, spaces, action)
            assert (refusal and refusal.rule) == expected, (given, line)
            met.add(expected)
    assert met >= {None, "Nord A1", "Nord A1.1", "Nord A1.2", "Nord A1.4", "Nord A1.5"}
