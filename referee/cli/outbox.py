"""`referee outbox …`: what leaves, and what does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from referee.cli import output, session
from referee.cli.options import LARGEST

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from referee.desk.desk import Desk
    from referee.store.post.outbox import OutboxRow

app = typer.Typer()

Number = Annotated[int, typer.Argument(metavar="MAIL", help="Its number.", min=1, max=LARGEST)]


@app.callback()
def group() -> None:
    """Look at mail that leaves, hold it, send it again."""


@app.command("list")
def list_outbox(
    *,
    state: Annotated[
        str | None, typer.Option(help="Only those waiting, sent, uncertain, failed, …")
    ] = None,
    limit: Annotated[int, typer.Option(help="The newest so many.", min=1, max=LARGEST)] = 50,
) -> None:
    """List mails, newest first.

    Example: referee outbox list --state failed
    """
    from referee.desk.desk import opened_desk
    from referee.errors import RefereeError
    from referee.store.post import outbox
    from referee.store.states import OutboxState

    if state is not None and state not in get_args(OutboxState):
        raise RefereeError(f"--state {state}: one of {', '.join(get_args(OutboxState))}")
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
    if output.printed(listed):
        return
    titles = ("mail", "recipient", "kind", "state", "created", "answer")
    cells = [[each[title] for title in titles] for each in listed]
    output.print_table(titles, cells, "There are no mails.")


@app.command("show")
def show_mail(number: Number) -> None:
    """Show a mail: whom it is for, about what, and what the server said; never what it says.

    What it says may be hidden from you, and holds a reply code.

    Example: referee outbox show 12
    """
    from referee.desk.desk import opened_desk
    from referee.desk.plans.post import find_mail

    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        described = _described(connection, find_mail(connection, number))
    if not output.printed(described):
        output.print_fields(described)


@app.command()
def retry(number: Number) -> None:
    """Send a mail now that failed, is uncertain, held, or waits for another try.

    Mails that wait for the same recipient from before go first.

    Example: referee outbox retry 12
    """
    from referee.desk.plans.post import retry_mail

    _change(number, retry_mail, "due now")


@app.command()
def hold(number: Number) -> None:
    """Keep a waiting mail back until it is released; later mails to the recipient pass it.

    Example: referee outbox hold 12
    """
    from referee.desk.plans.post import hold_mail

    _change(number, hold_mail, f"held: referee outbox release {number}")


@app.command()
def release(number: Number) -> None:
    """Let a held mail go.

    Example: referee outbox release 12
    """
    from referee.desk.plans.post import release_mail

    _change(number, release_mail, "due now")


def _change(number: int, change: Callable[[Desk, Connection, int], OutboxRow], done: str) -> None:
    from referee.desk.desk import opened_desk
    from referee.store.post import outbox

    with opened_desk(session.settings()) as desk, desk.store.writing() as connection:
        change(desk, connection, number)
        row = outbox.get(connection, number)
        described = _described(connection, row)
    output.result(described, f"Mail {number} to {row.recipient} is {done}")


def _described(connection: Connection, row: OutboxRow) -> dict[str, Any]:
    from email import policy
    from email.parser import BytesHeaderParser

    from referee.store.play import matches
    from referee.store.post import outbox

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
