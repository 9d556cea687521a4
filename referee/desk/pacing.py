"""What a match agreed about time, as an invitation tells it besides how much there is."""

from __future__ import annotations

from datetime import date
from typing import Final

from referee.desk import timing
from referee.matches.calendar import WEEKDAYS
from referee.render.moments import day, span
from referee.render.wording import Catalogue
from referee.store.matches import MatchRow

A_LEAP_YEAR: Final = 2024
"""In which every day of the year can be named."""


def agreed(row: MatchRow, catalogue: Catalogue) -> tuple[str, ...]:
    """Return a sentence each about days off and about what happens to who is late."""
    pace = timing.pace_of(row)
    if not pace.limited:
        return ()
    found = []
    if pace.days_off:
        days = catalogue.joined(_named(each, catalogue) for each in _in_order(pace.days_off))
        found.append(catalogue.say("clock.days_off", days=days))
    grace = span(pace.grace, catalogue) if pace.grace else None
    found.append(catalogue.say(f"clock.late_{pace.late}", grace=grace))
    return tuple(found)


def _in_order(days: frozenset[str]) -> list[str]:
    """Return weekdays as they come in a week, then dates."""
    weekdays = [each for each in WEEKDAYS if each in days]
    return weekdays + sorted(days - set(WEEKDAYS))


def _named(word: str, catalogue: Catalogue) -> str:
    # Commands that name no day should not pay for Babel.
    from babel.dates import format_date, get_day_names  # noqa: PLC0415

    if word in WEEKDAYS:
        return str(get_day_names("wide", locale=catalogue.language)[WEEKDAYS.index(word)])
    if len(word) == len("12-25"):
        when = date.fromisoformat(f"{A_LEAP_YEAR}-{word}")
        pattern = catalogue.say("time.year_day_pattern")
        return str(format_date(when, pattern, locale=catalogue.language))
    return day(date.fromisoformat(word), catalogue)
