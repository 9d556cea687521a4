"""Treasure tiles: dealt and laid by chance, claimed by workers."""

from __future__ import annotations

from referee.games.game import Fact, Order, replace
from referee.games.nord.orders import ACTIONS, SYMBOLS, Deal, Lay
from referee.games.nord.position import NO_TILE, Position, add_to
from referee.games.values import private_fact
from referee.value import add_at, put_at


def deal_due(position: Position) -> tuple[int, int] | None:
    """Return the seat and action next dealt a tile (Nord 2.4)."""
    if position.phase != "start":
        return None
    for seat, hand in enumerate(position.hands):
        for action in range(len(ACTIONS)):
            # Two neighbouring symbols share an action, and each seat is dealt one of each action.
            if not any(hand[2 * action : 2 * action + 2]):
                return seat, action
    return None


def pile_due(position: Position) -> int | None:
    """Return the first stone pile without tile and worker, in board order."""
    workers = position.all_workers
    for i, (bit, tile) in enumerate(zip(position.geometry.piles, position.treasures, strict=True)):
        # A pile under a worker stays empty until the worker leaves (Nord 6).
        if not tile and not bit & workers:
            return i
    return None


def outcomes(position: Position) -> list[tuple[Order, int]]:
    """Return the possible acts of chance with their weights, sorted by text."""
    if not position.chance:
        return []
    left = {symbol: n for symbol, n in zip(SYMBOLS, position.supply, strict=True) if n}
    if due := deal_due(position):
        seat, action = due
        # Sorted, since chance's outcomes must have one sequence for all who recompute draws.
        symbols = sorted(SYMBOLS[2 * action : 2 * action + 2])
        return [(Deal(position.seats[seat], tile), left[tile]) for tile in symbols if tile in left]
    pile = pile_due(position)
    if pile is None:
        return []
    geo = position.geometry
    space = geo.name[geo.piles[pile]]
    return [(Lay(space, tile), left[tile]) for tile in sorted(left)]


def settle(position: Position) -> tuple[Position, list[Fact]]:
    """Return the position in which chance acts if it must.

    When a tile is due and the supply is empty, the discards become the supply (Nord 6).
    """
    # The deal never empties the supply: it takes three tiles of 36 for each seat.
    if deal_due(position):
        return position, []
    if pile_due(position) is not None:
        if any(position.supply):
            return position, []
        if any(position.discards):
            none = (0,) * len(SYMBOLS)
            number = sum(position.discards)
            after = replace(position, supply=position.discards, discards=none)
            return after, [Fact("reshuffled", {"number": number})]
    # The set-up deals first; seats without a jarl then choose their start.
    choosing = position.phase == "start" and position.colour not in position.jarls
    return replace(position, chance=False, phase="start" if choosing else "turn"), []


def deal(position: Position, order: Deal) -> tuple[Position, list[Fact]]:
    """Return the position with a tile dealt to a seat, which alone learns its symbol."""
    seat, symbol = position.seats.index(order.seat), SYMBOLS.index(order.tile)
    after = replace(
        position,
        supply=add_at(position.supply, symbol, -1),
        hands=add_to(position.hands, seat, symbol, 1),
        unplayed=put_at(position.unplayed, seat, position.unplayed[seat] | 1 << symbol // 2),
    )
    facts = [
        Fact("dealt", {"seat": order.seat}),
        private_fact("dealt-tile", order.seat, tile=order.tile),
    ]
    after, more = settle(after)
    return after, facts + more


def lay(position: Position, order: Lay) -> tuple[Position, list[Fact]]:
    """Return the position with a tile laid face down on a pile, hidden from all seats."""
    geo = position.geometry
    pile = geo.piles.index(geo.mask[order.space])
    after = replace(
        position,
        supply=add_at(position.supply, SYMBOLS.index(order.tile), -1),
        treasures=put_at(position.treasures, pile, order.tile),
    )
    after, more = settle(after)
    return after, [Fact("laid", {"space": order.space}), *more]


def claim_tiles(position: Position, mask: int) -> tuple[Position, list[Fact]]:
    """Return the position after new workers took the tiles under them (Nord A1)."""
    geo, seat = position.geometry, position.seat
    facts: list[Fact] = []
    for i, (bit, tile) in enumerate(zip(geo.piles, position.treasures, strict=True)):
        if not bit & mask or not tile:
            continue
        space = geo.name[bit]
        position = replace(
            position,
            treasures=put_at(position.treasures, i, NO_TILE),
            hands=add_to(position.hands, seat, SYMBOLS.index(tile), 1),
        )
        facts.append(Fact("claimed", {"seat": position.colour, "space": space}))
        # Everybody sees that a tile was taken, only its new owner which one.
        facts.append(private_fact("claimed-tile", position.colour, tile=tile, space=space))
    return position, facts
