"""Standing orders of the seats of a match, waiting or ended."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, insert, select, update

from referee.store import tables as t
from referee.store.database.block import read_cached
from referee.store.database.rows import all_rows, first_row, only_row, row_columns
from referee.store.states import StandingKind, StandingState
from referee.value import Value


class StandingOrderRow(Value):
    """A standing order; ``text`` holds its lines, English. Rows are never deleted.

    ``number`` counts those that one holder of the seat gave, as its mails name them; ``handed_on``
    tells which holder that was. Of what is held, ``arrived`` is when its letter came, ``until`` for
    how long; without, it waits for its player's yes.
    """

    id: int
    match_id: int
    seat: str
    kind: StandingKind
    text: str
    state: StandingState
    created: datetime
    ended_at: datetime | None
    number: int
    handed_on: int
    arrived: datetime | None
    until: datetime | None


_s: Final = t.standing_orders.c

_ADD: Final = insert(t.standing_orders).returning(*row_columns(StandingOrderRow, t.standing_orders))

_WAITING: Final = _s.state == "waiting"

_rows: Final = select(*row_columns(StandingOrderRow, t.standing_orders)).where(
    _s.match_id == bindparam("match")
)

_ALL: Final = _rows.where(_WAITING).order_by(_s.id)

_HELD: Final = (
    select(_s.match_id)
    .distinct()
    .join(t.matches, t.matches.c.id == _s.match_id)
    .where(t.matches.c.state == "running")
    .where(_s.until < bindparam("moment"))
    .where(_WAITING)
    .order_by(_s.match_id)
)

_LATEST: Final = (
    _rows.where(_s.seat == bindparam("colour"))
    .order_by(_s.id.desc())
    .limit(1)
    .offset(bindparam("passed_over"))
)

# Only while it waits: a letter may cancel what the agenda has just used.
_UPDATE: Final = update(t.standing_orders).where(_s.id == bindparam("which")).where(_WAITING)

_END_ALL: Final = update(t.standing_orders).where(_s.match_id == bindparam("match")).where(_WAITING)


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
    return only_row(StandingOrderRow, connection.execute(_ADD, row), seat)


def latest_standing_order(
    connection: Connection, match_id: int, seat: str, back: int = 0
) -> StandingOrderRow | None:
    """Return a seat's latest standing order, or ``back`` ones before it.

    Ended ones count too.
    """
    which = {"match": match_id, "colour": seat, "passed_over": back}
    return first_row(StandingOrderRow, connection.execute(_LATEST, which))


def standing_orders_of(
    connection: Connection, match_id: int, seat: str | None = None
) -> tuple[StandingOrderRow, ...]:
    """Return the waiting standing orders of a match or seat, oldest first."""
    found = read_cached(
        connection,
        t.standing_orders,
        match_id,
        lambda: all_rows(StandingOrderRow, connection.execute(_ALL, {"match": match_id})),
    )
    return tuple(each for each in found if seat in {None, each.seat})


def matches_held_before(connection: Connection, moment: datetime) -> tuple[int, ...]:
    """Return the matches where orders were held until before a moment."""
    return tuple(connection.execute(_HELD, {"moment": moment}).scalars())


def has_orders_held_until(connection: Connection, match_id: int, moment: datetime) -> bool:
    """Return whether orders wait that are held until a moment, or less."""
    waiting = standing_orders_of(connection, match_id)
    return any(each.until is not None and each.until <= moment for each in waiting)


def set_standing_order(
    connection: Connection, standing_id: int, text: str, kind: StandingKind
) -> bool:
    """Replace the text of a waiting standing order; return False if it has ended.

    It is held no longer; what is left of held orders waits as another ``kind``.
    """
    row = {"which": standing_id, "text": text, "kind": kind, "arrived": None, "until": None}
    return connection.execute(_UPDATE, row).rowcount == 1


def ask_standing_order(connection: Connection, standing_id: int) -> None:
    """Have a held standing order wait until its player's yes, if it still waits."""
    connection.execute(_UPDATE, {"which": standing_id, "until": None})


def end_standing_order(
    connection: Connection, standing_id: int, state: StandingState, now: datetime
) -> bool:
    """End a waiting standing order; return False if it had ended before."""
    row = {"which": standing_id, "state": state, "ended_at": now}
    return connection.execute(_UPDATE, row).rowcount == 1


def end_standing_orders(
    connection: Connection, match_id: int, state: StandingState, now: datetime
) -> int:
    """End all that still wait in a match; return how many."""
    row: dict[str, object] = {"match": match_id, "state": state, "ended_at": now}
    return connection.execute(_END_ALL, row).rowcount
