"""The mails of the referee, one function for each kind: the door to this room."""

from __future__ import annotations

from referee.render.answer_mail import About, answer_content
from referee.render.content import NO_FRAMING, Content, Framing, several, together
from referee.render.invitations import Invitation, invitation_content
from referee.render.news import TurnNews
from referee.render.receipts import (
    Brief,
    Fate,
    Outcome,
    Receipt,
    ReceiptLine,
    TakenBack,
    brief_of,
    receipt_content,
)
from referee.render.reports import ChanceNote, Report, report_content
from referee.render.summaries import Digest, DigestMessage, DigestPart, digest_content

__all__ = [
    "NO_FRAMING",
    "About",
    "Brief",
    "ChanceNote",
    "Content",
    "Digest",
    "DigestMessage",
    "DigestPart",
    "Fate",
    "Framing",
    "Invitation",
    "Outcome",
    "Receipt",
    "ReceiptLine",
    "Report",
    "TakenBack",
    "TurnNews",
    "answer_content",
    "brief_of",
    "digest_content",
    "invitation_content",
    "receipt_content",
    "report_content",
    "several",
    "together",
]
