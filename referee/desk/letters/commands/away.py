"""The command ``away``: days away noted, listed and cancelled."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from sqlalchemy import Connection

from referee.desk.letters import reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.words.keywords import Command
from referee.desk.matches.away import (
    DAYS,
    ONE_DAY,
    Fault,
    clear,
    fault,
    left_of,
    note,
    parse_day,
    today_of,
)
from referee.games.game import Json
from referee.render.moments import day
from referee.render.wording import Catalogue
from referee.store.people import players
from referee.store.people.players import PlayerRow


def obey(case: Case, claim: Claim | None, command: Command) -> None:
    """Note days away, cancel some, or list them; answer with all that are noted."""
    desk, connection, player = case.desk, case.connection, case.player
    what, *given = command.arguments or ("list",)
    catalogue = Catalogue(player.language)
    fields: dict[str, Json] = {}
    if what == "cancel":
        row = clear(case.change, player, int(given[0]))
        fields = _worded({"first": row.first_day, "last": row.last_day}, catalogue)
    elif what != "list":
        first, last = _range(command)
        if first is not None and last is not None:
            note(case.change, player, first, last)
            fields = _worded({"first": str(first), "last": str(last)}, catalogue)
    today = today_of(desk, player)
    done = what if what in {"list", "cancel"} else "noted"
    left = left_of(case.change, player, today.year)
    entries: list[Json] = [
        catalogue.say("away.entry", **_worded(each, catalogue))
        for each in _coming(connection, player, today)
    ]
    fields |= {"year": today.year, "left": left, "entries": entries}
    reply.send(case, f"away-{done}", fields, claim)


def wrong(case: Case, command: Command) -> bool:
    """Answer days that cannot be noted or cancelled; return whether that was so."""
    what, *given = command.arguments or ("list",)
    if what == "list":
        return False
    found: Fault | None = None
    if what == "cancel":
        today = today_of(case.desk, case.player)
        # Only days still to come can be cancelled, and today has begun.
        coming = _coming(case.connection, case.player, today + ONE_DAY)
        numbers = [str(each["number"]) for each in coming]
        if given[0] not in numbers:
            found = Fault("number", {"number": int(given[0])})
    else:
        found = fault(case.change, case.player, *_range(command))
    if found is not None:
        catalogue = Catalogue(case.player.language)
        said = catalogue.say(f"away.{found.why}", **_worded(found.fields, catalogue))
        reply.send(case, "away-wrong", {"what": said})
    return found is not None


def _worded(fields: Mapping[str, Json], catalogue: Catalogue) -> dict[str, Json]:
    """Return fields with their days written out for a reader."""
    found = dict(fields)
    for name in DAYS & fields.keys():
        found[name] = day(date.fromisoformat(str(fields[name])), catalogue)
    return found


def _range(command: Command) -> tuple[date | None, date | None]:
    first, last = command.arguments[0], command.arguments[-1]
    return parse_day(first), parse_day(last)


def _coming(connection: Connection, player: PlayerRow, first: date) -> list[dict[str, Json]]:
    """Return the days away that end on a day or later."""
    return [
        {"number": row.id, "first": row.first_day, "last": row.last_day}
        for row in players.away_of(connection, player.id)
        if date.fromisoformat(row.last_day) >= first
    ]
