"""Counts of mails: by state, of answers, of bounces, and of those sent of late."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Executable, case, func, select

from referee.store import tables as t
from referee.store.database.query import exists, mapping, number, pairs, value
from referee.store.tables.post import OutboxRow

_o: Final = t.outbox.c


def latest_sent(connection: Connection, number: int, now: datetime) -> datetime | None:
    """Return when the oldest of so many mails sent last left; None if fewer were sent."""
    return _sent_before(connection, now, number - 1)


@value(datetime)
def _sent_before(now: datetime, later: int) -> Executable:
    left = select(_o.sent_at).where(_o.sent_at <= now).order_by(_o.sent_at.desc())
    return left.offset(later).limit(1)


@mapping
def count_mails() -> Executable:
    """Return how many mails are in each state."""
    return select(_o.state, func.count()).group_by(_o.state)


@number
def count_bounces(player_id: int, since: datetime) -> Executable:
    """Return how many mails to a player since a moment came back."""
    sent = select(func.count()).where(_o.player_id == player_id, _o.created >= since)
    return sent.where(_o.bounced_at.is_not(None))


def bounced_after(connection: Connection, row: OutboxRow) -> bool:
    """Return whether a later mail to the same address came back."""
    return _bounced_since(connection, row.player_id, row.recipient, row.created)


@exists
def _bounced_since(player_id: int | None, address: str, since: datetime) -> Executable:
    # An accepted mail clears an address only if no later one came back from it.
    sent = select(_o.id).where(_o.player_id == player_id, _o.recipient == address)
    return sent.where(_o.bounced_at >= since).limit(1)


def answers_since(
    connection: Connection, player_id: int, hour: datetime, day: datetime, *, unproved: bool = False
) -> tuple[int, int]:
    """Return how many answers a player was written: since ``hour``, and since ``day``.

    The latter, which is the earlier moment, counts no receipts. Counted are answers to letters
    whose sender was proved, or only to the others.
    """
    return _answers(connection, player_id, hour, day, unproved)[0]


@pairs
def _answers(player_id: int, hour: datetime, day: datetime, unproved: bool) -> Executable:
    hourly = func.count(case((_o.created >= hour, 1)))
    daily = func.count(case((_o.kind == "answer", 1)))
    written = select(hourly, daily).where(_o.player_id == player_id, _o.created >= day)
    # Counted apart: whoever forges a sender must not use up the answers of the true one.
    return written.where(_o.kind.in_(["answer", "receipt"]), _o.unproved == unproved)


@exists
def warned_since(player_id: int, since: datetime) -> Executable:
    """Return whether a player got a notice without match since a moment."""
    written = select(_o.id).where(_o.player_id == player_id, _o.created > since)
    return written.where(_o.kind == "notice", _o.match_id.is_(None)).limit(1)
