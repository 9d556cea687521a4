"""Vacancies: the free seats of an open match, and who gets them."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from sqlalchemy import Connection

from referee.games.game import Seat
from referee.store.play import matches
from referee.store.tables.play import MatchRow, SeatRow
from referee.value import Value


class Seating(Value):
    """The agreement on how an open match is seated.

    ``drawn``: seats are drawn by lot; otherwise a player names one or gets the first free.
    ``players``: the number with which it begins; None: all seats. ``fill``: the bot that then takes
    the seats still free.
    """

    drawn: bool = False
    players: int | None = None
    fill: str | None = None


def seating_of(row: MatchRow) -> Seating | None:
    """Return a match's seating; None if its organiser seats everybody."""
    return None if row.seating is None else Seating(**row.seating)


def free_seats(connection: Connection, row: MatchRow) -> tuple[SeatRow, ...]:
    """Return the free seats of a match."""
    seats = matches.seats(connection, row.id)
    return tuple(seat for seat in seats if seat.holder == "nobody")


def players_wanted(connection: Connection, row: MatchRow) -> int:
    """Return how many players may still join a match."""
    seating = seating_of(row)
    if seating is None or row.state != "invited":
        return 0
    seats = matches.seats(connection, row.id)
    left = sum(seat.holder == "nobody" for seat in seats)
    if seating.players is None:
        return left
    joined = sum(seat.holder == "player" for seat in seats)
    return max(min(left, seating.players - joined), 0)


def open_matches(connection: Connection) -> tuple[MatchRow, ...]:
    """Return the matches players may join, in the order made."""
    rows = matches.select_matches(connection, "invited")
    return tuple(row for row in rows if players_wanted(connection, row))


def drawn_seat(seed: bytes, player_id: int, seats: Sequence[SeatRow]) -> Seat:
    """Return the seat a player draws: while it is free the same, after leaving and joining, too."""
    # By the seed, so that it cannot be chosen; by the player, so that it stays.
    return min(
        (seat.seat for seat in seats),
        key=lambda seat: hmac.digest(seed, f"seat\n{player_id}\n{seat}".encode(), hashlib.sha256),
    )


def is_complete(connection: Connection, row: MatchRow) -> bool:
    """Return whether a match has all its players, and all agreed."""
    seats = matches.seats(connection, row.id)
    agreed = all(seat.agreed == "yes" for seat in seats if seat.holder == "player")
    return agreed and not players_wanted(connection, row)


def take_seat(connection: Connection, row: MatchRow, seat: Seat, player_id: int) -> None:
    """Give a free seat to a player; joining is agreeing."""
    matches.set_holder(connection, row.id, seat, player_id=player_id)
    matches.change_seat(connection, row.id, seat, agreed="yes")


def free_seat(connection: Connection, row: MatchRow, seat: Seat) -> None:
    """Make a seat free again, without its holder's words for chance."""
    matches.set_holder(connection, row.id, seat)
    matches.change_seat(connection, row.id, seat, agreed="unasked")
    words = dict(matches.get_match(connection, row.id).words)
    words.pop(seat, None)
    matches.change_match(connection, row.id, words=words)


def fill_with_bots(connection: Connection, row: MatchRow) -> tuple[Seat, ...]:
    """Give free seats to the match's bot; return those still free."""
    seating, left = seating_of(row), free_seats(connection, row)
    if seating is None or seating.fill is None:
        return tuple(seat.seat for seat in left)
    for seat in left:
        matches.set_holder(connection, row.id, seat.seat, bot=seating.fill)
    return ()
