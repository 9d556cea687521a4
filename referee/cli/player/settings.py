"""`referee player address|name|language|zone|format|digest …`: what a player could set by mail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import output, session
from referee.cli.options import Player, Why, Yes

if TYPE_CHECKING:
    from referee.desk.plans.player import Away
    from referee.store.people.players import PlayerRow


Address = Annotated[str, typer.Argument(metavar="ADDRESS", help="A mail address.")]

addresses = typer.Typer(no_args_is_help=True, help="Add, remove and prefer addresses.")


@addresses.command("add")
def add_address(who: Player, address: Address, *, why: Why = "", yes: Yes = False) -> None:
    """Give a player one more address, confirmed by your word; his other addresses are told.

    If his clock stands in a match because no mail reached him, it is first a plan.

    Example: referee player address add alice@example.test alice@example.org
    """
    from referee.cli.player import decide_of
    from referee.desk.plans.player import AddAddress

    decide_of(who, lambda player: AddAddress(player.id, address), why, yes=yes)


@addresses.command("remove")
def remove_address(who: Player, address: Address, *, why: Why = "", yes: Yes = False) -> None:
    """Take an address from a player, who is told; one that is confirmed must remain.

    If no mail reaches him then, so that his clock stands in a match, it is first a plan.

    Example: referee player address remove alice@example.test alice@example.org
    """
    from referee.cli.player import decide_of
    from referee.desk.plans.player import RemoveAddress

    decide_of(who, lambda player: RemoveAddress(player.id, address), why, yes=yes)


@addresses.command("prefer")
def prefer_address(who: Player, address: Address) -> None:
    """Send a player's mail to this one of his addresses.

    Example: referee player address prefer alice@example.test alice@example.org
    """
    from referee.cli.player import described, find_player
    from referee.desk.desk import opened_desk
    from referee.desk.plans.player import address_of
    from referee.errors import RefereeError
    from referee.store.people import players

    with opened_desk(session.settings()) as desk, desk.store.writing() as connection:
        player = find_player(connection, who)
        row = address_of(connection, player, address)
        if row.state == "unconfirmed":
            raise RefereeError(
                f"{row.address} is not confirmed yet: referee player address add confirms it"
            )
        players.prefer(connection, player.id, row.address)
        document = described(connection, player.id)
    output.result(document, f"{player.name}'s mail goes to {row.address}.")


def name(who: Player, text: Annotated[str, typer.Argument(metavar="NAME")]) -> None:
    """Set the name the others see.

    Example: referee player name alice@example.test "Alice L."
    """
    _set(who, "name", text)


def language(who: Player, value: Annotated[str, typer.Argument(metavar="LANGUAGE")]) -> None:
    """Set the language of a player's mails.

    Example: referee player language alice@example.test de
    """
    _set(who, "language", value)


def zone(
    who: Player,
    value: Annotated[str, typer.Argument(metavar="ZONE")],
    *,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Set the time zone of the times in a player's mails, and of his days off and away.

    If his clock in a match hangs on it, it is first a plan.

    Example: referee player zone alice@example.test Europe/Berlin
    """
    from referee.cli.player import decide_of
    from referee.desk.plans.player import Zone

    decide_of(who, lambda player: Zone(player.id, value), why, yes=yes)


def format_(who: Player, value: Annotated[str, typer.Argument(metavar="FORMAT")]) -> None:
    """Set which parts a player's mails have: text, html or both.

    Example: referee player format alice@example.test text
    """
    _set(who, "format", value)


def digest(who: Player, value: Annotated[str, typer.Argument(metavar="ON|OFF")]) -> None:
    """Gather the reports of matches where it is not a player's turn, a mail a day; or no more.

    Example: referee player digest alice@example.test on
    """
    _set(who, "digest", value)


def _set(who: str, what: str, value: str) -> None:
    from referee.cli.player import described, find_player
    from referee.desk import players as desk_players
    from referee.desk.desk import opened_desk

    with opened_desk(session.settings()) as desk, desk.store.writing() as connection:
        player = find_player(connection, who)
        kept = desk_players.put(desk, connection, player, what, value)
        document = described(connection, player.id)
    output.result(document, f"{player.name}: {what} is {kept}.")


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
    from referee.desk.plans.player import Back
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
    from referee.desk.matches import away as matches_away
    from referee.desk.plans.player import Away
    from referee.errors import RefereeError

    one, two = matches_away.parse_day(first), matches_away.parse_day(last)
    if one is None or two is None:
        given = " ".join(dict.fromkeys((first, last)))
        raise RefereeError(f"{given}: write days like 2026-12-20 2027-01-03")
    return Away(player.id, one.isoformat(), two.isoformat())


def _list(who: str) -> None:
    from referee.cli.player import find_player
    from referee.desk.desk import opened_desk
    from referee.store.people import players

    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        player = find_player(connection, who)
        noted = players.away_of(connection, player.id)
    entries = [{"number": row.id, "from": row.first_day, "to": row.last_day} for row in noted]
    if not output.printed(entries):
        rows = [list(each.values()) for each in entries]
        output.print_table(("", "from", "to"), rows, f"{player.name} has noted no days away.")
