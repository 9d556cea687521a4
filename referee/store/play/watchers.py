"""Spectators of matches, and how far each has been told."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Executable, delete, select, update

from referee.store import tables as t
from referee.store.database import query
from referee.store.play.matches import keep_told_position
from referee.store.tables.play import WatcherRow

_w: Final = t.watchers.c
_watchers: Final = select(*query.row_columns(WatcherRow, t.watchers))


def add_watcher(connection: Connection, match_id: int, player_id: int, now: datetime) -> None:
    """Let a player watch a match, unless they do already."""
    row = {"match_id": match_id, "player_id": player_id, "created": now}
    query.insert_or_skip(connection, t.watchers, row)


@query.done
def drop_watcher(match_id: int, player_id: int) -> Executable:
    """Stop a player watching."""
    return delete(t.watchers).where(_w.match_id == match_id, _w.player_id == player_id)


@query.every(WatcherRow)
def watchers_of(match_id: int) -> Executable:
    """Return the spectators of a match."""
    return _watchers.where(_w.match_id == match_id).order_by(_w.player_id)


@query.every(WatcherRow)
def watched_by(player_id: int) -> Executable:
    """Return the matches a player watches, with how far they were told."""
    return _watchers.where(_w.player_id == player_id).order_by(_w.match_id)


def set_watcher_told(
    connection: Connection, match_id: int, player_id: int, seq: int, turn: int
) -> None:
    """Record up to which event and turn a spectator has been told."""
    keep_told_position(connection, match_id, seq)
    one = update(t.watchers).where(_w.match_id == match_id, _w.player_id == player_id)
    connection.execute(one.values(reported_seq=seq, reported_turn=turn))
