"""The command ``undo``: a player asks to take back a turn, and all others agree."""

from __future__ import annotations

from collections.abc import Sequence

from referee.desk.desk import Change
from referee.desk.letters import confirm, reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.words.keywords import Command
from referee.desk.matches import grace, ledger
from referee.desk.matches.rewind import AGREED
from referee.desk.plans import act
from referee.desk.plans.board import Undo, revealed_lines
from referee.desk.work import Work
from referee.games.game import Seat
from referee.matches import line
from referee.matches.events import ORDER, Event
from referee.render.answers import answer
from referee.store.play.matches import MatchRow


def ask_undo(case: Case, claim: Claim, _: Command) -> None:
    """Ask the other players to take back the sender's latest turn.

    If there are none, it is taken back at once.
    """
    row, seat = claim.match, claim.seat.seat
    if row.state != "running":
        reply.send_answer(case, answer("undo-not", why="state"), claim)
        return
    # An older question that is over must not stand in the way.
    asked = confirm.current_question(case, row)
    # A broken match is found out before anybody is asked.
    loaded = ledger.load_match(case.change, row)
    if grace.held_orders(case.connection, loaded, seat) is not None:
        reply.send_answer(case, answer("undo-not", why="held"), claim)
        return
    log = ledger.log_of(case.connection, row)
    turn = _latest_turn(log, seat)
    start = None if turn is None else line.turn_start(log, turn)
    if turn is None or start is None:
        reply.send_answer(case, answer("undo-not", why="nothing"), claim)
    elif asked is not None:
        reply.send_answer(case, answer("undo-not", why="open"), claim)
    # A board can be set back; what somebody has learnt cannot.
    elif revealed_lines(Work(case.change, row.name, seat, AGREED), row, start):
        reply.send_answer(case, answer("undo-not", why="revealed", turn=turn), claim)
    elif not confirm.put_to_others(case, claim, "undo", turn):
        take_back_turn(case.change, row, seat, turn)


def _latest_turn(log: Sequence[Event], seat: Seat) -> int | None:
    """Return the latest turn in force in which a seat chose something."""
    own = [each for each in line.current_events(log) if each.kind == ORDER and each.seat == seat]
    # Forced orders are not a player's to take back.
    turns = [each.turn for each in own if not each.forced]
    return turns[-1] if turns else None


def take_back_turn(change: Change, row: MatchRow, seat: Seat, turn: int) -> None:
    """Take back a turn, as a seat asked and all agreed. Raises Refused."""
    act.enact(change, Undo(row.name, turn), AGREED, seat)
