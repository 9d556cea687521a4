"""How many orders a second random games of Nord play, listing all legal orders at every step.

Beside it stands a yardstick, fixed work in plain Python in the same run, so that numbers from
different machines can be compared: the ratio is orders per thousand rounds of the yardstick.
"""

from __future__ import annotations

import sys
import time
from random import Random

from referee.games import play
from referee.games.nord import GAME

ROUNDS = 200_000


def yardstick() -> float:
    """Return the rounds a second of a fixed loop of whole numbers, the best of three runs."""
    best = 0.0
    for _ in range(3):
        began = time.perf_counter()
        value, seen = 1, {0}
        for number in range(ROUNDS):
            value = (value * 1_103_515_245 + 12_345) & 0x7FFFFFFF
            if value & 7 == number & 7:
                seen.add(value & 1023)
        best = max(best, ROUNDS / (time.perf_counter() - began))
    return best


def playouts(players: int, island: str, games: int) -> tuple[int, float, float]:
    """Return the orders played, the seconds they took, and the longest replay in seconds."""
    seats = GAME.colours[:players]
    options = play.complete_options(GAME, {"island": island})
    board = GAME.board(seats, options, None, Random(1))
    start = GAME.start(seats, options, board)
    orders, seconds, longest = 0, 0.0, 0.0
    for seed in range(games):
        began = time.perf_counter()
        played = [step.order for step in play.random_play(GAME, start, Random(seed))]
        seconds += time.perf_counter() - began
        orders += len(played)
        began = time.perf_counter()
        play.replay(GAME, start, played)
        longest = max(longest, time.perf_counter() - began)
    return orders, seconds, longest


def main() -> None:
    """Print a line for every number of players and kind of island."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    rounds = yardstick()
    print(f"yardstick {rounds:,.0f} rounds/s")
    for players in GAME.seats:
        for island in ("standard", "variable"):
            orders, seconds, longest = playouts(players, island, games)
            speed = orders / seconds
            print(
                f"{players} seats, {island}: {speed:,.0f} orders/s, "
                f"ratio {1000 * speed / rounds:.2f}, {orders / games:.0f} orders a game, "
                f"longest replay {1000 * longest:.1f} ms"
            )


if __name__ == "__main__":
    main()
