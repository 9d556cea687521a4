"""What a seat of Nord may choose, what need not be said, and what it is told instead."""

from __future__ import annotations

from random import Random

import pytest

from referee.games import play
from referee.games.game import Refusal
from referee.games.grid import bits
from referee.games.nord import GAME
from referee.games.nord.orders import Attack, Place, Play

pytestmark = pytest.mark.fast

CHAINS = {
    "game": "nord",
    "board": {"map": ["S~~S~", "~~~~~", "~S~~D"]},
    "seats": ["red", "green"],
    "settlements": {
        "A1": {"jarl": "red", "warriors": {"red": 1}},
        "A4": {"warriors": {"red": 1}},
        "C2": {},
    },
    "workers": {"C1": "green", "A3": "green"},
    "fishing_boats": 6,
}


@pytest.fixture
def owed():
    """Return a position with an attack owed over three shortest chains; Nord 11.5."""
    document = {**CHAINS, "turn": {"played": "sword"}}
    position, _ = GAME.apply(GAME.load(document), Place(("A2", "B1", "B2")))
    return position


def test_chains_that_cost_the_same_men_are_one_choice(owed):
    """Each choice is listed once, by the first of its chains in board order."""
    from_a1 = [order for order in GAME.orders(owed) if order.start == "A1"]

    assert from_a1 == [
        Attack("A1", "C2", ("A2", "B2")),
        Attack("A1", "C2", ("B1", "B2")),
        Attack("A1", "C2", ("B1", "C1")),
    ]


def test_a_chain_that_is_not_the_shortest_is_refused(owed):
    """A longer chain, a broken one, or none where it matters is refused with the rule."""
    tried = {
        (): "chain-missing",
        ("B2",): "no-shortest-chain",
        ("A2", "B1"): "no-shortest-chain",
        ("B2", "B1"): "no-shortest-chain",
        ("A2", "B2", "B2"): "no-shortest-chain",
    }
    for via, code in tried.items():
        refusal = GAME.refusal(owed, Attack("A1", "C2", via))
        assert (refusal.code, refusal.rule) == (code, "Nord A2.1")


def test_a_fifth_man_who_is_not_there_need_not_be_placed(owed):
    """The fifth man's place is dropped where there are fewer attackers."""
    order = Attack("A1", "C2", ("B1", "B2"), "goal")

    assert GAME.refusal(owed, order) is None
    assert GAME.canonical(owed, order) == Attack("A1", "C2", ("B1", "B2"))


def test_refusals_suggest_what_is_nearest():
    """A refusal names at most ten legal orders, the most similar first."""
    position = GAME.load({**CHAINS, "hands": {"red": {"hammer": 1, "axe": 1}}})

    refusal = GAME.refusal(position, Place(("A2", "C3")))

    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.rule) == ("not-contiguous", "Nord A1.2")
    assert len(refusal.legal) <= 10
    assert refusal.legal[0] == Place(("A2",))


@pytest.mark.parametrize(
    ("tile", "code"),
    [("gold", "not-in-hand"), ("axe", "no-placement-after"), ("hammer", "move-missing")],
)
def test_a_tile_is_refused_for_its_reason(tile, code):
    """Not held, no land to place on, or a negotiator without a journey."""
    position = GAME.load({**CHAINS, "hands": {"red": {"hammer": 1, "axe": 1}}})

    assert GAME.refusal(position, Play(tile)).code == code


def test_tables_hold_every_space_once_as_a_single_worker():
    """Every free space next to a warrior's settlement can take one worker."""
    first = GAME.start(("red", "green"), play.complete_options(GAME))
    steps = play.random_play(GAME, first, Random(1))
    position = next(step.position for step in steps if isinstance(step.order, Place))
    geo = position.geometry
    singles = {
        order.spaces[0]
        for order in GAME.orders(position)
        if isinstance(order, Place) and len(order.spaces) == 1
    }
    gates = [geo.gates[i] for i, each in enumerate(position.warriors) if each[position.seat]]

    expected = {geo.name[bit] for gate in gates for bit in bits(gate & (geo.land | geo.sea))}

    assert expected == singles
