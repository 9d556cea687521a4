"""``referee player add``: new players."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli import options, output, session
from referee.desk.desk import opened_desk
from referee.desk.overview.players import describe_player
from referee.desk.players import add_player
from referee.store.states import MailFormat


def add(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="A mail address.")],
    *,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The name others see.")] = None,
    language: Annotated[
        options.Language | None, typer.Option(help="The language of their mails.")
    ] = None,
    zone: Annotated[
        str | None, typer.Option(metavar="ZONE", help="A time zone, such as Europe/Berlin.")
    ] = None,
    format: Annotated[MailFormat, typer.Option(help="The form of their mails.")] = "html",
) -> None:
    """Add a player.

    Players named in match new are added automatically.

    Example: referee player add alice@example.test --name Alice --language en
    """
    with opened_desk(session.settings()) as desk, desk.writing() as change:
        player = add_player(change, address, name=name, language=language, zone=zone, format=format)
        document = describe_player(change.connection, player.id)
    output.result(document, f"{player.name} is player {player.id}.")
