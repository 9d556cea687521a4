"""Pause and resume: a match rests, and all time with it."""

from __future__ import annotations

import json
from typing import ClassVar

from sqlalchemy import Connection

from referee.desk.matches import reasons
from referee.desk.matches.time import clock
from referee.desk.plans.act import OnMatch
from referee.desk.work import ORGANISER, Work
from referee.matches.events import PAUSE, RESUME
from referee.render.answers import Answer, answer, signed
from referee.render.words.moments import moment_text
from referee.render.words.wording import Catalogue
from referee.store.play import matches
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow


class Pause(OnMatch):
    """Pause a running match: no orders, bots or deadlines until resumed."""

    name: ClassVar[str] = "pause"

    def carry_out(self, work: Work) -> None:
        work.going("running")
        row = work.note(PAUSE).row
        clock.stop_clock(work.change, row)
        matches.set_match_state(work.connection, row.id, "paused", now=work.desk.now())
        work.tell(signed("paused"))


class Resume(OnMatch):
    """Resume a paused match, with the time the turn had left."""

    name: ClassVar[str] = "resume"

    def carry_out(self, work: Work) -> None:
        work.going("paused")
        row = work.note(RESUME).row
        matches.set_match_state(work.connection, row.id, "running")
        clock.resume_clock(work.change, row)
        seat = work.row.to_act
        work.tell(lambda player: signed("resumed", to_act=seat, due=work.due(player)))


def pause_of(connection: Connection, row: MatchRow, reader: PlayerRow) -> Answer:
    """Return the answer since when a match is paused, and why."""
    event = matches.latest_event(connection, row.id, PAUSE)
    details = {} if event is None else json.loads(event.body)["details"]
    why = reasons.find_text(connection, row, details.get("why", ""))
    since = row.paused_at or (event.at if event else row.created)
    when = moment_text(since, reader.zone, Catalogue(reader.language))
    by = details.get("by", ORGANISER)
    return answer("match-paused", match=row.name, by=by, since=when, text=why or "–")
