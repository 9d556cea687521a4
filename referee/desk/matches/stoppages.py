"""Stoppages of clocks: a letter in quarantine, a player whom no mail reaches."""

from __future__ import annotations

import json

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.desk.matches import clock
from referee.desk.matches.clock import UNREACHABLE, out_of_reach, rows_of, stands, stop
from referee.desk.matches.clock import go_on as go_on_
from referee.games.play import canonical_json
from referee.store import notes
from referee.store.people import players
from referee.store.play import matches
from referee.store.play.matches import MatchRow

KEY = "waited_for"
"""The note of the players whose clocks stand for it, by number."""


def stop_clocks(desk: Desk, connection: Connection, player_id: int) -> None:
    """Stop a player's clocks, because a letter waits for the organiser.

    The delay is not the player's fault.
    """
    _keep(connection, _read(notes.locked(connection, KEY)) | {player_id})
    for row in clock.rows_of(connection, player_id):
        clock.stop(desk, connection, row, clock.ASIDE)


def go_on(desk: Desk, connection: Connection, player_id: int) -> None:
    """Let a player's clocks go on: the letter was handled or dropped."""
    # Nearly always so, and found without a lock.
    if player_id not in _read(notes.value(connection, KEY)):
        return
    _keep(connection, _read(notes.locked(connection, KEY)) - {player_id})
    for row in clock.rows_of(connection, player_id):
        clock.go_on(desk, connection, row, clock.ASIDE)


def go_on_for(desk: Desk, connection: Connection, sender: str | None) -> None:
    """Let the clocks of an address's player go on, if known."""
    player = players.by_address(connection, sender) if sender else None
    if player is not None:
        go_on(desk, connection, player.id)


def pass_on(desk: Desk, connection: Connection, row: MatchRow, player_id: int | None) -> None:
    """Let a handed-over seat's clock follow its new holder.

    It stands if a letter of theirs lies aside, and runs otherwise.
    """
    waits = player_id in _read(notes.value(connection, KEY))
    change = clock.stop if waits else clock.go_on
    change(desk, connection, row, clock.ASIDE)


def _read(text: str | None) -> frozenset[int]:
    return frozenset(json.loads(text)) if text else frozenset()


def _keep(connection: Connection, known: frozenset[int]) -> None:
    if known:
        notes.put(connection, KEY, canonical_json(sorted(known)))
    else:
        notes.remove(connection, KEY)


def settle_reach(desk: Desk, connection: Connection, player_id: int) -> list[MatchRow]:
    """Stop or start a player's clocks as mail reaches them or not.

    Return the matches whose clocks stopped for it.
    """
    stopped = []
    for row in rows_of(connection, player_id):
        seat = matches.seat(connection, row.id, row.to_act or "")
        if not out_of_reach(connection, row, seat):
            go_on_(desk, connection, row, UNREACHABLE)
        elif not stands(row, UNREACHABLE):
            stop(desk, connection, row, UNREACHABLE)
            stopped.append(row)
    return stopped
