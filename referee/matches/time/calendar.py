"""Days on which a clock runs, and elapsed time without days off.

A day is a calendar day where the player lives, 23 or 25 hours long when the clocks change there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

from referee.matches.time.moments import DAY
from referee.value import Value

NONE: Final = timedelta(0)

WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

_LONGEST_REST: Final = timedelta(days=3660)
"""The longest rest of a clock. After ten years no end can be told."""

_DOTTED: Final = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})?")

_YEARLY: Final = re.compile(r"(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")


class NeverRuns(ValueError):
    """Days off follow each other without end, so the clock stands forever."""


def parse_days_off(text: str) -> frozenset[str]:
    """Return days on which no clock runs: ``weekends``, ``fri``, ``2026-12-25``, yearly ``12-25``.

    Days may be written ``25.12.2026`` and ``25.12.``, too. Several stand with commas or spaces
    between them; ``none`` is no day. Raises ValueError with what would be right.
    """
    days: set[str] = set()
    for written in text.lower().replace(",", " ").split():
        word = written
        if dotted := _DOTTED.fullmatch(written):
            day, month, year = dotted.groups()
            word = f"{year}-{month:0>2}-{day:0>2}" if year else f"{month:0>2}-{day:0>2}"
        if word == "weekends":
            days |= {"sat", "sun"}
        elif word in WEEKDAYS or _is_day(word):
            days.add(word)
        elif word != "none":
            raise ValueError(
                f"{written!r} is no day off; write weekends, a weekday such as fri, "
                "a date such as 2026-12-25, or 12-25 for every year"
            )
    # Found at once, instead of after ten years of looking for a day.
    if set(WEEKDAYS) <= days:
        raise ValueError("every weekday would be off, so that no clock ever ran")
    return frozenset(days)


def _is_day(word: str) -> bool:
    yearly = _YEARLY.fullmatch(word)
    try:
        # A leap year, so that the 29th of February may be a day off.
        date.fromisoformat(f"2024-{word}" if yearly else word)
    except ValueError:
        return False
    return yearly is not None or len(word) == len("2026-12-25")


class Calendar(Value):
    """The days off of one player in one match.

    ``days_off`` are words as ``parse_days_off`` returns them; ``away`` the player's own, each a
    first and a last day, both included.
    """

    zone: tzinfo = UTC
    days_off: frozenset[str] = frozenset()
    away: tuple[tuple[date, date], ...] = ()

    def is_off(self, day: date) -> bool:
        """Whether no clock runs on a day."""
        off = self.days_off
        return (
            WEEKDAYS[day.weekday()] in off
            or f"{day:%m-%d}" in off
            or day.isoformat() in off
            or self.is_away(day)
        )

    def is_away(self, day: date) -> bool:
        """Whether the player has announced a day as away."""
        return any(first <= day <= last for first, last in self.away)

    def since(self, day: date) -> Calendar:
        """Return the part that still matters from a day on; without days off no zone does."""
        away = tuple(sorted((first, last) for first, last in self.away if last >= day))
        return Calendar(self.zone, self.days_off, away) if self.days_off or away else Calendar()

    def day_of(self, moment: datetime) -> date:
        """Return the day it is where the player lives."""
        return moment.astimezone(self.zone).date()

    def rests(self, moment: datetime) -> bool:
        """Whether a moment lies on a day off."""
        return self.is_off(self.day_of(moment))

    def used(self, since: datetime, until: datetime) -> timedelta:
        """Return the running time between two moments, none at all if they are in reverse."""
        # The common case; no day need be looked at.
        if not (self.days_off or self.away):
            return max(until - since, NONE)
        used = NONE
        for first, last in self._stretches(since):
            if first >= until:
                break
            used += min(last, until) - first
        return used

    def runs_out(self, since: datetime, left: timedelta) -> datetime:
        """Return when a clock running from then has used its time.

        With zero left that is at once; it is never the moment at which days off begin, but the one
        at which they end. Raises NeverRuns.
        """
        if left <= NONE or not (self.days_off or self.away):
            return since + max(left, NONE)
        for first, last in self._stretches(since):
            # Strictly more: a clock that would end as days off begin ends when they do.
            if last - first > left:
                return first + left
            left -= last - first
        raise NeverRuns(f"no clock runs in the ten years after {since:%Y-%m-%d}")

    def _stretches(self, since: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield the stretches a clock runs in, a day each, until it rests for ten years."""
        day, latest = self.day_of(since), since
        while day - latest.date() < _LONGEST_REST:
            if not self.is_off(day):
                # The first day counts from the moment the clock goes on.
                first = max(_begins(day, self.zone), since)
                last = _begins(day + DAY, self.zone)
                # A change of clocks may leave a day without any time in the zone's own reckoning.
                if last > first:
                    yield first, last
                    latest = last
            day += DAY


def _begins(day: date, zone: tzinfo) -> datetime:
    """Return the first moment of a day in a zone, in UTC; midnight itself may be left out."""
    # In UTC, because differences of local times ignore a change of clocks between them.
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


def days_in(first: date, last: date) -> int:
    """Count the days of a stretch, both ends included; none if it ends before it begins."""
    return max((last - first).days + 1, 0)
