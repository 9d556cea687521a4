"""How many orders a second random games of Origo play, listing all legal orders at every step.

Beside it stands a yardstick, fixed work in plain Python in the same run, so that numbers from
different machines can be compared: the ratio is orders per thousand rounds of the yardstick.
"""

from __future__ import annotations

import sys
import time
from random import Random

from referee.games import play
from referee.games.origo import GAME

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


def playouts(players: int, games: int) -> tuple[int, float, float]:
    """Return the orders played, the seconds they took, and the longest replay in seconds."""
    start = GAME.start(GAME.colours[:players], play.complete_options(GAME))
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


def many_cards() -> tuple[int, float, float]:
    """Return the orders of a turn in which ten cards fit one shield, and the seconds to list them.

    Eight kinds fit a square of Germania in rows D to F and columns 5 to 7; with two of them held
    twice there are 575 ways to open the attack. The first listing makes the orders, the second
    finds them made.
    """
    hand = ["row:E", "row:E", "row:E/F", "row:D/E/F", "col:6", "col:6", "col:5/6", "col:5/6/7"]
    document = {
        "game": "origo",
        "seats": ["red", "blue"],
        "founded": ["GER"],
        "shields": {"E6": "blue", "E5": "red", "F6": "red", "D6": "blue"},
        "hands": {"red": [*hand, "land:GER", "people"]},
    }
    position = GAME.load(document)
    times = []
    for _ in range(2):
        began = time.perf_counter()
        number = len(GAME.orders(position))
        times.append(time.perf_counter() - began)
    return number, times[0], times[1]


def main() -> None:
    """Print a line for every number of players."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    rounds = yardstick()
    print(f"yardstick {rounds:,.0f} rounds/s")
    for players in GAME.seats:
        orders, seconds, longest = playouts(players, games)
        speed = orders / seconds
        print(
            f"{players} seats: {speed:,.0f} orders/s, ratio {1000 * speed / rounds:.2f}, "
            f"{orders / games:.0f} orders a game, longest replay {1000 * longest:.1f} ms"
        )
    number, first, again = many_cards()
    print(f"{number} orders in a turn: {1000 * first:.1f} ms, again {1000 * again:.1f} ms")


if __name__ == "__main__":
    main()
