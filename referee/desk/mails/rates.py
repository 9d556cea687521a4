"""Rates of providers, kept by waiting: all sending rests until the next mail may leave.

A provider that is sent too much refuses mails, and may close the account for a day.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.mail.transport.servers import Rate
from referee.store import notes
from referee.store.notes import Rest
from referee.store.post import claims, tallies

FIRST_REST: Final = timedelta(minutes=1)

LONGEST_REST: Final = timedelta(minutes=15)
"""Rests after refusals in a row double from ``FIRST_REST`` up to this."""

_WITHIN: Final = timedelta(days=1)
"""No rate lasts longer than its span; a rest beyond that is of a clock that was set back."""


def rest_after(refusals: int) -> timedelta:
    """Return how long to rest after so many refusals in a row."""
    return min(FIRST_REST * (1 << min(refusals, 10)), LONGEST_REST)


def rest_for(connection: Connection, rates: Sequence[Rate], now: datetime) -> Rest | None:
    """Return the rest that rates ask for, if any."""
    found = []
    # Those that other daemons have in hand will have been sent when the next one leaves.
    busy = claims.mails_in_hand(connection) if rates else 0
    for rate in rates:
        sent = tallies.latest_sent(connection, max(1, rate.mails - busy), now)
        if sent is not None and sent + rate.span > now:
            found.append(Rest(sent + rate.span, f"no more than {rate}"))
    return max(found, key=lambda rest: rest.until, default=None)


def resting(connection: Connection, now: datetime) -> Rest | None:
    """Return the rest of all sending, if it lasts yet."""
    rest = notes.REST.read(connection)
    return rest if rest is not None and now < rest.until <= now + _WITHIN else None
