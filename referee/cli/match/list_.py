"""``referee match list``: all matches at a glance."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from referee.cli import output, session
from referee.desk.desk import opened_desk
from referee.desk.overview import matches
from referee.store.states import MatchState


def list_matches(
    *,
    state: Annotated[MatchState | None, typer.Option(help="Only matches in this state.")] = None,
    late: Annotated[bool, typer.Option("--late", help="Only matches out of time.")] = False,
) -> None:
    """List matches: whose turn it is, and until when.

    Example: referee match list --state running

    Example: referee match list --late
    """
    with opened_desk(session.settings()) as desk:
        rows = matches.describe_matches(desk, state, late=late)
    if output.printed(rows):
        return
    titles = ("match", "game", "state", "turn", "to act", "who", "since", "until", "late")
    output.print_table(titles, [_cells(each) for each in rows], "There are no matches.")
    for why in filter(None, (row["broken"] for row in rows)):
        typer.echo(f"\n{why}")


def _cells(listed: dict[str, Any]) -> list[object]:
    """Return a match as a row; the state names endings by hand, and that it is broken."""
    ending = listed["ending"]
    more = "broken" if listed["broken"] else ending if ending in matches.BY_HAND else ""
    state = f"{listed['state']}: {more}" if more else listed["state"]
    names = ", ".join(listed["declined"])
    who = f"declined: {names}" if names else listed["who"]
    shown = {**listed, "state": state, "who": who, "late": "late" if listed["late"] else ""}
    del shown["ending"], shown["declined"], shown["broken"]
    return list(shown.values())
