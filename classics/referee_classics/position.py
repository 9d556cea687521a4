"""The position of any game here: its options, its start and its moves, as text.

The board that they lead to stands in the document too, so that an engine which reads the moves in
another way is noticed.
"""

from __future__ import annotations

from typing import ClassVar

from referee.games.game import Order, Seat, Value


class Move(Order):
    """Make a move, as the players of the game write it."""

    word: ClassVar[str] = "move"
    move: str


class Chance(Order):
    """Chance: roll the dice, or deal a card."""

    word: ClassVar[str] = "chance"
    outcome: str


class Position(Value):
    """The complete state: everything but the moves is settled when the game begins.

    ``rules`` are the engine's game and its parameters, ``start`` the engine's text of the first
    state (empty: the usual one), ``options`` those of the match, by name.
    """

    rules: str
    start: str
    seats: tuple[Seat, ...]
    options: tuple[tuple[str, str | int | bool], ...]
    moves: tuple[str, ...] = ()
