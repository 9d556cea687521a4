"""``referee letter list|show``: incoming mail, its state and its outcome."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Final

import typer
from sqlalchemy import Connection

from referee.cli import output, session
from referee.cli.options import Letter, Limit
from referee.desk.desk import opened_desk
from referee.desk.plans.post import bytes_of, find_letter
from referee.store.play import matches
from referee.store.play.submissions import SubmissionRow
from referee.store.post import letters
from referee.store.post.letters import LetterRow
from referee.store.states import LetterState, SubmissionOutcome
from referee.text import counted

STATES: Final[Mapping[LetterState, str]] = {
    "kept": "kept: it waits to be handled",
    "handled": "handled",
    "ignored": "ignored",
    "repeat": "repeat",
    "quarantined": "in quarantine",
}

OUTCOMES: Final[Mapping[SubmissionOutcome, str]] = {
    "accepted": "its orders were accepted",
    "partly": "a part of its orders was accepted",
    "refused": "its orders were refused",
    "unclear": "it was not understood",
    "repeat": "its orders had been played before",
    "command": "it asked for a preview, and nothing was played",
}


def list_letters(
    *,
    state: Annotated[LetterState | None, typer.Option(help="Only letters in this state.")] = None,
    limit: Limit = 50,
) -> None:
    """List letters, newest first.

    Example: referee letter list --state quarantined
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        rows = letters.list_letters(connection, state, limit)
    listed = [
        {
            "letter": row.id,
            "arrived": row.arrived,
            "sender": row.sender,
            "bytes": row.size,
            "state": row.state,
            "reason": row.reason,
        }
        for row in rows
    ]
    titles = ("letter", "arrived", "sender", "bytes", "state", "reason")
    output.result_list(listed, titles, "There are no letters.")


def show_letter(
    letter: Letter,
    *,
    orders: Annotated[
        bool, typer.Option("--orders", help="Its orders too, hidden cards included.")
    ] = False,
    raw: Annotated[bool, typer.Option("--raw", help="The letter itself, as it arrived.")] = False,
) -> None:
    """Show a letter's state and outcome.

    Its orders may name what is hidden from you, so they are shown only with --orders; its reply
    codes are never shown.

    Example: referee letter show 12
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        row = find_letter(connection, letter)
        if raw:
            data = bytes_of(connection, letter)
            if not output.printed({"letter": letter, "raw": data.decode("latin-1")}):
                sys.stdout.buffer.write(_harmless(data) if _on_terminal() else data)
            return
        submissions = [
            _submission(connection, each, orders=orders)
            for each in letters.submissions_of(connection, letter)
        ]
    if output.printed({**asdict(row), "submissions": submissions}):
        return
    output.print_fields(_in_words(row))
    for each in submissions:
        typer.echo(f"\n{_understood(each)}")
        for line in str(each.get("orders", "")).splitlines():
            typer.echo(f"  {line}")
    if row.state == "handled" and not submissions:
        typer.echo("\nNo orders for a match were found in it.")


def _on_terminal() -> bool:
    return sys.stdout.isatty()


def _harmless(data: bytes) -> bytes:
    """Return a letter with control characters escaped, as terminals obey them."""
    text = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    shown = (each if each in "\n\t" or each.isprintable() else ascii(each)[1:-1] for each in text)
    return "".join(shown).encode("utf-8", "backslashreplace")


def _in_words(row: LetterRow) -> dict[str, object]:
    """Return the fields of a letter in words."""
    state = STATES[row.state] + (f" ({row.reason})" if row.reason else "")
    cut = ", not kept whole" if row.truncated else ""
    killed = f", and {row.kills} in which the daemon was killed" if row.kills else ""
    return {
        "letter": row.id,
        "from": row.sender,
        "arrived": row.arrived,
        "size": f"{counted(row.size, 'byte')}{cut}",
        "state": state,
        "handled": row.handled_at,
        "failed tries": f"{row.attempts}{killed}",
    }


def _understood(submission: dict[str, Any]) -> str:
    """Return a sentence about a submission: its seat, and its outcome."""
    said = OUTCOMES[submission["outcome"]]
    first, last = submission["first_seq"], submission["last_seq"]
    if first is not None:
        said += f" (event {first})" if first == last else f" (events {first} to {last})"
    if submission["receipt"] is not None:
        said += f"; answered by mail {submission['receipt']}"
    if submission["match"] is None:
        return f"For no match: {said}."
    turn = "" if submission["turn"] is None else f", turn {submission['turn']}"
    return f"For {submission['match']} {submission['seat']}{turn}: {said}."


def _submission(connection: Connection, row: SubmissionRow, *, orders: bool) -> dict[str, Any]:
    """Return a submission with its match's name and without reply code."""
    described = asdict(row)
    for hidden in ("code", "digest", "match_id", *(() if orders else ("orders",))):
        described.pop(hidden)
    name = None if row.match_id is None else matches.by_id(connection, row.match_id).name
    return {"match": name, **described}
