"""``referee player list|show``: all players at a glance, and one with their matches."""

from __future__ import annotations

from referee.cli import options, output, session
from referee.desk.desk import opened_desk
from referee.desk.directory import require_player
from referee.desk.mails.settings import settings_of
from referee.desk.overview.players import describe_player, describe_players, describe_seats


def list_players() -> None:
    """List all players.

    Example: referee player list
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        listed = describe_players(connection)
    if output.printed(listed):
        return
    titles = ("player", "name", "addresses", "language", "zone", "format")
    rows = []
    for row in listed:
        remarks = ["blocked"] if row["blocked"] else []
        if not row["reached"]:
            remarks.append("no mail reaches them")
        rows.append([*(row[title] for title in titles), remarks])
    output.print_table((*titles, "remark"), rows, "There are no players.")


def show_player(who: options.PlayerName) -> None:
    """Show a player and their matches.

    Example: referee player show alice@example.test
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        player = require_player(connection, who)
        document = describe_player(connection, player.id)
        document |= describe_seats(connection, player)
    if not output.printed(document):
        # People read the words that set takes; the hour of a digest is among them.
        del document["digest_at"]
        output.print_fields(document | settings_of(player))
