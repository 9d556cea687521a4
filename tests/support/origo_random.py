"""Random positions of Origo, crowded enough that clans, fights and foundings meet."""

from __future__ import annotations

from random import Random
from typing import Any

from support.origo_twin_board import (
    AREA,
    BIG,
    DECK,
    SEAS,
    SHIELDS,
    SMALL,
    SQUARES,
    SQUARES_OF,
    beside,
)

COLOURS = ("red", "blue", "black", "green", "orange")


def random_document(rng: Random) -> dict[str, Any]:
    """Return a readable document in the middle of somebody's turn."""
    seats = rng.sample(COLOURS, rng.choice((2, 2, 3, 3, 4, 5)))
    shields = _shields(rng, seats)
    mover, first = rng.choice(seats), rng.choice(seats)
    order = seats[seats.index(first) :] + seats[: seats.index(first)]
    before = order[: order.index(mover)]
    own_sea = [s for s, owner in shields.items() if owner == mover and AREA[s] in SEAS]
    others = [seat for seat in seats if seat != mover]
    deck = rng.sample(DECK, len(DECK))
    return {
        "game": "origo",
        "edition": 1,
        "board": "reconstructed",
        "seats": seats,
        "to_act": mover,
        "start_player": first,
        "round": rng.randint(1, 30),
        "passed": before if rng.random() < 0.4 else rng.sample(before, rng.randint(0, len(before))),
        "shields": shields,
        "founded": _founded(rng, shields),
        "scorings_ordered": rng.choice((0, 0, 1, 2)),
        "supply": _supply(rng, seats, shields),
        "path": _path(rng, seats),
        "hands": {seat: _dealt(deck, rng.choice((0, 2, 4, 6, 8))) for seat in seats},
        "draw": _heap(_dealt(deck, rng.choice((0, 1, 30)))),
        "discards": _heap(_dealt(deck, rng.choice((0, 0, 1, 20)))),
        "turn": {
            "actions": rng.choice((0, 0, 0, 1, 1, 2)),
            "migrated": rng.random() < 0.2,
            "exchanged": False,
            "sailed": rng.sample(own_sea, rng.randint(0, len(own_sea)) // 2),
            "defended": rng.sample(others, rng.choice((0, 0, 1))),
        },
    }


def _shields(rng: Random, seats: list[str]) -> dict[str, str]:
    """Return a crowd in which neighbours are often of one colour."""
    shields: dict[str, str] = {}
    many = rng.choice((15, 30, 50, 70))
    crowd = rng.sample(SQUARES, many)
    for area in rng.sample((*SEAS, *BIG, *SMALL), rng.choice((0, 2, 4))):
        crowd += [s for s in SQUARES_OF[area] if s not in crowd]
    for square in crowd:
        known = sorted(s for s in beside(square) if s in shields)
        alike = known and rng.random() < 0.7
        owner = shields[rng.choice(known)] if alike else rng.choice(seats)
        if list(shields.values()).count(owner) < SHIELDS[len(seats)]:
            shields[square] = owner
    return shields


def _founded(rng: Random, shields: dict[str, str]) -> list[str]:
    """Return all full lands and some more, in any order."""
    full = [land for land in (*BIG, *SMALL) if all(s in shields for s in SQUARES_OF[land])]
    chance = rng.choice((0.1, 0.5, 0.9))
    more = [land for land in (*BIG, *SMALL) if land not in full and rng.random() < chance]
    return rng.sample(full + more, len(full + more))


def _supply(rng: Random, seats: list[str], shields: dict[str, str]) -> dict[str, int]:
    left = {seat: SHIELDS[len(seats)] - list(shields.values()).count(seat) for seat in seats}
    return {seat: min(n, rng.choice((0, 1, 2, 5, 44, 44, 44))) for seat, n in left.items()}


def _path(rng: Random, seats: list[str]) -> dict[str, int]:
    """Return totals close together, over the border of a lap, no two on one field."""
    fields = rng.sample(range(90, 112), len(seats))
    return {
        seat: field + 100 * rng.choice((0, 0, 1)) for seat, field in zip(seats, fields, strict=True)
    }


def _dealt(deck: list[str], number: int) -> list[str]:
    dealt = deck[:number]
    del deck[:number]
    return dealt


def _heap(cards: list[str]) -> dict[str, int]:
    return {card: cards.count(card) for card in cards}
