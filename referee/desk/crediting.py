"""What a referee that was out gives back: time to everybody whose clock ran, told publicly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection

from referee.desk import gaps, ledger, timing
from referee.desk.desk import Desk
from referee.desk.ledger import Sitting
from referee.desk.mending import reasons
from referee.matches import match
from referee.matches.clock import format_moment, parse_moment
from referee.matches.events import EXTEND
from referee.matches.running import Gap
from referee.render.moments import moment, span
from referee.render.wording import Wording
from referee.store import matches as tables
from referee.store.matches import MatchRow

REFEREE = "referee"
"""Who gave the time, as the log writes it."""


def make_good(desk: Desk, connection: Connection, sitting: Sitting) -> Sitting:
    """Give the seat to act the time that gaps took from it, and log it; return the match after.

    Nothing changes when there is nothing to make good.
    """
    gains = timing.gains_of(connection, sitting.row)
    if gains is None:
        return sitting
    for gap, gained in gains:
        sitting = _log(desk, connection, sitting, gap, gained)
    timing.make_good(desk, connection, tables.by_id(connection, sitting.row.id))
    row = tables.by_id(connection, sitting.row.id)
    return Sitting(row, sitting.seats, sitting.live)


def _log(
    desk: Desk, connection: Connection, sitting: Sitting, gap: Gap, gained: timedelta
) -> Sitting:
    first, last = format_moment(gap.began), format_moment(gap.ended or gap.began)
    why = reasons.keep(desk, connection, sitting.row, f"{gap.why} from {first} to {last}")
    seconds = gained.days * 86_400 + gained.seconds
    live, logged = match.annotate(
        sitting.live,
        EXTEND,
        ledger.stamp(desk.now()),
        seat=sitting.row.to_act,
        details={
            "by": REFEREE,
            "why": why,
            "cause": gap.why,
            "seconds": seconds,
            "from": first,
            "to": last,
        },
    )
    return ledger.save(desk, connection, sitting, live, [logged])


def told(
    connection: Connection, row: MatchRow, after: int, wording: Wording, zone: str
) -> tuple[str, ...]:
    """Return a sentence about each time that was given back since an event, for one reader."""
    return tuple(_sentence(each, wording, zone) for each in _given(connection, row, after))


def _given(connection: Connection, row: MatchRow, after: int) -> Iterator[dict[str, Any]]:
    for each in tables.events(connection, row.id, after=after):
        if each.kind == EXTEND:
            event = json.loads(each.body)
            if event["details"].get("by") == REFEREE and "from" in event["details"]:
                yield event


def _sentence(event: dict[str, Any], wording: Wording, zone: str) -> str:
    details, catalogue = event["details"], wording.catalogue
    first, last = parse_moment(details["from"]), parse_moment(details["to"])
    jumped = details.get("cause") == gaps.JUMP
    return catalogue.say(
        "clock.given_jump" if jumped else "clock.given",
        seat=wording.seat(event["seat"]),
        first=moment(first, zone, catalogue),
        last=moment(last, zone, catalogue),
        span=span(timedelta(seconds=details["seconds"]), catalogue),
    )
