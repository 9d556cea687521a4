"""What an organiser is told who names a match or a player that there is not."""

from __future__ import annotations

from sqlalchemy import Connection

from referee.near import did_you_mean
from referee.store import matches, players


def no_match(connection: Connection, name: str) -> str:
    """Return that there is no match of a name, with the nearest that there are."""
    near = did_you_mean(name, (row.name for row in matches.list_matches(connection)))
    return f"there is no match {name}{near or ': see referee match list'}"


def no_player(connection: Connection, who: str) -> str:
    """Return that there is no player of an address or number, with the nearest that there are."""
    known = [
        each.address
        for row in players.list_players(connection)
        for each in players.addresses_of(connection, row.id)
    ]
    return f"there is no player {who}{did_you_mean(who, known) or ': see referee player list'}"
