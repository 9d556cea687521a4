"""Texts about a match, kept by hash: the log names them, and they can be erased."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, func, insert, select

from referee.store import tables as t
from referee.store.database.rows import all_rows, first_row, row_columns


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A text kept by hash.

    ``recipients`` is a JSON list of seats; ``text`` is None once erased.
    """

    id: int
    match_id: int
    seat: str | None
    recipients: str
    hash: str
    text: str | None
    created: datetime


_messages: Final = (
    select(*row_columns(MessageRow, t.messages))
    .where(t.messages.c.match_id == bindparam("match"))
    .order_by(t.messages.c.id)
)

_BY_HASH: Final = _messages.where(t.messages.c.hash == bindparam("which"))

_WRITTEN_SINCE: Final = (
    select(func.count())
    .where(t.messages.c.match_id == bindparam("match"))
    .where(t.messages.c.seat == bindparam("colour"))
    # A note to oneself disturbs nobody and does not count against the limit.
    .where(t.messages.c.recipients != "[]")
    .where(t.messages.c.created > bindparam("since"))
)

_LAST: Final = select(func.max(t.messages.c.id))

_ADD: Final = insert(t.messages).returning(t.messages.c.id)


def add_message(
    connection: Connection,
    match_id: int,
    *,
    seat: str | None,
    recipients: str,
    digest: str,
    text: str,
    now: datetime,
) -> int:
    """Keep a text of a seat, or of no seat (None); return its id."""
    row = {"match_id": match_id, "seat": seat, "recipients": recipients, "hash": digest}
    found: int = connection.execute(_ADD, {**row, "text": text, "created": now}).scalar_one()
    return found


def find_message(connection: Connection, match_id: int, digest: str) -> MessageRow | None:
    """Return the text of a match kept under a hash."""
    return first_row(MessageRow, connection.execute(_BY_HASH, {"match": match_id, "which": digest}))


def last_message_id(connection: Connection) -> int:
    """Return the number of the latest text, nought without any."""
    found: int | None = connection.execute(_LAST).scalar()
    return found or 0


def written_since(connection: Connection, match_id: int, seat: str, since: datetime) -> int:
    """Return how many messages a seat wrote to others since a moment."""
    which = {"match": match_id, "colour": seat, "since": since}
    found: int = connection.execute(_WRITTEN_SINCE, which).scalar_one()
    return found


def messages(connection: Connection, match_id: int) -> tuple[MessageRow, ...]:
    """Return every text of a match, oldest first."""
    return all_rows(MessageRow, connection.execute(_messages, {"match": match_id}))
