"""The clock of a turn: its time left, running or stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from referee.games.game import Document
from referee.matches.time.calendar import NONE, Calendar
from referee.matches.time.moments import SECOND, format_moment, parse_moment
from referee.value import Value, replace

UNTOLD: Final = "untold"
"""Stops a clock until the turn's report is accepted for delivery."""


class Outage(Value, array_like=True):
    """A numbered stretch in which no clock ran; ``ended`` None: it lasts.

    ``began`` is the last moment before it, ``ended`` the first one after it; a clock that was put
    back ends before it began. Notes keep it as a row: its fields stay in this sequence.
    """

    number: int
    began: datetime
    ended: datetime | None
    why: str


class TurnClock(Value):
    """The clock of one turn, in whole seconds.

    ``began`` is the seq the turn began after, which tells it from one of the same number. ``left``
    is what was left at the moment ``since``, from which it runs; None: it stands, for each of the
    reasons in ``stops``. Below nought, ``left`` is leeway that has passed. ``allowed`` is what the
    turn has in all, grants included. ``reminded``: with so much left the player was reminded last.
    ``outage`` is the last outage that has been made good. ``owed`` is what the seat's bank lacked
    when the turn began with nothing. ``zone`` holds when the seat's holder has set another one
    within the turn: the zone that the turn's days off still go by, and how often the seat had been
    handed on by then. ``held``: when orders that are held arrived, and what the turn had used by
    then.
    """

    turn: int
    began: int
    left: timedelta
    allowed: timedelta
    since: datetime | None = None
    stops: frozenset[str] = frozenset({UNTOLD})
    reminded: timedelta | None = None
    outage: int = 0
    owed: timedelta = NONE
    zone: tuple[str, int] | None = None
    held: tuple[datetime, timedelta] | None = None

    def left_at(self, now: datetime, calendar: Calendar) -> timedelta:
        """Return the time left at a moment, never less than zero."""
        return max(self._rest(now, calendar), NONE)

    def _rest(self, now: datetime, calendar: Calendar) -> timedelta:
        """Return the time left, below zero after the end."""
        return self.left if self.since is None else self.left - calendar.used(self.since, now)

    def settled(self, now: datetime, calendar: Calendar) -> TurnClock:
        """Return the clock with the time up to now taken off."""
        since = None if self.since is None else now
        return replace(self, left=self._rest(now, calendar), since=since)

    def holding(self, arrived: datetime, calendar: Calendar) -> TurnClock:
        """Return the clock with the time noted that held orders used."""
        arrived = arrived.replace(microsecond=0)
        return replace(self, held=(arrived, self.allowed - self.left_at(arrived, calendar)))

    def left_by(self, arrived: datetime, calendar: Calendar) -> timedelta:
        """Return the time left when orders arrived, later grants included."""
        # The time since may be settled: only what was noted then tells what had been used.
        if self.held is not None and self.held[0] == arrived:
            return max(self.allowed - self.held[1], NONE)
        return self.left_at(arrived, calendar)

    def due(self, calendar: Calendar, left: timedelta = NONE) -> datetime | None:
        """Return the moment at which only ``left`` remains, below nought that long after the end.

        None while the clock stands.
        """
        return None if self.since is None else calendar.runs_out(self.since, self.left - left)

    def stopped(self, why: str, now: datetime, calendar: Calendar) -> TurnClock:
        """Return the clock standing still from now on for one more reason."""
        left = self._rest(now, calendar)
        return replace(self, left=left, since=None, stops=self.stops | {why})

    def released(self, why: str, now: datetime) -> TurnClock:
        """Return the clock without one reason to stand, running if that was the last one."""
        stops = self.stops - {why}
        # Several reasons may stop a clock; it runs once the last of them is gone.
        runs = not stops and self.since is None
        return replace(self, stops=stops, since=now.replace(microsecond=0) if runs else self.since)

    def given(self, span: timedelta, now: datetime, calendar: Calendar) -> TurnClock:
        """Return the clock with so much more time from now on."""
        left = self.left_at(now, calendar) + span
        since = None if self.since is None else now.replace(microsecond=0)
        # Reminded anew: more time makes an earlier reminder untrue.
        return replace(self, left=left, since=since, allowed=self.allowed + span, reminded=None)

    def made_good(self, outage: Outage, calendar: Calendar) -> tuple[TurnClock, timedelta]:
        """Return the clock as if stopped during an outage, with the time this gave back.

        Each is made good once, when it is over. A clock that had run out before stays so.
        """
        if outage.ended is None or outage.number <= self.outage:
            return self, NONE
        after = replace(self, outage=outage.number)
        # The system clock was set back: time seems to run twice, and only once may count.
        put_back = outage.ended < outage.began
        if self.since is None or (self.since >= outage.ended and not put_back):
            return after, NONE
        left = self.left_at(outage.began, calendar)
        # The time was up before the outage; an outage is no reason to get some back.
        if left == NONE and not put_back:
            return after, NONE
        gained = calendar.used(max(self.since, outage.began), outage.ended)
        return replace(after, left=left, since=outage.ended), gained

    def document(self) -> Document:
        """Return the clock as JSON."""
        held = self.held
        return {
            "turn": self.turn,
            "began": self.began,
            "left": self.left // SECOND,
            "allowed": self.allowed // SECOND,
            "since": None if self.since is None else format_moment(self.since),
            "stops": [*sorted(self.stops)],
            "reminded": None if self.reminded is None else self.reminded // SECOND,
            # Stored clocks have it under this name.
            "gap": self.outage,
            **({"owed": self.owed // SECOND} if self.owed else {}),
            **({"zone": [*self.zone]} if self.zone else {}),
            **({"held": [format_moment(held[0]), held[1] // SECOND]} if held else {}),
        }

    @staticmethod
    def from_document(document: Mapping[str, Any]) -> TurnClock:
        """Return the clock a document describes."""
        since, reminded = document["since"], document["reminded"]
        held = document.get("held")
        return TurnClock(
            turn=document["turn"],
            began=document["began"],
            left=timedelta(seconds=document["left"]),
            allowed=timedelta(seconds=document["allowed"]),
            since=None if since is None else parse_moment(since),
            stops=frozenset(document["stops"]),
            reminded=None if reminded is None else timedelta(seconds=reminded),
            outage=document["gap"],
            owed=timedelta(seconds=document.get("owed", 0)),
            zone=tuple(document["zone"]) if "zone" in document else None,
            held=(parse_moment(held[0]), timedelta(seconds=held[1])) if held else None,
        )


def through_outages(
    clock: TurnClock, outages: Sequence[Outage], calendar: Calendar
) -> tuple[TurnClock, tuple[tuple[Outage, timedelta], ...]]:
    """Return the clock with every finished, new outage made good, and the time each gave back."""
    gains: list[tuple[Outage, timedelta]] = []
    for outage in outages:
        clock, gained = clock.made_good(outage, calendar)
        if gained > NONE:
            gains.append((outage, gained))
    return clock, tuple(gains)


def known_now(now: datetime, outages: Sequence[Outage]) -> datetime:
    """Return the moment clocks go by. While an outage lasts, it is the last moment before it."""
    # During an outage nobody could answer, so no deadline passes.
    lasting = [outage.began for outage in outages if outage.ended is None]
    # Whole seconds: the clock is stored in them, and halves of them would get lost each time.
    return min(lasting, default=now).replace(microsecond=0)
