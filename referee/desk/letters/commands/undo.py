"""The command ``undo``: a player asks to take back a turn, and all others agree."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import islice

from referee.desk.desk import Change
from referee.desk.letters import confirm, reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.words.keywords import Command
from referee.desk.matches import ledger, standing_orders
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.rewind import CONSENT, UNSEEN
from referee.desk.plans import act
from referee.desk.plans.board import Undo, revealed_lines
from referee.desk.work import Work
from referee.games.game import Seat
from referee.matches import private
from referee.matches.events import ORDER, Event, current_events, turn_start
from referee.render.answers import answer
from referee.render.receipts import Fate
from referee.store.play import matches, watchers
from referee.store.tables.play import MatchRow


def ask_undo(case: Case, claim: Claim, _: Command) -> None:
    """Ask the other players to take back the sender's latest turn.

    If there are none, or none has been told of it as it is still open, it is taken back at once.
    """
    row, seat = claim.match, claim.seat.seat
    if row.state != "running":
        reply.send_answer(case, answer("undo-not", why="state"), claim)
        return
    # An older question that is over must not stand in the way.
    confirm.current_question(case, row)
    # A broken match is found out before anybody is asked.
    loaded = ledger.load_match(case.change, row)
    log = ledger.log_of(case.connection, row)
    order = _latest_order(log, seat)
    why = _why_not(case, row, log, order)
    if order is None or why:
        turn = order.turn if order else None
        reply.send_answer(case, answer("undo-not", why=why, turn=turn), claim)
        return
    unseen = False
    if loaded.row.to_act == seat and loaded.row.turn == order.turn:
        events = current_events(log)
        began = next(event.seq for event in events if event.turn == order.turn and event.order)
        told = [other.reported_seq for other in loaded.seats if other.seat != seat]
        told += [mark.reported_seq for mark in watchers.watchers_of(case.connection, row.id)]
        unseen = max(told, default=0) < began
    if unseen:
        act.enact(case.change, Undo(row.name, order.turn), UNSEEN, seat)
    else:
        start = turn_start(log, order.turn) or 0
        kept = ledger.kept_events(matches.events(case.connection, row.id))
        facts = [
            fact
            for event in kept
            if event.seq > start
            for fact in ledger.facts_from_json(event.facts)
            if fact.known_to(None)
        ]
        life = timedelta(days=case.desk.settings.undo_days)
        if confirm.put_to_others(case, claim, "undo", order.turn, life, facts):
            return
        take_back_turn(case.change, row, seat, order.turn)
    # Only now: the answer must bear the code of the turn that begins anew.
    reply.send_answer(case, answer("undo-asking", turn=order.turn), claim)


def _latest_order(log: Sequence[Event], seat: Seat) -> Event | None:
    """Return the latest order in force that a seat chose."""
    own = [event for event in current_events(log) if event.kind == ORDER and event.seat == seat]
    # Forced orders are not a player's to take back.
    return next((event for event in reversed(own) if not event.forced), None)


def _why_not(case: Case, row: MatchRow, log: Sequence[Event], order: Event | None) -> str:
    """Return why an order's turn cannot be taken back, or nothing."""
    start = None if order is None else turn_start(log, order.turn)
    if order is None or start is None:
        return "nothing"
    if confirm.current_question(case, row) is not None:
        return "open"
    # A board can be set back; what somebody has learnt cannot.
    known = revealed_lines(Work(case.change, row.name, order.seat or "", CONSENT), row, start)
    return "revealed" if known else ""


def told_late(
    case: Case, loaded: LoadedMatch, seat: Seat, taken: Sequence[Fate]
) -> tuple[Fate, ...]:
    """Return outcomes of cancellations, ``too-late`` for ``none-held`` where undo is left.

    That is so if the seat's last act was an order that was played and can be taken back.
    """
    if "none-held" not in taken or loaded.row.state != "running":
        return tuple(taken)
    log = ledger.log_of(case.connection, loaded.row)
    order = _latest_order(log, seat)
    # Orders may have ended without play since.
    endings = (
        entry
        for kind in (private.CANCELLED, private.NOTE)
        for entry in islice(standing_orders.entries_of(case.connection, loaded, seat, kind), 1)
    )
    ended = max((end.board for end in endings if end.details.get("kind") != "policy"), default=0)
    late = order is not None and order.seq > ended
    if not late or _why_not(case, loaded.row, log, order):
        return tuple(taken)
    return tuple("too-late" if fate == "none-held" else fate for fate in taken)


def take_back_turn(change: Change, row: MatchRow, seat: Seat, turn: int) -> None:
    """Take back a turn, as a seat asked and all agreed. Raises Refused."""
    act.enact(change, Undo(row.name, turn), CONSENT, seat)
