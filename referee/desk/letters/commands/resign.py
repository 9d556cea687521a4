"""The command ``resign``: a player leaves a match."""

from __future__ import annotations

from referee.desk.letters import reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.words.keywords import Command
from referee.desk.seats import standins
from referee.desk.seats.resign import resign
from referee.render.answers import answer


def resign_by_mail(case: Case, claim: Claim, _: Command) -> None:
    """Let the seat of a claim resign; a live code or a confirmed question is enough."""
    row = claim.match
    if reply.answer_unplayable(case, claim):
        return
    # A stand-in's seat goes back to its player instead, who is told with the stand-in.
    if not standins.return_seat(case.change, row, claim.seat.seat):
        bot = resign(case.change, row, claim.seat.seat)
        reply.send_answer(case, answer("resigned", named=row.name, bot=bot, ended=bot is None))
