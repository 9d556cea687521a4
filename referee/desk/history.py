"""What happened in a match, as anybody may know it: turns, events, and who mended what and why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection

from referee.desk import ledger
from referee.desk.desk import Desk
from referee.desk.mending import reasons
from referee.matches.clock import format_duration
from referee.matches.events import ANNOTATIONS
from referee.render.wording import Wording
from referee.store import matches as tables
from referee.store.matches import EventRow, MatchRow

SEEN: Final = ("act", "holder", "bot", "first", "last", "to", "seconds", "ending", "places")
"""What the details of an event tell besides who and why."""

PLAIN: Final = frozenset({"act", "holder", "bot", "ending"})
"""Those of them that need no name."""


@dataclass(frozen=True, slots=True)
class Passage:
    """An event as it is told: ``facts`` are what spectators learnt by it.

    ``order`` is known once the record is released. ``undone``: it was taken back and does not
    stand any more.
    """

    seq: int
    turn: int
    kind: str
    seat: str | None
    at: datetime
    order: str | None
    facts: tuple[str, ...]
    by: str | None
    why: str | None
    what: str
    undone: bool


def history(desk: Desk, connection: Connection, row: MatchRow) -> list[Passage]:
    """Return the events of a match in the order they came; hidden things wait for the record."""
    rows = tables.events(connection, row.id)
    stands = {each.seq for each in ledger.standing(rows)}
    wording = Wording(desk.find_game(row.game, row.edition), desk.language)
    return [_passage(connection, row, wording, each, each.seq in stands) for each in rows]


def _passage(
    connection: Connection, row: MatchRow, wording: Wording, event: EventRow, stands: bool
) -> Passage:
    body: dict[str, Any] = json.loads(event.body)
    details = body["details"]
    facts = [each for each in ledger.facts_from_json(event.facts) if each.known_to(None)]
    digest = details.get("why")
    return Passage(
        seq=event.seq,
        turn=event.turn,
        kind=event.kind,
        seat=event.seat,
        at=event.at,
        order=body["order"] if row.released else None,
        facts=tuple(wording.fact(each) for each in facts),
        by=details.get("by"),
        why=reasons.text_of(connection, row, digest) if digest else None,
        what=_what(connection, row, details),
        undone=event.kind not in ANNOTATIONS and not stands,
    )


def _what(connection: Connection, row: MatchRow, details: Mapping[str, Any]) -> str:
    """Return what an event besides the board says, in few words."""
    said = [_said(name, details[name]) for name in SEEN if details.get(name) is not None]
    if details.get("act") == "note":
        said.append(reasons.text_of(connection, row, details["text"]) or "(erased)")
    return " ".join(said)


def _said(name: str, value: Any) -> str:
    if name == "seconds":
        return format_duration(timedelta(seconds=value))
    if name == "places":
        return ", ".join(f"{seat} {place}." for seat, place in value.items())
    return str(value) if name in PLAIN else f"{name} {value}"
