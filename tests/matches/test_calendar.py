"""On which days a clock runs: weekends, holidays, days away, nights in which clocks change."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.matches.time.calendar import NONE, Calendar, NeverRuns, days_in, parse_days_off

pytestmark = pytest.mark.fast

DAY = timedelta(days=1)
WEEKENDS = parse_days_off("weekends")
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia")
# A Friday in November, and the year's changes of clocks are within a few months of it.
FRIDAY = datetime(2026, 11, 20, 12, tzinfo=UTC)


def test_without_days_off_time_is_time() -> None:
    """A span later, to the second."""
    assert Calendar().runs_out(FRIDAY, 3 * DAY) == FRIDAY + 3 * DAY
    assert Calendar().used(FRIDAY, FRIDAY + DAY) == DAY


def test_a_weekend_passes_by() -> None:
    """Friday noon and a day is Monday noon; nothing is used from Saturday to Sunday."""
    calendar = Calendar(days_off=WEEKENDS)
    assert calendar.runs_out(FRIDAY, DAY) == FRIDAY + 3 * DAY
    assert calendar.used(FRIDAY + DAY, FRIDAY + 2 * DAY) == NONE


def test_a_clock_never_runs_out_at_the_moment_a_day_off_begins() -> None:
    """What would end at midnight before a weekend ends at midnight after it."""
    calendar = Calendar(days_off=WEEKENDS)
    assert calendar.runs_out(FRIDAY, DAY / 2) == datetime(2026, 11, 23, tzinfo=UTC)


def test_a_day_off_is_a_day_where_the_player_lives() -> None:
    """It is Saturday in Sydney while it is Friday in London."""
    sydney = Calendar(ZoneInfo("Australia/Sydney"), WEEKENDS)
    afternoon = datetime(2026, 11, 20, 14, tzinfo=UTC)
    assert sydney.rests(afternoon)
    assert not Calendar(ZoneInfo("Europe/London"), WEEKENDS).rests(afternoon)


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Berlin", date(2027, 3, 28), 23),
        ("Europe/Berlin", date(2026, 10, 25), 25),
        ("America/New_York", date(2027, 3, 14), 23),
        ("America/New_York", date(2026, 11, 1), 25),
        ("Australia/Lord_Howe", date(2026, 10, 4), 23.5),
        ("Australia/Lord_Howe", date(2027, 4, 4), 24.5),
    ],
)
def test_a_day_off_is_as_long_as_the_clocks_make_it(zone: str, day: date, hours: float) -> None:
    """In the night of a change running time is elapsed time, and a day off is the whole day."""
    place = ZoneInfo(zone)
    midnight = datetime(day.year, day.month, day.day, tzinfo=place).astimezone(UTC)
    off = Calendar(place, frozenset({day.isoformat()}))
    before = midnight - timedelta(hours=1)
    assert off.runs_out(before, timedelta(hours=2)) == midnight + timedelta(hours=hours + 1)
    working = Calendar(place, frozenset({"02-29"}))
    assert working.used(midnight, midnight + DAY) == DAY


def test_a_yearly_day_off_comes_every_year() -> None:
    """12-25 is off in 2026 and in 2027, a whole date once."""
    calendar = Calendar(days_off=parse_days_off("12-25, 2026-12-26"))
    assert [calendar.is_off(date(year, 12, 25)) for year in (2026, 2027)] == [True, True]
    assert [calendar.is_off(date(year, 12, 26)) for year in (2026, 2027)] == [True, False]


def test_days_away_count_with_both_ends() -> None:
    """From the first midnight to the last."""
    calendar = Calendar(away=((date(2026, 11, 21), date(2026, 11, 22)),))
    assert calendar.runs_out(FRIDAY, DAY) == FRIDAY + 3 * DAY
    assert calendar.is_away(date(2026, 11, 22))
    assert not calendar.is_away(date(2026, 11, 23))


def test_a_calendar_without_end_of_rest_is_refused() -> None:
    """Ten years away: there is no moment to tell."""
    calendar = Calendar(away=((date(2026, 1, 1), date(2050, 1, 1)),))
    with pytest.raises(NeverRuns, match="ten years"):
        calendar.runs_out(FRIDAY, DAY)


def test_days_off_are_read_with_dots_as_days_away_are() -> None:
    """Day before month, with a year or for every one."""
    assert parse_days_off("25.12., 26.12.2026 1.1.") == {"12-25", "2026-12-26", "01-01"}


@pytest.mark.parametrize(
    "text",
    [
        "32.12.",
        "1.13.2026",
        "25.12",
        "weekend",
        "2026-13-01",
        "13-01",
        "12-32",
        "heute",
        "20261225",
    ],
)
def test_what_is_no_day_off_is_refused(text: str) -> None:
    """The message names what may be written."""
    with pytest.raises(ValueError, match="write weekends, a weekday such as fri"):
        parse_days_off(text)


def test_a_week_of_days_off_is_refused() -> None:
    """A clock that never runs measures nothing."""
    with pytest.raises(ValueError, match="no clock ever ran"):
        parse_days_off("weekends mon tue wed thu fri")


def test_days_are_counted_with_both_ends() -> None:
    """Both ends count; a stretch that ends before it begins has none."""
    first, last = date(2026, 12, 20), date(2027, 1, 3)
    assert days_in(first, last) == 15
    assert days_in(last, first) == 0


moments = st.datetimes(datetime(2026, 1, 1), datetime(2028, 1, 1)).map(  # noqa: DTZ001
    lambda each: each.replace(microsecond=0, tzinfo=UTC)
)
spans = st.integers(0, 40 * 86_400).map(lambda seconds: timedelta(seconds=seconds))
days = st.dates(date(2026, 1, 1), date(2028, 1, 1))
calendars = st.builds(
    Calendar,
    st.sampled_from(ZONES).map(ZoneInfo),
    st.sets(st.sampled_from(["sat", "sun", "wed", "12-25", "2026-05-01"])).map(frozenset),
    st.lists(st.tuples(days, st.integers(0, 20)), max_size=2).map(
        lambda away: tuple((first, first + n * DAY) for first, n in away)
    ),
)


@given(calendars, moments, spans)
def test_what_a_clock_uses_until_it_runs_out_is_what_it_had(
    calendar: Calendar, since: datetime, left: timedelta
) -> None:
    """Both directions agree, whatever days are off and wherever clocks change."""
    assert calendar.used(since, calendar.runs_out(since, left)) == left


@given(calendars, moments, spans, spans)
def test_time_used_adds_up(
    calendar: Calendar, since: datetime, one: timedelta, two: timedelta
) -> None:
    """A stretch uses as much as its two parts, and never more than passes."""
    middle, end = since + one, since + one + two
    whole = calendar.used(since, end)
    assert whole == calendar.used(since, middle) + calendar.used(middle, end)
    assert NONE <= whole <= end - since
