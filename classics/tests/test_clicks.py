"""Orders as they are clicked together."""

from __future__ import annotations

from importlib.metadata import entry_points
from random import Random

import pytest
from referee_classics.boards import HEX, PENTAGO
from referee_classics.classic import Classic, Move

from referee.games.play import complete_options, random_play

pytestmark = pytest.mark.fast

GAMES: dict[str, Classic] = {
    entry.name: entry.load()
    for entry in entry_points(group="referee.games")
    if entry.value.startswith("referee_classics")
}


@pytest.mark.parametrize("name", GAMES)
def test_no_two_legal_orders_of_a_game_share_their_clicks(name: str) -> None:
    """One of them could not be chosen, nor one that no click chooses beside others."""
    game, rng = GAMES[name], Random(7)
    seats, options = game.colours[: game.seats[0]], complete_options(game)
    start = game.start(seats, options, game.board(seats, options, None, rng))
    for number, step in enumerate(random_play(game, start, rng)):
        if number == 150:
            break
        if number % 6 or step.seat not in seats:
            continue
        orders, view = game.orders(step.position), game.view(step.position, step.seat)
        clicks = [game.clicks(view, order) for order in orders]
        if any(clicks):
            assert all(clicks)
            assert len({*clicks}) == len(orders), step.position


def test_of_pentago_the_turn_is_chosen_after_the_stone() -> None:
    view = PENTAGO.view(PENTAGO.load({"game": "pentago"}), "white")
    assert PENTAGO.clicks(view, Move("a1 2L")) == ("a1", "2L")


def test_a_swap_is_chosen_by_its_word() -> None:
    """Without a click it would stand in the mail before anything is chosen."""
    view = HEX.view(HEX.load({"game": "hex", "moves": ["f6"]}), "blue")
    assert HEX.clicks(view, Move("swap")) == ("swap",)
