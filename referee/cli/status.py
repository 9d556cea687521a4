"""`referee status`: one screen, and an exit status for monitoring."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer

from referee.cli import context, show

UNWELL = 1
"""Exit status when something wants the organiser's eye."""


def status(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show what the referee is doing and what waits. Exit status 1: something wants your eye.

    Example: referee status
    """
    from referee.daemon import opened_desk
    from referee.desk.lease import alive
    from referee.store import leases, players
    from referee.store import status as tables

    settings = context.settings()
    with opened_desk(settings) as desk, desk.store.reading() as connection:
        served_by = alive(leases.lease(connection, desk.address), desk.now())
        described: dict[str, Any] = {
            "referee": settings.address,
            "daemon": served_by and str(served_by),
            "last_poll": tables.value(connection, "last_poll"),
            "trouble": tables.value(connection, "trouble"),
            "sending": tables.value(connection, "sending"),
            "alarm": tables.value(connection, "alarm"),
            "failing": [
                {"address": each.address, "reason": each.reason}
                for each in players.failing(connection)
            ],
            **tables.counts(connection),
        }
    longest = timedelta(seconds=3 * settings.poll_seconds + 60)
    concerns = _concerns(described, longest)
    described["concerns"] = concerns
    if as_json:
        show.print_json(described)
    else:
        _print(described, concerns)
    if concerns:
        raise typer.Exit(UNWELL)


def _concerns(described: dict[str, Any], longest: timedelta) -> list[str]:
    found = [described[key] for key in ("trouble", "sending", "alarm") if described[key]]
    last = described["last_poll"]
    if last is None:
        found.append("the mailbox was never read: referee run")
    elif datetime.now(UTC) - datetime.fromisoformat(last) > longest:
        found.append(f"the mailbox was last read {last}: is referee run running?")
    failing = described["failing"]
    found += [f"mail to {each['address']} fails: {each['reason']}" for each in failing[:10]]
    if described["letters"].get("quarantined"):
        found.append("letters lie in quarantine: referee letter list --state quarantined")
    if described["outbox"].get("failed"):
        found.append("mails could not be delivered: referee outbox list --state failed")
    return found


def _print(described: dict[str, Any], concerns: list[str]) -> None:
    typer.echo(f"{described['referee']}: last poll {described['last_poll'] or 'never'}")
    typer.echo(f"{'daemon':<9} {described['daemon'] or 'none'}")
    for part in ("matches", "letters", "outbox"):
        counted = ", ".join(f"{n} {state}" for state, n in described[part].items() if n)
        typer.echo(f"{part:<9} {counted or 'none'}")
    for concern in concerns:
        typer.echo(f"! {concern}")
    if not concerns:
        typer.echo("All is well.")
