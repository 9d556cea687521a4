"""Credit: time given back after an outage, logged for everybody to read."""

from __future__ import annotations

from datetime import timedelta

from referee.desk import desk as desk_desk
from referee.desk.desk import Change
from referee.desk.matches import clock, ledger, reasons
from referee.desk.matches.ledger import Sitting
from referee.matches import match
from referee.matches.events import EXTEND
from referee.matches.time.moments import format_moment
from referee.matches.time.turn_clock import Gap
from referee.store.play import matches

REFEREE = "referee"
"""The giver of the time, as the log writes it."""


def make_good(change: Change, sitting: Sitting) -> Sitting:
    """Give the seat to act the time gaps took; return the match.

    Each gap is logged. Without one nothing changes.
    """
    gains = clock.gains_of(change.connection, sitting.row)
    if gains is None:
        return sitting
    for gap, gained in gains:
        sitting = _log(change, sitting, gap, gained)
    # Read again: each gap logged has moved the match on.
    clock.make_good(change, matches.by_id(change.connection, sitting.row.id))
    row = matches.by_id(change.connection, sitting.row.id)
    return Sitting(row, sitting.seats, sitting.live)


def _log(change: Change, sitting: Sitting, gap: Gap, gained: timedelta) -> Sitting:
    first, last = format_moment(gap.began), format_moment(gap.ended or gap.began)
    why = reasons.keep(change, sitting.row, f"{gap.why} from {first} to {last}")
    seconds = gained.days * 86_400 + gained.seconds
    live, logged = match.annotate(
        sitting.live,
        EXTEND,
        desk_desk.stamp(change.desk.now()),
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
    return ledger.save(change, sitting, live, [logged])
