"""``referee status``: an overview for people and monitoring."""

from __future__ import annotations

from datetime import datetime

import typer

from referee.cli import output, session
from referee.desk.desk import opened_desk
from referee.desk.service.status import LEVELS, read_status


def status() -> None:
    """Show the state of the referee at a glance.

    Exit status: 0 all is well, 1 something needs attention, 2 the referee cannot work.

    Example: referee status

    Example: referee status --json
    """
    settings = session.settings()
    with opened_desk(settings) as desk:
        found = read_status(desk)
    ends = typer.Exit(LEVELS.index(found.level))
    if output.printed({"referee": settings.address, **found.document()}):
        raise ends
    counts, several = found.counts, found.daemons if len(found.daemons) > 1 else ()
    growth = "" if found.growth is None else f", {found.growth / 1e6:+.1f} MB a day"
    fields = {
        "referee": settings.address,
        "daemon": found.daemon or "none",
        **{f"at work {n}": str(daemon) for n, daemon in enumerate(several, start=1)},
        "last poll": output.moment(found.last_poll) if found.last_poll else "never",
        "matches": _counted(counts.matches, f"{len(found.late)} late" if found.late else ""),
        "letters": _counted(counts.letters, _since(counts.oldest_letter)),
        "mails": _counted(counts.outbox, _since(counts.oldest_mail)),
        **({"rate": found.rest_line} if found.rest_line else {}),
        "players": str(counts.players),
        "database": f"{found.size / 1e6:.1f} MB{growth}",
    }
    output.print_fields(fields)
    for concern in found.concerns:
        sign = "!!" if concern.level == "trouble" else "!"
        output.print_marked(sign, concern.text, concern.level)
    if not found.concerns:
        # Whoever reads the mailbox from time to time by run --once has no daemon, either.
        none = "All is well, but no daemon serves the mailbox at present: referee run"
        typer.echo("All is well." if found.daemon else none)
    raise ends


def _counted(counted: dict[str, int], more: str) -> str:
    parts = [f"{number} {state}" for state, number in counted.items() if number]
    return ", ".join([*parts, *([more] if more else [])]) or "none"


def _since(oldest: datetime | None) -> str:
    return f"the oldest waits since {output.moment(oldest)}" if oldest else ""
