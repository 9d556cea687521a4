"""The seats of a match: their holders, and how far each has been told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, Executable, bindparam, delete, insert, select, union_all, update

from referee.store import tables as t
from referee.store.database.query import cached, done, every, mapping, row_columns, value
from referee.store.states import Agreed, Holder
from referee.store.tables.play import SeatRow

_s: Final = t.seats.c

_told: Final = t.told_positions.c

_seats: Final = select(*row_columns(SeatRow, t.seats))

_UPDATE: Final = update(t.seats).where(
    _s.match_id == bindparam("match"), _s.seat == bindparam("colour")
)


def add_seat(
    connection: Connection,
    match_id: int,
    seat: str,
    number: int,
    *,
    holder: Holder,
    player_id: int | None = None,
    bot: str | None = None,
    agreed: Agreed = "unasked",
) -> None:
    """Add a seat to a match; ``number`` is its place in turn order, from nought."""
    row = {"match_id": match_id, "seat": seat, "number": number, "agreed": agreed}
    row |= {"holder": holder, "player_id": player_id, "bot": bot}
    connection.execute(insert(t.seats), row)


@cached(t.seats)
@every(SeatRow)
def seats(match_id: int) -> Executable:
    """Return the seats of a match in turn order."""
    return _seats.where(_s.match_id == match_id).order_by(_s.number)


def find_seat(connection: Connection, match_id: int, seat: str) -> SeatRow | None:
    """Return one seat of a match."""
    return next((row for row in seats(connection, match_id) if row.seat == seat), None)


def seats_of_player(
    connection: Connection, player_id: int, match_id: int | None = None
) -> tuple[SeatRow, ...]:
    """Return the seats a player holds, in all matches or in one."""
    if match_id is None:
        return _held_by(connection, player_id)
    return tuple(row for row in seats(connection, match_id) if row.player_id == player_id)


@every(SeatRow)
def _held_by(player_id: int) -> Executable:
    held = _seats.where(_s.player_id == player_id)
    return held.order_by(_s.match_id, _s.number)


def set_holder(
    connection: Connection,
    match_id: int,
    seat: str,
    *,
    holder: Holder,
    player_id: int | None = None,
    bot: str | None = None,
) -> None:
    """Give a seat to a player, a bot or nobody; start a thread."""
    # A new thread, so that the new holder's mails do not answer mails they never got.
    row = {"holder": holder, "player_id": player_id, "bot": bot, "thread_id": None}
    # Counted in the same statement: a code of the holder before no longer counts from now on.
    hand_on = _UPDATE.values(handed_on=_s.handed_on + 1)
    connection.execute(hand_on, {"match": match_id, "colour": seat, **row})


def add_seat_holder(connection: Connection, match_id: int, seq: int, player_id: int) -> None:
    """Record the player an event gives a seat to; events name no persons."""
    row = {"match_id": match_id, "seq": seq, "player_id": player_id}
    connection.execute(insert(t.seat_holders), row)


@mapping
def seat_holders(match_id: int) -> Executable:
    """Return the players given a seat, by the number of the event."""
    given = t.seat_holders.c
    return select(given.seq, given.player_id).where(given.match_id == match_id)


def set_agreed(connection: Connection, match_id: int, seat: str, agreed: Agreed) -> None:
    """Note whether a seat has agreed to play: unasked, yes or no."""
    _set(connection, match_id, seat, agreed=agreed)


def set_thread(connection: Connection, match_id: int, seat: str, message_id: str) -> None:
    """Note the Message-ID every mail to a seat leads back to."""
    _set(connection, match_id, seat, thread_id=message_id)


def set_reported(connection: Connection, match_id: int, seat: str, seq: int, turn: int) -> None:
    """Note up to which event and turn a seat's reports tell."""
    keep_told_position(connection, match_id, seq)
    _set(connection, match_id, seat, reported_seq=seq, reported_turn=turn)


def set_all_reported(
    connection: Connection, match_id: int, seats: Iterable[str], seq: int, turn: int
) -> None:
    """Note up to which event and turn the reports of seats tell."""
    keep_told_position(connection, match_id, seq)
    told = {"match": match_id, "reported_seq": seq, "reported_turn": turn}
    connection.execute(_UPDATE, [{**told, "colour": seat} for seat in seats])


def keep_told_position(connection: Connection, match_id: int, seq: int) -> None:
    """Keep a match's position, if it still stands at an event, as its readers are told of it.

    Called before a mark moves: so the position it moves from is kept once more, for a report that
    never leaves. Those that no reader is told up to go.
    """
    _drop_told_positions(connection, match_id, seq)
    _keep_told_position(connection, match_id, seq)


@done
def _drop_told_positions(match_id: int, seq: int) -> Executable:
    readers = union_all(
        *(
            select(table.c.reported_seq).where(table.c.match_id == match_id)
            for table in (t.seats, t.watchers)
        )
    )
    needless = (_told.seq == seq) | _told.seq.not_in(readers)
    return delete(t.told_positions).where(_told.match_id == match_id, needless)


@done
def _keep_told_position(match_id: int, seq: int) -> Executable:
    kept = t.snapshots.c
    stands = select(t.snapshots).where(kept.match_id == match_id, kept.seq == seq)
    return insert(t.told_positions).from_select(["match_id", "seq", "position"], stands)


@cached(t.told_positions)
@value(str)
def told_position(match_id: int, seq: int) -> Executable:
    """Return the position kept of an event that readers were told up to, as canonical JSON."""
    return select(_told.position).where(_told.match_id == match_id, _told.seq == seq)


def set_bank(connection: Connection, match_id: int, seat: str, seconds: int | None) -> None:
    """Note how much time a seat has left in its bank."""
    _set(connection, match_id, seat, bank=seconds)


def _set(connection: Connection, match_id: int, seat: str, **columns: object) -> None:
    connection.execute(_UPDATE, {"match": match_id, "colour": seat, **columns})
