"""Challenges of foreign jarls, and the points for them (Nord B)."""

from __future__ import annotations

from referee.games.game import Document, Fact, Order, Refusal, replace
from referee.games.grid import flood
from referee.games.nord.board import no_settlement
from referee.games.nord.orders import Challenge
from referee.games.nord.position import NO_JARL, Position, boat_has_room
from referee.value import add_at, put_at

RULE = "Nord B"


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
        return Refusal("no-challenge-after-tile", RULE, {"tile": position.played})
    if refused := no_settlement(geo, space, RULE):
        return refused
    settlement = geo.index[space]
    jarl = position.jarls[settlement]
    if jarl == NO_JARL:
        return Refusal("no-jarl", RULE, {"space": space})
    if jarl == position.colour:
        return Refusal("own-jarl", RULE, {"space": space})
    warriors = position.warriors[settlement][position.seat]
    if warriors < 2:
        return Refusal("too-few-warriors", RULE, {"space": space, "warriors": warriors})
    others = _most_others(position, settlement)
    if others >= warriors:
        fields: Document = {"space": space, "warriors": warriors, "others": others}
        return Refusal("not-the-most-warriors", RULE, fields)
    if not flood(geo.gates[settlement], position.all_workers, geo.width) & geo.boat_gates:
        return Refusal("not-connected-to-small-boat", RULE, {"space": space})
    if not boat_has_room(position):
        return Refusal("large-boat-full", RULE)
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
