"""``referee player …``: commands about one player, or all of them.

Adding and showing players is here, with the helpers of the other modules: ``settings`` for what
players could set by mail, ``person`` for what only an organiser may do, ``key`` for OpenPGP keys.
Whatever changes a running match is an act of the desk, printed as a plan first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer
from sqlalchemy import Connection

from referee.cli import options, output, session
from referee.cli.plan import decide
from referee.desk.desk import opened_desk
from referee.desk.names import no_player
from referee.desk.plans.act import Wide
from referee.desk.players import add_player, matches_of
from referee.errors import RefereeError
from referee.store.people import players
from referee.store.people.players import PlayerRow
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
    format: Annotated[MailFormat, typer.Option(help="The parts of their mails.")] = "both",
) -> None:
    """Add a player.

    Players named in match new are added automatically.

    Example: referee player add alice@example.test --name Alice --language en
    """
    with opened_desk(session.settings()) as desk, desk.store.writing() as connection:
        player = add_player(
            desk, connection, address, name=name, language=language, zone=zone, format=format
        )
        document = described(connection, player.id)
    output.result(document, f"{player.name} is player {player.id}.")


def list_players() -> None:
    """List all players.

    Example: referee player list
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        listed = [described(connection, each.id) for each in players.list_players(connection)]
    if output.printed(listed):
        return
    titles = ("player", "name", "addresses", "language", "zone", "format")
    rows = [
        (each["player"], each["name"], ", ".join(each["addresses"]), *list(each.values())[3:6])
        for each in listed
    ]
    output.print_table(titles, rows, "There are no players.")


def show_player(who: options.Player) -> None:
    """Show a player and their matches.

    Example: referee player show alice@example.test
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        player = find_player(connection, who)
        document = described(connection, player.id)
        rows = matches_of(connection, player.id, finished=True)
        document["matches"] = [row.name for row in rows]
    output.result_fields(document)


def find_player(connection: Connection, who: str) -> PlayerRow:
    """Return the player of an address or a number. Raises RefereeError."""
    found = None
    if who.isdecimal():
        found = next((p for p in players.list_players(connection) if p.id == int(who)), None)
    else:
        found = players.by_address(connection, who.lower())
    if found is None:
        raise RefereeError(no_player(connection, who))
    return found


def described(connection: Connection, number: int) -> dict[str, Any]:
    """Return the fields of a player that are shown."""
    player = players.by_id(connection, number)
    return {
        "player": player.id,
        "name": player.name,
        "addresses": [each.address for each in players.addresses_of(connection, player.id)],
        "language": player.language,
        "zone": player.zone,
        "format": player.format,
        "digest": player.digest,
        "blocked": player.blocked,
        "key": player.pgp_fingerprint,
    }


def decide_of(who: str, act: Callable[[PlayerRow], Wide], why: str, *, yes: bool) -> None:
    """Plan an act on a player, or carry it out with ``yes``."""
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        player = find_player(connection, who)
    decide(act(player), why, yes=yes)
