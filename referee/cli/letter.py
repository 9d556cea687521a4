"""``referee letter list|show|retry|drop``: incoming mail, its outcome, and the quarantine."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated, Final

import typer

from referee.cli import output, session
from referee.cli.options import LetterNumber, Limit, Why, Yes, flag
from referee.desk.desk import opened_desk
from referee.desk.overview.post import describe_letter, describe_letters
from referee.desk.plans.post import answers_to, bytes_of, retry_letter
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
    "held": "its orders are held, and can still be withdrawn",
    "withdrawn": "its orders were held, and not played",
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
        listed = describe_letters(connection, state, limit)
    titles = ("letter", "arrived", "sender", "bytes", "state", "reason")
    # A reason may be long, and `letter show` has it whole.
    output.result_list(listed, titles, output.none_of("letter", "letters", state), cut="reason")


def show_letter(
    letter: LetterNumber,
    *,
    orders: Annotated[bool, flag("Its orders too, hidden cards included.", "--orders")] = False,
    raw: Annotated[bool, flag("The letter itself, as it arrived.", "--raw")] = False,
) -> None:
    """Show a letter's state and outcome.

    Its orders may name what is hidden from you, so they are shown only with --orders; its reply
    codes are never shown.

    Example: referee letter show 12
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        if raw:
            data = bytes_of(connection, letter)
            if not output.printed({"letter": letter, "raw": data.decode("latin-1")}):
                if sys.stdout.isatty():
                    # Terminals obey control characters, so these are escaped.
                    text = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
                    plain = (c if c in "\n\t" or c.isprintable() else ascii(c)[1:-1] for c in text)
                    data = "".join(plain).encode("utf-8", "backslashreplace")
                sys.stdout.buffer.write(data)
            return
        found = describe_letter(connection, letter, orders=orders)
        found["answers"] = answers_to(connection, letter)
    if output.printed(found):
        return
    reason, kills = found["reason"], found["kills"]
    cut = ", not kept whole" if found["truncated"] else ""
    cut = cut if found["kept"] else ", kept no more"
    killed = f", and {kills} in which the daemon was killed" if kills else ""
    fields = {
        "letter": found["letter"],
        "from": found["sender"],
        "arrived": found["arrived"],
        "size": f"{counted(found['bytes'], 'byte')}{cut}",
        "state": STATES[found["state"]] + (f" ({reason})" if reason else ""),
        "handled": found["handled_at"],
        "failed tries": f"{found['attempts']}{killed}",
    }
    output.print_fields(fields)
    for submission in found["submissions"]:
        said, whose = OUTCOMES[submission["outcome"]], "no match"
        first, last = submission["first_seq"], submission["last_seq"]
        if first is not None:
            said += f" (event {first})" if first == last else f" (events {first} to {last})"
        if submission["match"] is not None:
            turn = "" if submission["turn"] is None else f", turn {submission['turn']}"
            whose = f"{submission['match']} {submission['seat']}{turn}"
        typer.echo(f"\nFor {whose}: {said}.")
        for line in str(submission.get("orders", "")).splitlines():
            typer.echo(f"  {line}")
    if found["state"] == "quarantined":
        typer.echo(f"\nTo read it: referee letter show {letter} --raw")
        typer.echo(f"To try it again: referee letter retry {letter}")
        typer.echo(f"To ignore it: referee letter drop {letter}")
    if found["state"] == "handled" and not found["submissions"]:
        typer.echo("\nIt gave no orders for a match, but commands or talk at most.")
    for answer in found["answers"]:
        about = f", for {answer['match']} {answer['seat']}" if answer["match"] else ""
        told = f"Answered by mail {answer['mail']}{about}: {answer['state']}"
        typer.echo(f"\n{told} (referee outbox show {answer['mail']})")


def retry_handling(letter: LetterNumber) -> None:
    """Handle a letter in quarantine again.

    The daemon treats it as if it had just arrived.

    Example: referee letter retry 12
    """
    with opened_desk(session.settings()) as desk, desk.store.writing() as connection:
        retry_letter(connection, letter)
    said = f"Letter {letter} will be handled again: referee letter show {letter}"
    output.result({"letter": letter, "state": "kept"}, said)


def drop(letter: LetterNumber, *, why: Why = "", yes: Yes = False) -> None:
    """Drop a letter in quarantine.

    It is not handled, and its sender is not told. If the letter stops a player's clock in a
    match, this makes a plan.

    Example: referee letter drop 12
    """
    # Only this takes an act on matches, whose import would slow down every look at a letter.
    from referee.cli.plan import decide  # noqa: PLC0415
    from referee.desk.plans.player import Drop  # noqa: PLC0415

    decide(Drop(letter), why, yes=yes)
