"""`referee record export`: one record, all of them, or a running match that moves elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from referee.cli import output, session
from referee.errors import RefereeError
from referee.text import counted

if TYPE_CHECKING:
    from referee.desk.desk import Desk


UNNAMED = "which match? referee record export MATCH, or --all --dir DIR"


def one(name: str | None, file: Path | None, *, force: bool) -> None:
    """Print the record of a finished match, or write it to a file; ``force`` replaces another."""
    from referee.desk.archive import files
    from referee.desk.desk import opened_desk

    if name is None:
        raise RefereeError(UNNAMED)
    with opened_desk(session.settings()) as desk:
        data = _record(desk, name)
    if file is not None:
        if file.exists() and not force:
            raise RefereeError(f"--to {file}: it is there already; --force replaces it")
        files.write(file, data, anew=not force)
        size = counted(len(data), "byte")
        output.result({"match": name, "file": file, "bytes": len(data)}, f"{file}: {size}")
        return
    events = [json.loads(line) for line in data.splitlines()]
    if not output.printed({"match": name, "record": events}):
        typer.echo(data.decode(), nl=False)


def into(directory: Path | None, name: str | None, *, everything: bool, force: bool) -> None:
    """Write records into a folder; what stands there already is replaced by ``force`` alone."""
    from referee.desk.archive import files, prune
    from referee.desk.desk import opened_desk

    if directory is None or (name is None and not everything):
        raise RefereeError("where to, and what? --all --dir DIR, or MATCH --dir DIR")
    folder = files.folder(directory)
    written = same = 0
    other: list[str] = []
    faults: list[str] = []
    with opened_desk(session.settings()) as desk:
        names = [name] if name is not None else _finished(desk)
        try:
            with output.shown("export", len(names)) as step:
                for each in names:
                    path, data = prune.file_of(folder, each), _tried(desk, each, faults)
                    if data is None:
                        pass
                    elif path.is_file() and path.read_bytes() == data:
                        same += 1
                    elif path.exists() and not force:
                        other.append(path.name)
                    else:
                        files.write(path, data)
                        written += 1
                    step()
        except KeyboardInterrupt:
            seen = written + same + len(other) + len(faults)
            said = f"stopped after {seen} of {len(names)}; the same command goes on"
            raise output.stopped(said) from None
    told = [f"{folder}: {counted(written, 'record')} written, {same} stood there already"]
    if other:
        told.append(f"other files lie there, which --force replaces: {', '.join(other)}")
    document = {"folder": folder, "written": written, "unchanged": same, "others": other}
    output.result({**document, "faults": faults}, *told, *faults)
    if other or faults:
        raise typer.Exit(1)


def move_out(name: str | None, file: Path | None, why: str, *, yes: bool) -> None:
    """Plan that a match moves, or close it here and write what it goes on from."""
    from referee.cli import plan
    from referee.desk.plans.move import Move

    if name is None:
        raise RefereeError(UNNAMED)
    if file is None:
        raise RefereeError("--to FILE: where the match is written that moves")
    plan.decide(Move(name, str(file.absolute())), why, yes=yes)


def _tried(desk: Desk, name: str, faults: list[str]) -> bytes | None:
    """Return a record; None for that of a match that is broken, whose fault is added."""
    from referee.desk.matches.broken import BrokenMatch

    try:
        return _record(desk, name)
    except BrokenMatch as fault:
        faults.append(str(fault))
        return None


def _record(desk: Desk, name: str) -> bytes:
    from referee.desk.archive.record import record_bytes
    from referee.desk.names import no_match
    from referee.store.play import matches

    with desk.store.reading() as connection:
        row = matches.get(connection, name)
        if row is None:
            raise RefereeError(no_match(connection, name))
        return record_bytes(connection, row)


def _finished(desk: Desk) -> list[str]:
    """Return the matches that are over and were not pruned of their events."""
    from referee.desk.archive import prune
    from referee.store.play import matches

    with desk.store.reading() as connection:
        rows = matches.list_matches(connection, "over")
        return [row.name for row in rows if prune.seal_of_pruned(connection, row) is None]
