"""The command ``draw``: a player offers the others a draw, or agrees to theirs.

An offer stands until another seat orders something, also when the orders beside it are held.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk import desk as desk_desk
from referee.desk.desk import Change
from referee.desk.letters import confirm, reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.words.keywords import Command
from referee.desk.matches import ledger
from referee.desk.players import told_state
from referee.desk.seats import standins
from referee.desk.work import Refused
from referee.games.game import Result, Seat
from referee.games.play import allows_draws
from referee.matches import match
from referee.matches.events import ANNOTATIONS
from referee.render.answers import answer
from referee.store.play import matches, submissions
from referee.store.states import PLAYABLE
from referee.store.tables.play import MatchRow, QuestionRow

AGREED: Final = "agreed"
"""The ending of a match whose players agreed on a draw."""

LIFE: Final = timedelta(days=366)
"""How long an offer stands that nothing else ends; the next order does."""


def offer_draw(case: Case, claim: Claim, _: Command) -> None:
    """Offer the other players a draw, or agree to the one that is offered."""
    row, seat = claim.match, claim.seat.seat
    if row.state == "invited":
        reply.send_not_begun(case, claim)
        return
    if row.state not in PLAYABLE:
        reply.send_answer(case, answer("match-over", state=told_state(row)), claim)
        return
    put = confirm.current_question(case, row)
    late = ledger.has_moved_on(case.connection, row.id, claim.code.seq, seat, ANNOTATIONS)
    if put is not None and put.kind == "draw" and put.seat != seat and not late:
        if not confirm.agree_to_question(case, claim, {"draw": end_drawn}):
            reply.send_answer(case, answer("draw-not", why="late"), claim)
        return
    if why := _why_not(case, claim, put, late=late):
        reply.send_answer(case, answer("draw-not", why=why), claim)
    elif not confirm.put_to_others(case, claim, "draw", row.turn, LIFE):
        end_drawn(case.change, row, seat, row.turn)
        reply.send_answer(case, answer("draw-agreed", turn=row.turn, waiting=()), claim)


def _why_not(case: Case, claim: Claim, put: QuestionRow | None, *, late: bool) -> str:
    """Return why a seat may not offer a draw now, or nothing."""
    row, seat = claim.match, claim.seat.seat
    if not allows_draws(case.desk.find_game(row.game, row.edition)):
        return "game"
    # The offer of an old letter would be about another board.
    if late:
        return "late"
    beside = {
        submission.outcome
        for submission in submissions.submissions_of(case.connection, case.row.id)
        if (submission.match_id, submission.seat) == (row.id, seat)
    }
    if not beside <= {"accepted", "held", "repeat"}:
        return "orders"
    if put is not None:
        return "offered" if (put.kind, put.seat) == ("draw", seat) else "open"
    return "" if _all_decide(case.connection, row) else "seats"


def _all_decide(connection: Connection, row: MatchRow) -> bool:
    """Return whether each seat is held by its own player, who alone can give a win away."""
    return all(
        seat.holder == "player" and standins.sitting_for(connection, row.id, seat.seat) is None
        for seat in matches.seats(connection, row.id)
    )


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
