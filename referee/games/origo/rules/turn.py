"""The effects of orders of every kind."""

from __future__ import annotations

from referee.games.game import Fact, Order, replace
from referee.games.origo.orders import (
    Add,
    Attack,
    Draw,
    Exchange,
    Expand,
    Migrate,
    Place,
    Sail,
    Start,
)
from referee.games.origo.position import Position
from referee.games.origo.rules.combat import add_card, give_up, open_combat
from referee.games.origo.rules.moves import expand, move_shield, place_shield
from referee.games.origo.rules.piles import draw_card, exchange, settle
from referee.games.origo.rules.rounds import name_start


def after_order(position: Position, order: Order) -> tuple[Position, list[Fact]]:
    """Return the position after a legal order, and the facts."""
    # The most frequent kinds first: a replay passes here thousands of times.
    if isinstance(order, Migrate | Sail):
        return move_shield(position, order)
    if isinstance(order, Draw):
        return draw_card(position, order)
    if isinstance(order, Expand):
        return expand(position, order)
    if isinstance(order, Place):
        return place_shield(position, order)
    if isinstance(order, Attack):
        return open_combat(position, order)
    if isinstance(order, Exchange):
        return exchange(position, order)
    if isinstance(order, Start):
        return name_start(position, order.seat)
    if position.combat is not None:
        if isinstance(order, Add):
            return add_card(position, position.combat, order)
        return give_up(position, position.combat)
    # The turn ends, and cards are drawn next. Without any action it is a pass, whatever its name.
    passed = not position.turn.begun
    fact = Fact("passed" if passed else "done", {"seat": position.colour})
    after = replace(
        position,
        turn=position.turn._replace(ended=True),
        passed=position.passed | 1 << position.seat if passed else position.passed,
    )
    after, more = settle(after)
    return after, [fact, *more]
