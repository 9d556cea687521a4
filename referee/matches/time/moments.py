"""Moments and spans of time as text: ``2026-11-20T10:00:00Z``, ``1w 2d``."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

UNITS: Final = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
"""The units of a duration in seconds, largest first. They must be written in this order."""

_DURATION: Final = re.compile(
    r"\s*".join(rf"(?:([0-9]{{1,4}})\s*{unit})?" for unit in UNITS), re.IGNORECASE
)

_MOMENT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{6})?(?:Z|\+00:00)"
)


DAY: Final = timedelta(days=1)

SECOND: Final = timedelta(seconds=1)
"""Spans are kept as whole seconds, ``span // SECOND``: a float would round long ones."""


def parse_duration(text: str) -> timedelta:
    """Return the span of a text like ``1w 2d`` or ``12h``.

    Each unit has at most four digits. Raises ValueError with a sentence that says how to write one.
    """
    written = _DURATION.fullmatch(text.strip())
    if written is None or not any(written.groups()):
        raise ValueError(f"{text!r} is no duration; write it like 3d, 12h or 1w 2d")
    amounts = zip(written.groups("0"), UNITS.values(), strict=True)
    return timedelta(seconds=sum(int(amount) * seconds for amount, seconds in amounts))


def format_duration(span: timedelta) -> str:
    """Return a span in its largest units: ``1w 2d``.

    Parts of a second are left out. Raises ValueError when it is negative.
    """
    if span < timedelta(0):
        raise ValueError("a duration cannot be negative")
    rest = span // SECOND
    parts: list[str] = []
    for unit, seconds in UNITS.items():
        amount, rest = divmod(rest, seconds)
        if amount:
            parts.append(f"{amount}{unit}")
    return " ".join(parts) or "0s"


def parse_moment(text: str) -> datetime:
    """Return the moment an RFC 3339 stamp in UTC names: ``2026-11-20T10:00:00Z``.

    Raises ValueError for anything else, other zones included.
    """
    if not _MOMENT.fullmatch(text):
        raise ValueError(f"{text!r} is no moment in UTC; write it like 2026-11-20T10:00:00Z")
    # Checked by the pattern first: this function accepts far more than RFC 3339.
    return datetime.fromisoformat(text)


def format_moment(moment: datetime) -> str:
    """Return a moment as RFC 3339 in UTC, with any microseconds. Raises ValueError without zone."""
    if moment.tzinfo is None:
        raise ValueError("a moment has a zone")
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
