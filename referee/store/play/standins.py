"""Stand-ins: players or bots that sit for a seat's owner for some days."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, insert, select, update

from referee.store import tables as t
from referee.store.database.block import read_cached
from referee.store.database.rows import all_rows, row_columns
from referee.store.states import StandInState
from referee.value import Value


class StandInRow(Value):
    """A player or bot that sits for ``owner_id`` between two moments.

    ``details`` is JSON. The stand-in sits from ``begins``, and no longer than ``ends``.
    """

    id: int
    match_id: int
    seat: str
    owner_id: int
    player_id: int | None
    bot: str | None
    begins: datetime
    ends: datetime
    details: str
    state: StandInState
    created: datetime


_ADD: Final = insert(t.stand_ins).returning(t.stand_ins.c.id)

_OF_MATCH: Final = select(*row_columns(StandInRow, t.stand_ins)).where(
    t.stand_ins.c.match_id == bindparam("match")
)

_ALL: Final = _OF_MATCH.order_by(t.stand_ins.c.id)

_OPEN: Final = _OF_MATCH.where(t.stand_ins.c.state != "over").order_by(
    t.stand_ins.c.begins, t.stand_ins.c.id
)

# Both ends in one question, as the daemon asks it in each round.
_DUE: Final = (
    select(t.stand_ins.c.match_id)
    .where(
        ((t.stand_ins.c.state == "planned") & (t.stand_ins.c.begins <= bindparam("moment")))
        | ((t.stand_ins.c.state == "sitting") & (t.stand_ins.c.ends <= bindparam("moment")))
    )
    .distinct()
)

_SEATS_WITH: Final = (
    select(t.stand_ins.c.match_id, t.stand_ins.c.seat)
    .where(t.stand_ins.c.state != "over")
    .where(
        (t.stand_ins.c.owner_id == bindparam("player"))
        | (t.stand_ins.c.player_id == bindparam("player"))
    )
)

_SET: Final = update(t.stand_ins).where(t.stand_ins.c.id == bindparam("which"))


def add_stand_in(
    connection: Connection,
    match_id: int,
    seat: str,
    *,
    owner_id: int,
    player_id: int | None,
    bot: str | None,
    begins: datetime,
    ends: datetime,
    details: str,
    now: datetime,
) -> int:
    """Keep a planned stand-in; return its id."""
    who = {"match_id": match_id, "seat": seat, "owner_id": owner_id}
    when = {"begins": begins, "ends": ends, "details": details, "created": now}
    row = {**who, **when, "player_id": player_id, "bot": bot, "state": "planned"}
    found: int = connection.execute(_ADD, row).scalar_one()
    return found


def stand_ins(connection: Connection, match_id: int) -> tuple[StandInRow, ...]:
    """Return the stand-ins of a match that sit or will, earliest first."""
    return read_cached(
        connection,
        t.stand_ins,
        match_id,
        lambda: all_rows(StandInRow, connection.execute(_OPEN, {"match": match_id})),
    )


def all_stand_ins(connection: Connection, match_id: int) -> tuple[StandInRow, ...]:
    """Return all stand-ins ever arranged in a match, oldest first."""
    return all_rows(StandInRow, connection.execute(_ALL, {"match": match_id}))


def matches_with_stand_in_due(connection: Connection, moment: datetime) -> list[int]:
    """Return the matches with a stand-in to begin or end by now."""
    return [row[0] for row in connection.execute(_DUE, {"moment": moment})]


def seats_arranged_with(connection: Connection, player_id: int) -> list[tuple[int, str]]:
    """Return the seats (match, colour) a player has by stand-ins.

    The player owns the seat or sits there, now or later.
    """
    found = connection.execute(_SEATS_WITH, {"player": player_id})
    return [(row.match_id, row.seat) for row in found]


def set_stand_in(connection: Connection, stand_in_id: int, state: StandInState) -> None:
    """Set the state of a stand-in."""
    connection.execute(_SET, {"which": stand_in_id, "state": state})
