"""Standing orders of the seats of a match, waiting or ended."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Executable, insert, select, update

from referee.store import tables as t
from referee.store.database.query import (
    cached,
    changed,
    changed_one,
    done,
    every,
    first,
    only_row,
    row_columns,
    values,
)
from referee.store.states import StandingKind, StandingState
from referee.store.tables.play import StandingOrderRow

_s: Final = t.standing_orders.c

_columns: Final = row_columns(StandingOrderRow, t.standing_orders)

_waiting: Final = _s.state == "waiting"


def add_standing_order(
    connection: Connection,
    match_id: int,
    seat: str,
    kind: StandingKind,
    text: str,
    now: datetime,
    *,
    handed_on: int = 0,
    arrived: datetime | None = None,
    until: datetime | None = None,
) -> StandingOrderRow:
    """Keep a standing order that waits from now on; return it with its number.

    The first that a holder of the seat gives has number 1.
    """
    last = latest_standing_order(connection, match_id, seat)
    # Each holder counts from one: the numbers would tell how many the holder before had given.
    number = last.number + 1 if last is not None and last.handed_on == handed_on else 1
    row = {"match_id": match_id, "seat": seat, "kind": kind, "text": text, "state": "waiting"}
    row |= {"created": now, "ended_at": None, "number": number, "handed_on": handed_on}
    row |= {"arrived": arrived, "until": until}
    added = insert(t.standing_orders).returning(*_columns)
    return only_row(StandingOrderRow, connection.execute(added, row), seat)


@first(StandingOrderRow)
def latest_standing_order(match_id: int, seat: str, back: int = 0) -> Executable:
    """Return a seat's latest standing order, or ``back`` ones before it, ended ones included."""
    of_seat = select(*_columns).where(_s.match_id == match_id, _s.seat == seat)
    return of_seat.order_by(_s.id.desc()).limit(1).offset(back)


def standing_orders_of(
    connection: Connection, match_id: int, seat: str | None = None
) -> tuple[StandingOrderRow, ...]:
    """Return the waiting standing orders of a match or seat, oldest first."""
    waiting = _waiting_in(connection, match_id)
    return tuple(row for row in waiting if seat in {None, row.seat})


@cached(t.standing_orders)
@every(StandingOrderRow)
def _waiting_in(match_id: int) -> Executable:
    return select(*_columns).where(_s.match_id == match_id, _waiting).order_by(_s.id)


@values(int)
def matches_held_before(moment: datetime) -> Executable:
    """Return the matches where orders were held until before a moment."""
    running = t.matches.c.state == "running"
    held = select(_s.match_id).distinct().join(t.matches, t.matches.c.id == _s.match_id)
    return held.where(running, _s.until < moment, _waiting).order_by(_s.match_id)


def has_orders_held_until(connection: Connection, match_id: int, moment: datetime) -> bool:
    """Return whether orders wait that are held until a moment, or less."""
    waiting = standing_orders_of(connection, match_id)
    return any(row.until is not None and row.until <= moment for row in waiting)


# These change only what waits: a letter may cancel what the agenda has just used.


@changed_one
def set_standing_order(standing_id: int, text: str, kind: StandingKind) -> Executable:
    """Replace the text of a waiting standing order; return False if it has ended.

    It is held no longer; what is left of held orders waits as another ``kind``.
    """
    waiting = update(t.standing_orders).where(_s.id == standing_id, _waiting)
    return waiting.values(text=text, kind=kind, arrived=None, until=None)


@done
def ask_standing_order(standing_id: int) -> Executable:
    """Have a held standing order wait until its player's yes, if it still waits."""
    return update(t.standing_orders).where(_s.id == standing_id, _waiting).values(until=None)


@changed_one
def end_standing_order(standing_id: int, state: StandingState, now: datetime) -> Executable:
    """End a waiting standing order; return False if it had ended before."""
    waiting = update(t.standing_orders).where(_s.id == standing_id, _waiting)
    return waiting.values(state=state, ended_at=now)


@changed
def end_standing_orders(match_id: int, state: StandingState, now: datetime) -> Executable:
    """End all that still wait in a match; return how many."""
    waiting = update(t.standing_orders).where(_s.match_id == match_id, _waiting)
    return waiting.values(state=state, ended_at=now)
