"""Whose clock stands because a letter of his could not be handled and lies with the organiser."""

from __future__ import annotations

import json

from sqlalchemy import Connection

from referee.desk import timing
from referee.desk.desk import Desk
from referee.games.play import canonical_json
from referee.store import players, status
from referee.store.matches import MatchRow

KEY = "waited_for"
"""Under this key stand the numbers of the players whose clocks stand for it."""


def stop_clocks(desk: Desk, connection: Connection, player_id: int) -> None:
    """Let a player's clocks stand: what he wrote is with the organiser, which is not his fault."""
    _keep(connection, _read(status.locked(connection, KEY)) | {player_id})
    for row in timing.rows_of(connection, player_id):
        timing.stop(desk, connection, row, timing.ASIDE)


def go_on(desk: Desk, connection: Connection, player_id: int) -> None:
    """Let a player's clocks go on: a letter of his was handled, or the organiser dropped it."""
    if player_id not in _read(status.value(connection, KEY)):
        return
    _keep(connection, _read(status.locked(connection, KEY)) - {player_id})
    for row in timing.rows_of(connection, player_id):
        timing.go_on(desk, connection, row, timing.ASIDE)


def go_on_for(desk: Desk, connection: Connection, sender: str | None) -> None:
    """Let the clocks of the player of an address go on, if it is one's."""
    player = players.by_address(connection, sender) if sender else None
    if player is not None:
        go_on(desk, connection, player.id)


def pass_on(desk: Desk, connection: Connection, row: MatchRow, player_id: int | None) -> None:
    """Let the clock of a seat to act that has changed hands stand, or run, for its new holder."""
    waits = player_id in _read(status.value(connection, KEY))
    change = timing.stop if waits else timing.go_on
    change(desk, connection, row, timing.ASIDE)


def _read(text: str | None) -> frozenset[int]:
    return frozenset(json.loads(text)) if text else frozenset()


def _keep(connection: Connection, known: frozenset[int]) -> None:
    if known:
        status.put(connection, KEY, canonical_json(sorted(known)))
    else:
        status.remove(connection, KEY)
