"""``referee player list``: all players at a glance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    rows = [[*(row[title] for title in titles), _remark(row)] for row in listed]
    output.print_table((*titles, "remark"), rows, "There are no players.")


def _remark(player: Mapping[str, Any]) -> list[str]:
    """Return the words for a player whose letters are unheard, or whom no mail reaches."""
    blocked = ["blocked"] if player["blocked"] else []
    return blocked if player["reached"] else [*blocked, "no mail reaches them"]
