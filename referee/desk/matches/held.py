"""Orders that are held: until a moment that was agreed or set, or until their player's yes.

Held orders are standing orders: nobody is told of them, chance is not asked, and the board stays as
it is. So all of them can be withdrawn until they are played, and nothing that was played can. What
acts later, a queue or a policy, is held as well, and until then it neither acts nor replaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change, Desk
from referee.desk.matches import standing_orders
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.standing_orders import Hold, KeptStandingOrder
from referee.desk.matches.time import clock
from referee.games.game import Seat
from referee.matches import private
from referee.matches.time.calendar import NONE
from referee.store.people.players import UNTIL_YES
from referee.store.play import matches
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow
from referee.value import replace

ASK: Final = timedelta(seconds=UNTIL_YES)
"""A player's term in place of a time: until they say yes."""


def grace_of(row: MatchRow, player: PlayerRow) -> timedelta:
    """Return how long all orders of a player are held: the longer of both terms."""
    mine = timedelta(seconds=player.grace)
    return mine if mine == ASK else max(clock.pace_of(row).grace, mine)


def talk_of(desk: Desk, row: MatchRow, player: PlayerRow) -> timedelta:
    """Return how long orders in company are held: as their player says, the match, or the desk."""
    agreed = clock.pace_of(row).talk
    if player.talk is not None:
        return timedelta(seconds=player.talk)
    return desk.settings.talk if agreed is None else agreed


def hold_for(
    change: Change,
    row: MatchRow,
    seat: Seat,
    player: PlayerRow,
    arrived: datetime,
    way: str,
) -> Hold | None:
    """Return how the orders of a letter are held that stand alone, in company or contradicted.

    None: they are played at once. It counts from the arrival of their letter, so that it is the
    same whenever that is read.
    """
    grace = grace_of(row, player)
    talk = talk_of(change.desk, row, player) if way == "company" else NONE
    if way == "contradicted" or ASK in {grace, talk}:
        return Hold(arrived)
    until = arrived + max(grace, talk)
    due = clock.clock_of(change, row).due if clock.clock_runs(row) and row.to_act == seat else None
    if due is not None:
        # Nobody could order in time, and withdraw after the end of it; a late turn is waited for.
        until = min(until, due) if due > arrived else arrived + talk
    return Hold(arrived, until) if until > arrived else None


def held_orders(
    connection: Connection, loaded: LoadedMatch, seat: Seat | None
) -> KeptStandingOrder | None:
    """Return a seat's orders for its turn that are held, if any."""
    mine = all_held(connection, loaded, seat)
    return next((kept for kept in mine if kept.standing.kind == "held"), None)


def all_held(
    connection: Connection, loaded: LoadedMatch, seat: Seat | None
) -> list[KeptStandingOrder]:
    """Return all that is held of a seat, what acts later too."""
    kept_orders = standing_orders.kept_standing_orders(connection, loaded)
    return [kept for kept in kept_orders if kept.standing.seat == seat and kept.standing.is_held]


def hold_orders(
    change: Change, loaded: LoadedMatch, seat: Seat, lines: Sequence[str], hold: Hold
) -> tuple[Hold, Sequence[str]]:
    """Hold a seat's orders; return how, and those whose place they take.

    The very same ones are held no longer for being sent twice, but wait for a yes if they have to.
    """
    before = held_orders(change.connection, loaded, seat)
    if before is not None and before.hold and before.standing.lines == tuple(lines):
        if hold.until is None:
            ask_about(change, [before])
            return replace(before.hold, until=None), ()
        return before.hold, ()
    replaced = drop_held(change, loaded, seat)
    standing_orders.put_standing_order(change, loaded, seat, "held", lines, hold)
    clock.note_held_arrival(change, loaded.row, hold.arrived)
    return hold, replaced


def ask_about(change: Change, kept_orders: Iterable[KeptStandingOrder]) -> None:
    """Have orders that are held until a moment wait for their player's yes."""
    for kept in kept_orders:
        matches.ask_standing_order(change.connection, kept.id)


def drop_held(change: Change, loaded: LoadedMatch, seat: Seat) -> Sequence[str]:
    """End the held orders of a seat, as others take their place; return them."""
    kept = held_orders(change.connection, loaded, seat)
    if kept is not None:
        standing_orders.end_one(change, loaded, kept, private.REPLACED)
    return () if kept is None else kept.standing.lines
