"""Days a player is away: his clock stands in all his matches, and the others read until when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk import answers, timing
from referee.desk.case import Case
from referee.desk.claims import Claim
from referee.desk.commands import Command
from referee.desk.desk import Desk
from referee.desk.ledger import Sitting
from referee.desk.posting import players_of
from referee.errors import RefereeError
from referee.games.game import Json, Seat
from referee.matches.calendar import days_in
from referee.render.moments import day, zone_of
from referee.render.parts import who
from referee.render.wording import Catalogue, Wording
from referee.store import players
from referee.store.players import AwayRow, PlayerRow

AHEAD: Final = timedelta(days=730)
"""Further ahead nobody knows that he is away."""

TOLD_BEFORE: Final = timedelta(days=14)
"""So long before they begin the others read of days away."""

DAYS: Final = frozenset({"first", "last", "today"})
"""Fields that hold days."""

ONE_DAY: Final = timedelta(days=1)


class BadDays(RefereeError):
    """Days away that cannot be noted or taken back; one line that says why."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why days away are not noted: ``unreadable``, ``backward``, ``past``, ``far``, ``overlap``.

    ``allowance`` is the one fault that does not bind an organiser; ``fields`` say more.
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


def fault(
    desk: Desk, connection: Connection, player: PlayerRow, first: date | None, last: date | None
) -> Fault | None:
    """Return what is wrong with days a player wants to be away, None if nothing is."""
    if first is None or last is None:
        return Fault("unreadable", {})
    today = today_of(desk, player)
    given: dict[str, Json] = {"first": first.isoformat(), "last": last.isoformat()}
    if last < first:
        return Fault("backward", given)
    if first < today:
        return Fault("past", given | {"today": today.isoformat()})
    if last > today + AHEAD:
        return Fault("far", given)
    for row in players.away_of(connection, player.id):
        if date.fromisoformat(row.first_day) <= last and first <= date.fromisoformat(row.last_day):
            known: dict[str, Json] = {"first": row.first_day, "last": row.last_day}
            return Fault("overlap", known | {"number": row.id})
    for year in range(first.year, last.year + 1):
        left = desk.away_days - _days_of_year(connection, player, year)
        asked = _within(year, [(first, last)])
        if asked > left:
            return Fault("allowance", {"year": year, "asked": asked, "left": max(left, 0)})
    return None


def note(desk: Desk, connection: Connection, player: PlayerRow, first: date, last: date) -> int:
    """Note that a player is away, both days included; return the number of the entry."""
    with timing.days_change(desk, connection, player.id):
        days = first.isoformat(), last.isoformat()
        return players.add_away(connection, player.id, *days, desk.now())


def clear(desk: Desk, connection: Connection, player: PlayerRow, number: int) -> AwayRow:
    """Take days away back as far as they are still to come; return what stood there.

    A day that has begun counts, as the clock has stood on it. Raises BadDays when there is no such
    entry or nothing of it is still to come.
    """
    rows = players.away_of(connection, player.id)
    row = next((each for each in rows if each.id == number), None)
    today = today_of(desk, player)
    if row is None or date.fromisoformat(row.last_day) <= today:
        raise BadDays(f"{player.name} has no days away numbered {number} that are still to come")
    with timing.days_change(desk, connection, player.id):
        players.drop_away(connection, row.id)
        if date.fromisoformat(row.first_day) <= today:
            last = today.isoformat()
            players.add_away(connection, player.id, row.first_day, last, desk.now())
    return row


def today_of(desk: Desk, player: PlayerRow) -> date:
    """Return the day it is where a player lives."""
    return desk.now().astimezone(zone_of(player.zone)).date()


def left_of(desk: Desk, connection: Connection, player: PlayerRow, year: int) -> int:
    """Return for how many more days of a year a player may say by mail that he is away."""
    return max(desk.away_days - _days_of_year(connection, player, year), 0)


def _days_of_year(connection: Connection, player: PlayerRow, year: int) -> int:
    rows = players.away_of(connection, player.id)
    days = ((date.fromisoformat(a.first_day), date.fromisoformat(a.last_day)) for a in rows)
    return _within(year, days)


def _within(year: int, days: Iterable[tuple[date, date]]) -> int:
    first, last = date(year, 1, 1), date(year, 12, 31)
    return sum(days_in(max(one, first), min(two, last)) for one, two in days)


def sentences(
    desk: Desk,
    connection: Connection,
    sitting: Sitting,
    names: Mapping[Seat, str],
    reader: Seat,
    wording: Wording,
) -> tuple[str, ...]:
    """Return who of a match is away or soon will be, and until when, as one of its seats reads."""
    found: list[str] = []
    holders = {} if sitting.live.turn.over else players_of(connection, sitting.seats)
    away = players.away_of_all(connection, {each.id for each in holders.values()})
    for seat, player in holders.items():
        today = today_of(desk, player)
        for row in away:
            if row.player_id != player.id:
                continue
            first, last = date.fromisoformat(row.first_day), date.fromisoformat(row.last_day)
            if last < today or first > today + TOLD_BEFORE:
                continue
            known = "you" if seat == reader else "other"
            found.append(
                wording.catalogue.say(
                    f"away.{known}",
                    who=who(seat, names, wording),
                    first=day(first, wording.catalogue) if first > today else None,
                    last=day(last, wording.catalogue),
                )
            )
    return tuple(found)


def obey(case: Case, claim: Claim | None, command: Command) -> None:
    """Note days away, take some back, or list them; answer with what is noted then."""
    desk, connection, player = case.desk, case.connection, case.player
    what, *given = command.arguments or ("list",)
    catalogue = Catalogue(player.language)
    fields: dict[str, Json] = {}
    if what == "cancel":
        row = clear(desk, connection, player, int(given[0]))
        fields = _worded({"first": row.first_day, "last": row.last_day}, catalogue)
    elif what != "list":
        first, last = _range(command)
        if first is not None and last is not None:
            note(desk, connection, player, first, last)
            fields = _worded({"first": str(first), "last": str(last)}, catalogue)
    today = today_of(desk, player)
    done = what if what in {"list", "cancel"} else "noted"
    left = left_of(desk, connection, player, today.year)
    entries: list[Json] = [
        catalogue.say("away.entry", **_worded(each, catalogue))
        for each in _coming(connection, player, today)
    ]
    fields |= {"year": today.year, "left": left, "entries": entries}
    answers.send(case, f"away-{done}", fields, claim)


def wrong(case: Case, command: Command) -> bool:
    """Answer what cannot be noted or taken back as asked; tell whether that was so."""
    what, *given = command.arguments or ("list",)
    if what == "list":
        return False
    found: Fault | None = None
    if what == "cancel":
        today = today_of(case.desk, case.player)
        coming = _coming(case.connection, case.player, today + ONE_DAY)
        numbers = [str(each["number"]) for each in coming]
        if given[0] not in numbers:
            found = Fault("number", {"number": int(given[0])})
    else:
        found = fault(case.desk, case.connection, case.player, *_range(command))
    if found is not None:
        catalogue = Catalogue(case.player.language)
        said = catalogue.say(f"away.{found.why}", **_worded(found.fields, catalogue))
        answers.send(case, "away-wrong", {"what": said})
    return found is not None


def _worded(fields: Mapping[str, Json], catalogue: Catalogue) -> dict[str, Json]:
    """Return fields with their days as they are read."""
    found = dict(fields)
    for name in DAYS & fields.keys():
        found[name] = day(date.fromisoformat(str(fields[name])), catalogue)
    return found


def _range(command: Command) -> tuple[date | None, date | None]:
    first, last = command.arguments[0], command.arguments[-1]
    return parse_day(first), parse_day(last)


def _coming(connection: Connection, player: PlayerRow, first: date) -> list[dict[str, Json]]:
    """Return the entries that have not ended before a day."""
    return [
        {"number": row.id, "first": row.first_day, "last": row.last_day}
        for row in players.away_of(connection, player.id)
        if date.fromisoformat(row.last_day) >= first
    ]
