"""``referee match history``: the events of a match, in words."""

from __future__ import annotations

import typer

from referee.cli import options, output, session
from referee.desk.desk import opened_desk
from referee.desk.directory import require_match
from referee.desk.matches import broken, history, ledger
from referee.errors import RefereeError
from referee.value import asdict


def show_history(name: options.Match) -> None:
    """Show the events of a match.

    It lists turns and orders, and every change with its author and reason; orders taken back are
    marked. Hidden facts are shown once the record is released.

    Example: referee match history nord-1
    """
    with opened_desk(session.settings()) as desk, desk.reading() as change:
        row = require_match(change.connection, name)
        if ledger.was_pruned(change.connection, row):
            raise RefereeError(f"{name} was pruned: import its record to see it")
        with broken.faults_as_broken(row):
            passages = history.history(change, row)
    if output.printed([asdict(passage) for passage in passages]):
        return
    if not passages:
        typer.echo(f"{name} is {row.state}: nothing has happened yet.")
    turn = None
    for passage in passages:
        if passage.turn != turn:
            turn = passage.turn
            typer.echo(f"Turn {turn}" if turn else "Set-up")
        said = [f"{passage.seq:>4}", output.moment(passage.at), passage.kind]
        seat = None if passage.seat == passage.kind else passage.seat
        said += [part for part in (seat, passage.order, passage.what) if part]
        line = " ".join([*said, "(taken back)"] if passage.undone else said)
        # Some events say why by themselves.
        if passage.by is not None and not (passage.why and passage.what.endswith(passage.why)):
            why = " ".join(passage.why.split()) if passage.why else "the reason was erased"
            whom = f"the {passage.by}" if passage.by in {"organiser", "referee"} else passage.by
            line += f", by {whom}: {why}"
        typer.echo(line)
        for fact in passage.facts:
            typer.echo(f"      {fact}")
