"""`referee player address|name|language|zone|format|digest …`: what a player could set by mail."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli import context, show
from referee.cli.options import Player, Why, Yes

Address = Annotated[str, typer.Argument(metavar="ADDRESS", help="A mail address.")]

addresses = typer.Typer(no_args_is_help=True, help="Add, remove and prefer addresses.")


@addresses.command("add")
def add_address(who: Player, address: Address, *, why: Why = "", yes: Yes = False) -> None:
    """Give a player one more address, confirmed by your word; his other addresses are told.

    If his clock stands in a match because no mail reached him, it is first a plan.

    Example: referee player address add alice@example.test alice@example.org
    """
    from referee.cli.player import decide_of
    from referee.desk.mending.addresses import AddAddress

    decide_of(who, lambda player: AddAddress(player.id, address), why, yes=yes)


@addresses.command("remove")
def remove_address(who: Player, address: Address, *, why: Why = "", yes: Yes = False) -> None:
    """Take an address from a player, who is told; one that is confirmed must remain.

    If no mail reaches him then, so that his clock stands in a match, it is first a plan.

    Example: referee player address remove alice@example.test alice@example.org
    """
    from referee.cli.player import decide_of
    from referee.desk.mending.addresses import RemoveAddress

    decide_of(who, lambda player: RemoveAddress(player.id, address), why, yes=yes)


@addresses.command("prefer")
def prefer_address(who: Player, address: Address) -> None:
    """Send a player's mail to this one of his addresses.

    Example: referee player address prefer alice@example.test alice@example.org
    """
    from referee.cli.player import described, find_player
    from referee.desk.desk import opened_desk
    from referee.desk.mending.addresses import address_of
    from referee.errors import RefereeError
    from referee.store import players

    with opened_desk(context.settings()) as desk, desk.store.writing() as connection:
        player = find_player(connection, who)
        row = address_of(connection, player, address)
        if row.state == "unconfirmed":
            raise RefereeError(
                f"{row.address} is not confirmed yet: referee player address add confirms it"
            )
        players.prefer(connection, player.id, row.address)
        document = described(connection, player.id)
    show.result(document, f"{player.name}'s mail goes to {row.address}.")


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
    from referee.desk import setting
    from referee.desk.desk import opened_desk

    with opened_desk(context.settings()) as desk, desk.store.writing() as connection:
        player = find_player(connection, who)
        kept = setting.put(desk, connection, player, what, value)
        document = described(connection, player.id)
    show.result(document, f"{player.name}: {what} is {kept}.")
