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
    if "@" not in who and not who.isdecimal():
        return _no_address(connection, who)
    known = [
        each.address
        for row in players.list_players(connection)
        for each in players.addresses_of(connection, row.id)
    ]
    return f"there is no player {who}{did_you_mean(who, known) or ': see referee player list'}"


def _no_address(connection: Connection, who: str) -> str:
    """Return that players are not found by what is no address, with whom it may mean."""
    called = [
        each.address
        for row in players.list_players(connection)
        if row.name.casefold() == who.strip().casefold()
        for each in players.addresses_of(connection, row.id)
    ]
    meant = f"such as {', '.join(called)}" if called else "see referee player list"
    return f"{who!r} is no player: name him by an address or his number, {meant}"
