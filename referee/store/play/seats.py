"""The seats of a match: their holders, and how far each has been told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from sqlalchemy import Connection, bindparam, delete, insert, select, union_all, update

from referee.store import tables as t
from referee.store.database.block import read_cached
from referee.store.database.rows import all_rows, row_columns
from referee.store.states import Agreed, Holder
from referee.value import Value


class SeatRow(Value):
    """A seat of a match: its holder, its mail thread, and how far it has been told.

    ``handed_on`` counts how often it was given to somebody else.
    """

    match_id: int
    seat: str
    number: int
    holder: Holder
    player_id: int | None
    bot: str | None
    agreed: Agreed
    thread_id: str | None
    reported_seq: int
    reported_turn: int
    bank: int | None
    handed_on: int


_seats: Final = select(*row_columns(SeatRow, t.seats))

_of_match: Final = _seats.where(t.seats.c.match_id == bindparam("match"))

_ADD: Final = insert(t.seats)

_ALL: Final = _of_match.order_by(t.seats.c.number)

_OF_PLAYER: Final = (
    _seats.join(t.matches, t.matches.c.id == t.seats.c.match_id)
    .where(t.seats.c.player_id == bindparam("player"))
    .order_by(t.matches.c.id, t.seats.c.number)
)

_OF_PLAYER_HERE: Final = _of_match.where(t.seats.c.player_id == bindparam("player")).order_by(
    t.seats.c.number
)

_UPDATE: Final = (
    update(t.seats)
    .where(t.seats.c.match_id == bindparam("match"))
    .where(t.seats.c.seat == bindparam("colour"))
)

_told: Final = t.told_positions.c

_marks: Final = union_all(
    *(
        select(table.c.reported_seq).where(table.c.match_id == bindparam("match"))
        for table in (t.seats, t.watchers)
    )
)

_TOLD: Final = (
    select(_told.position)
    .where(_told.match_id == bindparam("match"))
    .where(_told.seq == bindparam("event"))
)

_DROP_TOLD: Final = (
    delete(t.told_positions)
    .where(_told.match_id == bindparam("match"))
    .where((_told.seq == bindparam("event")) | _told.seq.not_in(_marks))
)

_KEEP_TOLD: Final = insert(t.told_positions).from_select(
    ["match_id", "seq", "position"],
    select(t.snapshots)
    .where(t.snapshots.c.match_id == bindparam("match"))
    .where(t.snapshots.c.seq == bindparam("event")),
)

_ADD_HOLDER: Final = insert(t.seat_holders)

_HOLDERS: Final = select(t.seat_holders.c.seq, t.seat_holders.c.player_id).where(
    t.seat_holders.c.match_id == bindparam("match")
)

_HAND_ON: Final = _UPDATE.values(handed_on=t.seats.c.handed_on + 1)


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
    connection.execute(
        _ADD,
        {
            "match_id": match_id,
            "seat": seat,
            "number": number,
            "holder": holder,
            "player_id": player_id,
            "bot": bot,
            "agreed": agreed,
        },
    )


def seats(connection: Connection, match_id: int) -> tuple[SeatRow, ...]:
    """Return the seats of a match in turn order."""
    return read_cached(
        connection,
        t.seats,
        match_id,
        lambda: all_rows(SeatRow, connection.execute(_ALL, {"match": match_id})),
    )


def find_seat(connection: Connection, match_id: int, seat: str) -> SeatRow | None:
    """Return one seat of a match."""
    return next((each for each in seats(connection, match_id) if each.seat == seat), None)


def seats_of_player(
    connection: Connection, player_id: int, match_id: int | None = None
) -> tuple[SeatRow, ...]:
    """Return the seats a player holds, in all matches or in one."""
    if match_id is None:
        return all_rows(SeatRow, connection.execute(_OF_PLAYER, {"player": player_id}))
    found = connection.execute(_OF_PLAYER_HERE, {"player": player_id, "match": match_id})
    return all_rows(SeatRow, found)


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
    which = {"match": match_id, "colour": seat}
    # A new thread, so that the new holder's mails do not answer mails they never got.
    row = {"holder": holder, "player_id": player_id, "bot": bot, "thread_id": None}
    # Counted in the same statement: a code of the holder before no longer counts from now on.
    connection.execute(_HAND_ON, {**which, **row})


def add_seat_holder(connection: Connection, match_id: int, seq: int, player_id: int) -> None:
    """Record the player an event gives a seat to; events name no persons."""
    row = {"match_id": match_id, "seq": seq, "player_id": player_id}
    connection.execute(_ADD_HOLDER, row)


def seat_holders(connection: Connection, match_id: int) -> dict[int, int]:
    """Return the players given a seat, by the number of the event."""
    return {row[0]: row[1] for row in connection.execute(_HOLDERS, {"match": match_id})}


def set_agreed(connection: Connection, match_id: int, seat: str, agreed: Agreed) -> None:
    """Note whether a seat has agreed to play: unasked, yes or no."""
    _set(connection, match_id, seat, {"agreed": agreed})


def set_thread(connection: Connection, match_id: int, seat: str, message_id: str) -> None:
    """Note the Message-ID every mail to a seat leads back to."""
    _set(connection, match_id, seat, {"thread_id": message_id})


def set_reported(connection: Connection, match_id: int, seat: str, seq: int, turn: int) -> None:
    """Note up to which event and turn a seat's reports tell."""
    keep_told_position(connection, match_id, seq)
    _set(connection, match_id, seat, {"reported_seq": seq, "reported_turn": turn})


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
    which = {"match": match_id, "event": seq}
    connection.execute(_DROP_TOLD, which)
    connection.execute(_KEEP_TOLD, which)


def told_position(connection: Connection, match_id: int, seq: int) -> str | None:
    """Return the position kept of an event that readers were told up to, as canonical JSON."""

    def read() -> str | None:
        found: str | None = connection.execute(_TOLD, {"match": match_id, "event": seq}).scalar()
        return found

    return read_cached(connection, t.told_positions, (match_id, seq), read)


def set_bank(connection: Connection, match_id: int, seat: str, seconds: int | None) -> None:
    """Note how much time a seat has left in its bank."""
    _set(connection, match_id, seat, {"bank": seconds})


def _set(connection: Connection, match_id: int, seat: str, row: Mapping[str, object]) -> None:
    connection.execute(_UPDATE, {"match": match_id, "colour": seat, **row})
