"""Deadlines as calendar entries (RFC 5545) that later mails update."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

NAME: Final = "deadline.ics"
CONTENT_TYPE: Final = 'text/calendar; charset="utf-8"; method="PUBLISH"'

PRODUCT: Final = "-//referee//deadlines//EN"

_LONGEST: Final = 75
"""Octets of a line, section 3.1."""

_SPECIAL: Final = re.compile(r"[\\;,]")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class Deadline:
    """A calendar entry: its identity, its revision, and its text.

    ``uid`` is the same for a seat throughout its match and ``sequence`` rises, so that calendars
    update the entry. ``over``: nothing is left to do, and the entry is cancelled.
    """

    uid: str
    sequence: int
    written: datetime
    due: datetime
    summary: str
    text: str
    address: str
    name: str
    over: bool = False


def calendar_file(deadline: Deadline) -> bytes:
    """Return the entry as a published calendar (RFC 5546 section 3.2.1), in UTC."""
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT}",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"UID:{_text(deadline.uid)}",
        f"SEQUENCE:{deadline.sequence}",
        f"DTSTAMP:{_moment(deadline.written)}",
        f"DTSTART:{_moment(deadline.due)}",
        f"SUMMARY:{_text(deadline.summary)}",
        f"DESCRIPTION:{_text(deadline.text)}",
        f"STATUS:{'CANCELLED' if deadline.over else 'CONFIRMED'}",
        # A deadline does not make anybody busy.
        "TRANSP:TRANSPARENT",
        f'ORGANIZER;CN="{_parameter(deadline.name)}":MAILTO:{_plain(deadline.address)}',
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return b"".join(_folded(each.encode()) for each in lines)


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(value: str) -> str:
    """Return a value of the type TEXT, section 3.3.11."""
    lines = _SPECIAL.sub(r"\\\g<0>", value).splitlines()
    return "\\n".join(_plain(each) for each in lines)


def _parameter(value: str) -> str:
    """Return a value as it stands between quotation marks (RFC 6868)."""
    return _plain(value).replace("^", "^^").replace('"', "^'")


def _plain(value: str) -> str:
    return _CONTROL.sub(" ", value)


def _folded(line: bytes) -> bytes:
    """Return a line folded into short ones, without splitting any character."""
    parts = []
    while len(line) > _LONGEST:
        end = _LONGEST
        # A continuation byte of UTF-8: the fold must not part it from its character.
        while line[end] & 0xC0 == 0x80:
            end -= 1
        parts.append(line[:end])
        # The leading blank counts towards the 75 bytes of its line (RFC 5545 section 3.1).
        line = b" " + line[end:]
    return b"\r\n".join((*parts, line)) + b"\r\n"
