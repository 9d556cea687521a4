"""`referee player away`: the days a player is away, as his organiser notes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import context, show
from referee.cli.options import Player, Why, Yes

if TYPE_CHECKING:
    from referee.desk.mending.personal import Away
    from referee.store.players import PlayerRow


def away(
    who: Player,
    first: Annotated[str | None, typer.Argument(help="The first day, 2026-12-20.")] = None,
    last: Annotated[str | None, typer.Argument(help="The last day.")] = None,
    *,
    listed: Annotated[bool, typer.Option("--list", help="Show what is noted.")] = False,
    clear: Annotated[
        int | None, typer.Option("--clear", metavar="N", help="Take an entry back, by its number.")
    ] = None,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Note days on which a player's clock stands in all his matches; or show and clear them.

    If he plays in a match whose clock hangs on it, it is first a plan.

    Example: referee player away alice@example.test 2026-12-20 2027-01-03 --why "on holiday"
    """
    from referee.cli.player import decide_of
    from referee.desk.mending.personal import Back
    from referee.errors import RefereeError

    if sum((first is not None, listed, clear is not None)) != 1:
        raise RefereeError("name the first and the last day, or --list, or --clear N")
    if clear is not None:
        decide_of(who, lambda player: Back(player.id, clear), why, yes=yes)
    elif first is not None:
        decide_of(who, lambda player: _away(player, first, last or first), why, yes=yes)
    else:
        _list(who)


def _away(player: PlayerRow, first: str, last: str) -> Away:
    from referee.desk import away as days
    from referee.desk.mending.personal import Away
    from referee.errors import RefereeError

    one, two = days.parse_day(first), days.parse_day(last)
    if one is None or two is None:
        given = " ".join(dict.fromkeys((first, last)))
        raise RefereeError(f"{given}: write days like 2026-12-20 2027-01-03")
    return Away(player.id, one.isoformat(), two.isoformat())


def _list(who: str) -> None:
    from referee.cli.player import find_player
    from referee.desk.desk import opened_desk
    from referee.store import players

    with opened_desk(context.settings()) as desk, desk.store.reading() as connection:
        player = find_player(connection, who)
        noted = players.away_of(connection, player.id)
    entries = [{"number": row.id, "from": row.first_day, "to": row.last_day} for row in noted]
    if not show.printed(entries):
        rows = [list(each.values()) for each in entries]
        show.print_table(("", "from", "to"), rows, f"{player.name} has noted no days away.")
