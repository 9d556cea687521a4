"""Letters of strangers, counted by address and day for the organiser."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, Executable, delete, select, update

from referee.store import tables as t
from referee.store.database import query
from referee.store.tables.people import StrangerRow

_s: Final = t.strangers.c
_strangers: Final = select(*query.row_columns(StrangerRow, t.strangers))


def note_stranger(connection: Connection, address: str, now: datetime) -> None:
    """Count a letter of a stranger on its day, in UTC."""
    row = {"address": address.lower(), "day": day_of(now)}
    query.insert_or_skip(connection, t.strangers, row)
    today = (_s.address == row["address"]) & (_s.day == row["day"])
    connection.execute(update(t.strangers).where(today).values(count=t.strangers.c["count"] + 1))


def may_answer(connection: Connection, address: str, now: datetime) -> bool:
    """Return whether a stranger may be answered today; only once is it True."""
    # The update itself decides, so that two letters handled at once are not both answered.
    today = (_s.address == address.lower()) & (_s.day == day_of(now))
    unanswered = update(t.strangers).where(today, _s.answered.is_(False))
    return connection.execute(unanswered.values(answered=True)).rowcount == 1


@query.every(StrangerRow)
def strangers_on(day: str) -> Executable:
    """Return the strangers of a day, by address."""
    return _strangers.where(_s.day == day).order_by(_s.address)


@query.every(StrangerRow)
def strangers_between(first_day: str, end_day: str) -> Executable:
    """Return the strangers of some days in order, without the last day."""
    return _strangers.where(_s.day >= first_day, _s.day < end_day).order_by(_s.day, _s.address)


@query.done
def drop_strangers_before(day: str) -> Executable:
    """Forget the strangers of the days before one."""
    return delete(t.strangers).where(_s.day < day)


def day_of(now: datetime) -> str:
    """Return the day of a moment in UTC, as an ISO date."""
    return now.astimezone(UTC).date().isoformat()
