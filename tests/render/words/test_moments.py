"""How moments and spans read."""

from datetime import UTC, datetime, timedelta

import pytest

from referee.render.words.moments import moment_text, span_text
from referee.render.words.wording import Catalogue

pytestmark = pytest.mark.fast


WINTER = datetime(2026, 11, 28, 17, tzinfo=UTC)
SUMMER = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("when", "zone", "language", "expected"),
    [
        (WINTER, "Europe/Berlin", "en", "Sat 28 Nov 2026, 18:00 (Europe/Berlin)"),
        (WINTER, "Europe/Berlin", "de", "Sa., 28. November 2026, 18:00 Uhr (Europe/Berlin)"),
        (SUMMER, "Europe/Berlin", "en", "Thu 2 Jul 2026, 00:30 (Europe/Berlin)"),
        (SUMMER, "Mars/Olympus", "en", "Wed 1 Jul 2026, 22:30 (UTC)"),
        (SUMMER, "../../etc/passwd", "en", "Wed 1 Jul 2026, 22:30 (UTC)"),
        (SUMMER, "", "en", "Wed 1 Jul 2026, 22:30 (UTC)"),
    ],
)
def test_moments_read_in_the_players_zone(
    when: datetime, zone: str, language: str, expected: str
) -> None:
    """Summer and winter time are minded, and a zone that is none reads as UTC."""
    assert moment_text(when, zone, Catalogue(language)) == expected


def test_the_hour_that_comes_twice_is_told_apart() -> None:
    """When clocks go back, the two half past twos name their offsets."""
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    found = [
        moment_text(first + timedelta(hours=n), "Europe/Berlin", Catalogue("en")) for n in (0, 1)
    ]
    assert found == [
        "Sun 25 Oct 2026, 02:30 (Europe/Berlin, UTC+0200)",
        "Sun 25 Oct 2026, 02:30 (Europe/Berlin, UTC+0100)",
    ]


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (timedelta(days=1, hours=3, minutes=5), "1 day and 3 hours"),
        (timedelta(days=14, hours=3), "14 days"),
        (timedelta(hours=1), "1 hour"),
        (timedelta(minutes=59, seconds=59), "59 minutes"),
        (timedelta(seconds=20), "20 seconds"),
        (timedelta(seconds=-10), "0 minutes"),
    ],
)
def test_spans_name_their_two_largest_units(length: timedelta, expected: str) -> None:
    """A span is as exact as a player needs it."""
    assert span_text(length, Catalogue("en")) == expected
