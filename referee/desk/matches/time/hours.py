"""Hours of a player: own reminders, quiet hours, and the hour of the digest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from types import MappingProxyType
from typing import Final

from referee.matches.time.moments import DAY, parse_duration
from referee.render.words.moments import zone_of
from referee.resources import keywords, pattern_for
from referee.store.tables.people import PlayerRow

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


def reminders_of(player: PlayerRow) -> tuple[timedelta, ...] | None:
    """Return the times left a player set for reminders; None: those of the match."""
    if player.reminders is None:
        return None
    return tuple(
        parse_duration(span) for span in player.reminders.split() if player.reminders != "off"
    )


def read_quiet(text: str) -> str | None:
    """Return quiet hours as they are kept: ``22:00-07:00`` or ``off``; None if they are none."""
    word = text.strip().casefold()
    if VALUES.get(word) == "off":
        return "off"
    found = _WINDOW.fullmatch(word)
    begins, ends = (_clock(*found.groups()[:2]), _clock(*found.groups()[2:])) if found else (0, 0)
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
    found = _TIME.fullmatch(rest.strip() if on else word)
    minutes = _clock(*found.groups()) if found else None
    return None if minutes is None else f"daily {_shown(minutes)}"


def _clock(hour: str, minute: str | None) -> int | None:
    """Return a time of day in minutes; None if no clock shows it."""
    minutes = int(hour) * 60 + int(minute or 0)
    return minutes % DAY_MINUTES if minutes <= DAY_MINUTES and int(minute or 0) < 60 else None


def _shown(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def digest_today(player: PlayerRow, now: datetime) -> tuple[date, datetime]:
    """Return a player's day, and the moment of its digest."""
    local = now.astimezone(zone_of(player.zone))
    return local.date(), _at(player, local.date(), player.digest_at)


def next_digest(player: PlayerRow, now: datetime, written: str | None = None) -> datetime:
    """Return when a player's next digest after ``now`` leaves, quiet hours included.

    ``written`` is the day, as an ISO date, on which the last one was written: each day has one.
    """
    today, moment = digest_today(player, now)
    if moment <= now or written == today.isoformat():
        moment = _at(player, today + DAY, player.digest_at)
    return quiet_end(player, moment) or moment


def quiet_end(player: PlayerRow, moment: datetime) -> datetime | None:
    """Return when the quiet hours end in which a moment lies; None outside of them."""
    found = _quiet(player, moment)
    return None if found is None else found[1]


def before_quiet(player: PlayerRow, moment: datetime, due: datetime) -> datetime:
    """Return when to remind a player instead of at a moment.

    If that and ``due``, the end of the turn, lie in the same quiet hours, it is just before those
    begin.
    """
    found = _quiet(player, moment)
    if found is None or due > found[1]:
        return moment
    return found[0] - timedelta(minutes=1)


def _quiet(player: PlayerRow, moment: datetime) -> tuple[datetime, datetime] | None:
    """Return begin and end of the quiet hours around a moment."""
    if player.quiet is None:
        return None
    begins, _, ends = player.quiet.partition("-")
    today = moment.astimezone(zone_of(player.zone)).date()
    for day in (today - DAY, today):
        last = day if begins < ends else day + DAY
        window = (_at(player, day, begins), _at(player, last, ends))
        if window[0] <= moment < window[1]:
            return window
    return None


def _at(player: PlayerRow, day: date, clock: str) -> datetime:
    """Return a time of day where a player lives."""
    local = datetime.combine(day, time.fromisoformat(clock), zone_of(player.zone))
    return local.astimezone(UTC)
