"""Hours as players write them: of reminders, quiet hours, and the digest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from referee.matches.time.moments import DAY, parse_duration
from referee.resources import keywords, pattern_for

VALUES: Final[Mapping[str, str]] = MappingProxyType(keywords("value"))
"""What every word for a setting's value means, in all languages."""

MOST_REMINDERS: Final = 5
"""Reminders of a turn that a player may ask for."""

LEAST_LEFT: Final = timedelta(minutes=10)
MOST_LEFT: Final = timedelta(days=30)
"""Bounds of the time left at a reminder: later is of no use, earlier is no reminder."""

LONGEST_QUIET: Final = timedelta(hours=16)
"""Quiet hours of a day; some hours must remain in which mail arrives."""

DAY_MINUTES: Final = 24 * 60

_UNITS: Final[Mapping[str, str]] = MappingProxyType(keywords("span"))

LONGEST_SPANS: Final = 120
"""Characters of the times of all reminders; more are none."""

_PART: Final = re.compile(r"([0-9]{1,4})\s*+([^\W\d_]++)")

_SPAN: Final = re.compile(r"(?:[0-9]{1,4}\s*+[^\W\d_]++)++")

_SPANS: Final = re.compile(rf"(?:\s*+(?:(?:,|{pattern_for('and')})\s*+)?{_SPAN.pattern})+")

_CLOCK: Final = rf"([0-9]{{1,2}})(?:[:.]([0-9]{{2}}))?(?:\s*{pattern_for('oclock')})?"

_TIME: Final = re.compile(rf"(?:{pattern_for('at')}\s+)?{_CLOCK}")

_WINDOW: Final = re.compile(
    rf"(?:{pattern_for('from')}\s+)?{_CLOCK}\s*{pattern_for('to')}\s*{_CLOCK}"
)


def read_reminders(text: str) -> str | None:
    """Return times left as they are kept, the longest first: ``24h 2h``.

    ``off`` and ``match`` stand for none and for those of each match. None if it is none of these.
    """
    word = text.strip().casefold()
    match VALUES.get(word):
        case "off":
            return "off"
        case "on" | "match":
            return "match"
    if len(word) > LONGEST_SPANS or not _SPANS.fullmatch(word):
        return None
    spans = {read_span(span) for span in _SPAN.findall(word)}
    good = [span for span in spans if span and LEAST_LEFT <= span <= MOST_LEFT]
    if len(spans) > MOST_REMINDERS or len(good) < len(spans):
        return None
    return " ".join(_written(span) for span in sorted(good, reverse=True))


def read_span(text: str) -> timedelta | None:
    """Return a span in any language's units: ``10 minutes``; None if it is none."""
    try:
        return parse_duration(
            _PART.sub(lambda part: f"{part[1]}{_UNITS.get(part[2], '?')}", text.casefold())
        )
    except ValueError:
        return None


def _written(span: timedelta) -> str:
    """Return a span as one word; ``24h`` stays as players write it."""
    days, rest = divmod(span, DAY)
    if not rest and days > 2:
        return f"{days}d"
    hours, rest = divmod(span, timedelta(hours=1))
    minutes = rest // timedelta(minutes=1)
    return (f"{hours}h" if hours else "") + (f"{minutes}m" if minutes else "")


def read_quiet(text: str) -> str | None:
    """Return quiet hours as they are kept: ``22:00-07:00`` or ``off``; None if they are none."""
    word = text.strip().casefold()
    if VALUES.get(word) == "off":
        return "off"
    window = _WINDOW.fullmatch(word)
    if window is None:
        return None
    begins, ends = _clock(window[1], window[2]), _clock(window[3], window[4])
    if begins is None or ends is None or begins == ends:
        return None
    if timedelta(minutes=(ends - begins) % DAY_MINUTES) > LONGEST_QUIET:
        return None
    return f"{_shown(begins)}-{_shown(ends)}"


def read_digest(text: str) -> str | None:
    """Return ``off``, ``daily`` or ``daily 18:00``; None if it is none of these."""
    word = text.strip().casefold()
    if VALUES.get(word) == "off":
        return "off"
    first, _, rest = word.partition(" ")
    on = VALUES.get(first) in {"on", "daily"}
    if on and not rest:
        return "daily"
    hour = _TIME.fullmatch(rest.strip() if on else word)
    minutes = _clock(*hour.groups()) if hour else None
    return None if minutes is None else f"daily {_shown(minutes)}"


def _clock(hour: str, minute: str | None) -> int | None:
    """Return a time of day in minutes; None if no clock shows it."""
    minutes = int(hour) * 60 + int(minute or 0)
    return minutes % DAY_MINUTES if minutes <= DAY_MINUTES and int(minute or 0) < 60 else None


def _shown(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
