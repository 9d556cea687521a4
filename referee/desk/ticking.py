"""Whether the clock goes as time does: it is compared with one that nobody can set."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from referee.desk import gaps
from referee.desk.desk import Desk
from referee.store import leases


def steady() -> float:
    """Return seconds since the machine was started, sleep included where the system counts it."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


@dataclass
class Ticking:
    """The clock as it was at the last look, beside one that only counts."""

    desk: Desk
    counter: Callable[[], float] = steady
    _last: tuple[datetime, float] | None = field(default=None, init=False)

    def begin(self) -> None:
        """Compare the clock with what was written before: it must not be earlier than that."""
        with self.desk.store.reading() as connection:
            served = leases.lease(connection, self.desk.address)
        now = self.desk.now()
        known = served.polled_at if served else None
        if known is not None and now < known - gaps.LEAP:
            gaps.note_jump(self.desk, known)
        self._last = (now, self.counter())

    def look(self) -> None:
        """Compare how far the clock went since the last look with how much time passed."""
        now, count = self.desk.now(), self.counter()
        last, self._last = self._last, (now, count)
        if last is None:
            return
        went, passed = (now - last[0]).total_seconds(), count - last[1]
        if abs(went - passed) > gaps.LEAP.total_seconds():
            gaps.note_jump(self.desk, last[0])
