"""`referee letter …`: what came in, and what became of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args

import typer

from referee.cli import output, session
from referee.cli.options import LARGEST, Why, Yes
from referee.cli.plan import decide
from referee.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from referee.store.play.submissions import SubmissionRow
    from referee.store.post.letters import LetterRow
    from referee.store.states import LetterState, SubmissionOutcome

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

app = typer.Typer()

Number = Annotated[int, typer.Argument(metavar="LETTER", help="Its number.", min=1, max=LARGEST)]


@app.command("list")
def list_letters(
    *,
    state: Annotated[
        str | None, typer.Option(help="Only those kept, handled, ignored, repeat or quarantined.")
    ] = None,
    limit: Annotated[int, typer.Option(help="The newest so many.", min=1, max=LARGEST)] = 50,
) -> None:
    """List letters, newest first.

    Example: referee letter list --state quarantined
    """
    from referee.desk.desk import opened_desk
    from referee.errors import RefereeError
    from referee.store.post import letters
    from referee.store.states import LetterState

    if state is not None and state not in get_args(LetterState):
        raise RefereeError(f"--state {state}: one of {', '.join(get_args(LetterState))}")
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
    if output.printed(listed):
        return
    titles = ("letter", "arrived", "sender", "bytes", "state", "reason")
    output.print_table(titles, [list(each.values()) for each in listed], "There are no letters.")


@app.command("show")
def show_letter(
    number: Number,
    *,
    orders: Annotated[
        bool, typer.Option("--orders", help="What it orders, hidden cards included.")
    ] = False,
    raw: Annotated[bool, typer.Option("--raw", help="The letter itself, as it came.")] = False,
) -> None:
    """Show a letter: its state, and what became of it for which seat; never its reply codes.

    Its orders may name what is hidden from you, so they are shown on demand only.

    Example: referee letter show 12
    """
    import sys

    from referee.desk.desk import opened_desk
    from referee.desk.plans.post import bytes_of, find_letter
    from referee.store.post import letters

    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        row = find_letter(connection, number)
        if raw:
            data = bytes_of(connection, number)
            if not output.printed({"letter": number, "raw": data.decode("latin-1")}):
                sys.stdout.buffer.write(_harmless(data) if _on_terminal() else data)
            return
        submissions = [
            _submission(connection, each, orders=orders)
            for each in letters.submissions_of(connection, number)
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


@app.command()
def retry(number: Number) -> None:
    """Let the daemon handle a letter in quarantine again, as if it had just come.

    Example: referee letter retry 12
    """
    from referee.desk.desk import opened_desk
    from referee.desk.plans.post import retry_letter

    with opened_desk(session.settings()) as desk, desk.store.writing() as connection:
        retry_letter(connection, number)
    said = f"Letter {number} will be handled again: referee letter show {number}"
    output.result({"letter": number, "state": "kept"}, said)


@app.command()
def drop(number: Number, *, why: Why = "", yes: Yes = False) -> None:
    """End a letter in quarantine without handling it; its sender is not told.

    If his clock stands for it in a match and goes on by this, it is first a plan.

    Example: referee letter drop 12
    """
    from referee.desk.plans.player import Drop

    decide(Drop(number), why, yes=yes)


def _on_terminal() -> bool:
    import sys

    return sys.stdout.isatty()


def _harmless(data: bytes) -> bytes:
    """Return a letter without what a terminal obeys: its writer would command it."""
    text = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    shown = (each if each in "\n\t" or each.isprintable() else ascii(each)[1:-1] for each in text)
    return "".join(shown).encode("utf-8", "backslashreplace")


def _in_words(row: LetterRow) -> dict[str, object]:
    """Return what people are shown of a letter itself."""
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
    """Return for which seat a letter spoke, and what was understood."""
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
    """Return a submission for people: the match by its name, without its reply code."""
    from referee.store.play import matches

    described = asdict(row)
    for hidden in ("code", "digest", "match_id", *(() if orders else ("orders",))):
        described.pop(hidden)
    name = None if row.match_id is None else matches.by_id(connection, row.match_id).name
    return {"match": name, **described}
