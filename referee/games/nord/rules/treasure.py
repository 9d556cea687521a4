"""Treasure tiles played, and their actions (Nord A0)."""

from __future__ import annotations

from referee.games.game import Fact, Order, Refusal, replace
from referee.games.grid import flood
from referee.games.nord.board import connected, no_settlement
from referee.games.nord.orders import ACTIONS, SYMBOLS, Play, action_of
from referee.games.nord.position import Position, settlements_of
from referee.games.nord.rules.placing import open_spaces
from referee.value import add_at, put_at

RULE = "Nord A0"


def playable_tiles(position: Position) -> list[Order]:
    """Return every tile the seat may play now, if action A is possible without it."""
    # One tile a turn.
    if position.played or not any(position.hands[position.seat]):
        return []
    starts = open_spaces(position)
    if not starts:
        return []
    geo, hand = position.geometry, position.hands[position.seat]
    moves: list[tuple[str, str]] = []
    # Costly, and needed for the negotiator alone.
    for start in settlements_of(position, position.seat) if hand[0] or hand[1] else ():
        reached = flood(geo.gates[start], position.all_workers, geo.width)
        moves += [
            (geo.settlements[start], geo.settlements[goal])
            for goal, gates in enumerate(geo.gates)
            # A tile may be played only if workers can still be placed afterwards (Nord A0).
            if goal != start and gates & reached and open_spaces(_moved(position, start, goal))
        ]
    orders: list[Order] = []
    for symbol, number in zip(SYMBOLS, hand, strict=True):
        action = action_of(symbol)
        # Goblet and axe allow land workers only, so they need a land space that is open (Nord A0).
        if not number or (action == "two-regions" and not starts & geo.land):
            continue
        negotiator = action == ACTIONS[0]
        orders += [Play(symbol, *move) for move in moves] if negotiator else [Play(symbol)]
    return orders


def _moved(position: Position, start: int, goal: int) -> Position:
    seat = position.seat
    warriors = put_at(position.warriors, start, add_at(position.warriors[start], seat, -1))
    warriors = put_at(warriors, goal, add_at(warriors[goal], seat, 1))
    return replace(position, warriors=warriors)


def play_refusal(position: Position, order: Play) -> Refusal | None:
    """Return why a tile may not be played."""
    if order.tile not in SYMBOLS:
        return Refusal("unknown-tile", RULE, {"tile": order.tile})
    if position.played:
        return Refusal("one-tile-a-turn", RULE, {"tile": position.played})
    if not position.hands[position.seat][SYMBOLS.index(order.tile)]:
        return Refusal("not-in-hand", RULE, {"tile": order.tile})
    if not open_spaces(position):
        return Refusal("no-tile-without-placing", RULE)
    if action_of(order.tile) != ACTIONS[0]:
        if order.start is not None or order.goal is not None:
            return Refusal("tile-moves-nobody", RULE, {"tile": order.tile})
        if not open_spaces(replace(position, played=order.tile)):
            return Refusal("no-placement-after", RULE, {"tile": order.tile})
        return None
    geo = position.geometry
    if order.start is None or order.goal is None:
        return Refusal("move-missing", RULE, {"tile": order.tile})
    for space in (order.start, order.goal):
        if refused := no_settlement(geo, space, RULE):
            return refused
    start, goal = geo.index[order.start], geo.index[order.goal]
    if start == goal:
        return Refusal("same-settlement", RULE, {"space": order.start})
    if not position.warriors[start][position.seat]:
        return Refusal("no-warrior-to-move", RULE, {"space": order.start})
    if not connected(geo, position.all_workers, start, goal):
        return Refusal("not-connected", RULE, {"start": order.start, "goal": order.goal})
    if not open_spaces(_moved(position, start, goal)):
        return Refusal("no-placement-after", RULE, {"tile": order.tile})
    return None


def after_play(position: Position, order: Play) -> tuple[Position, list[Fact]]:
    """Return the position with a tile played, and the facts."""
    seat, symbol = position.seat, SYMBOLS.index(order.tile)
    geo = position.geometry
    action = action_of(order.tile)
    facts = [Fact("played", {"seat": position.colour, "tile": order.tile, "action": action})]
    after = replace(
        position,
        hands=put_at(position.hands, seat, add_at(position.hands[seat], symbol, -1)),
        discards=add_at(position.discards, symbol, 1),
        unplayed=put_at(position.unplayed, seat, position.unplayed[seat] & ~(1 << symbol // 2)),
        played=order.tile,
    )
    if order.start is not None and order.goal is not None:
        after = _moved(after, geo.index[order.start], geo.index[order.goal])
        move = {"seat": position.colour, "start": order.start, "goal": order.goal}
        facts.append(Fact("moved", move))
    return after, facts
