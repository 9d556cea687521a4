"""Credit: time given back after an outage or for a turn of the game, logged for all to read."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from referee.desk import desk as desk_desk
from referee.desk.desk import REFEREE, Change
from referee.desk.matches import ledger, reasons
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.time import clock
from referee.games.game import Document
from referee.matches import match
from referee.matches.events import EXTEND
from referee.matches.time.calendar import NONE
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
        loaded = _log_outage(change, loaded, outage, gained)
    # Read again: each outage logged has moved the match on.
    clock.make_outages_good(change, matches.get_match(change.connection, loaded.row.id))
    row = matches.get_match(change.connection, loaded.row.id)
    return LoadedMatch(row, loaded.seats, loaded.live)


def renew_time(change: Change, loaded: LoadedMatch) -> LoadedMatch:
    """Give the seat to act all the time of a turn again; return the match.

    Turns of a game that the match counts as one are several for the clock. A bank pays for them
    all.
    """
    running = clock.clock_of(change, loaded.row)
    span = (running.pace.per_turn or NONE) - (running.left or NONE)
    if running.run is None or span <= NONE:
        return loaded
    loaded = _log(change, loaded, "the game asks anew in this turn", {"seconds": _seconds(span)})
    clock.grant_time(change, loaded.row, span)
    return replace(loaded, row=matches.get_match(change.connection, loaded.row.id))


def _log_outage(
    change: Change, loaded: LoadedMatch, outage: Outage, gained: timedelta
) -> LoadedMatch:
    first, last = format_moment(outage.began), format_moment(outage.ended or outage.began)
    # The span stands in the event, so that mails can tell it without the outage's own row.
    details: Document = {
        "cause": outage.why,
        "seconds": _seconds(gained),
        "from": first,
        "to": last,
    }
    return _log(change, loaded, f"{outage.why} from {first} to {last}", details)


def _log(change: Change, loaded: LoadedMatch, why: str, details: Document) -> LoadedMatch:
    reason = reasons.keep_text(change, loaded.row, why)
    live, logged = match.annotate(
        loaded.live,
        EXTEND,
        desk_desk.stamp(change.desk.now()),
        seat=loaded.row.to_act,
        details={"by": REFEREE, "why": reason, **details},
    )
    return ledger.save_match(change, loaded, live, [logged])


def _seconds(span: timedelta) -> int:
    return span.days * 86_400 + span.seconds
