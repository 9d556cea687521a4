"""`referee player address|name|language|zone|format|digest …`: what a player could set by mail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import context, show
from referee.cli.options import Player, Why, Yes

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from referee.store.players import AddressRow, PlayerRow

Address = Annotated[str, typer.Argument(metavar="ADDRESS", help="A mail address.")]

addresses = typer.Typer(no_args_is_help=True, help="Add, remove and prefer addresses.")


@addresses.command("add")
def add_address(who: Player, address: Address) -> None:
    """Give a player one more address, confirmed by your word; his other addresses are told.

    Example: referee player address add alice@example.test alice@example.org
    """
    from referee.cli.player import described, find_player
    from referee.daemon import opened_desk
    from referee.desk.people import confirm_address

    with opened_desk(context.settings()) as desk, desk.store.writing() as connection:
        player = find_player(connection, who)
        added = confirm_address(desk, connection, player, address)
        document = described(connection, player.id)
    show.result(document, f"{player.name} may write from {added}; mail still goes where it went.")


@addresses.command("remove")
def remove_address(who: Player, address: Address) -> None:
    """Take an address from a player; one that works must remain.

    Example: referee player address remove alice@example.test alice@example.org
    """
    from referee.cli.player import described, find_player
    from referee.daemon import opened_desk
    from referee.errors import RefereeError
    from referee.store import players

    with opened_desk(context.settings()) as desk, desk.store.writing() as connection:
        player = find_player(connection, who)
        row = _address_of(connection, player, address)
        left = [each for each in players.addresses_of(connection, player.id) if each.id != row.id]
        confirmed = [each for each in left if each.state != "unconfirmed"]
        if row.state != "unconfirmed" and not confirmed:
            raise RefereeError(
                f"{row.address} is the only address of {player.name}: add another one first"
            )
        players.drop_address(connection, row.address)
        if row.preferred and confirmed:
            players.prefer(connection, player.id, confirmed[0].address)
        goes = players.address_for(connection, player.id)
        document = described(connection, player.id)
    show.result(document, f"{row.address} is no longer {player.name}'s; mail goes to {goes}.")


@addresses.command("prefer")
def prefer_address(who: Player, address: Address) -> None:
    """Send a player's mail to this one of his addresses.

    Example: referee player address prefer alice@example.test alice@example.org
    """
    from referee.cli.player import described, find_player
    from referee.daemon import opened_desk
    from referee.errors import RefereeError
    from referee.store import players

    with opened_desk(context.settings()) as desk, desk.store.writing() as connection:
        player = find_player(connection, who)
        row = _address_of(connection, player, address)
        if row.state == "unconfirmed":
            raise RefereeError(
                f"{row.address} is not confirmed yet: referee player address add confirms it"
            )
        players.prefer(connection, player.id, row.address)
        document = described(connection, player.id)
    show.result(document, f"{player.name}'s mail goes to {row.address}.")


def _address_of(connection: Connection, player: PlayerRow, address: str) -> AddressRow:
    """Return one of a player's addresses. Raises RefereeError, naming those he has."""
    from referee.errors import RefereeError
    from referee.store import players

    known = players.addresses_of(connection, player.id)
    for each in known:
        if each.address == address.strip().lower():
            return each
    listed = ", ".join(each.address for each in known)
    raise RefereeError(f"{address} is no address of {player.name}; he has {listed}")


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
    from referee.desk.mending.personal import Zone

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
    from referee.daemon import opened_desk
    from referee.desk import setting

    with opened_desk(context.settings()) as desk, desk.store.writing() as connection:
        player = find_player(connection, who)
        kept = setting.put(desk, connection, player, what, value)
        document = described(connection, player.id)
    show.result(document, f"{player.name}: {what} is {kept}.")
