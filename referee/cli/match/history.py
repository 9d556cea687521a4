"""``referee match history``: the events of a match, in words."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from referee.cli import options, output, session
from referee.desk.desk import opened_desk
from referee.desk.directory import require_match
from referee.desk.matches import broken, history, ledger
from referee.desk.matches.history import Passage
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
            found = history.history(change, row)
    if output.printed([asdict(each) for each in found]):
        return
    if not found:
        typer.echo(f"{name} is {row.state}: nothing has happened yet.")
    for line in _lines(found):
        typer.echo(line)


def _lines(found: list[Passage]) -> Iterator[str]:
    turn = None
    for each in found:
        if each.turn != turn:
            turn = each.turn
            yield f"Turn {turn}" if turn else "Set-up"
        yield _headline(each)
        yield from (f"      {fact}" for fact in each.facts)


def _headline(each: Passage) -> str:
    said = [f"{each.seq:>4}", output.moment(each.at), each.kind]
    seat = None if each.seat == each.kind else each.seat
    said += [part for part in (seat, each.order, each.what) if part]
    if each.undone:
        said.append("(taken back)")
    line = " ".join(said)
    if each.by is None or (each.why and each.what.endswith(each.why)):
        return line
    why = " ".join(each.why.split()) if each.why else "the reason was erased"
    whom = f"the {each.by}" if each.by in {"organiser", "referee"} else each.by
    return f"{line}, by {whom}: {why}"
