"""``referee player key``: the OpenPGP keys of players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import output, session
from referee.cli.options import Player, content_of
from referee.desk.desk import opened_desk
from referee.desk.directory import require_player
from referee.desk.overview.players import describe_player
from referee.desk.plans.key import forget_key, pin_key
from referee.errors import RefereeError


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
        player = require_player(connection, who)
        if data is None:
            known = forget_key(connection, player, settings.keyring)
            said = f"{player.name}'s key is forgotten." if known else f"{player.name} has no key."
        else:
            new = pin_key(connection, player, data, settings.keyring)
            compare = "Compare it with the fingerprint they read to you."
            said = f"{player.name} signs with {new}. {compare}"
        document = describe_player(connection, player.id)
    output.result(document, said)
