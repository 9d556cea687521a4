"""Rates of providers, kept by waiting: sending rests until the next mail may leave.

A provider that is sent too much refuses mails, and may close the account for a day.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.mail.transport.servers import Server
from referee.store import notes
from referee.store.notes import Rest
from referee.store.post import claims, outbox

FIRST_REST: Final = timedelta(minutes=1)

LONGEST_REST: Final = timedelta(minutes=15)
"""Rests after refusals in a row double from ``FIRST_REST`` up to this."""

_WITHIN: Final = timedelta(days=1)
"""No rate lasts longer than its span; a rest beyond that is of a clock that was set back."""


def rest_after(refusals: int) -> timedelta:
    """Return how long to rest after so many refusals in a row."""
    return min(FIRST_REST * (1 << min(refusals, 10)), LONGEST_REST)


def rest_for(connection: Connection, server: Server, now: datetime) -> Rest | None:
    """Return the rest that a server's rates ask for, if any."""
    rests = []
    # Those that other daemons have in hand will have been sent when the next one leaves.
    busy = claims.mails_in_hand(connection) if server.rates else 0
    for rate in server.rates:
        sent = outbox.latest_sent(connection, max(1, rate.mails - busy), now)
        if sent is not None and sent + rate.span > now:
            rests.append(Rest(str(server), sent + rate.span, f"no more than {rate}"))
    return max(rests, key=lambda rest: rest.until, default=None)


def lasting_rest(connection: Connection, now: datetime) -> Rest | None:
    """Return the rest that was noted last, if it lasts yet."""
    return _lasting(notes.REST.read(connection), now)


def must_rest(connection: Connection, server: Server, now: datetime) -> bool:
    """Return whether sending by a server rests."""
    rest = lasting_rest(connection, now)
    # After a change of the account the rest of the one before holds nothing up.
    return rest is not None and rest.server == str(server)


def note_rest(connection: Connection, rest: Rest, now: datetime) -> None:
    """Let sending by a server rest, unless it rests for longer already."""
    # Read under lock: other daemons send by the same server.
    known = _lasting(notes.REST.lock(connection), now)
    if known is None or known.server != rest.server or known.until < rest.until:
        notes.REST.write(connection, rest)


def _lasting(rest: Rest | None, now: datetime) -> Rest | None:
    return rest if rest is not None and now < rest.until <= now + _WITHIN else None
