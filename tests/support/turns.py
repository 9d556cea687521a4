"""How many turns each player of a match takes, as bots play it; invitations tell it.

``PYTHONPATH=tests python -m support.turns`` writes the median of some matches at each number of
seats into the ``turns.json`` of the games named on the command line, or of all, and that with each
choice of an option if it takes clearly more or fewer, such as a smaller board; of an option that is
a number with some, among them the least and the most. A turn is one that asks its player for a
mail: what is forced is played without. It takes minutes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from random import Random
from statistics import median

from referee.bots import BotView, greedy
from referee.games import registry
from referee.games.game import CHANCE, AnyGame, BadDocument, Options
from referee.games.play import complete_options, random_play

MATCHES = 200

FEWER = 20
"""Matches with each choice of an option."""

CLEARLY = 0.25
"""The part by which the turns with an option must differ from the usual ones to be told."""


def main() -> None:
    """Write the figures of the games named, or of all."""
    for name in sys.argv[1:] or registry.game_names():
        game = registry.find_installed(name)
        figures: dict[str, int] = {}
        for count in game.seats:
            usual = median(turns(game, count, {}, seed) for seed in range(MATCHES))
            figures[str(count)] = round(usual)
            for option, value in choices(game):
                try:
                    taken = median(
                        turns(game, count, {option: value}, seed) for seed in range(FEWER)
                    )
                # So many cannot be dealt to all.
                except BadDocument:
                    continue
                if abs(taken - usual) > CLEARLY * usual:
                    figures[f"{count} {option}={value}"] = round(taken)
        own = game.resources if isinstance(game.resources, str) else game.resources[0]
        # A folder without a module of its own is no path yet.
        file = Path(str(files(own) / "turns.json"))
        file.write_text(f"{json.dumps(figures)}\n", encoding="utf-8")


def choices(game: AnyGame) -> Iterator[tuple[str, str | int]]:
    """Yield the choices of options other than the usual ones."""
    for name, option in game.options.items():
        values: set[str | int] = {*(option.choices or ())}
        if isinstance(usual := option.default, int) and None not in {option.least, option.most}:
            numbers = (option.least, usual // 2, 3 * usual // 2, 2 * usual, option.most)
            values = {number for number in numbers if option.least <= number <= option.most}
        yield from ((name, value) for value in sorted(values - {usual}))


def turns(game: AnyGame, count: int, chosen: Options, seed: int) -> float:
    """Return how many turns each seat took in a match, on average."""
    rng, seats, options = Random(seed), game.colours[:count], complete_options(game, chosen)
    position = game.start(seats, options, game.board(seats, options, None, rng))
    taken, last = 0, None
    while (seat := game.to_act(position)) is not None:
        if seat == CHANCE:
            position = next(random_play(game, position, rng)).after
            continue
        if forced := game.forced(position):
            position, _ = game.apply(position, forced)
            continue
        taken += seat != last
        last = seat
        redealt = game.redeal(position, seat, rng)
        order = greedy(BotView(game, seat, game.orders(position), redealt), rng)
        position, _ = game.apply(position, order)
    return taken / count


if __name__ == "__main__":
    main()
