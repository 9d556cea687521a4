"""``referee outbox …``: outgoing mail."""

from __future__ import annotations

from collections.abc import Callable
from email import policy
from email.parser import BytesHeaderParser
from typing import Annotated, Any

import typer
from sqlalchemy import Connection

from referee.cli import output, session
from referee.cli.options import Limit, Mail
from referee.desk.desk import Change, opened_desk
from referee.desk.plans.post import find_mail, hold_mail, release_mail, retry_mail
from referee.store.play import matches
from referee.store.post import outbox
from referee.store.post.outbox import OutboxRow
from referee.store.states import OutboxState


def list_outbox(
    *,
    state: Annotated[OutboxState | None, typer.Option(help="Only mails in this state.")] = None,
    limit: Limit = 50,
) -> None:
    """List mails, newest first.

    Example: referee outbox list --state failed
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        rows = outbox.list_outbox(connection, state, limit)
    listed = [
        {
            "mail": row.id,
            "recipient": row.recipient,
            "kind": row.kind,
            "state": row.state,
            "attempts": row.attempts,
            "created": row.created,
            "sent": row.sent_at,
            "answer": row.answer,
        }
        for row in rows
    ]
    titles = ("mail", "recipient", "kind", "state", "created", "answer")
    output.result_list(listed, titles, "There are no mails.")


def show_mail(mail: Mail) -> None:
    """Show a mail's delivery, without its text.

    The text may hold what is hidden from you, and a reply code.

    Example: referee outbox show 12
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        described = _described(connection, find_mail(connection, mail))
    output.result_fields(described)


def retry(mail: Mail) -> None:
    """Try to send a mail now.

    It may have failed, be uncertain or held, or wait for its next try. Earlier mails that wait for
    the same recipient go first.

    Example: referee outbox retry 12
    """
    _change(mail, retry_mail, "due now")


def hold(mail: Mail) -> None:
    """Hold a mail until it is released.

    Later mails to the same recipient are sent before it.

    Example: referee outbox hold 12
    """
    _change(mail, hold_mail, f"held: referee outbox release {mail}")


def release(mail: Mail) -> None:
    """Release a mail that is held.

    Example: referee outbox release 12
    """
    _change(mail, release_mail, "due now")


def _change(number: int, act: Callable[[Change, int], OutboxRow], done: str) -> None:
    with opened_desk(session.settings()) as desk, desk.writing() as change:
        act(change, number)
        row = outbox.get(change.connection, number)
        described = _described(change.connection, row)
    output.result(described, f"Mail {number} to {row.recipient} is {done}")


def _described(connection: Connection, row: OutboxRow) -> dict[str, Any]:
    try:
        raw = outbox.raw(connection, row.id)
    except KeyError:
        raw = b""
    subject = BytesHeaderParser(policy=policy.default).parsebytes(raw)["Subject"]
    match = row.match_id and matches.by_id(connection, row.match_id).name
    return {
        "mail": row.id,
        "recipient": row.recipient,
        "kind": row.kind,
        "subject": None if subject is None else str(subject),
        "match": match,
        "seat": row.seat,
        "turn": row.turn,
        "bytes": len(raw),
        "state": row.state,
        "attempts": row.attempts,
        "created": row.created,
        "next": row.next_at if row.state in {"waiting", "uncertain"} else None,
        "sent": row.sent_at,
        "answer": row.answer,
    }
