"""What a bot is given, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from referee.games.game import AnyGame, Order, Seat, View


@dataclass(frozen=True, slots=True)
class Table:
    """What a bot may know when it is to act.

    ``position`` was redealt for the seat: everything the seat cannot know is dealt anew, so
    looking ahead on it tells nothing secret.
    """

    game: AnyGame
    seat: Seat
    view: View
    orders: Sequence[Order]
    position: Any


Bot: TypeAlias = Callable[[Table, Random], Order]
"""Chooses one of the table's legal orders."""
