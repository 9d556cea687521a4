"""The mails of the referee, one function for each kind.

This is the door to this room.
"""

from __future__ import annotations

from referee.render.answer_mail import About, answer
from referee.render.content import NO_FRAMING, Content, Framing, together
from referee.render.invitations import Invitation, invitation
from referee.render.receipts import Line, Outcome, Receipt, receipt
from referee.render.reports import ChanceNote, Report, digest, report

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
    "answer",
    "digest",
    "invitation",
    "receipt",
    "report",
    "together",
]
