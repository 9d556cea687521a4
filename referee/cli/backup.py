"""``referee backup`` and ``referee restore``: copying the database, and putting a copy back."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from referee.cli import output, session
from referee.desk.desk import utc_now
from referee.desk.service.backup import Copy, restore_backup, take_backup
from referee.text import counted


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The copy, a new file.")],
) -> None:
    """Write a consistent copy of the database.

    The daemon may run meanwhile. The copy is checked.

    Example: referee backup monday.db
    """
    settings = session.settings()
    copy = take_backup(settings.database, file)
    output.result(
        {"file": file, **asdict(copy)},
        f"{file}: {_described(copy)}.",
        "Keep it as secret as the mailbox, and the key file (key_file) with it.",
    )


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy made by backup.")],
    *,
    replace: Annotated[
        bool, typer.Option("--replace", help="Set an existing database aside.")
    ] = False,
) -> None:
    """Restore the database from a backup.

    Stop the daemon first. A backup does not hold what happened after it: when the daemon runs
    again, it first handles the letters in the folders Handled, Ignored and Quarantine that the
    backup does not know.

    Example: referee restore monday.db --replace
    """
    settings = session.settings()
    done = restore_backup(file, settings.database, utc_now(), replace=replace)
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
