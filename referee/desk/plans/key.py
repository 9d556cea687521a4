"""The OpenPGP key a player signs with: pinned, or forgotten.

It changes no match, and so needs no plan.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

from referee.mail.proofs import openpgp
from referee.store.people import players
from referee.store.people.players import PlayerRow


def pin_key(connection: Connection, player: PlayerRow, data: bytes, keyring: Path) -> str:
    """Pin a player's key in place of any other; return its fingerprint.

    Raises RefereeError.
    """
    new = openpgp.import_key(keyring, data)
    _change(connection, player, new, keyring)
    return new


def forget_key(connection: Connection, player: PlayerRow, keyring: Path) -> bool:
    """Forget a player's key; return whether there was one."""
    if player.pgp_fingerprint is not None:
        _change(connection, player, None, keyring)
    return player.pgp_fingerprint is not None


def _change(connection: Connection, player: PlayerRow, new: str | None, keyring: Path) -> None:
    old = player.pgp_fingerprint
    players.update_player(connection, player.id, pgp_fingerprint=new)
    pinned = {each.pgp_fingerprint for each in players.all_players(connection)}
    # Two players may have pinned the same key.
    if old is not None and old not in pinned:
        openpgp.remove_key(keyring, old)
