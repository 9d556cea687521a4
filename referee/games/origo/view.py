"""Views of a position, and hidden parts dealt anew (Origo 1)."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.games.game import Seat, View, replace
from referee.games.origo.documents import dump
from referee.games.origo.position import Position


def view(position: Position, seat: Seat | None) -> View:
    """Return the view of a seat or a spectator: other hands and the draw pile are numbers."""
    document: Any = dump(position)
    for colour, hand in zip(position.seats, position.hands, strict=True):
        if colour != seat:
            document["hands"][colour] = len(hand)
    document["draw"] = sum(position.draw)
    return View(seat, document)


def redeal(position: Position, seat: Seat | None, rng: Random) -> Position:
    """Return a position with other hands and the draw pile dealt anew.

    Hands are never publicly known, so every deal of the unseen cards is possible.
    """
    pool = [card for card, number in enumerate(position.draw) for _ in range(number)]
    hidden = [i for i, colour in enumerate(position.seats) if colour != seat]
    for i in hidden:
        pool += position.hands[i]
    # The order must carry nothing of the true deal into the new one.
    pool.sort()
    rng.shuffle(pool)
    hands = list(position.hands)
    for i in hidden:
        hands[i] = tuple(sorted(pool.pop() for _ in position.hands[i]))
    draw = [0] * len(position.draw)
    for card in pool:
        draw[card] += 1
    return replace(position, hands=tuple(hands), draw=tuple(draw))
