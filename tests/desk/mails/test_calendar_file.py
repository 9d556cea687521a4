"""The entry for calendars as a file: read back by a calendar, whatever it says."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Calendar
from support.thorough import examples

from referee.desk.mails.calendar import Deadline, calendar_file

pytestmark = pytest.mark.fast

HERE = timezone(timedelta(hours=2))
WORDS = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=120).map(
    lambda text: text.replace("\\N", "\\n")
)
"""The writer takes a written ``\\N`` for a line break, which it may be."""

NAMES = WORDS.map(lambda name: name.replace("\\", "/"))
"""The reader takes a backslash in a parameter for more than it is."""


def an_entry(**changes: str) -> Deadline:
    """Return an entry, most of it as it usually is."""
    texts = {"summary": "pebbles-1: your turn", "text": "until noon", "name": "the referee"}
    return Deadline(
        uid="pebbles-1-red@example.test",
        sequence=7,
        written=datetime(2026, 3, 1, 12, 0, 0, 5, HERE),
        due=datetime(2026, 3, 8, 1, 30, tzinfo=HERE),
        address="referee@example.test",
        **{**texts, **changes},
    )


@settings(max_examples=examples(40), deadline=None)
@given(summary=WORDS, text=st.lists(WORDS.filter(str.strip), max_size=3), name=NAMES)
def test_a_calendar_reads_what_was_written(summary: str, text: list[str], name: str) -> None:
    """All that was said comes back, and no line is longer than 75 octets."""
    written = calendar_file(an_entry(summary=summary, text="\n".join(text), name=name))
    (event,) = Calendar.from_ical(written).walk("VEVENT")
    assert (str(event["SUMMARY"]), str(event["DESCRIPTION"])) == (summary, "\n".join(text))
    assert str(event["ORGANIZER"].params.get("CN", "")) == name
    assert all(len(line) <= 75 for line in written.split(b"\r\n"))


def test_moments_are_in_utc() -> None:
    """Whatever zone they are given in."""
    (event,) = Calendar.from_ical(calendar_file(an_entry())).walk("VEVENT")
    assert event["DTSTART"].to_ical() == b"20260307T233000Z"
    assert event["DTSTAMP"].to_ical() == b"20260301T100000Z"


def test_a_name_cannot_add_a_line() -> None:
    """A line break in it becomes a blank."""
    written = calendar_file(an_entry(name="x\r\nATTACH:http://example.test", summary="a\rb"))
    assert b"\r\nATTACH" not in written
    assert b'CN="x ATTACH' in written
