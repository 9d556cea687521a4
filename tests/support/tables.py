"""The tables the conformance suite plays at: every registered game, edition and number of seats.

Random games are played once and shared by all tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from referee.games import registry
from referee.games.game import AnyGame, Board, Options, Order, Seat
from referee.games.play import Step, complete_options, random_play, replay
from referee.resources import game_boards, game_resource

GAMES = 12
"""Random games for a table in the ordinary tiers."""

STEPS = 900
"""A table of long games plays fewer: none is begun after so many steps."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game with a number of seats taken."""

    game: AnyGame = field(repr=False)
    seats: tuple[Seat, ...]

    @property
    def name(self) -> str:
        return f"{self.game.name}-{self.game.edition}-{len(self.seats)}"

    @property
    def options(self) -> Options:
        return complete_options(self.game)


@dataclass(frozen=True, slots=True)
class Played:
    """A random game: where it started, its steps, and where it stopped."""

    start: Any
    steps: tuple[Step, ...]

    @property
    def end(self) -> Any:
        return self.steps[-1].after if self.steps else self.start

    @property
    def orders(self) -> tuple[Order, ...]:
        return tuple(step.order for step in self.steps)

    @property
    def positions(self) -> list[Any]:
        return [self.start, *(step.after for step in self.steps)]


def tables() -> list[Table]:
    """Return a table for every registered game, edition and number of seats."""
    return [
        Table(game, game.colours[:count])
        for game in registry.installed_games().all()
        for count in game.seats
    ]


def tables_of(game: AnyGame) -> list[Table]:
    """Return the tables of one game and edition."""
    return [table for table in tables() if table.game is game]


def boards(game: AnyGame) -> list[Board | None]:
    """Return the boards a game brings along, and None for the one it plays on by itself."""
    return [None, *(json.loads(file.read_text(encoding="utf-8")) for file in game_boards(game))]


def random_game(table: Table, seed: int, board: Board | None = None) -> Played:
    """Play one game at random; the seed settles everything."""
    rng, game = Random(seed), table.game
    built = game.board(table.seats, table.options, board, rng)
    start = game.start(table.seats, table.options, built)
    return Played(start, tuple(random_play(game, start, rng)))


def random_games(table: Table, first: int, many: int, steps: int) -> Iterator[Played]:
    """Play games with seeds from ``first``, at most ``many``, none begun after so many steps.

    The game's boards take turns.
    """
    choice, done = boards(table.game), 0
    for seed in range(first, first + many):
        if done > steps:
            return
        played = random_game(table, seed, choice[seed % len(choice)])
        done += len(played.steps)
        yield played


@cache
def shared_games(table: Table) -> tuple[Played, ...]:
    """Return the random games all tests of a table look at."""
    return tuple(random_games(table, 0, GAMES, STEPS))


def sampled(table: Table, most: int) -> list[Step]:
    """Return at most so many steps of a table's random games, evenly spread."""
    steps = [step for played in shared_games(table) for step in played.steps]
    return steps[:: -(-len(steps) // most)]


def path_to(table_game: AnyGame, ending: str) -> Played | None:
    """Return the hand-made game that comes to an ending, if the game brings one along.

    It is the resource ``endings/<ending>.json``: seats, options, board and the orders as text.
    """
    try:
        given = json.loads(game_resource(table_game, f"endings/{ending}.json"))
    except FileNotFoundError:
        return None
    seats: Sequence[Seat] = given["seats"]
    options = complete_options(table_game, given.get("options"))
    start = table_game.start(seats, options, given.get("board"))
    steps, position = [], start
    for line in given["orders"]:
        order = table_game.canonical(position, table_game.parse(line, "en"))
        seat = table_game.to_act(position) or ""
        after = replay(table_game, position, [order])
        steps.append(Step(position, seat, order, (), after))
        position = after
    return Played(start, tuple(steps))
