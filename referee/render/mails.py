"""The mails of the referee, one function for each kind.

This is the door to this room.
"""

from __future__ import annotations

from referee.render.answer_mail import About, answer, answer_sheet
from referee.render.invitations import Invitation, invitation, invitation_sheet
from referee.render.receipts import Line, Outcome, Receipt, receipt, receipt_sheet
from referee.render.reports import ChanceNote, Report, digest, report
from referee.render.sheets import NO_FRAMING, Content, Framing, Sheet, bound, together

__all__ = [
    "NO_FRAMING",
    "About",
    "ChanceNote",
    "Content",
    "Framing",
    "Invitation",
    "Line",
    "Outcome",
    "Receipt",
    "Report",
    "Sheet",
    "answer",
    "answer_sheet",
    "bound",
    "digest",
    "invitation",
    "invitation_sheet",
    "receipt",
    "receipt_sheet",
    "report",
    "together",
]
