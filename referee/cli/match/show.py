"""``referee match show``: the board of a match, or its whole position."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli import options, output, session
from referee.cli.completion import offering
from referee.desk.desk import opened_desk
from referee.desk.overview import match


def show_match(
    name: options.Match,
    *,
    as_seat: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="SEAT",
            help="As this seat sees it.",
            autocompletion=offering("SEAT"),
        ),
    ] = None,
    turn: Annotated[
        int | None, typer.Option(metavar="TURN", help="As it was when this turn began.")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="The whole position as JSON; the players are told.")
    ] = False,
    why: Annotated[
        str, typer.Option(metavar="TEXT", help="With --full: why; the players read it.")
    ] = "",
) -> None:
    """Show a match as a spectator or a seat sees it.

    With --full it prints the whole position as JSON, hidden parts included, for match fix; the
    players are told who looked and why.

    Example: referee match show nord-1 --as red

    Example: referee match show nord-1 --turn 12
    """
    if full:
        # Only this needs plans, whose import would slow down every look at a match.
        from referee.desk.overview.position import look_at_all  # noqa: PLC0415

        with opened_desk(session.settings()) as desk:
            output.print_json(look_at_all(desk, name, why))
        return
    with opened_desk(session.settings()) as desk, desk.reading() as change:
        found = match.look_at_match(change, name, as_seat, turn)
        if output.printed(found.document()):
            return
        if isinstance(found, match.Begun):
            typer.echo("\n".join(found.lines()))
            return
        typer.echo(found.state)
        output.print_table(("seat", "who", "agreed"), found.rows(), "")
        typer.echo("\n".join(("", *found.chance())))
