"""The end of a turn's time as an entry for calendars (RFC 5545), the same one from mail to mail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from icalendar import Calendar, Event
from icalendar.prop import vCalAddress, vText

NAME: Final = "deadline.ics"
CONTENT_TYPE: Final = 'text/calendar; charset="utf-8"; method="PUBLISH"'

PRODUCT: Final = "-//referee//deadlines//EN"


@dataclass(frozen=True, slots=True)
class Deadline:
    """An entry: what it is known by, which edition of it this is, and what it says.

    ``uid`` is the same for a seat throughout its match and ``sequence`` rises, so that calendars
    update the entry. ``over``: there is nothing to be done any more, and the entry goes.
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
    event = Event()
    event.add("uid", deadline.uid)
    event.add("sequence", deadline.sequence)
    event.add("dtstamp", deadline.written.replace(microsecond=0))
    event.add("dtstart", deadline.due.replace(microsecond=0))
    event.add("summary", deadline.summary)
    event.add("description", deadline.text)
    event.add("status", "CANCELLED" if deadline.over else "CONFIRMED")
    event.add("transp", "TRANSPARENT")
    organizer = vCalAddress(f"MAILTO:{deadline.address}")
    organizer.params["CN"] = vText(deadline.name)
    event.add("organizer", organizer)
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(event)
    written: bytes = calendar.to_ical()
    return written
