"""Views of a position, and positions with the hidden parts dealt anew."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.games.game import Seat, View, replace
from referee.games.nord.documents import dump
from referee.games.nord.orders import SYMBOLS
from referee.games.nord.position import NO_TILE, OVER, Position
from referee.games.nord.variable import shuffled


def hidden_hands(position: Position, seat: Seat | None) -> list[int]:
    """Return the seats whose tiles are hidden from a seat (Nord 7)."""
    # Hands are counted openly at the end (Nord 7).
    if position.phase == OVER:
        return []
    return [i for i, colour in enumerate(position.seats) if colour != seat]


def view(position: Position, seat: Seat | None) -> View:
    """Return the view of a seat or a spectator, symbols hidden from it as counts."""
    document: Any = dump(position)
    for i in hidden_hands(position, seat):
        document["hands"][position.seats[i]] = sum(position.hands[i])
    # That a pile has a tile is public, its symbol is not.
    document["treasures"] = dict.fromkeys(document["treasures"], "?")
    # By symbol it would tell, together with one's own tiles, what the others hold.
    document["supply"] = sum(position.supply)
    return View(seat, document)


def redeal(position: Position, seat: Seat | None, rng: Random) -> Position:
    """Return a position with everything hidden from a seat dealt anew.

    Every count stays, and a seat that never played an action still holds a tile of it.
    """
    hidden = hidden_hands(position, seat)
    pool = list(position.supply)
    for i in hidden:
        pool = [n + own for n, own in zip(pool, position.hands[i], strict=True)]
    for tile in position.treasures:
        if tile:
            pool[SYMBOLS.index(tile)] += 1
    # Drawn before the rest, or the pool could run out of the symbols needed.
    kept: dict[int, list[int]] = {i: [] for i in hidden}
    for i in hidden:
        for first in range(0, len(SYMBOLS), 2):
            if position.unplayed[i] >> first // 2 & 1:
                # Weighted by the tiles left, as if drawn from a bag with both symbols.
                symbol = first + (rng.randrange(pool[first] + pool[first + 1]) >= pool[first])
                pool[symbol] -= 1
                kept[i].append(symbol)
    rest = shuffled([symbol for symbol, n in enumerate(pool) for _ in range(n)], rng)
    hands = list(position.hands)
    for i in hidden:
        drawn = [rest.pop() for _ in range(sum(position.hands[i]) - len(kept[i]))]
        hands[i] = _counted(drawn + kept[i])
    treasures = tuple(SYMBOLS[rest.pop()] if tile else NO_TILE for tile in position.treasures)
    return replace(position, hands=tuple(hands), treasures=treasures, supply=_counted(rest))


def _counted(tiles: list[int]) -> tuple[int, ...]:
    return tuple(tiles.count(symbol) for symbol in range(len(SYMBOLS)))
