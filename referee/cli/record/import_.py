"""``referee record import``: records of finished matches."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from referee.cli import output, session
from referee.cli.options import argument, content_of, option
from referee.cli.record.verify import read_record_lines
from referee.desk.archive import record, take_in, transcripts
from referee.desk.desk import Desk, opened_desk
from referee.errors import RefereeError

RECORDS: Final = frozenset({"jsonl", "gz"})
"""Endings of records, for which no game is asked."""

UNNAMED: Final = "nobody is named as its player: the same with --seat SEAT=ADDRESS names them"


def import_(
    files: Annotated[list[Path], argument("FILE", "Records, or files of a game's own.")],
    *,
    seat: Annotated[
        list[str] | None, option("SEAT=PLAYER", "Who held this seat, by address; repeatable.")
    ] = None,
    game: Annotated[str | None, option("GAME", "The game whose own files these are.")] = None,
) -> None:
    """Import records.

    Each file is verified first. Exit status 1: at least one was refused; the others are imported.
    A file of a game's own, such as PGN of chess, is known by its ending or by --game: the rules
    must agree with every order in it, and the match counts as practice.

    Example: referee record import nord-1.jsonl

    Example: referee record import opera.pgn --game chess
    """
    if seat and len(files) > 1:
        raise RefereeError("--seat tells who sat in one match: import its record alone")
    found: list[dict[str, Any]] = []
    with (
        output.stoppable(
            lambda: f"{len(found)} of {len(files)}; the same command takes in the rest"
        ),
        opened_desk(session.settings()) as desk,
        output.progress("import", len(files)) as step,
    ):
        for file in files:
            done, line = _import(desk, file, seat or (), game)
            found.append(done)
            step()
            if not session.JSON.get():
                typer.echo(f"{file}: {line}")
    output.result(found)
    if any(done["outcome"] == "refused" for done in found):
        raise typer.Exit(1)


def _import(
    desk: Desk, file: Path, seats: Sequence[str], game: str | None
) -> tuple[dict[str, Any], str]:
    """Import one file; return what came of it as a document, and in a line."""
    said: dict[str, Any] = {"file": str(file), "outcome": "refused", "match": None}
    ending, known = file.suffix.lower().removeprefix("."), True
    try:
        own = [] if ending in RECORDS and game is None else transcripts.formats_for(ending, game)
        known = bool(own) or ending in RECORDS
        if own:
            found = transcripts.read_transcript(desk, content_of(file, record.LONGEST), own)
        else:
            found = take_in.read_record(desk, read_record_lines(file))
        with desk.writing() as change:
            holders = take_in.holders_by_name(change.connection, seats, found.terms.seats)
            name, outcome = take_in.take_record(change, found, holders)
    except RefereeError as fault:
        # The line begins with the name of the file.
        why = str(fault).removeprefix(f"{file}: ")
        if not known and ending:
            why += f" (no game that is installed has files that end in .{ending}; --game names one)"
        return {**said, "why": why}, f"refused: {why}"
    recorded = name if own else found.terms.match
    called = f", which its record calls {recorded}" if recorded != name else ""
    known_players = "its players are named already; " if holders else ""
    lines = {
        "taken": f"{name} is in{called}" + ("" if holders else f"; {UNNAMED}"),
        "there": f"{name} is here already{called}; {known_players}nothing was changed",
        "named": f"{name} is here already{called}; its players are named now",
        "restored": f"{name} has its events again{called}",
    }
    return {**said, "outcome": outcome, "match": name, "record": recorded}, lines[outcome]
