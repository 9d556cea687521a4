"""Credit: time given back after an outage, logged for everybody to read."""

from __future__ import annotations

from datetime import timedelta

from referee.desk import desk as desk_desk
from referee.desk.desk import REFEREE, Change
from referee.desk.matches import ledger, reasons
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.time import clock
from referee.matches import match
from referee.matches.events import EXTEND
from referee.matches.time.moments import format_moment
from referee.matches.time.turn_clock import Outage
from referee.store.play import matches


def give_credit(change: Change, loaded: LoadedMatch) -> LoadedMatch:
    """Give the seat to act the time outages took; return the match.

    Each outage is logged. Without one nothing changes.
    """
    gains = clock.gains_of(change.connection, loaded.row)
    if gains is None:
        return loaded
    for outage, gained in gains:
        loaded = _log(change, loaded, outage, gained)
    # Read again: each outage logged has moved the match on.
    clock.make_outages_good(change, matches.get_match(change.connection, loaded.row.id))
    row = matches.get_match(change.connection, loaded.row.id)
    return LoadedMatch(row, loaded.seats, loaded.live)


def _log(change: Change, loaded: LoadedMatch, outage: Outage, gained: timedelta) -> LoadedMatch:
    first, last = format_moment(outage.began), format_moment(outage.ended or outage.began)
    why = reasons.keep_text(change, loaded.row, f"{outage.why} from {first} to {last}")
    seconds = gained.days * 86_400 + gained.seconds
    live, logged = match.annotate(
        loaded.live,
        EXTEND,
        desk_desk.stamp(change.desk.now()),
        seat=loaded.row.to_act,
        # The span stands in the event, so that mails can tell it without the outage's own row.
        details={
            "by": REFEREE,
            "why": why,
            "cause": outage.why,
            "seconds": seconds,
            "from": first,
            "to": last,
        },
    )
    return ledger.save_match(change, loaded, live, [logged])
