"""Moves of shields: placing, expanding, migrating, sailing; lands founded by them."""

from __future__ import annotations

from referee.games.game import Fact, Json, replace
from referee.games.origo.orders import Expand, Migrate, Place, Sail
from referee.games.origo.position import STARTING, Position, clockwise, discarded, hands_without
from referee.games.origo.rules.scoring import advanced
from referee.games.origo.squares import ALL, MASK
from referee.value import add_at


def from_supply(position: Position) -> tuple[Position, list[Fact]]:
    """Return the position after a shield of the seat at turn left its supply (Origo 6)."""
    supply = add_at(position.supply, position.seat, -1)
    # Only the first supply to run out announces the last round.
    empty = not supply[position.seat] and not position.last_round
    after = replace(
        position,
        supply=supply,
        # Shields placed at the beginning do not count as a sign of life.
        supplied=position.supplied if position.phase == "place" else position.round,
        last_round=position.last_round or empty,
    )
    if not empty:
        return after, []
    return after, [Fact("last-round", {"seat": position.colour, "cause": "exhausted"})]


def open_squares(position: Position) -> int:
    """Return the free squares open to a starting shield (Origo 2)."""
    board, occupied = position.board, position.occupied
    free = ALL & ~occupied
    for mask, limit in zip(board.land_masks, board.limits, strict=True):
        if (mask & occupied).bit_count() >= limit:
            free &= ~mask
    return free


def place_shield(position: Position, order: Place) -> tuple[Position, list[Fact]]:
    """Return the position after a starting shield was placed (Origo 2)."""
    square = MASK[order.square]
    after, last = from_supply(position)
    after = replace(after, shields=add_at(after.shields, position.seat, square))
    fields = {
        "seat": position.colour,
        "square": order.square,
        "area": position.board.area_at[square],
    }
    facts = [Fact("placed", fields), *last]
    most = STARTING[len(after.seats)] if open_squares(after) else 0
    # Also past the next seat: one without a shield in supply is passed over.
    for seat in clockwise(after, after.seat + 1):
        if after.shields[seat].bit_count() < most and after.supply[seat]:
            return replace(after, seat=seat), facts
    # All are done: the start player has the first turn.
    return replace(after, seat=after.start, phase="turn"), facts


def expand(position: Position, order: Expand) -> tuple[Position, list[Fact]]:
    """Return the position after a card was played and a shield put on a square."""
    board, seat, square = position.board, position.seat, MASK[order.square]
    card = (board.number[order.card],)
    after, last = from_supply(position)
    after = replace(
        after,
        hands=hands_without(position, seat, card),
        discards=discarded(position.discards, card),
        shields=add_at(position.shields, seat, square),
        turn=position.turn._replace(actions=position.turn.actions + 1),
    )
    fields = {
        "seat": position.colour,
        "square": order.square,
        "area": board.area_at[square],
        "card": order.card,
    }
    after, founded = after_arrival(after, square)
    return after, [Fact("expanded", fields), *founded, *last]


def move_shield(position: Position, order: Migrate | Sail) -> tuple[Position, list[Fact]]:
    """Return the position after a shield migrated or sailed."""
    seat, start, goal = position.seat, MASK[order.start], MASK[order.goal]
    turn = position.turn
    if isinstance(order, Sail):
        turn = turn._replace(sailed=turn.sailed | goal)
    else:
        # The mark of having sailed follows the shield, not the square.
        sailed = turn.sailed ^ start | goal if turn.sailed & start else turn.sailed
        turn = turn._replace(migrated=True, sailed=sailed)
    after = replace(position, shields=add_at(position.shields, seat, goal - start), turn=turn)
    fields = {
        "seat": position.colour,
        "start": order.start,
        "goal": order.goal,
        "area": position.board.area_at[goal],
    }
    after, founded = after_arrival(after, goal)
    return after, [Fact("sailed" if isinstance(order, Sail) else "migrated", fields), *founded]


def after_arrival(position: Position, square: int) -> tuple[Position, list[Fact]]:
    """Return the position after a shield arrived on a square, its land founded if now full."""
    board = position.board
    land = board.land_at[square]
    # At sea, founded before, or not yet full.
    if land < 0 or land in position.founded or board.land_masks[land] & ~position.occupied:
        return position, []
    stone = len(position.founded) + 1
    points, red = board.track[stone - 1], stone in board.red
    last = stone == len(board.track) and not position.last_round
    # The founder moves at once, so later steps of the turn see the new field.
    path = advanced(position.path, position.seat, points)
    after = replace(
        position,
        founded=(*position.founded, land),
        ordered=position.ordered + red,
        path=path,
        last_round=position.last_round or last,
    )
    fields: dict[str, Json] = {
        "seat": position.colour,
        "land": board.lands[land],
        "stone": stone,
        "points": points,
        "total": path[position.seat],
        "red": red,
    }
    facts = [Fact("founded", fields)]
    if last:
        facts.append(Fact("last-round", {"seat": position.colour, "cause": "founded"}))
    return after, facts
