"""``referee status``: an overview for people and monitoring."""

from __future__ import annotations

from datetime import datetime

import typer

from referee.cli import output, session
from referee.desk.desk import opened_desk
from referee.desk.service.status import LEVELS, Sight, look


def status() -> None:
    """Show the state of the referee at a glance.

    Exit status: 0 all is well, 1 something needs attention, 2 the referee cannot work.

    Example: referee status

    Example: referee status --json
    """
    settings = session.settings()
    with opened_desk(settings) as desk:
        sight = look(desk, settings.poll_seconds)
    if not output.printed({"referee": settings.address, **sight.document()}):
        _print(settings.address, sight)
    raise typer.Exit(LEVELS.index(sight.level))


def _print(address: str, sight: Sight) -> None:
    counts = sight.counts
    lines = {
        "referee": address,
        "daemon": sight.daemon or "none",
        "last poll": output.moment(sight.last_poll) if sight.last_poll else "never",
        "matches": _counted(counts.matches, f"{len(sight.late)} late" if sight.late else ""),
        "letters": _counted(counts.letters, _since(counts.oldest_letter)),
        "mails": _counted(counts.outbox, _since(counts.oldest_mail)),
        "players": str(counts.players),
    }
    output.print_fields(lines)
    for each in sight.concerns:
        output.print_marked("!!" if each.level == "trouble" else "!", each.text, each.level)
    if not sight.concerns:
        typer.echo("All is well.")


def _counted(counted: dict[str, int], more: str) -> str:
    parts = [f"{number} {state}" for state, number in counted.items() if number]
    return ", ".join([*parts, *([more] if more else [])]) or "none"


def _since(oldest: datetime | None) -> str:
    return f"the oldest waits since {output.moment(oldest)}" if oldest else ""
