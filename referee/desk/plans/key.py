"""The OpenPGP key a player signs with: pinned, or forgotten.

It changes no match, and so needs no plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection

from referee.desk.desk import Change
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


@contextmanager
def orphans_removed(change: Change) -> Iterator[None]:
    """Remove the keys that the block leaves pinned by nobody.

    It must not be rolled back afterwards: the keyring would not follow. Raises RefereeError.
    """
    keyring = change.desk.keyring
    if keyring is None or not keyring.is_dir():
        yield
        return
    before = _pinned(change.connection)
    yield
    for each in before - _pinned(change.connection):
        openpgp.remove_key(keyring, each)


def _change(connection: Connection, player: PlayerRow, new: str | None, keyring: Path) -> None:
    old = player.pgp_fingerprint
    players.update_player(connection, player.id, pgp_fingerprint=new)
    # Two players may have pinned the same key.
    if old is not None and old not in _pinned(connection):
        openpgp.remove_key(keyring, old)


def _pinned(connection: Connection) -> set[str]:
    pinned = (each.pgp_fingerprint for each in players.all_players(connection))
    return {each for each in pinned if each is not None}
