"""Days away: a player's clocks stand on them, in all matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change, Desk
from referee.desk.matches.time import clock
from referee.errors import RefereeError
from referee.games.game import Json
from referee.matches.time.calendar import days_in
from referee.render.words.moments import zone_of
from referee.store.people import players
from referee.store.tables.people import AwayRow, PlayerRow
from referee.value import Value

AHEAD: Final = timedelta(days=730)
"""How far ahead days away can be noted."""

DAYS: Final = frozenset({"first", "last", "today"})
"""The fields that hold days."""


class BadDays(RefereeError):
    """Days away that cannot be noted or cancelled; the message says why."""


class AwayFault(Value):
    """The reason why days away are refused.

    ``why`` is ``unreadable``, ``backward``, ``past``, ``far``, ``overlap`` or ``allowance``; only
    the last does not bind an organiser. ``fields`` say more.
    """

    why: str
    fields: Mapping[str, Json]


def parse_day(text: str) -> date | None:
    """Return the day of ``2026-12-20`` or ``20.12.2026``; None for anything else."""
    parts = text.rstrip(".").split(".")
    try:
        if len(parts) == len("DMY"):
            return date(int(parts[2]), int(parts[1]), int(parts[0]))
        return date.fromisoformat(text) if len(text) == len("2026-12-20") else None
    except ValueError:
        return None


def away_fault(
    change: Change, player: PlayerRow, first: date | None, last: date | None
) -> AwayFault | None:
    """Return the fault of days away a player asks for, if any."""
    if first is None or last is None:
        return AwayFault("unreadable", {})
    today = today_of(change.desk, player)
    given: dict[str, Json] = {"first": first.isoformat(), "last": last.isoformat()}
    if last < first:
        return AwayFault("backward", given)
    if first < today:
        return AwayFault("past", given | {"today": today.isoformat()})
    # Bounded, since every clock of the player looks through their days.
    if last > today + AHEAD:
        return AwayFault("far", given)
    for row in players.away_of(change.connection, player.id):
        if date.fromisoformat(row.first_day) <= last and first <= date.fromisoformat(row.last_day):
            known: dict[str, Json] = {"first": row.first_day, "last": row.last_day}
            return AwayFault("overlap", known | {"number": row.id})
    # Days over New Year count in both years.
    for year in range(first.year, last.year + 1):
        left = change.desk.settings.away_days - _days_of_year(change.connection, player, year)
        asked = _within(year, [(first, last)])
        if asked > left:
            return AwayFault("allowance", {"year": year, "asked": asked, "left": max(left, 0)})
    return None


def note_away(change: Change, player: PlayerRow, first: date, last: date) -> int:
    """Note days away, both ends included; return the entry's number."""
    with clock.days_change(change, player.id):
        days = first.isoformat(), last.isoformat()
        return players.add_away_days(change.connection, player.id, *days, change.desk.now())


def cancel_away(change: Change, player: PlayerRow, number: int) -> AwayRow:
    """Cancel days away as far as they are still to come.

    Return the entry as it was. A day that has begun counts, as the clock has stood on it. Raises
    BadDays if there is no such entry or nothing of it is still to come.
    """
    rows = players.away_of(change.connection, player.id)
    row = next((row for row in rows if row.id == number), None)
    today = today_of(change.desk, player)
    if row is None or date.fromisoformat(row.last_day) <= today:
        raise BadDays(f"{player.name} has no days away numbered {number} that are still to come")
    with clock.days_change(change, player.id):
        players.drop_away_days(change.connection, row.id)
        # The part that has begun stays, as an entry of its own.
        if date.fromisoformat(row.first_day) <= today:
            last = today.isoformat()
            players.add_away_days(
                change.connection, player.id, row.first_day, last, change.desk.now()
            )
    return row


def today_of(desk: Desk, player: PlayerRow) -> date:
    """Return the day it is where a player lives."""
    return desk.now().astimezone(zone_of(player.zone)).date()


def left_of(change: Change, player: PlayerRow, year: int) -> int:
    """Return how many days away of a year are still free.

    The limit binds letters, not the organiser.
    """
    return max(change.desk.settings.away_days - _days_of_year(change.connection, player, year), 0)


def _days_of_year(connection: Connection, player: PlayerRow, year: int) -> int:
    rows = players.away_of(connection, player.id)
    days = ((date.fromisoformat(a.first_day), date.fromisoformat(a.last_day)) for a in rows)
    return _within(year, days)


def _within(year: int, days: Iterable[tuple[date, date]]) -> int:
    first, last = date(year, 1, 1), date(year, 12, 31)
    return sum(days_in(max(begin, first), min(end, last)) for begin, end in days)
