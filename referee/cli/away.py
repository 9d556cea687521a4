"""`referee player away`: the days a player is away, as his organiser notes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli import context, show

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from referee.desk.desk import Desk
    from referee.store.players import PlayerRow


def away(
    who: Annotated[str, typer.Argument(metavar="PLAYER", help="An address or a number.")],
    first: Annotated[str | None, typer.Argument(help="The first day, 2026-12-20.")] = None,
    last: Annotated[str | None, typer.Argument(help="The last day.")] = None,
    *,
    listed: Annotated[bool, typer.Option("--list", help="Show what is noted.")] = False,
    clear: Annotated[
        int | None, typer.Option("--clear", metavar="N", help="Take an entry back, by its number.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Note days on which a player's clock stands in all his matches; or show and clear them.

    Example: referee player away alice@example.test 2026-12-20 2027-01-03
    """
    from referee.cli.player import find_player
    from referee.daemon import opened_desk
    from referee.errors import RefereeError

    if sum((first is not None, listed, clear is not None)) != 1:
        raise RefereeError("name the first and the last day, or --list, or --clear N")
    with opened_desk(context.settings()) as desk, desk.store.writing() as connection:
        player = find_player(connection, who)
        if clear is not None:
            _clear(desk, connection, player, clear, quiet=as_json)
        elif first is not None:
            _note(desk, connection, player, first, last or first, quiet=as_json)
        entries = _entries(connection, player)
    if as_json:
        show.print_json(entries)
    elif listed:
        rows = [list(each.values()) for each in entries]
        show.print_table(("", "from", "to"), rows, f"{player.name} has noted no days away.")


def _note(
    desk: Desk, connection: Connection, player: PlayerRow, first: str, last: str, *, quiet: bool
) -> None:
    from referee.desk import away as days
    from referee.errors import RefereeError

    one, two = days.parse_day(first), days.parse_day(last)
    fault = days.fault(desk, connection, player, one, two)
    if one is None or two is None:
        raise RefereeError(f"{first} {last}: write days like 2026-12-20 2027-01-03")
    if fault is not None and fault.why != "allowance":
        raise RefereeError(_told(player, fault.why, fault.fields))
    number = days.note(desk, connection, player, one, two)
    if quiet:
        return
    typer.echo(f"{player.name} is away from {one} to {two} (entry {number}).")
    if fault is not None:
        typer.echo(
            f"This is more than he may take by mail: {fault.fields['asked']} days in "
            f"{fault.fields['year']}, and {fault.fields['left']} were left."
        )


def _told(player: PlayerRow, why: str, fields: Any) -> str:
    reasons = {
        "backward": "the last day comes before the first",
        "past": "{first} is over; what has passed stays as it was. To give time: match extend",
        "far": "that is more than two years ahead",
        "overlap": "he is away from {first} to {last} already: --clear {number} first",
    }
    return f"{player.name}: {reasons[why].format(**fields)}"


def _clear(
    desk: Desk, connection: Connection, player: PlayerRow, number: int, *, quiet: bool
) -> None:
    from datetime import date

    from referee.desk import away as days

    row = days.clear(desk, connection, player, number)
    if quiet:
        return
    today = days.today_of(desk, player)
    begun = date.fromisoformat(row.first_day) <= today
    past = f"; up to {today} it stays, as these days have begun" if begun else ""
    typer.echo(f"{player.name} is not away from {row.first_day} to {row.last_day} any more{past}.")


def _entries(connection: Connection, player: PlayerRow) -> list[dict[str, Any]]:
    from referee.store import players

    return [
        {"number": row.id, "from": row.first_day, "to": row.last_day}
        for row in players.away_of(connection, player.id)
    ]
