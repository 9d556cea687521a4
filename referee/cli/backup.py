"""``referee backup``, ``restore`` and ``upgrade``: copies of the database, and its version."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import output, session
from referee.cli.options import argument, flag, option
from referee.cli.record.audit import run_audit
from referee.desk.desk import opened_desk, utc_now
from referee.desk.service.backup import (
    Copy,
    restore_backup,
    take_backup,
    take_backup_into,
    upgrade_database,
)
from referee.text import counted
from referee.value import asdict


def backup(
    file: Annotated[Path, argument("FILE|DIR", "The copy, a new file; or where it goes.")],
    *,
    keep: Annotated[
        int | None, option("NUMBER", "Copies that stay in the folder.", "--keep", min=1, max=9999)
    ] = None,
) -> None:
    """Write a consistent copy of the database.

    The daemon may run meanwhile. The copy is checked. With --keep it gets a name by itself in the
    folder, and the oldest copies there make room.

    Example: referee backup monday.db

    Example: referee backup /mnt/backup/referee --keep 14
    """
    settings = session.settings()
    if keep is None:
        copy = take_backup(settings.database, file)
    else:
        file, copy = take_backup_into(settings.database, file, utc_now(), keep)
    output.result(
        {"file": file, **asdict(copy)},
        f"{file}: {_described(copy)}.",
        "Keep it as secret as the mailbox, and the key file (key_file) with it.",
    )


def restore(
    file: Annotated[Path, argument("FILE", "A copy made by backup.")],
    *,
    replace: Annotated[bool, flag("Set an existing database aside.", "--replace")] = False,
) -> None:
    """Restore the database from a backup.

    Stop the daemon first. A backup does not hold what happened after it: when the daemon runs
    again, it first handles the letters in the folders Handled, Ignored and Quarantine that the
    backup does not know. An empty PostgreSQL database is filled from a backup of SQLite; then every
    match is replayed. Exit status 1: some data is wrong.

    Example: referee restore monday.db --replace
    """
    settings = session.settings()
    copy, aside, behind = restore_backup(file, settings.database, utc_now(), replace=replace)
    before = [] if aside is None else [f"The one before is kept as {aside}."]
    audit, checked = None, list[str]()
    if not settings.database.startswith("sqlite:"):
        # Said before the audit, which may take long and be stopped.
        output.meanwhile("PostgreSQL holds every row of it, compared. Every match is replayed:")
        with opened_desk(settings) as desk:
            audit, checked = run_audit(desk, anew=True)
    output.result(
        {"file": file, "before": aside, **asdict(behind), **asdict(copy), "audit": audit},
        f"The database is a copy of {file} now: {_described(copy)}.",
        *filter(None, [behind.told("It")]),
        *before,
        *checked,
        "The daemon will read first what came since: referee run.",
    )
    if audit and audit["faults"]:
        raise typer.Exit(1)


def upgrade_installation(
    *,
    dumped: Annotated[
        bool, flag("A dump of the PostgreSQL database has been made.", "--dumped")
    ] = False,
) -> None:
    """Upgrade the database, and check it.

    Stop the daemon first. An SQLite database is copied before. Afterwards every match is replayed.
    Exit status 1: some data is wrong.

    Example: referee upgrade
    """
    settings = session.settings()
    steps, aside = upgrade_database(settings.database, utc_now(), dumped=dumped)
    document = {"steps": steps, "before": aside}
    if not steps:
        output.result({**document, "audit": None}, "Nothing to upgrade.")
        return
    # Said before the audit, which may take long and be stopped.
    output.meanwhile("The database is of this version now:")
    for step in steps:
        output.meanwhile(f"- {step}")
    if aside is not None:
        output.meanwhile(f"The one before is kept as {aside}.")
    with opened_desk(settings) as desk:
        audit, checked = run_audit(desk, anew=True)
    output.result(
        {**document, "audit": audit},
        *checked,
        "CHANGELOG.md tells what else is new. Start the daemon: referee run.",
    )
    if audit["faults"]:
        raise typer.Exit(1)


def _described(copy: Copy) -> str:
    matches = sum(copy.matches.values())
    read = f"mailbox last read {copy.last_poll}" if copy.last_poll else "mailbox never read"
    return f"{counted(copy.size, 'byte')}, {counted(matches, 'match')}, {read}"
