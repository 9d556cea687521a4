"""Durations and moments as people and logs write them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from referee.matches.time import moments

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("3d", timedelta(days=3)),
        ("12h", timedelta(hours=12)),
        ("1w 2d", timedelta(days=9)),
        ("1d12h", timedelta(hours=36)),
        (" 90 M ", timedelta(minutes=90)),
        ("1w 1d 1h 1m 1s", timedelta(days=8, seconds=3661)),
        ("0s", timedelta(0)),
    ],
)
def test_duration_is_read(text: str, span: timedelta) -> None:
    """Units go from weeks to seconds, in any case, with or without spaces."""
    assert moments.parse_duration(text) == span


@pytest.mark.parametrize(
    "text", ["", "3", "d", "2d 1w", "3 days", "-1d", "1.5h", "1d 1d", "12345h"]
)
def test_what_is_no_duration_is_refused(text: str) -> None:
    """The message says how to write one."""
    with pytest.raises(ValueError, match="write it like 3d, 12h or 1w 2d"):
        moments.parse_duration(text)


@pytest.mark.parametrize("text", ["3d", "12h", "1w 2d", "1w 6d 23h 59m 59s", "0s", "520w 1s"])
def test_duration_round_trips(text: str) -> None:
    """A duration in its largest units reads and writes back the same."""
    assert moments.format_duration(moments.parse_duration(text)) == text


def test_negative_duration_is_not_written() -> None:
    """Time cannot be less than none."""
    with pytest.raises(ValueError, match="negative"):
        moments.format_duration(timedelta(seconds=-1))


@pytest.mark.parametrize("text", ["2026-11-20T10:00:00Z", "2026-11-20T10:00:00.000001Z"])
def test_moment_round_trips(text: str) -> None:
    """The log's stamps read and write back the same."""
    assert moments.format_moment(moments.parse_moment(text)) == text


@pytest.mark.parametrize(
    "text",
    ["2026-11-20", "2026-11-20T10:00:00", "2026-11-20T10:00:00+01:00", "2026-02-30T10:00:00Z", ""],
)
def test_what_is_no_moment_in_utc_is_refused(text: str) -> None:
    """Other zones, other forms and days that never were are refused."""
    with pytest.raises(ValueError):
        moments.parse_moment(text)


def test_moment_is_written_in_utc() -> None:
    """A moment of another zone is converted; one without is refused."""
    noon = datetime(2026, 11, 20, 12, tzinfo=timezone(timedelta(hours=2)))
    assert moments.format_moment(noon) == "2026-11-20T10:00:00Z"
    with pytest.raises(ValueError, match="zone"):
        moments.format_moment(noon.replace(tzinfo=None))
