"""The command ``resign``: a player leaves a match."""

from __future__ import annotations

from referee.desk.letters import reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.words.keywords import Command
from referee.desk.players import told_state
from referee.desk.seats import standins
from referee.desk.seats.resign import resign
from referee.render.answers import answer
from referee.store.states import PLAYABLE


def resign_by_mail(case: Case, claim: Claim, _: Command) -> None:
    """Let the seat of a claim resign.

    A live code or a confirmed question is enough.
    """
    row = claim.match
    if row.state == "invited":
        reply.send_not_begun(case, claim)
        return
    if row.state not in PLAYABLE:
        reply.send_answer(case, answer("match-over", state=told_state(row)), claim)
        return
    # A stand-in's seat goes back to its player instead, who is told with the stand-in.
    if not standins.return_seat(case.change, row, claim.seat.seat):
        bot = resign(case.change, row, claim.seat.seat)
        reply.send_answer(case, answer("resigned", named=row.name, bot=bot, ended=bot is None))
