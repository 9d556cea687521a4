"""``referee record prune``: letters and mails that an exported record makes dispensable."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import output, session
from referee.cli.options import Yes, argument, flag
from referee.desk.archive import prune as archive_prune
from referee.desk.archive.prune import Candidate
from referee.desk.desk import opened_desk
from referee.errors import RefereeError
from referee.text import counted
from referee.value import asdict


def prune(
    directory: Annotated[Path, argument("DIR", "The folder of exported records.")],
    *,
    events: Annotated[bool, flag("The events too; the record holds them.", "--events")] = False,
    yes: Yes = False,
) -> None:
    """Delete the letters and mails of old matches.

    A match is old if it is over and its record in DIR is byte for byte what would be exported now.
    Without --yes it is only told what would be deleted.

    Example: referee record prune records
    """
    if not directory.is_dir():
        raise RefereeError(f"{directory}: no such folder: referee record export --all --dir")
    found: list[Candidate] = []
    more = "the same command goes on with the rest"
    with (
        output.stoppable(lambda: f"{counted(len(found), 'match')}; {more}"),
        opened_desk(session.settings()) as desk,
    ):
        for candidate in archive_prune.candidates(desk, directory):
            name, gone = candidate.match, yes and not candidate.why
            found.append(
                archive_prune.prune_match(desk, directory, name, events=events)
                if gone
                else candidate
            )
    listed = [asdict(candidate) for candidate in found]
    if output.printed({"pruned": yes, "events": events, "matches": listed}):
        return
    going = [candidate.weight for candidate in found if candidate.weight is not None]
    rows = []
    for candidate in found:
        weight = candidate.weight
        parts = [weight.letters, weight.mails, weight.events] if weight else []
        sizes = [f"{part.count} ({counted(part.bytes, 'byte')})" for part in parts] or ["–"] * 3
        last = sizes[2] if events else "stay"
        rows.append((candidate.match, *sizes[:2], last, candidate.why or "goes"))
    titles = ("match", "letters", "mails", "events", "outcome")
    output.print_table(titles, rows, "No match is over: nothing can go.")
    if not going:
        return
    freed = sum(weight.letters.bytes + weight.mails.bytes for weight in going)
    freed += sum(weight.events.bytes for weight in going) if events else 0
    done = "gone" if yes else "would go; --yes lets them go. Letters and mails never come back"
    typer.echo(f"\n{counted(freed, 'byte')} of {counted(len(going), 'match')} {done}.")
