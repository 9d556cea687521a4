"""Rewinding: a position set by undo, redo or fix, and all that follows from it at the desk."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.matches import codes, ledger, reasons, standing_orders, told
from referee.desk.matches.ledger import LoadedMatch
from referee.games.game import Seat
from referee.matches import croupier
from referee.matches.events import FIX, ORDER, SETTING, TAKING_BACK
from referee.matches.log import AnyMatch, Logged
from referee.store.play import matches
from referee.store.post import reports
from referee.store.states import PLAYABLE
from referee.store.tables.play import EventRow, MatchRow
from referee.value import Value

MENDED: Final = "mended"
"""The note of a standing order that ended because the position was set."""

CONSENT: Final = "consent"
"""The reason of an act that all players agreed to, as logs hold it."""

UNSEEN: Final = "open turn"
"""The reason of a step back in one's own turn, of which nobody else had been told."""


class Correction(Value):
    """A correction of the position: how, when, by whom, why, and to where.

    ``turns`` are those taken back, by number, each with its seat; ``commitment`` is that of the new
    seed of a match that was reopened; ``unseen``: a player stepped back in their own open turn.
    """

    kind: str
    at: datetime
    by: str
    text: str | None
    turn: int
    seat: Seat | None
    turns: tuple[tuple[int, Seat], ...] = ()
    commitment: str | None = None
    unseen: bool = False


def set_again(change: Change, loaded: LoadedMatch, live: AnyMatch, logged: Logged) -> None:
    """Write an event that set the position, and all its consequences.

    The turn begins anew, with new reply codes and a clock of its own; every player gets a report;
    orders in advance end.
    """
    row, now = loaded.row, change.desk.now()
    # Reports and digests that have not left are kept back: their codes are dead.
    for seat in loaded.seats:
        reports.withdraw_reports(change.connection, row.id, seat.seat)
    told.withdraw_digests(change.connection, row.id)
    matches.append_events(change.connection, row.id, [ledger.event_row(logged, now)])
    if live.turn.over:
        ledger.finish_match(change.connection, row, live, now)
    elif row.state not in PLAYABLE:
        # As it stood, running or paused; without result, its record secret again.
        state = "running" if row.paused_at is None else "paused"
        matches.change_match(
            change.connection, row.id, state=state, result=None, ended=None, released=False
        )
    # A match that was over is reopened with a new seed: its old one has been published.
    if live.seed != row.seed:
        commitment = croupier.commitment(live.seed)
        matches.change_match(change.connection, row.id, seed=live.seed, commitment=commitment)
    progress = ledger.keep_position(change.connection, live, row, now)
    # Counted before and after, since banks gain or lose the increments in between.
    begun, turn = _begun(change.connection, row), live.turn
    if turn.number > row.turn:
        matches.close_turn(change.connection, row.id, row.turn, live.seq, now)
    ledger.mark_turns(change.connection, row.id, ledger.log_of(change.connection, row))
    if turn.number and not turn.over:
        matches.open_turn(change.connection, row.id, turn.number, turn.seat, turn.began)
    earned = _begun(change.connection, row)
    earned.subtract(begun)
    if not turn.over:
        codes.add_codes(change, row, loaded.seats, turn.number, turn.began, live.head)
    set_row = matches.get_match(change.connection, row.id)
    followed = ledger.follow_turns(change, row, set_row, progress, now, earned=earned)
    after = LoadedMatch(followed, loaded.seats, live)
    # Every seat gets a report, whatever it was told before.
    untold = turn.number + turn.over - 1
    for seat in after.seats:
        matches.set_reported(change.connection, row.id, [seat.seat], seat.reported_seq, untold)
    # They were given for a position that is gone.
    standing_orders.drop_all(change, after, MENDED)


def _begun(connection: Connection, row: MatchRow) -> Counter[Seat]:
    """Return how many turns in force each seat has begun."""
    turns = matches.turns(connection, row.id)
    return Counter(turn.seat for turn in turns if turn.seat and turn.state != "undone")


def corrections_among(
    connection: Connection, row: MatchRow, events: Iterable[EventRow]
) -> tuple[Correction, ...]:
    """Return the corrections of the position among events of a match."""
    mends = [event for event in events if event.kind in SETTING]
    log = matches.events(connection, row.id) if mends else ()
    return tuple(_mend(connection, row, event, log[: event.seq - 1]) for event in mends)


def took_back(connection: Connection, row: MatchRow, turn: int, began: int) -> Correction | None:
    """Return the correction that outdates a turn ``began`` after an event; None if played."""
    if began == row.turn_began_seq:
        return None
    since = matches.events(connection, row.id, after=max(began, 0))
    later = [event for event in since if event.kind in SETTING]
    if not later:
        return None
    log = matches.events(connection, row.id)
    stands = began <= 0 or any(event.seq == began for event in ledger.kept_events(log))
    # The turn stands and was ended by play, so the code is merely old.
    if stands and row.turn > turn:
        return None
    back = (event for event in later if event.kind in TAKING_BACK)
    behind = (event for event in back if int(json.loads(event.body)["details"]["to"]) < began)
    which = next(behind, later[-1])
    return _mend(connection, row, which, log[: which.seq - 1])


def _mend(
    connection: Connection, row: MatchRow, event: EventRow, log: Sequence[EventRow]
) -> Correction:
    body: dict[str, Any] = json.loads(event.body)
    details = body["details"]
    text = reasons.find_text(connection, row, details["why"])
    # A fix sets the position where the match stands and takes no turn back.
    gone = [] if event.kind == FIX else ledger.kept_events(log)
    played = (entry for entry in gone if entry.kind == ORDER and entry.seq > details["to"])
    turns = {order.turn: order.seat or "" for order in played}
    return Correction(
        event.kind,
        event.at,
        details["by"],
        # Mails word this one themselves, in the reader's language.
        None if text in {CONSENT, UNSEEN} else text,
        body["turn"],
        body["seat"],
        tuple(sorted(turns.items())),
        details.get("commitment"),
        text == UNSEEN,
    )
