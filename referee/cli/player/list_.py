"""``referee player list``: all players at a glance."""

from __future__ import annotations

from referee.cli import output, session
from referee.desk.desk import opened_desk
from referee.desk.overview.players import describe_players


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
