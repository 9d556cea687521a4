"""Days away: a player's clocks stand on them, in all matches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta
from functools import cache
from typing import Final

from referee.desk.desk import Change, Desk
from referee.desk.matches.time import clock
from referee.errors import RefereeError
from referee.games.game import LANGUAGES
from referee.matches.time.calendar import days_in
from referee.render.words.moments import zone_of
from referee.render.words.wording import Catalogue
from referee.store.people import players
from referee.store.tables.people import AwayRow, PlayerRow
from referee.value import Value

AHEAD: Final = timedelta(days=730)
"""How far ahead days away can be noted."""


class AwayFault(Value):
    """The reason why days away are refused.

    ``why`` is ``unreadable``, ``number``, ``backward``, ``past``, ``far``, ``overlap`` or
    ``allowance``; only the last does not bind an organiser. ``fields`` say more, days as dates.
    """

    why: str
    fields: Mapping[str, object]


_DAY: Final = re.compile(
    r"""(?x) \b(?:(?P<iso>[0-9]{4})-(?P<iso_month>[0-9]{1,2})-(?P<iso_day>[0-9]{1,2})\b
    | (?P<day>[0-9]{1,2})
      (?:\.\ ?(?P<number>[0-9]{1,2})\b\.?
        | (?:\.|st|nd|rd|th)?\ ?(?:of\ )?(?P<month>[^\W\d_]{3,})\b\.?)
      (?:,?\ ?(?P<year>[0-9]{4})\b)?
    | (?P<name>[^\W\d_]{3,})\.?\ (?P<behind>[0-9]{1,2})(?:st|nd|rd|th)?\b
      (?:,?\ (?P<then>[0-9]{4})\b)?)"""
)


_TO: Final = r"(?P<to>\s*(?:-|–|\b(?:to|until|bis)\b(?:\ zum)?)\s*)"

_SHARED: Final = re.compile(
    rf"""(?xi) (?<![0-9.])(?P<first>[0-9]{{1,2}})(?:\.|st|nd|rd|th)?
    {_TO}
    (?P<last>[0-9]{{1,2}}(?:
        \.\ ?(?P<number>[0-9]{{1,2}})\b
        | (?:\.|st|nd|rd|th)?\ ?(?:of\ )?(?P<month>[^\W\d_]{{3,}})))
    """
)
"""Two days of one month, which stands behind the second alone: “3. bis 10. Dezember”."""

_BEFORE: Final = re.compile(
    rf"""(?xi) \b(?P<month>[^\W\d_]{{3,}})\.?\ (?P<first>[0-9]{{1,2}})(?:st|nd|rd|th)?
    {_TO}
    (?P<last>[0-9]{{1,2}})(?![0-9:-]|\.[0-9])(?:st|nd|rd|th)?(?P<behind>\ ?[^\W\d_]*)"""
)
"""Such days with their month before the first: “Dec 1–5”."""


def spread_days(text: str) -> str:
    """Return a text with the month that two days share behind both of them."""

    def spread(days: re.Match[str]) -> str:
        month = days["number"] or days["month"]
        if days["month"] and month.casefold() not in _months():
            return days[0]
        return f"{days['first']}. {month}{'.' if days['number'] else ''}{days['to']}{days['last']}"

    def repeated(days: re.Match[str]) -> str:
        month, behind = days["month"], days["behind"]
        if month.casefold() not in _months() or behind.strip().casefold() in _months():
            return days[0]
        return f"{month} {days['first']}{days['to']}{month} {days['last']}{behind}"

    return _BEFORE.sub(repeated, _SHARED.sub(spread, text))


def days_written(text: str) -> Iterator[re.Match[str]]:
    """Yield the days of a text where they stand, in the spellings that ``parse_day`` reads."""
    at = 0
    while day := _DAY.search(text, at):
        name = day["month"] or day["name"]
        known = name is None or name.casefold() in _months()
        if known:
            yield day
        # What looked like a month may itself begin a day: "until December 5".
        at = day.end() if known else day.start() + 1


def parse_day(text: str, today: date | None = None) -> date | None:
    """Return the day of ``2026-12-20``, ``20.12.2026``, ``20 December`` or ``December 20th``.

    Names of months may be short, and in any language of the mails. Without a year it is the next
    such day from ``today`` on, if that is given. None for anything else.
    """
    day = next(days_written(text), None)
    if day is None or day.span() != (0, len(text)):
        return None
    name = day["month"] or day["name"]
    month = _months()[name.casefold()] if name else int(day["iso_month"] or day["number"])
    number, year = int(day["iso_day"] or day["day"] or day["behind"]), day["iso"] or day["year"]
    year = year or day["then"]
    if not year and today is None:
        return None
    # Some are no days, such as the 30th of February, or only in a leap year.
    for there in [int(year)] if year or today is None else range(today.year, today.year + 5):
        with suppress(ValueError):
            if today is None or year or date(there, month, number) >= today:
                return date(there, month, number)
    return None


def parse_days(first: str, last: str, today: date) -> tuple[date | None, date | None]:
    """Return the first and last of days as ``parse_day`` reads them.

    Without years, days that have begun end next, and do not begin next year.
    """
    begin = parse_day(first, today)
    end = parse_day(last, today)
    if begin is not None and end is not None and end < begin and parse_day(first) is None:
        with suppress(ValueError):
            begin = begin.replace(year=begin.year - 1)
    return begin, end


@cache
def _months() -> Mapping[str, int]:
    """Return the number of each month by its long and short names in the languages of the mails."""
    from babel.dates import get_month_names  # noqa: PLC0415 - Babel reads much before its first

    return {
        name.rstrip(".").casefold(): number
        for language in LANGUAGES
        for width in ("wide", "abbreviated")
        for number, name in get_month_names(width, locale=Catalogue(language).locale).items()
    }


def away_fault(change: Change, player: PlayerRow, first: date, last: date) -> AwayFault | None:
    """Return the fault of days away a player asks for, if any."""
    today = today_of(change.desk, player)
    if last < first:
        return AwayFault("backward", {"first": first, "last": last})
    if first < today:
        return AwayFault("past", {"first": first, "today": today})
    # Bounded, since every clock of the player looks through their days.
    if last > today + AHEAD:
        return AwayFault("far", {})
    for row in players.away_of(change.connection, player.id):
        begins, ends = clock.days_of(row)
        if begins <= last and first <= ends:
            return AwayFault("overlap", {"first": begins, "last": ends, "number": row.id})
    # Days over New Year count in both years.
    for year in range(first.year, last.year + 1):
        asked, left = _within(year, [(first, last)]), left_of(change, player, year)
        if asked > left:
            return AwayFault("allowance", {"year": year, "asked": asked, "left": left})
    return None


def note_away(change: Change, player: PlayerRow, first: date, last: date) -> int:
    """Note days away, both ends included; return the entry's number."""
    with clock.calendar_change(change, clock.rows_of(change.connection, player.id)):
        days = first.isoformat(), last.isoformat()
        return players.add_away_days(change.connection, player.id, *days, change.desk.now())


def cancel_away(change: Change, player: PlayerRow, number: int) -> AwayRow:
    """Cancel days away as far as they are still to come.

    Return the entry as it was. A day that has begun counts, as the clock has stood on it. Raises
    RefereeError if there is no such entry or nothing of it is still to come.
    """
    rows = players.away_of(change.connection, player.id)
    today = today_of(change.desk, player)
    row = next((row for row in rows if row.id == number), None)
    if row is None or clock.days_of(row)[1] <= today:
        what = f"no days away numbered {number} that are still to come"
        raise RefereeError(f"{player.name} has {what}")
    with clock.calendar_change(change, clock.rows_of(change.connection, player.id)):
        players.drop_away_days(change.connection, row.id)
        # The part that has begun stays, as an entry of its own.
        if clock.days_of(row)[0] <= today:
            begun = row.first_day, today.isoformat()
            players.add_away_days(change.connection, player.id, *begun, change.desk.now())
    return row


def today_of(desk: Desk, player: PlayerRow) -> date:
    """Return the day it is where a player lives."""
    return desk.now().astimezone(zone_of(player.zone)).date()


def left_of(change: Change, player: PlayerRow, year: int) -> int:
    """Return how many days away of a year are left; the limit binds letters, not the organiser."""
    taken = _within(year, map(clock.days_of, players.away_of(change.connection, player.id)))
    return max(change.desk.settings.away_days - taken, 0)


def _within(year: int, days: Iterable[tuple[date, date]]) -> int:
    first, last = date(year, 1, 1), date(year, 12, 31)
    return sum(days_in(max(begin, first), min(end, last)) for begin, end in days)
