"""Arrangements: stand-ins of a match, present or to come, in words."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from referee.games.game import Seat
from referee.store.people import players
from referee.store.play import standins
from referee.store.tables.play import MatchRow, StandInRow
from referee.value import Value


class Arranged(Value):
    """A stand-in, present or to come, in days of the player's zone."""

    seat: Seat
    who: str
    owner: str
    first: str
    last: str
    sits: bool

    def __str__(self) -> str:
        verb = "sits" if self.sits else "will sit"
        return f"{self.who} {verb} for {self.owner} as {self.seat}, {self.first} to {self.last}"


def arranged(connection: Connection, row: MatchRow, player_id: int | None = None) -> list[Arranged]:
    """Return the stand-ins of a match, the earliest first; those by or for a player, if given."""
    return [
        _arranged(connection, stand_in)
        for stand_in in standins.stand_ins(connection, row.id)
        if player_id in {None, stand_in.player_id, stand_in.owner_id}
    ]


def cut_short(connection: Connection, row: MatchRow, now: datetime) -> list[Arranged]:
    """Return each seat's last stand-in that ended before its days."""
    latest = {stand_in.seat: stand_in for stand_in in standins.all_stand_ins(connection, row.id)}
    return [
        _arranged(connection, stand_in)
        for stand_in in latest.values()
        if stand_in.state == "over" and stand_in.ends > now
    ]


def _arranged(connection: Connection, stand_in: StandInRow) -> Arranged:
    days, player = stand_in.details, stand_in.player_id
    return Arranged(
        stand_in.seat,
        players.get_player(connection, player).name if player else f"bot {stand_in.bot}",
        players.get_player(connection, stand_in.owner_id).name,
        days["first"],
        days["last"],
        stand_in.state == "sitting",
    )
