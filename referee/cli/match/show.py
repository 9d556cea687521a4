"""``referee match show|history``: the board of a match or its whole position, and its events."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli import options, output, session
from referee.cli.options import flag, option
from referee.desk.desk import opened_desk
from referee.desk.directory import require_match
from referee.desk.matches import broken, ledger
from referee.desk.overview import match
from referee.errors import RefereeError
from referee.value import asdict


def show_match(
    name: options.MatchName,
    *,
    as_seat: Annotated[
        str | None, option("SEAT", "As this seat sees it.", "--as", offered=True)
    ] = None,
    turn: Annotated[int | None, option("TURN", "As it was when this turn began.")] = None,
    full: Annotated[
        bool, flag("The whole position as JSON; the players are told.", "--full")
    ] = False,
    why: Annotated[str, option("TEXT", "With --full: why; the players read it.")] = "",
) -> None:
    """Show a match as a spectator or a seat sees it.

    With --full it prints the whole position as JSON, hidden parts included, for match fix; the
    players are told who looked and why.

    Example: referee match show nord-1 --as red

    Example: referee match show nord-1 --turn 12
    """
    if full and (as_seat or turn is not None):
        raise RefereeError("--full shows the whole position of now: leave out --as and --turn")
    if why and not full:
        raise RefereeError("--why goes with --full, of which the players are told")
    if full:
        # Only this needs plans, whose import would slow down every look at a match.
        from referee.desk.plans.plan import look_at_all  # noqa: PLC0415

        with opened_desk(session.settings()) as desk:
            output.print_json(look_at_all(desk, name, why))
        return
    with opened_desk(session.settings()) as desk, desk.reading() as change:
        shown = match.look_at_match(change, name, as_seat and options.seat_named(as_seat), turn)
        if output.printed(shown.document()):
            return
        if isinstance(shown, match.Begun):
            typer.echo("\n".join(shown.lines()))
            return
        typer.echo(shown.state)
        output.print_table(("seat", "who", "agreed"), shown.rows(), "")
        typer.echo("\n".join(("", *shown.chance(), "", *shown.terms())))


def show_history(name: options.MatchName) -> None:
    """Show the events of a match.

    It lists turns and orders, and every change with its author and reason; orders taken back are
    marked. Hidden facts are shown once the record is released.

    Example: referee match history nord-1
    """
    # Its import would slow down every look at a match.
    from referee.desk.matches import history  # noqa: PLC0415

    with opened_desk(session.settings()) as desk, desk.reading() as change:
        row = require_match(change.connection, name)
        if ledger.was_pruned(change.connection, row):
            raise RefereeError(f"{name} was pruned: import its record to see it")
        with broken.faults_as_broken(row):
            passages = [*history.history(change, row)]
            off = history.called_off(change.connection, row)
    if output.printed([asdict(passage) for passage in passages]):
        return
    if off is not None:
        when = f" {output.moment(row.ended)}" if row.ended else ""
        typer.echo(f"{name} was called off{when} before it began, by {off}")
    elif not passages:
        typer.echo(f"{name} is {row.state}: nothing has happened yet.")
    turn = None
    for passage in passages:
        if passage.turn != turn:
            turn = passage.turn
            typer.echo(f"Turn {turn}" if turn else "Set-up")
        said = [f"{passage.seq:>4}", output.moment(passage.at), passage.kind]
        seat = None if passage.seat == passage.kind else passage.seat
        said += [part for part in (seat, passage.order, passage.what) if part]
        said += ["(played for the seat, whose time was up)"] if passage.late else []
        line = " ".join([*said, "(taken back)"] if passage.undone else said)
        # Some events say why by themselves.
        if passage.by is not None and not (passage.why and passage.what.endswith(passage.why)):
            why = " ".join(passage.why.split()) if passage.why else "the reason was erased"
            whom = f"the {passage.by}" if passage.by in {"organiser", "referee"} else passage.by
            line += f", by {whom}: {why}"
        typer.echo(line)
        for fact in passage.facts:
            typer.echo(f"      {fact}")
