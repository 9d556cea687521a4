"""Attacks, their chains and losses, and challenges of foreign jarls (Nord A2, B)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from referee.games.game import Document, Fact, Order, Refusal, replace
from referee.games.grid import bits, flood, spread
from referee.games.nord.board import Board, connected, geometry, no_settlement
from referee.games.nord.orders import Attack, Challenge
from referee.games.nord.position import NO_JARL, Position, add_to, boat_has_room, settlements_of
from referee.value import add_at, put_at

RULE = "Nord A2"
CHALLENGE = "Nord B"

FIFTH = 5
"""Attackers from which one becomes a warrior where its seat chooses."""

ENDS = ("start", "goal")


def losses(attackers: int) -> tuple[int, int, int, int]:
    """Count off how many attackers die, become warriors at the goal and at the start, and go back.

    The first and the fourth die, the second and third become warriors (Nord A2). The fifth is left
    out, as its seat chooses.
    """
    dead = (attackers >= 1) + (attackers >= 4)
    return dead, int(attackers >= 2), int(attackers >= 3), max(0, attackers - FIFTH)


def owed(position: Position) -> Iterator[tuple[int, int]]:
    """Yield every pair of start and goal that qualifies now."""
    geo = position.geometry
    workers, seat = position.all_workers, position.seat
    for start in settlements_of(position, seat):
        # Over workers of all colours: whose they are never matters (Nord 3).
        reached = flood(geo.gates[start], workers, geo.width)
        for goal, gates in enumerate(geo.gates):
            if (
                gates & reached
                and not position.warriors[goal][seat]
                # Pairs connected before the placement owe nothing: only new links bring attacks.
                and not position.linked[start] >> goal & 1
            ):
                yield start, goal


def new_links(position: Position, mask: int) -> bool:
    """Whether workers placed now connect a start and a goal that were not connected before."""
    geo, seat, workers = position.geometry, position.seat, position.all_workers
    part = flood(mask, workers | mask, geo.width)
    starts: list[int] = []
    goals: list[int] = []
    for gates, warriors in zip(geo.gates, position.warriors, strict=True):
        if gates & part:
            (starts if warriors[seat] else goals).append(gates)
    # Most placements touch too little, and need no more floods than this one.
    return bool(goals) and any(
        not gates & reached
        for reached in (flood(start, workers, geo.width) for start in starts)
        for gates in goals
    )


def chains(position: Position, start: int, goal: int) -> dict[int, tuple[str, ...]]:
    """Return the choices of path between two connected settlements.

    The key is the mask of own workers a choice takes off the map, the value the first of its
    shortest chains in board order.
    """
    own = position.workers[position.seat]
    return _chains(position.board, position.all_workers, own, start, goal)


@lru_cache(maxsize=256)
def _chains(
    board: Board, workers: int, own: int, start: int, goal: int
) -> dict[int, tuple[str, ...]]:
    geo = geometry(board)
    # Searched from the goal backwards, so that chains are built from their start to their end.
    layer = geo.gates[goal] & workers
    best: dict[int, dict[int, tuple[int, ...]]]
    best = {bit: {bit & own: (bit,)} for bit in bits(layer)}
    seen = layer
    # The search ends with the first layer that touches the start: chains are shortest.
    while layer and not layer & geo.gates[start]:
        following = spread(layer, geo.width) & workers & ~seen
        longer: dict[int, dict[int, tuple[int, ...]]] = {bit: {} for bit in bits(following)}
        for bit, firsts in longer.items():
            for near in bits(spread(bit, geo.width) & layer):
                for mask, chain in best[near].items():
                    # Of chains with the same own workers the first one will do.
                    key = mask | bit & own
                    firsts[key] = min((bit, *chain), firsts.get(key, (bit, *chain)))
        best, layer, seen = longer, following, seen | following
    first: dict[int, tuple[int, ...]] = {}
    for bit in bits(layer & geo.gates[start]):
        for mask, chain in best[bit].items():
            # Chains with the same own workers differ in nothing that matters; the first one stands
            # for all.
            first[mask] = min(chain, first.get(mask, chain))
    ordered = sorted(first.items(), key=lambda pair: pair[1])
    return {mask: tuple(geo.name[bit] for bit in chain) for mask, chain in ordered}


def attacks(position: Position) -> list[Order]:
    """Return every attack possible now, each without its dispensable parts."""
    geo = position.geometry
    orders: list[Order] = []
    for start, goal in owed(position):
        choices = chains(position, start, goal)
        for mask, chain in choices.items():
            # Without a choice the chain need not be said.
            via = chain if len(choices) > 1 else ()
            ends = (None,) if mask.bit_count() < FIFTH else ENDS
            names = geo.settlements[start], geo.settlements[goal]
            orders += [Attack(*names, via, end) for end in ends]
    return orders


def canonical_attack(position: Position, order: Attack) -> Attack:
    """Return an attack without its dispensable parts, or unchanged if it cannot be made."""
    geo = position.geometry
    if order.start not in geo.index or order.goal not in geo.index:
        return order
    pair = geo.index[order.start], geo.index[order.goal]
    if pair not in set(owed(position)):
        return order
    choices = chains(position, *pair)
    mask = _chosen(position, order, choices)
    if mask is None:
        return order
    via = choices[mask] if len(choices) > 1 else ()
    # With fewer attackers the place of the fifth means nothing, so it is dropped.
    useless = mask.bit_count() < FIFTH and order.fifth in ENDS
    return replace(order, via=via, fifth=None if useless else order.fifth)


def _chosen(position: Position, order: Attack, choices: dict[int, tuple[str, ...]]) -> int | None:
    """Return the own workers an attack takes off the map, None if it leaves that open or errs."""
    if not order.via:
        return next(iter(choices)) if len(choices) == 1 else None
    geo, workers = position.geometry, position.all_workers
    start, goal = geo.index[order.start], geo.index[order.goal]
    masks = [geo.mask.get(space, 0) for space in order.via]
    # Any shortest chain may be named, not only the first one of its kind.
    is_chain = (
        len(masks) == len(next(iter(choices.values())))
        and all(mask & workers for mask in masks)
        and all(spread(one, geo.width) & other for one, other in pairwise(masks))
        and masks[0] & geo.gates[start]
        and masks[-1] & geo.gates[goal]
    )
    return sum(masks) & position.workers[position.seat] if is_chain else None


def attack_refusal(position: Position, order: Attack) -> Refusal | None:
    """Return why an attack may not be made."""
    geo = position.geometry
    for space in (order.start, order.goal):
        if refused := no_settlement(geo, space, RULE):
            return refused
    start, goal = geo.index[order.start], geo.index[order.goal]
    fields = {"start": order.start, "goal": order.goal}
    if not position.warriors[start][position.seat]:
        return Refusal("no-warrior-at-start", RULE, fields)
    if position.warriors[goal][position.seat]:
        return Refusal("warrior-at-goal", RULE, fields)
    if position.linked[start] >> goal & 1:
        return Refusal("connected-before", RULE, fields)
    if not connected(geo, position.all_workers, start, goal):
        return Refusal("not-connected", RULE, fields)
    choices = chains(position, start, goal)
    mask = _chosen(position, order, choices)
    if mask is None:
        code = "no-shortest-chain" if order.via else "chain-missing"
        return Refusal(code, "Nord A2.1", fields | {"length": len(next(iter(choices.values())))})
    if order.fifth is not None and order.fifth not in ENDS:
        return Refusal("fifth-unknown", "Nord A2.3", fields)
    if mask.bit_count() >= FIFTH and order.fifth is None:
        return Refusal("fifth-missing", "Nord A2.3", fields)
    return None


def after_attack(position: Position, order: Attack) -> tuple[Position, list[Fact]]:
    """Return the position after an attack, and the facts."""
    geo, seat = position.geometry, position.seat
    start, goal = geo.index[order.start], geo.index[order.goal]
    choices = chains(position, start, goal)
    mask = _chosen(position, order, choices) or 0
    path = order.via or choices[mask]
    fallen, to_goal, to_start, back = losses(mask.bit_count())
    if mask.bit_count() >= FIFTH:
        to_goal, to_start = to_goal + (order.fifth == "goal"), to_start + (order.fifth == "start")
    room = len(position.board.boat_numbers) - len(position.large_boat)
    # Who finds no place on the boat returns to supply (Nord A2.3).
    dead = min(fallen, room)
    turned_away = fallen - dead
    warriors = add_to(position.warriors, goal, seat, to_goal)
    after = replace(
        position,
        workers=put_at(position.workers, seat, position.workers[seat] & ~mask),
        warriors=add_to(warriors, start, seat, to_start),
        large_boat=position.large_boat + (f"man:{position.colour}",) * dead,
        men=add_at(position.men, seat, back + turned_away),
        fishing_boats=position.fishing_boats + (mask & geo.sea).bit_count(),
    )
    fact = Fact(
        "attacked",
        {
            "seat": position.colour,
            "start": order.start,
            "goal": order.goal,
            "path": list(path),
            "attackers": mask.bit_count(),
            "dead": dead,
            "to_goal": to_goal,
            "to_start": to_start,
            "back": back,
            "turned_away": turned_away,
        },
    )
    return after, [fact]


def challenges(position: Position) -> list[Order]:
    """Return every jarl the seat may challenge."""
    # A tile is played only in a turn in which workers are placed (Nord A0).
    if position.played or not boat_has_room(position):
        return []
    # Two warriors at least, and more than any other seat has, against a foreign jarl.
    own = [counts[position.seat] for counts in position.warriors]
    candidates = [
        i
        for i, jarl in enumerate(position.jarls)
        if jarl not in (NO_JARL, position.colour)
        and own[i] >= 2
        and _most_others(position, i) < own[i]
    ]
    if not candidates:
        return []
    geo = position.geometry
    # A challenged jarl goes on board, so a way to the small boat must be there.
    near = flood(geo.boat_gates, position.all_workers, geo.width)
    return [Challenge(geo.settlements[i]) for i in candidates if geo.gates[i] & near]


def _most_others(position: Position, settlement: int) -> int:
    counts = position.warriors[settlement]
    return max((n for seat, n in enumerate(counts) if seat != position.seat), default=0)


def challenge_refusal(position: Position, order: Challenge) -> Refusal | None:
    """Return why a jarl may not be challenged."""
    geo, space = position.geometry, order.space
    if position.played:
        return Refusal("no-challenge-after-tile", CHALLENGE, {"tile": position.played})
    if refused := no_settlement(geo, space, CHALLENGE):
        return refused
    settlement = geo.index[space]
    jarl = position.jarls[settlement]
    if jarl == NO_JARL:
        return Refusal("no-jarl", CHALLENGE, {"space": space})
    if jarl == position.colour:
        return Refusal("own-jarl", CHALLENGE, {"space": space})
    warriors = position.warriors[settlement][position.seat]
    if warriors < 2:
        return Refusal("too-few-warriors", CHALLENGE, {"space": space, "warriors": warriors})
    others = _most_others(position, settlement)
    if others >= warriors:
        fields: Document = {"space": space, "warriors": warriors, "others": others}
        return Refusal("not-the-most-warriors", CHALLENGE, fields)
    if not flood(geo.gates[settlement], position.all_workers, geo.width) & geo.boat_gates:
        return Refusal("not-connected-to-small-boat", CHALLENGE, {"space": space})
    if not boat_has_room(position):
        return Refusal("large-boat-full", CHALLENGE)
    return None


def after_challenge(position: Position, order: Challenge) -> tuple[Position, list[Fact]]:
    """Return the position with the jarl on the large boat, and the facts."""
    settlement = position.geometry.index[order.space]
    jarl = position.jarls[settlement]
    # The lowest empty place, which is always the next: dead men and jarls take them in turn.
    points = position.board.boat_numbers[len(position.large_boat)]
    after = replace(
        position,
        jarls=put_at(position.jarls, settlement, NO_JARL),
        large_boat=(*position.large_boat, f"jarl:{jarl}"),
        points=add_at(position.points, position.seat, points),
    )
    fields: Document = {
        "seat": position.colour,
        "space": order.space,
        "jarl": jarl,
        "place": len(after.large_boat),
        "points": points,
    }
    return after, [Fact("challenged", fields)]
