"""What players are mailed about time: reminders, and that time is up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection

from referee.desk import reports, timing
from referee.desk.desk import Desk
from referee.desk.ledger import Sitting
from referee.desk.notices import Notice, notify
from referee.desk.posting import names_of, players_of
from referee.desk.timing import Clock
from referee.games.game import Json, Order, Seat
from referee.render.wording import Wording
from referee.store import matches as tables
from referee.store import players
from referee.store.players import PlayerRow


def remind(desk: Desk, connection: Connection, sitting: Sitting, clock: Clock) -> bool:
    """Remind the player to act, once for every moment that has come; tell whether it was done.

    Nobody is reminded on a day he is away or the clock rests.
    """
    left, seat = clock.left, clock.seat
    owed = [each for each in clock.pace.reminders if clock.owes(each)]
    if left is None or seat is None or clock.calendar.rests(desk.now()):
        return False
    if not any(each >= left for each in owed):
        return False
    timing.note_reminded(connection, clock)
    turn = tables.turn(connection, sitting.row.id, sitting.row.turn)
    if turn is not None:
        tables.update_turn(connection, turn.id, reminded_at=desk.now())
    if seat.player_id is not None and not players.by_id(connection, seat.player_id).blocked:
        reports.write_reminder(desk, connection, sitting, seat)
    return True


def tell_late(desk: Desk, connection: Connection, sitting: Sitting) -> None:
    """Tell the player that his time is up and the match waits, and the others that it does."""
    row = sitting.row
    turn = tables.turn(connection, row.id, row.turn)
    if turn is not None:
        tables.update_turn(connection, turn.id, late_told_at=desk.now())
    names = names_of(connection, sitting.seats)
    for seat, player in players_of(connection, sitting.seats).items():
        if seat == row.to_act:
            _tell(desk, connection, sitting, seat, player, "late-waits", {"turn": row.turn})
        elif row.to_act is not None:
            fields: Mapping[str, Json] = {"who": names[row.to_act], "seat": row.to_act}
            _tell(desk, connection, sitting, seat, player, "late-other", fields)


def tell_played(
    desk: Desk,
    connection: Connection,
    sitting: Sitting,
    colour: Seat,
    turn: int,
    orders: Sequence[Order],
) -> None:
    """Tell the player of a seat out of time what was played for it in a turn."""
    player = players_of(connection, sitting.seats).get(colour)
    if player is None:
        return
    wording = Wording(sitting.game, player.language)
    said = "; ".join(wording.order(each) for each in orders)
    _tell(desk, connection, sitting, colour, player, "late", {"turn": turn, "order": said})


def tell_resigned(desk: Desk, connection: Connection, sitting: Sitting, colour: Seat) -> None:
    """Tell the player of a seat out of time that it gives up, as was agreed."""
    player = players_of(connection, sitting.seats).get(colour)
    if player is not None:
        fields: Mapping[str, Json] = {"turn": sitting.row.turn}
        _tell(desk, connection, sitting, colour, player, "late-resigned", fields)


def _tell(
    desk: Desk,
    connection: Connection,
    sitting: Sitting,
    colour: Seat,
    player: PlayerRow,
    key: str,
    fields: Mapping[str, Json],
) -> None:
    notice = Notice(key, fields, box=key == "late-waits")
    notify(desk, connection, sitting.row, sitting.seat(colour), player, notice)
