"""Random small positions of Nord, crowded enough that rare rules meet."""

from __future__ import annotations

from random import Random
from typing import Any

from support.nord_cases import ACTIONS, document
from support.nord_map import Space, space_name

COLOURS = ("red", "green", "blue", "yellow")
GROUND = "~~~ffmmkkK"


def random_document(rng: Random) -> dict[str, Any]:
    """Return a document that can be read, on a map of up to 6 times 7 spaces."""
    rows = _rows(rng)
    spaces = [(r, c) for r, row in enumerate(rows) for c, _ in enumerate(row)]
    seats = rng.sample(COLOURS, rng.choice((2, 2, 3)))
    free = [s for s in spaces if rows[s[0]][s[1]] not in "SD"]
    crowd = rng.sample(free, round(len(free) * rng.uniform(0.1, 0.6)))
    mine = rng.random()
    workers = {s: seats[0] if rng.random() < mine else rng.choice(seats) for s in crowd}
    seas = sum(rows[r][c] == "~" for r, c in workers)
    piles = [s for s in free if rows[s[0]][s[1]] == "K" and s not in workers]
    return document(
        *rows,
        seats=seats,
        scorings_done=rng.randrange(4),
        settlements=_settlements(rows, spaces, seats, rng),
        workers={space_name(s): seat for s, seat in workers.items()},
        treasures={space_name(s): rng.choice(list(ACTIONS)) for s in piles if rng.random() < 0.5},
        supply=_heap(rng, 4),
        discards=_heap(rng, 3),
        hands={seat: _heap(rng, 3) for seat in seats},
        large_boat=_boat(seats, rng),
        men={seat: rng.choice((0, 1, 2, 4, 9)) for seat in seats},
        points={seat: rng.randrange(60) for seat in seats},
        fishing_boats=max(0, rng.choice((0, 1, 2, 3, len(seats) + 4 - seas))),
    )


def _rows(rng: Random) -> list[str]:
    height, width = rng.randint(3, 6), rng.randint(3, 7)
    spaces = [(r, c) for r in range(height) for c in range(width)]
    signs = {s: rng.choice(GROUND) for s in spaces}
    boat, *settlements = rng.sample(spaces, rng.choice((4, 4, 5)))
    signs |= dict.fromkeys(settlements, "S") | {boat: "D"}
    return ["".join(signs[r, c] for c in range(width)) for r in range(height)]


def _settlements(
    rows: list[str], spaces: list[Space], seats: list[str], rng: Random
) -> dict[str, Any]:
    jarls = [None, "neutral", "neutral", *seats]
    return {
        space_name(s): {
            "jarl": jarl,
            "warriors": {seat: n for seat in seats if (n := rng.choice((0, 0, 0, 1, 1, 2, 3)))},
        }
        if (jarl := rng.choice(jarls))
        else {"warriors": {seats[0]: rng.choice((1, 2))}}
        for s in spaces
        if rows[s[0]][s[1]] == "S"
    }


def _heap(rng: Random, most: int) -> dict[str, int]:
    return {symbol: n for symbol in ACTIONS if (n := rng.randint(0, most) - most // 2) > 0}


def _boat(seats: list[str], rng: Random) -> list[str]:
    pieces = ["jarl:neutral", *(f"man:{seat}" for seat in seats), f"jarl:{seats[-1]}"]
    return [rng.choice(pieces) for _ in range(rng.choice((0, 3, 7, 8, 9, 9)))]
