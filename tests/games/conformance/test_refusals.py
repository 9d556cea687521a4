"""An order is refused exactly when it is not listed; junk never raises anything."""

from __future__ import annotations

from random import Random

from support.conformance import candidates, check_refusal
from support.tables import Table, sampled, shared_games

from referee.games.game import CHANCE, Order


def known_orders(table: Table) -> list[Order]:
    """Return the orders of all random games of a table."""
    return [step.order for played in shared_games(table) for step in played.steps]


def test_refused_are_exactly_the_orders_not_listed(table: Table) -> None:
    """Orders from elsewhere and mutated ones are refused unless their canonical form is listed."""
    rng, known = Random(4), known_orders(table)
    for step in sampled(table, most=24):
        if step.seat != CHANCE:
            for order in candidates(table.game, step.position, known, rng):
                check_refusal(table.game, step.position, order)
