"""`referee player …`: add, list and show players, and pin their keys."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli import output, session
from referee.cli.options import Player
from referee.cli.player import person
from referee.cli.player import settings as player_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from referee.desk.plans.act import Wide
    from referee.store.people.players import PlayerRow


app = typer.Typer()

app.command("away")(player_settings.away)

app.add_typer(player_settings.addresses, name="address")

for _name, _command in (
    ("name", player_settings.name),
    ("language", player_settings.language),
    ("zone", player_settings.zone),
    ("format", player_settings.format_),
    ("digest", player_settings.digest),
    ("block", person.block),
    ("unblock", person.unblock),
    ("merge", person.merge),
    ("export", person.export),
    ("erase", person.erase),
):
    app.command(_name)(_command)


@app.command()
def add(
    address: Annotated[str, typer.Argument(help="A mail address.")],
    *,
    name: Annotated[str | None, typer.Option(help="The name others see.")] = None,
    language: Annotated[str | None, typer.Option(help="en or de.")] = None,
    zone: Annotated[str | None, typer.Option(help="A time zone, such as Europe/Berlin.")] = None,
    format: Annotated[str, typer.Option(help="both, text or html.")] = "both",
) -> None:
    """Add a player; players named in ``match new`` are added by themselves.

    Example: referee player add alice@example.test --name Alice --language en
    """
    from referee.desk.desk import opened_desk
    from referee.desk.players import add_player

    with opened_desk(session.settings()) as desk, desk.store.writing() as connection:
        player = add_player(
            desk, connection, address, name=name, language=language, zone=zone, format=format
        )
        document = described(connection, player.id)
    output.result(document, f"{player.name} is player {player.id}.")


@app.command("list")
def list_players() -> None:
    """List all players.

    Example: referee player list
    """
    from referee.desk.desk import opened_desk
    from referee.store.people import players

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


@app.command("show")
def show_player(
    who: Player,
) -> None:
    """Show a player and the matches he sits in.

    Example: referee player show alice@example.test
    """
    from referee.desk.desk import opened_desk
    from referee.desk.players import matches_of

    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        player = find_player(connection, who)
        document = described(connection, player.id)
        rows = matches_of(connection, player.id, finished=True)
        document["matches"] = [row.name for row in rows]
    if not output.printed(document):
        output.print_fields(document)


@app.command()
def key(
    who: Player,
    file: Annotated[Path | None, typer.Argument(help="The public key, armoured or not.")] = None,
    *,
    remove: Annotated[bool, typer.Option("--remove", help="Forget the player's key.")] = False,
) -> None:
    """Pin a player's OpenPGP key: with ``trust = "pgp"`` he is believed with its signature only.

    Example: referee player key alice@example.test alice.asc
    """
    from referee.cli.files import content_of
    from referee.desk.desk import opened_desk
    from referee.errors import RefereeError

    if (file is None) is not remove:
        raise RefereeError("name the file with the public key, or --remove")
    settings = session.settings()
    data = None if file is None else content_of(file)
    with opened_desk(settings) as desk, desk.store.writing() as connection:
        player = find_player(connection, who)
        said = _pin(connection, player, data, settings.keyring)
        document = described(connection, player.id)
    output.result(document, said)


def _pin(connection: Connection, player: PlayerRow, data: bytes | None, keyring: Path) -> str:
    """Pin or forget a key; one that nobody else has either leaves the keyring."""
    from referee.mail.proofs import openpgp
    from referee.store.people import players

    new = None if data is None else openpgp.import_key(keyring, data)
    old = player.pgp_fingerprint
    players.update(connection, player.id, pgp_fingerprint=new)
    if old is not None and old not in _pinned(connection):
        openpgp.remove_key(keyring, old)
    if new is None:
        return f"{player.name} has no key." if old is None else f"{player.name}'s key is forgotten."
    return f"{player.name} signs with {new}. Compare it with what he reads to you."


def _pinned(connection: Connection) -> set[str | None]:
    from referee.store.people import players

    return {each.pgp_fingerprint for each in players.list_players(connection)}


def forget_key(connection: Connection, player: PlayerRow, keyring: Path) -> None:
    """Forget a player's key, if he has one."""
    if player.pgp_fingerprint is not None:
        _pin(connection, player, None, keyring)


def find_player(connection: Connection, who: str) -> PlayerRow:
    """Return the player of an address or a number. Raises RefereeError."""
    from referee.desk.names import no_player
    from referee.errors import RefereeError
    from referee.store.people import players

    found = None
    if who.isdecimal():
        found = next((p for p in players.list_players(connection) if p.id == int(who)), None)
    else:
        found = players.by_address(connection, who.lower())
    if found is None:
        raise RefereeError(no_player(connection, who))
    return found


def described(connection: Connection, number: int) -> dict[str, Any]:
    """Return what is known of a player, as it is shown."""
    from referee.store.people import players

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
    """Plan or do what hangs on a player, as it is decided of a match."""
    from referee.cli.plan import decide
    from referee.desk.desk import opened_desk

    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        player = find_player(connection, who)
    decide(act(player), why, yes=yes)
