"""Placements of workers, and treasure tiles played before them (Nord A0, A1)."""

from __future__ import annotations

from referee.games.game import Fact, Order, Refusal, replace
from referee.games.grid import flood, spread
from referee.games.nord.board import (
    Geometry,
    connected,
    no_settlement,
    regions_of,
    sets_to_place,
)
from referee.games.nord.orders import ACTIONS, SYMBOLS, Place, Play, action_of
from referee.games.nord.position import Position, add_to, settlements_of
from referee.games.nord.rules.piles import claim_tiles
from referee.value import add_at, put_at


def seeds(position: Position) -> int:
    """Return the free spaces on which a worker would be linked to a warrior of the seat (A1.4)."""
    geo = position.geometry
    workers = position.all_workers
    gates = 0
    for around, warriors in zip(geo.gates, position.warriors, strict=True):
        if warriors[position.seat]:
            gates |= around
    # The way may lead over anybody's workers (Nord A1.4).
    linked = flood(gates, workers, geo.width)
    return (gates | spread(linked, geo.width)) & (geo.land | geo.sea) & ~workers


def open_spaces(position: Position) -> int:
    """Return the legal spaces for one worker, considering the tile played."""
    if position.men[position.seat] == 0:
        return 0
    geo = position.geometry
    # Each worker at sea takes a fishing boat, and the two regions are land regions.
    sea_too = position.fishing_boats > 0 and action(position) != "two-regions"
    return seeds(position) & (geo.land | geo.sea if sea_too else geo.land)


def action(position: Position) -> str:
    """Return the action of the tile played this turn, or nothing."""
    return action_of(position.played) if position.played else ""


def most_workers(played: str, *, at_sea: bool) -> int:
    """Return how many workers may be placed at once after the action played, if any."""
    if played == "many-workers":
        return 3 if at_sea else 5
    return 2 if at_sea else 3


def placements(position: Position) -> list[Order]:
    """Return every legal placement, small ones first."""
    orders: list[Order] = []
    starts = open_spaces(position)
    if not starts:
        return orders
    geo = position.geometry
    workers = position.all_workers
    played, men = action(position), position.men[position.seat]
    if starts_on_land := starts & geo.land:
        most = min(men, most_workers(played, at_sea=False))
        kind = "two-regions" if played == "two-regions" else "land"
        orders = [
            order
            for mask, order in sets_to_place(position.board, kind, most)
            # One linked space is enough: the rest of the set hangs on it.
            if mask & starts_on_land and not mask & workers
        ]
    if starts_at_sea := starts & geo.sea:
        most = min(men, position.fishing_boats, most_workers(played, at_sea=True))
        orders += [
            order
            for mask, order in sets_to_place(position.board, "sea", most)
            if mask & starts_at_sea and not mask & workers
        ]
    return orders


def placement_refusal(position: Position, order: Place) -> Refusal | None:
    """Return why a placement may not be made: number and kind first, then A1.1 to A1.5 in order."""
    geo = position.geometry
    for space in order.spaces:
        if space not in geo.mask:
            return Refusal("no-such-space", "Nord A1", {"space": space})
    # The small boat counts as sea here, so that whoever aims at it is told of the boat.
    sea = geo.sea | geo.boats
    at_sea = [bool(geo.mask[space] & sea) for space in order.spaces]
    number = len(order.spaces)
    if number == 0:
        return Refusal("no-spaces", "Nord A1")
    if any(at_sea) != all(at_sea):
        return Refusal("mixed-kinds", "Nord A1", {"spaces": list(order.spaces)})
    played = action(position)
    if at_sea[0] and played == "two-regions":
        return Refusal("land-only", "Nord A0", {"tile": position.played})
    most = most_workers(played, at_sea=at_sea[0])
    if number > most:
        code = "too-many-at-sea" if at_sea[0] else "too-many-on-land"
        return Refusal(code, "Nord A1", {"number": number, "most": most})
    # In the sequence of the rules, so that a refusal cites the first paragraph broken.
    for space in order.spaces:
        bit = geo.mask[space]
        if space in geo.index:
            return Refusal("on-settlement", "Nord A1.1", {"space": space})
        if bit & geo.boats:
            return Refusal("on-small-boat", "Nord A1.1", {"space": space})
        for seat, workers in zip(position.seats, position.workers, strict=True):
            if bit & workers:
                return Refusal("occupied", "Nord A1.1", {"space": space, "seat": seat})
    mask = _mask(geo, order)
    if mask.bit_count() < number:
        twice = next(space for space in order.spaces if order.spaces.count(space) > 1)
        return Refusal("space-twice", "Nord A1.1", {"space": twice})
    # Flooded from any one space, a connected set is reached as a whole.
    if flood(mask & -mask, mask, geo.width) != mask:
        return Refusal("not-contiguous", "Nord A1.2", {"spaces": list(order.spaces)})
    two = played == "two-regions"
    if not mask & geo.sea and len(regions_of(geo, mask)) > (2 if two else 1):
        code = "more-than-two-regions" if two else "more-than-one-region"
        return Refusal(code, "Nord A1.3", {"spaces": list(order.spaces)})
    if not mask & seeds(position):
        return Refusal("not-linked", "Nord A1.4", {"spaces": list(order.spaces)})
    men, boats = position.men[position.seat], position.fishing_boats
    if number > men:
        return Refusal("too-few-men", "Nord A1.5", {"men": men})
    if mask & geo.sea and number > boats:
        return Refusal("too-few-fishing-boats", "Nord A1.5", {"boats": boats})
    return None


def _mask(geo: Geometry, order: Place) -> int:
    mask = 0
    for space in order.spaces:
        mask |= geo.mask[space]
    return mask


def after_placement(position: Position, order: Place) -> tuple[Position, list[Fact], int]:
    """Return the position with workers placed, the facts, and the spaces as a mask."""
    geo, seat = position.geometry, position.seat
    mask = _mask(geo, order)
    number = len(order.spaces)
    facts = [Fact("placed", {"seat": position.colour, "spaces": list(order.spaces)})]
    # A placement is all land or all sea, so one sea space tells about the rest.
    boats = position.fishing_boats - (number if mask & geo.sea else 0)
    after = replace(
        position,
        workers=put_at(position.workers, seat, position.workers[seat] | mask),
        men=add_at(position.men, seat, -number),
        fishing_boats=boats,
        # One tile serves one placement; the attacks that follow know nothing of it.
        played="",
    )
    after, claims = claim_tiles(after, mask)
    return after, facts + claims, mask


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
    warriors = add_to(position.warriors, start, position.seat, -1)
    return replace(position, warriors=add_to(warriors, goal, position.seat, 1))


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
        hands=add_to(position.hands, seat, symbol, -1),
        discards=add_at(position.discards, symbol, 1),
        unplayed=put_at(position.unplayed, seat, position.unplayed[seat] & ~(1 << symbol // 2)),
        played=order.tile,
    )
    if order.start is not None and order.goal is not None:
        after = _moved(after, geo.index[order.start], geo.index[order.goal])
        move = {"seat": position.colour, "start": order.start, "goal": order.goal}
        facts.append(Fact("moved", move))
    return after, facts
