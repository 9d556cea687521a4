"""Texts about a match, kept by hash: the log names them, and they can be erased."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Executable, delete, func, insert, select, update

from referee.store import tables as t
from referee.store.database import query
from referee.store.tables.play import MessageRow

_m: Final = t.messages.c
_waiting: Final = t.waiting_messages.c
_messages: Final = select(*query.row_columns(MessageRow, t.messages))


def add_message(connection: Connection, match_id: int, **columns: object) -> None:
    """Keep a text that a player wrote for a seat, or the organiser (both None)."""
    query.add_row(connection, t.messages, match_id=match_id, **columns)


@query.first(MessageRow)
def find_message(match_id: int, digest: str) -> Executable:
    """Return the text of a match kept under a hash."""
    return _messages.where(_m.match_id == match_id, _m.hash == digest).order_by(_m.id)


@query.number
def written_since(match_id: int, seat: str, since: datetime) -> Executable:
    """Return how many messages a seat wrote to others since a moment."""
    by_seat = select(func.count()).where(_m.match_id == match_id, _m.seat == seat)
    # A note to oneself disturbs nobody and does not count against the limit.
    return by_seat.where(_m.recipients != (), _m.created > since)


@query.first(MessageRow)
def latest_by_others(match_id: int, seat: str, until: datetime) -> Executable:
    """Return the last message that another seat wrote before a moment, or at it."""
    by_others = _messages.where(_m.match_id == match_id, _m.seat != seat, _m.recipients != ())
    return by_others.where(_m.created <= until).order_by(_m.created.desc(), _m.id.desc()).limit(1)


def hold_message(
    connection: Connection, match_id: int, digest: str, player_id: int, sender_id: int
) -> None:
    """Let a text of a sender wait for a player's digest."""
    row = {"match_id": match_id, "hash": digest, "player_id": player_id, "sender_id": sender_id}
    connection.execute(insert(t.waiting_messages), row)


@query.every(MessageRow)
def messages_held_for(player_id: int) -> Executable:
    """Return texts waiting for a player's digest, by match, oldest first."""
    same = (_m.match_id == _waiting.match_id) & (_m.hash == _waiting.hash)
    held = _messages.join(t.waiting_messages, same).where(_waiting.player_id == player_id)
    return held.where(_waiting.mail_id.is_(None)).distinct().order_by(_m.match_id, _m.id)


def note_told(
    connection: Connection, player_id: int, told: Iterable[MessageRow], mail: int
) -> None:
    """Note that a digest of a player tells texts that waited."""
    for message in told:
        which = (_waiting.match_id == message.match_id) & (_waiting.hash == message.hash)
        held = update(t.waiting_messages).where(_waiting.player_id == player_id, which)
        connection.execute(held.where(_waiting.mail_id.is_(None)).values(mail_id=mail))


def settle_told(connection: Connection, mail: int, *, left: bool) -> None:
    """Forget the waiting of texts a digest told; if it never left, they wait again."""
    told = _waiting.mail_id == mail
    forget, wait = delete(t.waiting_messages), update(t.waiting_messages).values(mail_id=None)
    connection.execute(forget.where(told) if left else wait.where(told))


def matches_told(connection: Connection, mail: int) -> frozenset[int]:
    """Return the matches whose waiting texts a digest tells."""
    told = select(_waiting.match_id).where(_waiting.mail_id == mail)
    return frozenset(connection.execute(told).scalars())
