"""Rates of providers, kept by waiting: sending rests until the next mail may leave.

A provider that is sent too much refuses mails, and may close the account for a day. Each account
on a server is counted by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.mail.transport.servers import Rate
from referee.store import notes
from referee.store.notes import Rest
from referee.store.post import claims, tallies
from referee.store.post.outbox import ALL, Route

FIRST_REST: Final = timedelta(minutes=1)

LONGEST_REST: Final = timedelta(minutes=15)
"""Rests after refusals in a row double from ``FIRST_REST`` up to this."""

_WITHIN: Final = timedelta(days=1)
"""No rate lasts longer than its span; a rest beyond that is of a clock that was set back."""


def rest_after(refusals: int) -> timedelta:
    """Return how long to rest after so many refusals in a row."""
    return min(FIRST_REST * (1 << min(refusals, 10)), LONGEST_REST)


def rest_for(
    connection: Connection, rates: Sequence[Rate], now: datetime, route: Route = ALL
) -> Rest | None:
    """Return the rest that rates ask for, if any; ``route`` are the mails that count."""
    found = []
    # Those that other daemons have in hand will have been sent when the next one leaves.
    busy = claims.mails_in_hand(connection, route) if rates else 0
    for rate in rates:
        sent = tallies.latest_sent(connection, max(1, rate.mails - busy), now, route)
        if sent is not None and sent + rate.span > now:
            found.append(Rest(sent + rate.span, f"no more than {rate}"))
    return max(found, key=lambda rest: rest.until, default=None)


def rests_of(connection: Connection, now: datetime) -> dict[str, Rest]:
    """Return the rests that last yet, by the server's name."""
    return _lasting(notes.RESTS.read(connection), now)


def note_rest(connection: Connection, server: str, rest: Rest, now: datetime) -> None:
    """Let sending by a server rest, unless it rests for longer already."""
    # Read under lock: other daemons send by the same server, and by others.
    known = _lasting(notes.RESTS.lock(connection), now)
    longest = max((rest, *filter(None, [known.get(server)])), key=lambda each: each.until)
    notes.RESTS.write(connection, {**known, server: longest})


def _lasting(rests: Mapping[str, Rest] | None, now: datetime) -> dict[str, Rest]:
    found = (rests or {}).items()
    return {server: rest for server, rest in found if now < rest.until <= now + _WITHIN}
