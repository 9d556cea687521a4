"""`referee status`: one screen, and an exit status for monitoring."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import typer

from referee.cli import context, show

if TYPE_CHECKING:
    from referee.desk.watching import Sight


def status(
) -> None:
    """Show what the referee is doing and what waits.

    Exit status: 0 all is well, 1 something wants your eye, 2 the referee cannot do its work.

    Example: referee status

    Example: referee status --json
    """
    from referee.desk.desk import opened_desk
    from referee.desk.watching import LEVELS, look

    settings = context.settings()
    with opened_desk(settings) as desk:
        sight = look(desk, settings.poll_seconds)
    if not show.printed({"referee": settings.address, **sight.document()}):
        _print(settings.address, sight)
    raise typer.Exit(LEVELS.index(sight.level))


def _print(address: str, sight: Sight) -> None:
    counts = sight.counts
    lines = {
        "referee": address,
        "daemon": sight.daemon or "none",
        "last poll": show.moment(sight.last_poll) if sight.last_poll else "never",
        "matches": _counted(counts.matches, f"{len(sight.late)} late" if sight.late else ""),
        "letters": _counted(counts.letters, _since(counts.oldest_letter)),
        "mails": _counted(counts.outbox, _since(counts.oldest_mail)),
        "players": str(counts.players),
    }
    show.print_fields(lines)
    for each in sight.concerns:
        show.print_marked("!!" if each.level == "trouble" else "!", each.text, each.level)
    if not sight.concerns:
        typer.echo("All is well.")


def _counted(counted: dict[str, int], more: str) -> str:
    parts = [f"{number} {state}" for state, number in counted.items() if number]
    return ", ".join([*parts, *([more] if more else [])]) or "none"


def _since(oldest: datetime | None) -> str:
    return f"the oldest waits since {show.moment(oldest)}" if oldest else ""
