"""Credit: time given back after an outage or for a turn of the game, logged for all to read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from referee.desk.desk import REFEREE, Change, stamp
from referee.desk.matches import ledger, reasons, told
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.time import clock
from referee.games.game import Document
from referee.matches.events import EXTEND
from referee.matches.log import annotate
from referee.matches.time.calendar import NONE
from referee.matches.time.moments import SECOND, format_moment
from referee.store.play import matches
from referee.value import replace


def give_credit(change: Change, loaded: LoadedMatch) -> LoadedMatch:
    """Give the seat to act the time that outages took, and log each; return the match."""
    gains = clock.gains_of(change.connection, loaded.row)
    if gains is None:
        return loaded
    for outage, gained in gains:
        first, last = format_moment(outage.began), format_moment(outage.ended or outage.began)
        # They stand in the event, so that mails can tell them without the outage's own row.
        times = {"cause": outage.why, "from": first, "to": last}
        loaded = _log(change, loaded, gained, f"{outage.why} from {first} to {last}", times)
    # Read again: each outage logged has moved the match on.
    row = matches.get_match(change.connection, loaded.row.id)
    return replace(loaded, row=clock.keep(change.connection, clock.clock_of(change, row)))


def renew_time(change: Change, loaded: LoadedMatch) -> LoadedMatch:
    """Give the seat to act all the time of a turn again; return the match.

    A report is due once more, as the last one does not tell of the question now asked.
    """
    turn = loaded.live.turn
    if turn.seat is None:
        return loaded
    told.owe_report(change.connection, loaded.seat(turn.seat), turn.number)
    running = clock.clock_of(change, loaded.row)
    # A bank pays for all that the match counts as one turn.
    span = (running.pace.per_turn or NONE) - (running.left or NONE)
    if running.run is None or span <= NONE:
        return loaded
    loaded = _log(change, loaded, span, "the game asks anew in this turn", {})
    clock.grant_time(change, loaded.row, span)
    return replace(loaded, row=matches.get_match(change.connection, loaded.row.id))


def _log(
    change: Change, loaded: LoadedMatch, span: timedelta, why: str, times: Mapping[str, str]
) -> LoadedMatch:
    moment, reason = stamp(change.desk.now()), reasons.keep_text(change, loaded.row, why)
    seat, seconds = loaded.row.to_act, span // SECOND
    details: Document = {"by": REFEREE, "why": reason, "seconds": seconds, **times}
    live, logged = annotate(loaded.live, EXTEND, moment, seat=seat, details=details)
    return ledger.save_match(change, loaded, live, [logged])
