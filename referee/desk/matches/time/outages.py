"""Outages, in which no clock runs, and jumps of the system clock."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change, Desk, carried_through, stamp
from referee.errors import RefereeError
from referee.matches.time.moments import format_moment
from referee.matches.time.turn_clock import Outage
from referee.store import leases, notes
from referee.store.database.locks import steady_seconds
from referee.store.notes import NoteKey
from referee.store.play import matches
from referee.store.post import outbox
from referee.value import replace

log = logging.getLogger(__name__)

_MOST: Final = 100
"""Outages that are remembered; every running clock has been through the older ones."""

OUTAGE: Final = "outage"

JUMP: Final = "jump"

SLACK: Final = timedelta(minutes=15)
"""Time beyond the pause between two polls that makes an outage."""

LEAP: Final = timedelta(minutes=5)
"""Difference between clock and time passed that counts as a jump."""

_NOTE: Final = notes.json_note(NoteKey.OUTAGES, tuple[Outage, ...])
"""The latest outages, oldest first."""


def latest_outages(connection: Connection) -> tuple[Outage, ...]:
    """Return the latest outages, oldest first."""
    return _NOTE.read(connection) or ()


def lasting_outage(connection: Connection) -> Outage | None:
    """Return the outage that lasts, if any; deadlines rest meanwhile."""
    return _lasting(latest_outages(connection))


def note_outage(desk: Desk, began: datetime) -> None:
    """Note an outage, if there was one, when a poll that ``began`` then succeeds."""
    with desk.store.reading() as connection:
        lease = leases.find_lease(connection)
        quiet = lasting_outage(connection) is None
        ended = [past.ended for past in latest_outages(connection) if past.ended is not None]
    # After a clock was corrected there is no poll yet, and the outage counts from then.
    polled = [lease.polled_at] if lease is not None and lease.polled_at is not None else []
    last = max((*polled, *ended[-1:]), default=None)
    longest = timedelta(seconds=desk.settings.poll_seconds) + SLACK
    # While the clock is not right, its moments prove nothing.
    if last is None or not quiet or began - last <= longest:
        return
    with desk.store.writing() as connection:
        outage = _add(connection, last, began, OUTAGE)
        if outage is None:
            return
        matches.wake_running(connection, desk.now())
    span = format_moment(last), format_moment(began)
    log.warning("no poll succeeded from %s to %s", *span, extra={"action": "outage"})


def note_jump(desk: Desk, last: datetime) -> None:
    """Note a jump of the clock, unless it is told already.

    ``last`` is the last moment before it. Deadlines rest until an organiser says that the clock is
    right. After the clock was set back, everything scheduled becomes due at once.
    """
    with desk.store.writing() as connection:
        # Pauses between tries are moments, which the new clock may put far away. By the earlier
        # one of both clocks it is due now for all daemons.
        now = min(last, desk.now())
        outbox.hasten_all(connection, now)
        matches.wake_running(connection, now)
        outage = _add(connection, last, None, JUMP)
    if outage is not None:
        log.critical("%s", jump_line(outage), extra={"action": "clock"})


def clock_is_right(change: Change) -> Outage | None:
    """End the outage that lasts, and return it; clocks go on with the time they had before."""
    # Without a daemon nobody has noted that the clock is behind the last poll.
    if (polled := poll_ahead(change.connection, change.desk.now())) is not None:
        _add(change.connection, polled, None, JUMP)
    known = _NOTE.lock(change.connection) or ()
    lasting = _lasting(known)
    if lasting is None:
        return None
    now = change.desk.now().replace(microsecond=0)
    ended = replace(lasting, ended=now)
    _NOTE.write(
        change.connection, tuple(ended if outage is lasting else outage for outage in known)
    )
    # A poll noted by the wrong clock would let deadlines act at once.
    leases.note_polled(change.connection, None)
    matches.wake_running(change.connection, now)
    return ended


def jump_line(outage: Outage) -> str:
    """Return the line that tells the organiser about a jump."""
    return (
        f"the clock jumped at {format_moment(outage.began)}, and no deadline acts: set it right, "
        "then say so with referee clock --is-right"
    )


def behind_line(polled: datetime) -> str:
    """Return the line that tells of a last poll in the future."""
    return (
        f"the mailbox was last read {stamp(polled)}, which lies in the future: set this machine's "
        "clock right and start the daemon, then see referee clock"
    )


def poll_ahead(connection: Connection, now: datetime) -> datetime | None:
    """Return the last poll if the clock is behind it: nobody can say what time it is."""
    served = leases.find_lease(connection)
    polled = served.polled_at if served else None
    return polled if polled is not None and now < polled - LEAP else None


def refuse_behind(change: Change) -> None:
    """Raise RefereeError if the clock is behind the last poll, unless the jump is noted.

    Once that is noted, clocks stand; before, one that is started now would run from the wrong hour.
    """
    polled = poll_ahead(change.connection, change.desk.now())
    if polled is not None and lasting_outage(change.connection) is None:
        raise RefereeError(behind_line(polled))


def _add(
    connection: Connection, began: datetime, ended: datetime | None, why: str
) -> Outage | None:
    """Note an outage and return it; None if one lasts, as another process may have noted."""
    known = _NOTE.lock(connection) or ()
    if _lasting(known) is not None:
        return None
    number = known[-1].number + 1 if known else 1
    whole = None if ended is None else ended.replace(microsecond=0)
    outage = Outage(number, began.replace(microsecond=0), whole, why)
    _NOTE.write(connection, (*known, outage)[-_MOST:])
    return outage


def _lasting(known: tuple[Outage, ...]) -> Outage | None:
    return next((outage for outage in known if outage.ended is None), None)


@dataclass
class ClockWatch:
    """The clock at the last look, beside one that only counts."""

    desk: Desk
    counter: Callable[[], float] = steady_seconds
    _last: tuple[datetime, float] | None = field(default=None, init=False)

    def begin(self) -> None:
        """Compare the clock with the last poll noted before the start."""
        now = self.desk.now()
        # Forward is no sign: the daemon may have been off for as long as it likes.
        with self.desk.store.reading() as connection:
            ahead = poll_ahead(connection, now)
        if ahead is not None:
            note_jump(self.desk, ahead)
        self._last = (now, self.counter())

    def look(self) -> None:
        """Compare the clock's progress with the time that really passed."""
        now, count = self.desk.now(), self.counter()
        last = self._last or (now, count)
        went, passed = (now - last[0]).total_seconds(), count - last[1]
        if abs(went - passed) > LEAP.total_seconds():
            carried_through(lambda: note_jump(self.desk, last[0]))
        # Only now: a jump that could not be noted is seen again.
        self._last = (now, count)
