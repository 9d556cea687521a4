"""Counts of mails: by state, of answers, of bounces, and of those sent of late."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, case, func, select

from referee.store import tables as t
from referee.store.post.outbox import OutboxRow

_o: Final = t.outbox.c

_SENT: Final = (
    select(_o.sent_at)
    .where(_o.sent_at <= bindparam("now"))
    .order_by(_o.sent_at.desc())
    .offset(bindparam("later"))
    .limit(1)
)

_COUNTS: Final = select(_o.state, func.count()).group_by(_o.state)

_WARNED_SINCE: Final = (
    select(_o.id)
    .where(_o.player_id == bindparam("whom"))
    .where(_o.created > bindparam("since"))
    .where(_o.kind == "notice")
    .where(_o.match_id.is_(None))
    .limit(1)
)

_ANSWERS_SINCE: Final = (
    select(
        func.count(case((_o.created >= bindparam("hour"), 1))),
        func.count(case((_o.kind == "answer", 1))),
    )
    .where(_o.player_id == bindparam("whom"))
    .where(_o.created >= bindparam("day"))
    .where((_o.kind == "answer") | (_o.kind == "receipt"))
    # Counted apart: whoever forges a sender must not use up the answers of the true one.
    .where(_o.unproved == bindparam("lacking"))
)

_BOUNCES: Final = (
    select(func.count())
    .where(_o.player_id == bindparam("whom"))
    .where(_o.created >= bindparam("since"))
    .where(_o.bounced_at.is_not(None))
)

# An accepted mail clears an address only if no later one came back from it.
_BOUNCED_AFTER: Final = (
    select(_o.id)
    .where(_o.player_id == bindparam("whom"))
    .where(_o.recipient == bindparam("place"))
    .where(_o.bounced_at >= bindparam("since"))
    .limit(1)
)


def latest_sent(connection: Connection, number: int, now: datetime) -> datetime | None:
    """Return when the oldest of so many mails sent last left; None if fewer were sent."""
    which = {"now": now, "later": number - 1}
    found: datetime | None = connection.execute(_SENT, which).scalar()
    return found


def count_mails(connection: Connection) -> dict[str, int]:
    """Return how many mails are in each state."""
    return {row[0]: row[1] for row in connection.execute(_COUNTS)}


def count_bounces(connection: Connection, player_id: int, since: datetime) -> int:
    """Return how many mails to a player since a moment came back."""
    which = {"whom": player_id, "since": since}
    found: int = connection.execute(_BOUNCES, which).scalar_one()
    return found


def bounced_after(connection: Connection, row: OutboxRow) -> bool:
    """Return whether a later mail to the same address came back."""
    which = {"whom": row.player_id, "place": row.recipient, "since": row.created}
    return connection.execute(_BOUNCED_AFTER, which).first() is not None


def answers_since(
    connection: Connection, player_id: int, hour: datetime, day: datetime, *, unproved: bool = False
) -> tuple[int, int]:
    """Return how many answers a player was written: since ``hour``, and since ``day``.

    The latter, which is the earlier moment, counts no receipts. Counted are answers to letters
    whose sender was proved, or only to the others.
    """
    which = {"whom": player_id, "hour": hour, "day": day, "lacking": unproved}
    hourly, daily = connection.execute(_ANSWERS_SINCE, which).one()
    return hourly, daily


def warned_since(connection: Connection, player_id: int, since: datetime) -> bool:
    """Return whether a player got a notice without match since a moment."""
    which = {"whom": player_id, "since": since}
    return connection.execute(_WARNED_SINCE, which).first() is not None
