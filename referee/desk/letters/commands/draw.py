"""The command ``draw``: a player offers the others a draw, or agrees to theirs.

An offer stands until another seat orders something, also when the orders beside it are held.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from referee.desk import desk as desk_desk
from referee.desk.desk import Change
from referee.desk.letters import confirm, reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.words.keywords import Command
from referee.desk.mails import report
from referee.desk.matches import ledger
from referee.desk.seats import handover
from referee.desk.work import Refused
from referee.games.game import Result, Seat
from referee.games.play import allows_draws
from referee.matches import match
from referee.matches.events import ANNOTATIONS
from referee.render.answers import answer
from referee.store.play import matches, submissions
from referee.store.tables.play import MatchRow

AGREED: Final = "agreed"
"""The ending of a match whose players agreed on a draw."""

LIFE: Final = timedelta(days=366)
"""How long an offer stands that nothing else ends; the next order does."""


def offer_draw(case: Case, claim: Claim, _: Command) -> None:
    """Offer the other players a draw, or agree to the one that is offered."""
    row, seat = claim.match, claim.seat.seat
    if reply.answer_unplayable(case, claim):
        return
    put = confirm.current_question(case, row)
    late = ledger.has_moved_on(case.connection, row.id, claim.code.seq, seat, ANNOTATIONS)
    if put is not None and put.kind == "draw" and put.seat != seat and not late:
        if not confirm.agree_to_question(case, claim, {"draw": end_drawn}):
            reply.send_answer(case, answer("draw-not", why="late"), claim)
        return
    beside = {
        submission.outcome
        for submission in submissions.submissions_of(case.connection, case.row.id)
        if (submission.match_id, submission.seat) == (row.id, seat)
    }
    why = ""
    if not allows_draws(case.game_of(row)):
        why = "game"
    # The offer of an old letter would be about another board.
    elif late:
        why = "late"
    elif not beside <= {"accepted", "held", "repeat"}:
        why = "orders"
    elif put is not None:
        why = "offered" if (put.kind, put.seat) == ("draw", seat) else "open"
    # Only a seat's own player can give a win away.
    elif any(
        held.holder != "player" or handover.sitting_for(case.connection, row.id, held.seat)
        for held in matches.seats(case.connection, row.id)
    ):
        why = "seats"
    if why:
        reply.send_answer(case, answer("draw-not", why=why), claim)
        return
    # The report of the order beside it tells of the offer.
    ways = report.ways_of(case.change, ledger.load_match(case.change, row))
    reading = [seat for seat, way in ways.items() if way == "mail"]
    if not confirm.put_to_others(case, claim, "draw", row.turn, LIFE, reading=reading):
        end_drawn(case.change, row, seat, row.turn)
        reply.send_answer(case, answer("draw-agreed", turn=row.turn, waiting=()), claim)


def end_drawn(change: Change, row: MatchRow, _: Seat, __: int) -> None:
    """End a match by a draw, to which all have agreed. Raises Refused."""
    loaded = ledger.load_match(change, row)
    live = loaded.live
    if live.turn.over:
        raise Refused(f"{row.name} is over already")
    points = live.game.points(live.position)
    result = Result(AGREED, points, dict.fromkeys(live.terms.seats, 1))
    after, logged = match.conclude(live, result, desk_desk.stamp(change.desk.now()))
    ledger.save_match(change, loaded, after, [logged])
