"""The history of a match for spectators: turns, events, and corrections with their reasons."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.matches import ledger, reasons
from referee.games.game import ABANDONED
from referee.matches.events import ANNOTATIONS, ORDER, SEAT
from referee.matches.time.moments import format_duration
from referee.render.words.wording import Wording
from referee.store import plans
from referee.store.people import players
from referee.store.play import matches
from referee.store.tables.base import Damaged
from referee.store.tables.play import MatchRow
from referee.value import Value

WORDS: Final = {
    "act": "{}", "holder": "{}", "bot": "{}", "returned": "again", "first": "from {}",
    "last": "to {}", "to": "to {}", "seconds": "{}", "ending": "{}", "places": "{}",
}  # fmt: skip
"""The details of an event that are told besides who and why, and in which words."""


class Passage(Value):
    """An event as it is told; ``facts`` are the public ones.

    ``order`` is known once the record is released. ``undone``: it was taken back; ``late``: it was
    played for its seat, whose time was up.
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
    late: bool


def history(change: Change, row: MatchRow) -> Iterator[Passage]:
    """Yield a match's events in order; secrets wait for the record."""
    connection = change.connection
    events = matches.events(connection, row.id)
    stands = {event.seq for event in ledger.kept_events(events)}
    wording = Wording(change.desk.find_game(row.game, row.edition), change.desk.settings.language)
    # Events themselves name no person. Before the players who got a seat were kept, only the last
    # one is known, and stand-ins; and so of a match taken in from its record.
    latest = {event.seat: event.seq for event in events if event.kind == SEAT}
    seats = matches.seats(connection, row.id)
    takers = {latest[seat.seat]: seat.player_id for seat in seats if seat.seat in latest}
    takers |= matches.seat_holders(connection, row.id)
    # By the mark that deadlines leave: late at the very moment the turn ended.
    late = {
        (turn.number, turn.ended_at)
        for turn in matches.turns(connection, row.id)
        if turn.late_told_at is not None and turn.late_told_at == turn.ended_at
    }
    for event in events:
        body: dict[str, Any] = json.loads(event.body)
        details = body["details"]
        facts = [fact for fact in ledger.facts_from_json(event.facts) if fact.known_to(None)]
        digest = details.get("why")
        taker = takers.get(event.seq) if details.get("holder") == "player" else None
        who = None if taker is None else players.get_player(connection, taker).name
        yield Passage(
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
            what=_what(connection, row, details, who),
            # A pause or a note happened, whatever was taken back around it.
            undone=event.kind not in ANNOTATIONS and event.seq not in stands,
            late=event.kind == ORDER and (event.turn, event.at) in late,
        )


def called_off(connection: Connection, row: MatchRow) -> str | None:
    """Return author and reason of the calling off of a match before it began; None if none.

    There is no log then: the plan that was carried out tells it.
    """
    if row.header is not None or row.state != ABANDONED:
        return None
    kept = (plan.document for plan in plans.applied_to(connection, row.id))
    done = (told for told in kept if not isinstance(told, Damaged) and told.get("act") == "end")
    told = next(done, {"by": "organiser", "why": ""})
    whom = f"the {told['by']}" if told["by"] == "organiser" else told["by"]
    return f"{whom}: {' '.join(told['why'].split()) or 'the reason was erased'}"


def _what(
    connection: Connection, row: MatchRow, details: Mapping[str, Any], taker: str | None
) -> str:
    """Return the details of an event besides the board, in few words."""
    told = {name: details[name] for name in WORDS if details.get(name) is not None}
    if taker is not None:
        told["holder"] = taker
    if details.get("ending") == ABANDONED:
        # A match that was broken off has no result.
        told.pop("places", None)
    if "seconds" in told:
        told["seconds"] = format_duration(timedelta(seconds=told["seconds"]))
    if "places" in told:
        told["places"] = ", ".join(f"{seat} {place}." for seat, place in told["places"].items())
    said = [WORDS[name].format(value) for name, value in told.items()]
    if details.get("act") == "note":
        said.append(reasons.find_text(connection, row, str(details.get("text"))) or "(erased)")
    return " ".join(said)
