"""The command ``away``: days away noted, listed and cancelled."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TypedDict

from sqlalchemy import Connection

from referee.desk.letters.case import Case, Claim
from referee.desk.letters.words.keywords import Command
from referee.desk.matches.time.away import (
    DAYS,
    AwayFault,
    away_fault,
    cancel_away,
    left_of,
    note_away,
    parse_days,
    today_of,
)
from referee.games.game import Json
from referee.matches.time.moments import DAY
from referee.render.answers import Answer, answer
from referee.render.words.moments import day_text
from referee.render.words.wording import Catalogue
from referee.store.people import players
from referee.store.tables.people import PlayerRow


def obey_away(case: Case, _: Claim | None, command: Command) -> Answer | None:
    """Note days away, cancel some, or list them; return all that are noted."""
    what, *given = command.arguments or ("list",)
    if what == "list":
        return answer("away-list", **_noted(case))
    if what == "cancel":
        row = cancel_away(case.change, case.player, int(given[0]))
        first, last = (_day(day, case.catalogue) for day in (row.first_day, row.last_day))
        return answer("away-cancel", first=first, last=last, **_noted(case))
    begin, end = _range(case, command)
    if begin is None or end is None:
        return None
    note_away(case.change, case.player, begin, end)
    first, last = (day_text(day, case.catalogue) for day in (begin, end))
    return answer("away-noted", first=first, last=last, **_noted(case))


class Noted(TypedDict):
    """Fields of an answer: days away noted, and days left."""

    year: int
    left: int
    entries: list[str]


def _noted(case: Case) -> Noted:
    player, catalogue = case.player, case.catalogue
    today = today_of(case.desk, player)
    coming = _coming(case.connection, player, today)
    entries = [catalogue.say("away.entry", **_worded(entry, catalogue)) for entry in coming]
    left = left_of(case.change, player, today.year)
    return {"year": today.year, "left": left, "entries": entries}


def answer_bad_days(case: Case, command: Command) -> Answer | None:
    """Return the answer to days that cannot be noted or cancelled."""
    what, *given = command.arguments or ("list",)
    if what == "list":
        return None
    found: AwayFault | None = None
    if what == "cancel":
        today = today_of(case.desk, case.player)
        # Only days still to come can be cancelled, and today has begun.
        coming = _coming(case.connection, case.player, today + DAY)
        numbers = [str(entry["number"]) for entry in coming]
        if given[0] not in numbers:
            found = AwayFault("number", {"number": int(given[0])})
    else:
        ends = _range(case, command)
        found = away_fault(case.change, case.player, *ends)
        wrong = [text for text, day in zip((what, given[-1]), ends, strict=True) if day is None]
        found = AwayFault("unreadable", {"day": wrong[0]}) if wrong else found
    if found is None:
        return None
    catalogue = case.catalogue
    said = catalogue.say(f"away.{found.why}", **_worded(found.fields, catalogue))
    return answer("away-wrong", what=said)


def _worded(fields: Mapping[str, Json], catalogue: Catalogue) -> dict[str, Json]:
    """Return fields with their days written out for a reader."""
    days = {name: _day(str(fields[name]), catalogue) for name in DAYS & fields.keys()}
    return {**fields, **days}


def _day(iso: str, catalogue: Catalogue) -> str:
    return day_text(date.fromisoformat(iso), catalogue)


def _range(case: Case, command: Command) -> tuple[date | None, date | None]:
    first, *_, last = command.arguments
    return parse_days(first, last, today_of(case.desk, case.player))


def _coming(connection: Connection, player: PlayerRow, first: date) -> list[dict[str, Json]]:
    """Return the days away that end on a day or later."""
    return [
        {"number": row.id, "first": row.first_day, "last": row.last_day}
        for row in players.away_of(connection, player.id)
        if date.fromisoformat(row.last_day) >= first
    ]
