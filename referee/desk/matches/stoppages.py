"""Whose clock stands because a letter of his could not be handled and lies with the organiser."""

from __future__ import annotations

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.desk.matches import clock
from referee.store import notes
from referee.store.people import players
from referee.store.play.matches import MatchRow


def stop_clocks(desk: Desk, connection: Connection, player_id: int) -> None:
    """Let a player's clocks stand: what he wrote is with the organiser, which is not his fault."""
    _keep(connection, _locked(connection) | {player_id})
    for row in clock.rows_of(connection, player_id):
        clock.stop(desk, connection, row, clock.ASIDE)


def go_on(desk: Desk, connection: Connection, player_id: int) -> None:
    """Let a player's clocks go on: a letter of his was handled, or the organiser dropped it."""
    if player_id not in _known(connection):
        return
    _keep(connection, _locked(connection) - {player_id})
    for row in clock.rows_of(connection, player_id):
        clock.go_on(desk, connection, row, clock.ASIDE)


def go_on_for(desk: Desk, connection: Connection, sender: str | None) -> None:
    """Let the clocks of the player of an address go on, if it is one's."""
    player = players.by_address(connection, sender) if sender else None
    if player is not None:
        go_on(desk, connection, player.id)


def pass_on(desk: Desk, connection: Connection, row: MatchRow, player_id: int | None) -> None:
    """Let the clock of a seat to act that has changed hands stand, or run, for its new holder."""
    waits = player_id in _known(connection)
    change = clock.stop if waits else clock.go_on
    change(desk, connection, row, clock.ASIDE)


def _known(connection: Connection) -> frozenset[int]:
    return notes.WAITED_FOR.read(connection) or frozenset()


def _locked(connection: Connection) -> frozenset[int]:
    return notes.WAITED_FOR.lock(connection) or frozenset()


def _keep(connection: Connection, known: frozenset[int]) -> None:
    if known:
        notes.WAITED_FOR.write(connection, known)
    else:
        notes.WAITED_FOR.remove(connection)
