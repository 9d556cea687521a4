"""What people wrote about a match: kept by hash, so that the log can name what can be erased."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, insert, select

from referee.store import tables as t
from referee.store.rows import columns, every, first


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A text kept by hash; ``recipients`` is a JSON list of seats, ``text`` None once erased."""

    id: int
    match_id: int
    seat: str | None
    recipients: str
    hash: str
    text: str | None
    created: datetime


_messages: Final = (
    select(*columns(MessageRow, t.messages))
    .where(t.messages.c.match_id == bindparam("match"))
    .order_by(t.messages.c.id)
)
_BY_HASH: Final = _messages.where(t.messages.c.hash == bindparam("which"))
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
    """Keep a text that a seat (None: no seat) wrote; return its id."""
    row = {"match_id": match_id, "seat": seat, "recipients": recipients, "hash": digest}
    found: int = connection.execute(_ADD, {**row, "text": text, "created": now}).scalar_one()
    return found


def message(connection: Connection, match_id: int, digest: str) -> MessageRow | None:
    """Return the text of a match kept under a hash."""
    return first(MessageRow, connection.execute(_BY_HASH, {"match": match_id, "which": digest}))


def messages(connection: Connection, match_id: int) -> tuple[MessageRow, ...]:
    """Return every text of a match, oldest first."""
    return every(MessageRow, connection.execute(_messages, {"match": match_id}))
