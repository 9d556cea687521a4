"""``referee player list``, and the fields of a player."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from referee.cli import output, session
from referee.desk.desk import opened_desk
from referee.store.people import players


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
