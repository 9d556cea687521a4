"""Stopping a match for a while, and letting it go on: nobody's time runs in between."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import Connection

from referee.desk import timing
from referee.desk.mending import reasons
from referee.desk.mending.act import ORGANISER, Plain, Work
from referee.games.game import Json
from referee.matches.events import PAUSE, RESUME
from referee.render.moments import moment
from referee.render.wording import Catalogue
from referee.store import matches as tables
from referee.store.matches import MatchRow
from referee.store.players import PlayerRow


@dataclass(frozen=True, slots=True)
class Pause(Plain):
    """Stop a running match: no orders, no bots, no deadlines until it is resumed."""

    name: ClassVar[str] = "pause"
    match: str

    def carry_out(self, work: Work) -> None:
        work.going("running")
        row = work.note(PAUSE).row
        timing.stop(work.desk, work.connection, row)
        tables.set_state(work.connection, row.id, "paused", now=work.desk.now())
        work.tell("paused", moved=row.to_act)


@dataclass(frozen=True, slots=True)
class Resume(Plain):
    """Let a paused match go on; the seat to act has the time that was left to it."""

    name: ClassVar[str] = "resume"
    match: str

    def carry_out(self, work: Work) -> None:
        work.going("paused")
        row = work.note(RESUME).row
        tables.set_state(work.connection, row.id, "running")
        timing.go_on(work.desk, work.connection, row)
        work.tell("resumed", work.turn, moved=row.to_act)


def paused(connection: Connection, row: MatchRow, reader: PlayerRow) -> dict[str, Json]:
    """Return since when a match is paused, by whom and why, as fields of an answer."""
    event = tables.latest_event(connection, row.id, PAUSE)
    details = {} if event is None else json.loads(event.body)["details"]
    why = reasons.text_of(connection, row, details.get("why", ""))
    since = row.paused_at or (event.at if event else row.created)
    return {
        "match": row.name,
        "by": details.get("by", ORGANISER),
        "since": moment(since, reader.zone, Catalogue(reader.language)),
        "text": why or "–",
    }
