"""``referee match list``: all matches at a glance."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli import output, session
from referee.cli.options import flag
from referee.desk.desk import opened_desk
from referee.desk.overview import matches
from referee.store.states import MatchState


def list_matches(
    *,
    state: Annotated[MatchState | None, typer.Option(help="Only matches in this state.")] = None,
    late: Annotated[bool, flag("Only matches out of time.", "--late")] = False,
) -> None:
    """List matches: whose turn it is, and until when.

    Example: referee match list --state running

    Example: referee match list --late
    """
    with opened_desk(session.settings()) as desk:
        rows = matches.describe_matches(desk, state, late=late)
    if output.printed(rows):
        return
    table: list[list[object]] = []
    for row in rows:
        cells = {**row, "late": "late" if row["late"] else ""}
        ending, declined, asked, fault = map(cells.pop, ("ending", "declined", "asked", "broken"))
        # The state names endings by hand, and that a match is broken.
        if more := "broken" if fault else ending if ending in matches.BY_HAND else "":
            cells["state"] = f"{row['state']}: {more}"
        invited = {"declined": declined, "not answered": asked}
        if said := [f"{how}: {', '.join(names)}" for how, names in invited.items() if names]:
            cells["who"] = "; ".join(said)
        table.append(list(cells.values()))
    titles = ("match", "game", "state", "turn", "to act", "who", "since", "until", "late")
    empty = "No match is late." if late else output.none_of("match", "matches", state)
    output.print_table(titles, table, empty)
    for why in filter(None, (row["broken"] for row in rows)):
        typer.echo(f"\n{why}")
