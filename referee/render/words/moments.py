"""Moments and spans of time in a player's zone and language."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache, lru_cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from referee.render.words.wording import Catalogue

_NEAR: Final = timedelta(days=180)
"""How near a moment must be to be told without its year."""


def moment_text(
    when: datetime, zone: str, catalogue: Catalogue, now: datetime | None = None
) -> str:
    """Return ``Sat 28 Nov 2026, 18:00 (Europe/Berlin)``.

    A moment near ``now`` goes without its year. An unknown zone reads as UTC. In the hour that a
    change of clocks repeats the offset is added.
    """
    place = zone_of(zone)
    local = when.astimezone(place)
    near = now is not None and abs(when - now) < _NEAR
    pattern = catalogue.say("time.near_pattern" if near else "time.pattern")
    text = _formatted(local.replace(tzinfo=None), pattern, catalogue.locale)
    name = zone if place is not UTC else "UTC"
    # The hour occurs twice, so its name alone does not say which is meant.
    if local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset():
        name = f"{name}, UTC{local:%z}"
    return f"{text} ({name})"


@lru_cache(maxsize=256)
def _formatted(local: datetime, pattern: str, locale: str) -> str:
    # Imported here for commands that name no moment: Babel reads much before its first.
    from babel.dates import format_datetime  # noqa: PLC0415

    return str(format_datetime(local, pattern, locale=locale))


def day_text(when: date, catalogue: Catalogue) -> str:
    """Return ``Sun 3 Jan 2027``."""
    midnight = datetime.combine(when, time())
    return _formatted(midnight, catalogue.say("time.day_pattern"), catalogue.locale)


def zone_of(name: str) -> tzinfo:
    """Return the zone of an IANA name, UTC if it is unknown."""
    try:
        return ZoneInfo(name)
    # Zone files differ between machines; a mail must go out all the same.
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


@cache
def known_zones() -> frozenset[str]:
    """Return the IANA names this machine knows; cached, because every file of them is opened."""
    return frozenset(available_timezones())


def span_text(length: timedelta, catalogue: Catalogue) -> str:
    """Return a span in its two largest units: ``2 days and 3 hours``."""
    seconds = max(int(length.total_seconds()), 0)
    minutes = seconds // 60
    if 0 < seconds < 60:
        return catalogue.say("time.second", n=seconds)
    days, rest = divmod(minutes, 24 * 60)
    counts = {"day": days, "hour": rest // 60, "minute": rest % 60}
    largest = [(unit, n) for unit, n in counts.items() if n]
    if not largest:
        return catalogue.say("time.minute", n=minutes)
    # Beyond a week hours are noise.
    kept = largest[:1] if days >= 7 else largest[:2]
    return catalogue.joined(catalogue.say(f"time.{unit}", n=n) for unit, n in kept)
