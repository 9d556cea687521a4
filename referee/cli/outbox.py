"""`referee outbox …`: what leaves, and what does not."""

from __future__ import annotations

from typing import Annotated, get_args

import typer

from referee.cli import context, show

app = typer.Typer()


@app.callback()
def group() -> None:
    """Look at mail that leaves."""


@app.command("list")
def list_outbox(
    *,
    state: Annotated[
        str | None, typer.Option(help="Only those waiting, sent, uncertain, failed, …")
    ] = None,
    limit: Annotated[int, typer.Option(help="The newest so many.", min=1)] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List mails, newest first.

    Example: referee outbox list --state failed
    """
    from referee.daemon import opened_desk
    from referee.errors import RefereeError
    from referee.store import outbox
    from referee.store.states import OutboxState

    if state is not None and state not in get_args(OutboxState):
        raise RefereeError(f"--state {state}: one of {', '.join(get_args(OutboxState))}")
    with opened_desk(context.settings()) as desk, desk.store.reading() as connection:
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
    if as_json:
        show.print_json(listed)
        return
    titles = ("mail", "recipient", "kind", "state", "attempts", "created", "sent", "answer")
    show.print_table(titles, [list(each.values()) for each in listed], "There are no mails.")
