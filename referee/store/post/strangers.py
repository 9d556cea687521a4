"""Letters of strangers, counted by address and day for the organiser."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, bindparam, delete, select, update

from referee.store import tables as t
from referee.store.database.rows import all_rows, row_columns
from referee.store.database.upsert import dialect_of, insert_or_count
from referee.value import Value


class StrangerRow(Value):
    """A stranger's letters on a day (ISO date); ``answered`` if one was."""

    address: str
    day: str
    count: int
    answered: bool


_s: Final = t.strangers.c

_ON: Final = (
    select(*row_columns(StrangerRow, t.strangers))
    .where(_s.day == bindparam("which"))
    .order_by(_s.address)
)

_BETWEEN: Final = (
    select(*row_columns(StrangerRow, t.strangers))
    .where(_s.day >= bindparam("first"))
    .where(_s.day < bindparam("end"))
    .order_by(_s.day, _s.address)
)

_ANSWER: Final = (
    update(t.strangers)
    .where(_s.address == bindparam("whom"))
    .where(_s.day == bindparam("which"))
    .where(_s.answered.is_(False))
    .values(answered=True)
)

_DROP: Final = delete(t.strangers).where(_s.day < bindparam("which"))


def note_stranger(connection: Connection, address: str, now: datetime) -> int:
    """Count a letter of a stranger; return how many it is on this day, in UTC."""
    statement = insert_or_count(dialect_of(connection), t.strangers, "count")
    row = {"address": address.lower(), "day": day_of(now)}
    found: int = connection.execute(statement, row).scalar_one()
    return found


def may_answer(connection: Connection, address: str, now: datetime) -> bool:
    """Return whether a stranger may be answered today; only once is it True."""
    row = {"whom": address.lower(), "which": day_of(now)}
    # The update itself decides, so that two letters handled at once are not both answered.
    return connection.execute(_ANSWER, row).rowcount == 1


def strangers_on(connection: Connection, day: str) -> tuple[StrangerRow, ...]:
    """Return the strangers of a day, by address."""
    return all_rows(StrangerRow, connection.execute(_ON, {"which": day}))


def strangers_between(
    connection: Connection, first_day: str, end_day: str
) -> tuple[StrangerRow, ...]:
    """Return the strangers of some days in order, without the last day."""
    which = {"first": first_day, "end": end_day}
    return all_rows(StrangerRow, connection.execute(_BETWEEN, which))


def drop_strangers_before(connection: Connection, day: str) -> int:
    """Forget the strangers of the days before one; return how many rows they were."""
    return connection.execute(_DROP, {"which": day}).rowcount


def day_of(now: datetime) -> str:
    """Return the day of a moment in UTC, as an ISO date."""
    return now.astimezone(UTC).date().isoformat()
