"""The reasons of acts on matches: a hash in the log, the text beside.

So a text can be erased, and the log still proves that it was given.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.games.game import Seat
from referee.store.play import messages
from referee.store.tables.play import MatchRow

NONCE_BYTES: Final = 16
"""Random bytes before a text, so that its hash cannot be guessed."""


def keep_text(
    change: Change,
    row: MatchRow,
    text: str,
    *,
    seat: Seat | None = None,
    player: int | None = None,
    recipients: Iterable[Seat] = (),
) -> str:
    """Keep a text about a match and return its hash.

    That is the SHA-256 of a nonce, a line feed and the text. ``player`` wrote it for ``seat``,
    None: the organiser; ``recipients`` are the readers of a message.
    """
    kept = f"{secrets.token_hex(NONCE_BYTES)}\n{text}"
    digest = sha256(kept.encode()).hexdigest()
    messages.add_message(
        change.connection,
        row.id,
        seat=seat,
        player_id=player,
        recipients=tuple(recipients),
        hash=digest,
        text=kept,
        created=change.desk.now(),
    )
    return digest


def find_text(
    connection: Connection, row: MatchRow, digest: str, writer: int | None = None
) -> str | None:
    """Return the text under a hash; None if erased or unknown, or not by ``writer`` if given."""
    message = messages.find_message(connection, row.id, digest)
    if message is None or message.text is None or writer not in {None, message.player_id}:
        return None
    return message.text.partition("\n")[2]
