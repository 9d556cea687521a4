"""Grace: for how long a player's orders are held, so that they can be withdrawn.

Held orders are standing orders: nobody is told of them, chance is not asked, and the board stays as
it is. So all of them can be withdrawn until they are played, and nothing that was played can.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.matches import standing_orders
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.standing_orders import Cancel, Given, KeptStandingOrder
from referee.desk.matches.time import clock
from referee.games.game import Seat
from referee.matches import private
from referee.render.mails import Fate
from referee.store.people.players import PlayerRow
from referee.store.play import matches
from referee.store.play.matches import MatchRow


def grace_of(row: MatchRow, player: PlayerRow) -> timedelta:
    """Return how long a player's orders are held: the longer of both terms."""
    return max(clock.pace_of(row).grace, timedelta(seconds=player.grace))


def grace_ends(
    change: Change, row: MatchRow, player: PlayerRow, arrived: datetime
) -> datetime | None:
    """Return the moment until which orders are held; None: played at once.

    It counts from the arrival of their letter, so that it is the same whenever that is read.
    """
    span = grace_of(row, player)
    if not span:
        return None
    until = arrived + span
    # Nobody could order in time, and withdraw after the end of it.
    if clock.clock_runs(row) and (due := clock.clock_of(change, row).due) is not None:
        until = min(until, due)
    return until if until > arrived else None


def held_orders(
    connection: Connection, loaded: LoadedMatch, seat: Seat | None
) -> KeptStandingOrder | None:
    """Return the orders of a seat that are held, if any."""
    kept = standing_orders.kept_standing_orders(connection, loaded)
    mine = (each for each in kept if each.standing.seat == seat)
    return next((each for each in mine if each.standing.kind == "held"), None)


def are_held(connection: Connection, loaded: LoadedMatch, seat: Seat, lines: Sequence[str]) -> bool:
    """Return whether the very same orders of a seat are held."""
    held = held_orders(connection, loaded, seat)
    return held is not None and held.standing.lines == tuple(lines)


def hold_orders(
    change: Change,
    loaded: LoadedMatch,
    seat: Seat,
    lines: Sequence[str],
    arrived: datetime,
    until: datetime,
) -> tuple[datetime, Sequence[str]]:
    """Hold a seat's orders; return until when, and those whose place they take.

    The very same ones are held no longer for being sent twice.
    """
    before = held_orders(change.connection, loaded, seat)
    if before is not None and before.standing.lines == tuple(lines):
        return before.standing.until or until, ()
    replaced = drop_held(change, loaded, seat)
    standing_orders.put_standing_order(change, loaded, seat, "held", lines, arrived, until)
    clock.note_held_arrival(change, loaded.row, arrived)
    matches.set_agenda(change.connection, loaded.row.id, change.desk.now())
    return until, replaced


def drop_held(change: Change, loaded: LoadedMatch, seat: Seat) -> Sequence[str]:
    """End the held orders of a seat, as others take their place; return them."""
    held = held_orders(change.connection, loaded, seat)
    if held is not None:
        standing_orders.end_one(change, loaded, held, private.REPLACED)
    return () if held is None else held.standing.lines


def take_back(
    change: Change, loaded: LoadedMatch, seat: Seat, given: Sequence[Given]
) -> tuple[Fate, ...]:
    """Carry out the cancellations before other orders in advance; return each outcome.

    The others wait, with the cancellations behind them, which may take back what they order.
    """
    first = next((n for n, each in enumerate(given) if not isinstance(each, Cancel)), len(given))
    take = standing_orders.take_advance
    return tuple(
        take(change, loaded, seat, each) if n < first else "waiting" for n, each in enumerate(given)
    )
