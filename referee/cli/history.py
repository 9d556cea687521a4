"""`referee match history`: what happened in a match, turn by turn."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from referee.cli import context, show
from referee.cli.options import Match

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.desk.history import Passage


def history(name: Match) -> None:
    """Show what happened in a match: turns, events, and who mended what and why.

    What was taken back is marked. Hidden things are shown once the record is released.

    Example: referee match history nord-1
    """
    from referee.desk import broken, history, ledger
    from referee.desk.desk import opened_desk
    from referee.errors import RefereeError
    from referee.store import matches as tables

    with opened_desk(context.settings()) as desk, desk.store.reading() as connection:
        row = tables.get(connection, name)
        if row is None:
            raise RefereeError(f"there is no match {name}: see referee match list")
        if ledger.was_pruned(connection, row):
            raise RefereeError(f"{name} was pruned: import its record to see it")
        with broken.known(row):
            found = history.history(desk, connection, row)
    if show.printed([asdict(each) for each in found]):
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
    said = [f"{each.seq:>4}", show.moment(each.at), each.kind]
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
