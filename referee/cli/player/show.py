"""``referee player list|show``: all players at a glance, or one and their matches."""

from __future__ import annotations

from referee.cli import options, output, session
from referee.desk.desk import opened_desk
from referee.desk.directory import require_player
from referee.desk.overview.players import describe_player, describe_players
from referee.desk.players import matches_of


def list_players() -> None:
    """List all players.

    Example: referee player list
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        listed = describe_players(connection)
    if output.printed(listed):
        return
    titles = ("player", "name", "addresses", "language", "zone", "format")
    rows = [
        [", ".join(row[title]) if title == "addresses" else row[title] for title in titles]
        for row in listed
    ]
    output.print_table(titles, rows, "There are no players.")


def show_player(who: options.Player) -> None:
    """Show a player and their matches.

    Example: referee player show alice@example.test
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        player = require_player(connection, who)
        document = describe_player(connection, player.id)
        rows = matches_of(connection, player.id, finished=True)
    output.result_fields({**document, "matches": [row.name for row in rows]})
