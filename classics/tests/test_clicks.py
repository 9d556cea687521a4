"""Orders as they are clicked together."""

from __future__ import annotations

from importlib.metadata import entry_points
from random import Random
from typing import Any

import pytest
from referee_classics.boards import HEX, PENTAGO
from referee_classics.boards.sowing import MANCALA, OWARE
from referee_classics.classic import Classic, Move

from referee.games.play import complete_options, random_play
from referee.render.composer import ComposedTurn, turn_document
from referee.render.words.wording import Wording

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


def page(game: Classic, position: Any, seat: str, language: str) -> Any:
    """Return the content of the page for a seat's turn."""
    view, orders = game.view(position, seat), game.orders(position)
    scene, clicks = game.scene(view), [game.clicks(view, order) for order in orders]
    turn = ComposedTurn(
        match="a-1", seat=seat, turn=1, at=1, due=None, zone="UTC", to="", subject="", box=("",),
        scene=scene, open_scene=scene, orders=orders, count=len(orders), clicks=clicks,
    )  # fmt: skip
    return turn_document(turn, Wording(game, language))


def test_the_button_of_a_swap_is_in_its_readers_language() -> None:
    """It says what the mail will say."""
    told = str(page(HEX, HEX.load({"game": "hex", "moves": ["f6"]}), "blue", "de"))
    assert "tausche" in told
    assert "swap" not in told


@pytest.mark.parametrize(
    ("game", "language", "buttons", "about"),
    [(MANCALA, "de", [*"123456"], "Süds Mulde 1, Samen (Süd, 4)"),
     (OWARE, "en", [*"abcdef"], "South's house a, seeds (South, 4)")],
)  # fmt: skip
def test_a_house_is_a_button_that_says_the_move(game, language, buttons, about):
    document = page(game, game.load({"game": game.name}), "south", language)
    assert [space[5] for space in document["spaces"]] == buttons
    assert document["spaces"][0][3] == about
