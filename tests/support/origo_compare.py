"""The game and the slow reading of the rules side by side, order by order."""

from __future__ import annotations

from random import Random

from support.origo_cases import CASES, GAME, outcomes, texts
from support.origo_twin import Table, key_of
from support.origo_twin_board import SHIELDS
from support.origo_twin_play import play

from referee.games.game import CHANCE
from referee.games.play import complete_options

COLOURS = ("red", "blue", "black", "green", "orange")
EVERY = 9
"""All legal orders are compared at every so many positions, what orders do at every one."""


def opening(seats, rng):
    """Return the position once the hands are dealt."""
    options = complete_options(GAME)
    position = GAME.start(seats, options, GAME.board(seats, options, None, rng))
    while GAME.to_act(position) == CHANCE:
        position, _ = GAME.apply(position, CASES.chosen(position, rng))
    return position


def conserved(document):
    """Assert that cards and shields are all there and stones and squares bear one each; §8.7."""
    hands = sum(len(cards) for cards in document["hands"].values())
    piles = sum(sum(document[pile].values()) for pile in ("draw", "discards"))
    combat = document["combat"] or {"attacker_cards": [], "defender_cards": []}
    fought = len(combat["attacker_cards"]) + len(combat["defender_cards"])
    assert hands + piles + fought == 98
    assert len(set(document["founded"])) == len(document["founded"]) <= 12


def walk(seats, seed, every=EVERY):
    """Play a random game on both; assert equal orders, states, conservation, and the end."""
    rng = Random(seed)
    position = opening(seats, rng)
    table = Table(GAME.dump(position))
    assert all(hand.total() == 10 for hand in table.hands.values())
    lost, start = dict.fromkeys(seats, 0), SHIELDS[len(seats)]
    for number in range(GAME.max_orders):
        if table.to_act is None:
            break
        if number % every == 0 or table.phase == "combat" or table.to_act == CHANCE:
            same_orders(position, table)
        order = CASES.chosen(position, rng)
        line = GAME.format(order, "en")
        if order.word == "yield":
            lost[table.to_act] += 1
        table = play(table, key_of(line))
        position, _ = GAME.apply(position, order)
        document = GAME.dump(position)
        assert GAME.load(document) == position
        assert Table(document).state() == table.state(), (number, line)
        conserved(document)
        assert shields_out(document) == {s: start - lost[s] for s in seats}, (number, line)
    assert GAME.to_act(position) is None
    same_result(position, table)
    return GAME.result(position).ending


def shields_out(document):
    """Return every player's shields on the board, fighting and in supply."""
    fighting = (document["combat"] or {}).get("attacker")
    on_map = list(document["shields"].values())
    return {s: on_map.count(s) + n + (s == fighting) for s, n in document["supply"].items()}


def same_orders(position, table):
    """Assert that both know the same orders, each once."""
    lines = outcomes(position) if table.to_act == CHANCE else texts(position)
    keys = [key_of(line) for line in lines]
    assert len(keys) == len(set(keys))
    assert set(keys) == table.orders()
    if table.to_act == CHANCE:
        weights = {key_of(line)[2]: weight for line, weight in lines.items()}
        assert weights == dict(table.pile())


def follow(position, table, rng, most):
    """Play some orders of each kind on both; assert equal outcomes, fights followed through."""
    orders = list(GAME.orders(position))
    rng.shuffle(orders)
    seen = {}
    for order in orders:
        seen[order.word] = seen.get(order.word, 0) + 1
        if seen[order.word] <= most:
            _follow_one(position, table, order, rng, most)


def _follow_one(position, table, order, rng, most):
    line = GAME.format(order, "en")
    after, _ = GAME.apply(position, order)
    expected = play(table, key_of(line))
    assert Table(GAME.dump(after)).state() == expected.state(), line
    while expected.to_act == CHANCE:
        same_orders(after, expected)
        drawn_ = CASES.chosen(after, rng)
        after, _ = GAME.apply(after, drawn_)
        expected = play(expected, key_of(GAME.format(drawn_, "en")))
        assert Table(GAME.dump(after)).state() == expected.state(), (line, drawn_)
    if expected.to_act is None:
        same_result(after, expected)
        return
    assert Table(GAME.dump(GAME.load(GAME.dump(after)))).state() == expected.state()
    same_orders(after, expected)
    if expected.phase == "combat":
        follow(after, expected, rng, most)


def same_result(position, table):
    """Assert equal points and places at the end."""
    result = GAME.result(position)
    totals = table.path
    assert dict(result.points) == totals
    assert dict(result.places) == {
        seat: 1 + sum(other > total for other in totals.values()) for seat, total in totals.items()
    }
