"""``referee record export``: the records of finished matches, printed or written to files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli import output, session
from referee.cli.options import argument, flag, option
from referee.desk.archive import files, prune, transcripts
from referee.desk.archive.record import record_bytes
from referee.desk.desk import opened_desk
from referee.desk.directory import require_match
from referee.desk.matches.broken import BrokenMatch
from referee.errors import RefereeError
from referee.text import counted


def export_records(
    name: Annotated[str | None, argument("MATCH", "A finished match.", offered=True)] = None,
    file: Annotated[Path | None, option("FILE", "The file; default: print it.", "--to")] = None,
    *,
    form: Annotated[
        str | None, option("FORM", "A file of the game's own instead, such as pgn.", "--as")
    ] = None,
    everything: Annotated[bool, flag("Every finished match, into --dir.", "--all")] = False,
    directory: Annotated[
        Path | None, option("DIR", "A folder; each record is named MATCH.jsonl.", "--dir")
    ] = None,
    force: Annotated[bool, flag("Replace existing files.", "--force")] = False,
) -> None:
    """Write the records of finished matches.

    A record is a file of JSON lines that anybody can verify. With --as it is a file of the game's
    own for other programs, which proves nothing: PGN for chess, SGF for go.

    Example: referee record export nord-1 --to nord-1.jsonl

    Example: referee record export chess-1 --as pgn --to chess-1.pgn

    Example: referee record export --all --dir records
    """
    if form is not None and (everything or directory):
        raise RefereeError("--as writes one match: name it, without --all and --dir")
    if everything and name is not None:
        raise RefereeError(f"--all writes every match: leave out {name}")
    if file is not None and (everything or directory):
        raise RefereeError("--to writes one file, --dir a folder: leave out one of them")
    if everything or directory:
        _into(directory, name, everything=everything, force=force)
        return
    if name is None:
        raise RefereeError("which match? referee record export MATCH, or --all --dir DIR")
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        row = require_match(connection, name)
        if form is None:
            data = record_bytes(connection, row)
        else:
            data = transcripts.file_as(desk, connection, row, form.lower().removeprefix("."))
    if file is not None:
        if file.exists() and not force:
            raise RefereeError(f"--to {file}: it is there already; --force replaces it")
        files.write_file(file, data, anew=not force)
        size = counted(len(data), "byte")
        output.result({"match": name, "file": file, "bytes": len(data)}, f"{file}: {size}")
        return
    text = data.decode()
    content: Any = [json.loads(line) for line in text.splitlines()] if form is None else text
    if not output.printed({"match": name, "record" if form is None else form: content}):
        typer.echo(text, nl=False)


def _into(directory: Path | None, name: str | None, *, everything: bool, force: bool) -> None:
    """Write records into a folder; ``force`` replaces files that differ."""
    if directory is None or (name is None and not everything):
        raise RefereeError("where to, and what? --all --dir DIR, or MATCH --dir DIR")
    folder = files.make_folder(directory)
    written = same = 0
    other: list[str] = []
    faults: list[str] = []
    with opened_desk(session.settings()) as desk:
        names = [name] if name is not None else prune.unpruned(desk)
        gone = 0 if name is not None else prune.pruned(desk)

        def seen() -> str:
            done = written + same + len(other) + len(faults)
            return f"{done} of {len(names)}; the same command goes on"

        with output.stoppable(seen), output.progress("export", len(names)) as step:
            for match in names:
                path = files.file_in(folder, match, ".jsonl")
                try:
                    with desk.store.reading() as connection:
                        data = record_bytes(connection, require_match(connection, match))
                except BrokenMatch as fault:
                    faults.append(str(fault))
                    step()
                    continue
                if path.is_file() and path.read_bytes() == data:
                    same += 1
                elif path.exists() and not force:
                    other.append(path.name)
                else:
                    files.write_file(path, data)
                    written += 1
                step()
    told = [f"{folder}: {counted(written, 'record')} written, {same} stood there already"]
    if other:
        told.append(f"other files lie there, which --force replaces: {', '.join(other)}")
    if gone:
        was = "was" if gone == 1 else "were"
        told.append(f"{counted(gone, 'match')} {was} pruned: see the files exported before")
    document = {"folder": folder, "written": written, "unchanged": same, "others": other}
    output.result({**document, "faults": faults}, *told, *faults)
    if other or faults:
        raise typer.Exit(1)
