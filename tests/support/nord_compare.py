"""The game and the slow reading of the rules side by side, order by order."""

from __future__ import annotations

from random import Random

from support.nord_cases import CASES, GAME, outcomes, texts
from support.nord_twin import Table, key_of
from support.nord_twin_play import places, play

from referee.games.game import CHANCE

EVERY = 7
"""All legal orders are compared at every so many positions, what orders do at every one."""

COLOURS = ("red", "green", "blue", "yellow")


def first_turn(seats, options, rng):
    """Return a position after set-up, at the first placing turn."""
    board = GAME.board(seats, options, None, rng)
    position = GAME.start(seats, options, board)
    while GAME.dump(position)["phase"] != "turn" or GAME.to_act(position) == CHANCE:
        position, _ = GAME.apply(position, CASES.chosen(position, rng))
    return position


def conserved(table):
    """Assert that men, boats, tiles and jarls are all there; §11.7."""
    assert all(table.men_out(seat) + table.men[seat] == 25 for seat in table.seats)
    at_sea = sum(table.grid[s] == "~" for s in table.workers)
    assert table.boats + at_sea == len(table.seats) + 4
    tiles = table.supply + table.discards + sum_of(table.hands.values())
    assert tiles.total() + len(table.treasures) == 36
    jarls = [j for j in table.jarls.values() if j] + [b for b in table.boat if b and "jarl" in b]
    assert len(jarls) == 8
    assert len(table.boat) == len(table.numbers)


def sum_of(counters):
    """Return several heaps as one."""
    counters = list(counters)
    return sum(counters[1:], counters[0])


def walk(seats, options, seed, every=EVERY):
    """Play a random game on both; assert equal orders, states, conservation, and the end."""
    rng = Random(seed)
    position = first_turn(seats, options, rng)
    table = Table(GAME.dump(position))
    for step in range(GAME.max_orders):
        if table.to_act is None:
            break
        if step % every == 0 or table.phase == "attack":
            same_orders(position, table)
        order = CASES.chosen(position, rng)
        line = GAME.format(order, "en")
        table = play(table, key_of(line, table))
        position, _ = GAME.apply(position, order)
        dumped = Table(GAME.dump(position))
        assert dumped.state() == table.state(), (step, line)
        conserved(dumped)
    assert GAME.to_act(position) is None
    same_result(position, table)


def same_orders(position, table):
    """Assert that both know the same orders, each once."""
    lines = outcomes(position) if table.to_act == CHANCE else texts(position)
    keys = [key_of(line, table) for line in lines]
    assert len(keys) == len(set(keys))
    assert set(keys) == table.orders()


def follow(position, table, rng, most):
    """Play some orders of each kind on both; assert equal outcomes, attacks followed through."""
    orders = list(GAME.orders(position))
    rng.shuffle(orders)
    seen = {}
    for order in orders:
        seen[order.word] = seen.get(order.word, 0) + 1
        if seen[order.word] <= most:
            line = GAME.format(order, "en")
            after, _ = GAME.apply(position, order)
            expected = play(table, key_of(line, table))
            assert Table(GAME.dump(after)).state() == expected.state(), line
            if expected.to_act is not None:
                same_orders(after, expected)
            if expected.phase == "attack":
                follow(after, expected, rng, most)


def same_result(position, table):
    """Assert equal points and places at the end."""
    result = GAME.result(position)
    assert dict(result.points) == table.points
    held = {seat: hand.total() for seat, hand in table.hands.items()}
    assert dict(result.places) == places(table.points, held)
