"""``referee player key``: the OpenPGP keys of players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import Connection

from referee.cli import output, session
from referee.cli.files import content_of
from referee.cli.options import Player
from referee.cli.player.list_ import described
from referee.cli.player.show import find_player
from referee.desk.desk import opened_desk
from referee.errors import RefereeError
from referee.mail.proofs import openpgp
from referee.store.people import players
from referee.store.people.players import PlayerRow


def key(
    who: Player,
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The public key.")] = None,
    *,
    remove: Annotated[bool, typer.Option("--remove", help="Forget the player's key.")] = False,
) -> None:
    """Pin a player's OpenPGP key.

    With trust = "pgp" in referee.toml only letters with its signature are believed.

    Example: referee player key alice@example.test alice.asc
    """
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
    """Pin or forget a key, and return the sentence about it.

    A key that no player has any longer is removed from the keyring.
    """
    new = None if data is None else openpgp.import_key(keyring, data)
    old = player.pgp_fingerprint
    players.update(connection, player.id, pgp_fingerprint=new)
    if old is not None and old not in _pinned(connection):
        openpgp.remove_key(keyring, old)
    if new is None:
        return f"{player.name} has no key." if old is None else f"{player.name}'s key is forgotten."
    return f"{player.name} signs with {new}. Compare it with the fingerprint they read to you."


def _pinned(connection: Connection) -> set[str | None]:
    return {each.pgp_fingerprint for each in players.list_players(connection)}


def forget_key(connection: Connection, player: PlayerRow, keyring: Path) -> None:
    """Forget a player's key, if there is one."""
    if player.pgp_fingerprint is not None:
        _pin(connection, player, None, keyring)
