"""Every kind of mail the referee writes, from typed values: the door to this room's mails."""

from __future__ import annotations

from referee.render.answers import ANSWERS, Answer, UnknownAnswer, answer
from referee.render.invitations import Invitation, invitation
from referee.render.receipts import Line, Outcome, Receipt, receipt
from referee.render.reports import ChanceNote, Report, digest, report
from referee.render.sheets import NO_FRAMING, Content, Framing

__all__ = [
    "ANSWERS",
    "NO_FRAMING",
    "Answer",
    "ChanceNote",
    "Content",
    "Framing",
    "Invitation",
    "Line",
    "Outcome",
    "Receipt",
    "Report",
    "UnknownAnswer",
    "answer",
    "digest",
    "invitation",
    "receipt",
    "report",
]
