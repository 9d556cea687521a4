"""The history of a match: turns, events, and corrections with their reasons.

It shows what a spectator may know.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.matches import ledger, reasons
from referee.games.game import ABANDONED
from referee.matches.events import ANNOTATIONS, SEAT
from referee.matches.time.moments import format_duration
from referee.render.words.wording import Wording
from referee.store.people import players
from referee.store.play import matches
from referee.store.play.logs import EventRow
from referee.store.play.matches import MatchRow
from referee.value import Value

SEEN: Final = (
    "act", "holder", "bot", "returned", "first", "last", "to", "seconds", "ending", "places",
)  # fmt: skip
"""The details of an event that are told besides who and why."""

WORDS: Final = {"returned": "again", "first": "from {}", "last": "to {}", "to": "to {}"}
"""The wording of the details that need one."""


class Passage(Value):
    """An event as it is told; ``facts`` are the public ones.

    ``order`` is known once the record is released. ``undone``: it was taken back.
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


def history(change: Change, row: MatchRow) -> list[Passage]:
    """Return a match's events in order; secrets wait for the record."""
    rows = matches.events(change.connection, row.id)
    stands = {each.seq for each in ledger.kept_events(rows)}
    wording = Wording(change.desk.find_game(row.game, row.edition), change.desk.language)
    takers = _takers(change.connection, row, rows)
    return [
        _passage(change.connection, row, wording, each, each.seq in stands, takers.get(each.seq))
        for each in rows
    ]


def _takers(connection: Connection, row: MatchRow, rows: Sequence[EventRow]) -> dict[int, str]:
    """Return the player who got a seat, by event.

    Events themselves name no person. Before this was kept, only the last player to get a seat is
    known, and stand-ins.
    """
    takers = matches.seat_holders(connection, row.id)
    # A match taken in from its record brings no takers: only the present holders are known here.
    holders = {each.seat: each.player_id for each in matches.seats(connection, row.id)}
    latest = {each.seat: each.seq for each in rows if each.kind == SEAT}
    found: dict[int, int | None] = {}
    for each in rows:
        details = json.loads(each.body)["details"]
        if each.seat is None or details.get("holder") != "player":
            continue
        if each.seq in takers:
            found[each.seq] = takers[each.seq]
        elif latest.get(each.seat) == each.seq:
            found[each.seq] = holders[each.seat]
    return {
        seq: players.get_player(connection, player).name
        for seq, player in found.items()
        if player is not None
    }


def _passage(
    connection: Connection,
    row: MatchRow,
    wording: Wording,
    event: EventRow,
    stands: bool,
    taker: str | None,
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
        # An order may tell about hidden things.
        order=body["order"] if row.released else None,
        facts=tuple(wording.facts(facts)),
        by=details.get("by"),
        why=reasons.find_text(connection, row, digest) if digest else None,
        what=_what(connection, row, details, taker),
        # A pause or a note happened, whatever was taken back around it.
        undone=event.kind not in ANNOTATIONS and not stands,
    )


def _what(
    connection: Connection, row: MatchRow, details: Mapping[str, Any], taker: str | None
) -> str:
    """Return the details of an event besides the board, in few words."""
    told = {name: details[name] for name in SEEN if details.get(name) is not None}
    if taker is not None:
        told["holder"] = taker
    if details.get("ending") == ABANDONED:
        # A match that was broken off has no result.
        told.pop("places", None)
    said = [_said(name, value) for name, value in told.items()]
    if details.get("act") == "note":
        said.append(reasons.find_text(connection, row, str(details.get("text"))) or "(erased)")
    return " ".join(said)


def _said(name: str, value: Any) -> str:
    if name == "seconds":
        return format_duration(timedelta(seconds=value))
    if name == "places":
        return ", ".join(f"{seat} {place}." for seat, place in value.items())
    return WORDS.get(name, "{}").format(value)
