"""`referee backup` and `referee restore`: the database, copied while in use, and put back."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import output, session
from referee.text import counted

if TYPE_CHECKING:
    from referee.desk.service.backup import Copy


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The copy; a new file.")],
) -> None:
    """Write a consistent copy of the database, also while the daemon runs, and check it.

    Example: referee backup monday.db
    """
    from referee.desk.service.backup import take

    settings = session.settings()
    copy = take(settings.database, file)
    output.result(
        {"file": file, **asdict(copy)},
        f"{file}: {_described(copy)}.",
        "Keep it as secret as the mailbox, and the key file (key_file) with it.",
    )


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy made by referee backup.")],
    *,
    replace: Annotated[
        bool, typer.Option("--replace", help="Set a database aside that is there already.")
    ] = False,
) -> None:
    """Put a backup in the place of the database. The daemon must be stopped.

    What came after the backup is not in it. When the daemon runs again, it first handles the
    letters that lie in the folders Handled, Ignored and Quarantine and are not known to the copy.

    Example: referee restore monday.db --replace
    """
    from referee.desk.desk import utc_now
    from referee.desk.service.backup import put_back

    settings = session.settings()
    done = put_back(file, settings.database, utc_now(), replace=replace)
    before = [] if done.aside is None else [f"The one before is kept as {done.aside}."]
    newer = [f"It does not hold {', '.join(done.newer)}."] if done.newer else []
    output.result(
        {"file": file, "before": done.aside, "newer": done.newer, **asdict(done.copy)},
        f"The database is {file} now: {_described(done.copy)}.",
        *newer,
        *before,
        "The daemon will read first what came since: referee run.",
    )


def _described(copy: Copy) -> str:
    matches = sum(copy.matches.values())
    read = f"mailbox last read {copy.last_poll}" if copy.last_poll else "mailbox never read"
    return f"{counted(copy.size, 'byte')}, {counted(matches, 'match')}, {read}"
