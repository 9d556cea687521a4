"""Texts about a match, kept by hash: the log names them, and they can be erased."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from referee.store import tables as t
from referee.store.database.rows import all_rows, first_row, row_columns
from referee.value import Value


class MessageRow(Value):
    """A text kept by hash.

    ``player_id`` wrote it for ``seat``; both are None for the organiser. ``recipients`` is a JSON
    list of seats; ``text`` is None once erased.
    """

    id: int
    match_id: int
    seat: str | None
    player_id: int | None
    recipients: str
    hash: str
    text: str | None
    created: datetime


_BY_HASH: Final = (
    select(*row_columns(MessageRow, t.messages))
    .where(t.messages.c.match_id == bindparam("match"))
    .where(t.messages.c.hash == bindparam("which"))
    .order_by(t.messages.c.id)
)

_WRITTEN_SINCE: Final = (
    select(func.count())
    .where(t.messages.c.match_id == bindparam("match"))
    .where(t.messages.c.seat == bindparam("colour"))
    # A note to oneself disturbs nobody and does not count against the limit.
    .where(t.messages.c.recipients != "[]")
    .where(t.messages.c.created > bindparam("since"))
)

_waiting: Final = t.waiting_messages.c

_HOLD: Final = insert(t.waiting_messages)

_HELD_FOR: Final = (
    select(*row_columns(MessageRow, t.messages))
    .join(
        t.waiting_messages,
        (t.messages.c.match_id == _waiting.match_id) & (t.messages.c.hash == _waiting.hash),
    )
    .where(_waiting.player_id == bindparam("player"))
    .where(_waiting.mail_id.is_(None))
    .distinct()
    .order_by(t.messages.c.match_id, t.messages.c.id)
)

_SENDERS: Final = (
    select(_waiting.hash, _waiting.sender_id)
    .where(_waiting.player_id == bindparam("player"))
    .where(_waiting.mail_id.is_(None))
)

_TELL: Final = (
    update(t.waiting_messages)
    .where(_waiting.player_id == bindparam("player"))
    .where(_waiting.match_id == bindparam("match"))
    .where(_waiting.hash == bindparam("which"))
    .where(_waiting.mail_id.is_(None))
)

_UNTELL: Final = (
    update(t.waiting_messages).where(_waiting.mail_id == bindparam("mail")).values(mail_id=None)
)

_DROP_TOLD: Final = delete(t.waiting_messages).where(_waiting.mail_id == bindparam("mail"))

_MATCHES_TOLD: Final = select(_waiting.match_id).where(_waiting.mail_id == bindparam("mail"))

_ADD: Final = insert(t.messages).returning(t.messages.c.id)


def add_message(
    connection: Connection,
    match_id: int,
    *,
    seat: str | None,
    player_id: int | None,
    recipients: str,
    digest: str,
    text: str,
    now: datetime,
) -> int:
    """Keep a text and return its id.

    A player wrote it for a seat, or the organiser (both None).
    """
    who = {"match_id": match_id, "seat": seat, "player_id": player_id, "recipients": recipients}
    row = {**who, "hash": digest, "text": text, "created": now}
    found: int = connection.execute(_ADD, row).scalar_one()
    return found


def find_message(connection: Connection, match_id: int, digest: str) -> MessageRow | None:
    """Return the text of a match kept under a hash."""
    return first_row(MessageRow, connection.execute(_BY_HASH, {"match": match_id, "which": digest}))


def written_since(connection: Connection, match_id: int, seat: str, since: datetime) -> int:
    """Return how many messages a seat wrote to others since a moment."""
    which = {"match": match_id, "colour": seat, "since": since}
    found: int = connection.execute(_WRITTEN_SINCE, which).scalar_one()
    return found


def hold_message(
    connection: Connection, match_id: int, digest: str, player_id: int, sender_id: int
) -> None:
    """Let a text of a sender wait for a player's digest."""
    row = {"match_id": match_id, "hash": digest, "player_id": player_id, "sender_id": sender_id}
    connection.execute(_HOLD, row)


def messages_held_for(connection: Connection, player_id: int) -> tuple[MessageRow, ...]:
    """Return texts waiting for a player's digest, by match, oldest first."""
    return all_rows(MessageRow, connection.execute(_HELD_FOR, {"player": player_id}))


def senders_held_for(connection: Connection, player_id: int) -> dict[str, int]:
    """Return the senders of texts waiting for a player's digest, by hash."""
    return {row[0]: row[1] for row in connection.execute(_SENDERS, {"player": player_id})}


def note_told(
    connection: Connection, player_id: int, told: Iterable[MessageRow], mail: int
) -> None:
    """Note that a digest of a player tells texts that waited."""
    for each in told:
        which = {"player": player_id, "match": each.match_id, "which": each.hash}
        connection.execute(_TELL, {**which, "mail_id": mail})


def settle_told(connection: Connection, mail: int, *, left: bool) -> None:
    """Forget the waiting of texts a digest told; if it never left, they wait again."""
    connection.execute(_DROP_TOLD if left else _UNTELL, {"mail": mail})


def matches_told(connection: Connection, mail: int) -> frozenset[int]:
    """Return the matches whose waiting texts a digest tells."""
    return frozenset(connection.execute(_MATCHES_TOLD, {"mail": mail}).scalars())
