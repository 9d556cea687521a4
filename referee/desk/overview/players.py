"""Players: their settings, addresses and days away."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection

from referee.desk.players import matches_of
from referee.desk.seats.arrangements import arranged
from referee.store.people import players
from referee.store.play import matches, standins
from referee.store.tables.people import PlayerRow

_SETTINGS: Final = (
    "language", "zone", "format", "digest", "digest_at", "subjects", "mails", "reminders", "quiet",
    "grace", "talk",
)  # fmt: skip
"""Settings that are shown as they are kept."""


def describe_players(connection: Connection) -> list[dict[str, Any]]:
    """Return all players, as they were added."""
    return [describe_player(connection, number) for number in players.read_players(connection)]


def describe_player(connection: Connection, number: int) -> dict[str, Any]:
    """Return a player's settings and addresses, as they are now."""
    player = players.get_player(connection, number)
    addresses = players.addresses_of(connection, player.id)
    return {
        "player": player.id,
        "name": player.name,
        "addresses": [row.address for row in addresses],
        "failing": [
            f"{row.address} ({row.reason})" if row.reason else row.address
            for row in addresses
            if row.state == "failing"
        ],
        "reached": not addresses or any(row.state == "ok" for row in addresses),
        **{name: getattr(player, name) for name in _SETTINGS},
        "composer": not player.no_composer,
        "blocked": player.blocked,
    }


def describe_seats(connection: Connection, player: PlayerRow) -> dict[str, list[str]]:
    """Return a player's matches by name, and the stand-ins that take them a seat or give one."""
    held = matches_of(connection, player.id, finished=True)
    lent = {number for number, _ in standins.seats_arranged_with(connection, player.id)}
    others = sorted(lent - {row.id for row in held})
    rows = [*held, *(matches.get_match(connection, number) for number in others)]
    return {
        "matches": [row.name for row in rows],
        "stand_ins": [
            f"{row.name}: {arrangement}"
            for row in rows
            for arrangement in arranged(connection, row, player.id)
        ],
    }


def describe_away(connection: Connection, player: PlayerRow) -> list[dict[str, Any]]:
    """Return the days away that a player has noted."""
    noted = players.away_of(connection, player.id)
    return [{"number": row.id, "from": row.first_day, "to": row.last_day} for row in noted]
