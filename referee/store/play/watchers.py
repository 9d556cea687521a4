"""Spectators of matches, and how far each has been told."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, delete, select, update

from referee.store import tables as t
from referee.store.database.rows import all_rows, row_columns
from referee.store.database.upsert import dialect_of, insert_or_skip
from referee.store.play.seats import keep_told_position
from referee.value import Value


class WatcherRow(Value):
    """A spectator of a match, and how far their reports tell."""

    match_id: int
    player_id: int
    created: datetime
    reported_seq: int
    reported_turn: int


_w: Final = t.watchers.c

_watchers: Final = select(*row_columns(WatcherRow, t.watchers))

_OF_MATCH: Final = _watchers.where(_w.match_id == bindparam("match")).order_by(_w.player_id)

_OF_PLAYER: Final = _watchers.where(_w.player_id == bindparam("player")).order_by(_w.match_id)

_one: Final = (_w.match_id == bindparam("match")) & (_w.player_id == bindparam("player"))

_DROP: Final = delete(t.watchers).where(_one)

_TOLD: Final = update(t.watchers).where(_one)


def add_watcher(connection: Connection, match_id: int, player_id: int, now: datetime) -> bool:
    """Let a player watch a match; return False if they do already."""
    statement = insert_or_skip(dialect_of(connection), t.watchers, "match_id")
    row = {"match_id": match_id, "player_id": player_id, "created": now}
    return connection.execute(statement, row).first() is not None


def drop_watcher(connection: Connection, match_id: int, player_id: int) -> bool:
    """Stop a player watching; return False if they did not."""
    which = {"match": match_id, "player": player_id}
    return connection.execute(_DROP, which).rowcount == 1


def watchers_of(connection: Connection, match_id: int) -> tuple[WatcherRow, ...]:
    """Return the spectators of a match."""
    return all_rows(WatcherRow, connection.execute(_OF_MATCH, {"match": match_id}))


def watched_by(connection: Connection, player_id: int) -> tuple[WatcherRow, ...]:
    """Return the matches a player watches, with how far they were told."""
    return all_rows(WatcherRow, connection.execute(_OF_PLAYER, {"player": player_id}))


def set_watcher_told(
    connection: Connection, match_id: int, player_id: int, seq: int, turn: int
) -> None:
    """Record up to which event and turn a spectator has been told."""
    keep_told_position(connection, match_id, seq)
    which = {"match": match_id, "player": player_id}
    connection.execute(_TOLD, {**which, "reported_seq": seq, "reported_turn": turn})
