"""Letters and mails: their states and outcomes, without codes and mails' texts."""

from __future__ import annotations

from email import policy
from email.parser import BytesHeaderParser
from typing import Any

from sqlalchemy import Connection

from referee.desk.plans.post import require_letter, require_mail
from referee.store.play import matches, submissions
from referee.store.post import letters, outbox
from referee.store.states import TO_TRY, LetterState, OutboxState
from referee.value import asdict


def describe_letters(
    connection: Connection, state: LetterState | None, limit: int
) -> list[dict[str, Any]]:
    """Return the newest letters, all or those in a state."""
    return [
        {
            "letter": row.id,
            "arrived": row.arrived,
            "sender": row.sender,
            "bytes": row.size,
            "state": row.state,
            "reason": row.reason,
        }
        for row in letters.latest_letters(connection, state, limit)
    ]


def describe_letter(connection: Connection, number: int, *, orders: bool) -> dict[str, Any]:
    """Return a letter and its submissions, with ``orders`` only if asked. Raises Refused."""
    row = require_letter(connection, number)
    described = asdict(row)
    first = {"letter": described.pop("id"), "bytes": described.pop("size")}
    # Without the reply code, and with the match's name.
    secret = {"code", "digest", "match_id"} | (set() if orders else {"orders"})
    told = []
    for submission in submissions.submissions_of(connection, number):
        match_id = submission.match_id
        name = None if match_id is None else matches.get_match(connection, match_id).name
        shown = {key: kept for key, kept in asdict(submission).items() if key not in secret}
        told.append({"match": name, **shown})
    kept = letters.has_bytes(connection, number)
    return {**first, **described, "kept": kept, "submissions": told}


def describe_mails(
    connection: Connection, state: OutboxState | None, limit: int
) -> list[dict[str, Any]]:
    """Return the newest mails, all or those in a state."""
    return [
        {
            "mail": row.id,
            "recipient": row.recipient,
            "match": row.match_id and matches.get_match(connection, row.match_id).name,
            "kind": row.kind,
            "state": row.state,
            "attempts": row.attempts,
            "created": row.created,
            "sent": row.sent_at,
            "answer": row.answer,
        }
        for row in outbox.latest_mails(connection, state, limit)
    ]


def describe_mail(connection: Connection, number: int) -> dict[str, Any]:
    """Return a mail's delivery, without its text. Raises Refused."""
    row = require_mail(connection, number)
    try:
        raw = outbox.raw_mail(connection, row.id)
    except KeyError:
        raw = b""
    subject = BytesHeaderParser(policy=policy.default).parsebytes(raw)["Subject"]
    told = None if subject is None else str(subject)
    match = row.match_id and matches.get_match(connection, row.match_id).name
    # What its subject says behind the match may be the seat's own, such as an order that is held.
    told = f"[{match}] …" if match else told
    return {
        "mail": row.id,
        "recipient": row.recipient,
        "kind": row.kind,
        "subject": told,
        "match": match,
        "seat": row.seat,
        "turn": row.turn,
        "bytes": len(raw) or None,
        "kept": bool(raw),
        "state": row.state,
        "attempts": row.attempts,
        "created": row.created,
        "next": row.next_at if row.state in TO_TRY else None,
        "sent": row.sent_at,
        "answer": row.answer,
    }
