"""Playouts of every installed game, beside chess in the same run.

A playout lists every legal order at every step and plays one of them, and is then replayed; chess
is python-chess doing the same. Each figure is printed with its ratio to chess, so that machines can
be compared. Run: python benchmarks/playouts.py [GAME…]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import chess

from referee.games import play, registry
from referee.games.game import CHANCE, AnyGame

GAMES = 6
PLIES = 200


@dataclass
class Figures:
    """Orders played, and the seconds each part took; ``longest`` is the longest replay."""

    orders: int = 0
    listing: float = 0.0
    playing: float = 0.0
    replay: float = 0.0
    longest: float = 0.0

    def rates(self) -> tuple[float, float, float, float]:
        """Return orders a second: playout, listing, playing, replay."""
        whole = self.listing + self.playing
        seconds = (whole, self.listing, self.playing, self.replay)
        return tuple(self.orders / max(each, 1e-9) for each in seconds)  # type: ignore[return-value]


def main() -> None:
    """Print chess, then each game with each number of seats."""
    print(f"{'':14}{'playout/s':>12}{'listing/s':>12}{'playing/s':>12}{'replay/s':>12}  longest")
    yardstick = of_chess()
    base = yardstick.rates()
    show("chess", yardstick, base)
    for name in sys.argv[1:] or registry.game_names():
        game = registry.find_installed(name)
        for count in game.seats:
            show(f"{name} {count}", of_game(game, count), base)


def show(label: str, figures: Figures, base: tuple[float, ...]) -> None:
    """Print one line of figures, and below it their ratios to chess."""
    rates = figures.rates()
    numbers = "".join(f"{each:12,.0f}" for each in rates)
    print(f"{label:14}{numbers}  {1000 * figures.longest:6.1f} ms")
    ratios = "".join(f"{each / one:12.2f}" for each, one in zip(rates, base, strict=True))
    print(f"{'':14}{ratios}")


def timed(act: Callable[[], Any]) -> tuple[Any, float]:
    """Time an act: its result, and the seconds of CPU it took."""
    began = time.process_time()
    found = act()
    return found, time.process_time() - began


def of_chess() -> Figures:
    """Play random games of chess."""
    figures, rng = Figures(), Random(1)
    for _ in range(GAMES):
        board, moves = chess.Board(), []
        while len(moves) < PLIES:
            legal, seconds = timed(lambda board=board: list(board.legal_moves))
            figures.listing += seconds
            if not legal:
                break
            moves.append(legal[rng.randrange(len(legal))])
            _, seconds = timed(lambda board=board, moves=moves: board.push(moves[-1]))
            figures.playing += seconds
        again = chess.Board()
        _, seconds = timed(lambda again=again, moves=moves: [again.push(move) for move in moves])
        count(figures, len(moves), seconds)
    return figures


def of_game(game: AnyGame, seats: int) -> Figures:
    """Play random games of one of ours; chance counts as playing."""
    figures = Figures()
    start = game.start(game.colours[:seats], play.complete_options(game))
    for seed in range(GAMES):
        rng, position, orders = Random(seed), start, []
        while (actor := game.to_act(position)) is not None:
            if actor == CHANCE:
                outcomes, seconds = timed(lambda position=position: game.chance(position))
                weights = [weight for _, weight in outcomes]
                order = rng.choices([order for order, _ in outcomes], weights)[0]
            else:
                legal, seconds = timed(lambda position=position: game.orders(position))
                order = legal[rng.randrange(len(legal))]
            figures.listing += seconds
            (position, _), seconds = timed(
                lambda position=position, order=order: game.apply(position, order)
            )
            figures.playing += seconds
            orders.append(order)
        _, seconds = timed(lambda orders=orders: play.replay(game, start, orders))
        count(figures, len(orders), seconds)
    return figures


def count(figures: Figures, orders: int, seconds: float) -> None:
    """Add a game and the replay of it."""
    figures.orders += orders
    figures.replay += seconds
    figures.longest = max(figures.longest, seconds)


if __name__ == "__main__":
    main()
