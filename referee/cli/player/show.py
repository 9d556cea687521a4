"""``referee player show``, and the player that an argument names."""

from __future__ import annotations

from sqlalchemy import Connection

from referee.cli import options, output, session
from referee.cli.player.list_ import described
from referee.desk.desk import opened_desk
from referee.desk.names import no_player
from referee.desk.players import matches_of
from referee.errors import RefereeError
from referee.store.people import players
from referee.store.people.players import PlayerRow


def show_player(who: options.Player) -> None:
    """Show a player and their matches.

    Example: referee player show alice@example.test
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        player = find_player(connection, who)
        document = described(connection, player.id)
        rows = matches_of(connection, player.id, finished=True)
        document["matches"] = [row.name for row in rows]
    output.result_fields(document)


def find_player(connection: Connection, who: str) -> PlayerRow:
    """Return the player of an address or a number. Raises RefereeError."""
    found = None
    if who.isdecimal():
        found = next((p for p in players.list_players(connection) if p.id == int(who)), None)
    else:
        found = players.by_address(connection, who.lower())
    if found is None:
        raise RefereeError(no_player(connection, who))
    return found
