"""Credit: time given back after an outage, logged for everybody to read."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection

from referee.desk import desk as desk_desk
from referee.desk.desk import Desk
from referee.desk.matches import clock, ledger, reasons
from referee.desk.matches.ledger import Sitting
from referee.matches import match
from referee.matches.events import EXTEND
from referee.matches.time.moments import format_moment
from referee.matches.time.turn_clock import Gap
from referee.store.play import matches

REFEREE = "referee"
"""The giver of the time, as the log writes it."""


def make_good(desk: Desk, connection: Connection, sitting: Sitting) -> Sitting:
    """Give the seat to act the time gaps took; return the match.

    Each gap is logged. Without one nothing changes.
    """
    gains = clock.gains_of(connection, sitting.row)
    if gains is None:
        return sitting
    for gap, gained in gains:
        sitting = _log(desk, connection, sitting, gap, gained)
    clock.make_good(desk, connection, matches.by_id(connection, sitting.row.id))
    row = matches.by_id(connection, sitting.row.id)
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
        desk_desk.stamp(desk.now()),
        seat=sitting.row.to_act,
        # The span stands in the event, so that mails can tell it without the outage's own row.
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
