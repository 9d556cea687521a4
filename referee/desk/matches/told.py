"""Marks of how far readers were told, restored after failed mails.

They are kept for digests and spectators' reports; a seat's own reports are known by the seat.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.games.game import Seat
from referee.store import notes
from referee.store.people import players
from referee.store.play import matches, messages, watchers
from referee.store.post import outbox, reports
from referee.store.states import WITHDRAWABLE
from referee.store.tables.play import SeatRow, WatcherRow
from referee.store.tables.post import OutboxRow
from referee.value import Value, replace


class ToldMark(Value):
    """The event and turn up to which a reader was told; ``seat`` is None for a spectator."""

    match: int
    seat: Seat | None
    seq: int
    turn: int

    def put(self, connection: Connection, player_id: int) -> None:
        """Note that a player has been told so far."""
        if self.seat is None:
            watchers.set_watcher_told(connection, self.match, player_id, self.seq, self.turn)
        else:
            matches.set_reported(connection, self.match, [self.seat], self.seq, self.turn)


UNMOVED: Final = 1 << 60
"""In place of the event of a mark, where a mail moves the turn alone: later than any event."""

BEFORE: Final = notes.json_note(notes.NoteKey.DIGEST_MARKS, list[tuple[ToldMark, int]])
"""By a mail's number in the outbox, how far its reader was told before it, and the turn in it."""

WITHDRAWN: Final = notes.json_note(notes.NoteKey.DIGESTS_WITHDRAWN, list[int])
"""By player, the digests taken back since the last was written."""


def withdraw_digests(connection: Connection, match_id: int, player_id: int | None = None) -> None:
    """Take back unsent digests on a match, of all or one player; they are written anew."""
    for mail in reports.unsent_digests(connection):
        if mail.player_id is None or player_id not in {None, mail.player_id}:
            continue
        marks = BEFORE.read(connection, mail.id) or ()
        texts = messages.matches_told(connection, mail.id)
        # Whoever has just ended their digest may have one on its way; without seats and texts it is
        # the report of a spectator.
        digest = texts or any(before.seat is not None for before, _ in marks)
        if not digest and not players.get_player(connection, mail.player_id).gathers:
            continue
        if match_id not in texts | {before.match for before, _ in marks}:
            continue
        # Its marks are put back later, as the other matches it tells of are not locked here.
        if outbox.move_mail(connection, mail.id, WITHDRAWABLE, "superseded", mail.next_at):
            earlier = WITHDRAWN.lock(connection, mail.player_id) or []
            WITHDRAWN.write(connection, [*earlier, mail.id], mail.player_id)
            players.update_player(connection, mail.player_id)


def restore_withdrawn(change: Change, player_id: int) -> None:
    """Put back the marks of a player's digests that were taken back."""
    # The latest first, so that each mark ends where the earliest found it.
    for mail in reversed(WITHDRAWN.read(change.connection, player_id) or []):
        settle_marks(change, outbox.get_mail(change.connection, mail), left=False)
    WITHDRAWN.remove(change.connection, player_id)


def settle_marks(change: Change, mail: OutboxRow, *, left: bool) -> None:
    """Note a mail's final fate; if it never left, put its marks back, but not behind later news.

    If the reader has been told of a later turn since, only the event goes back: that turn is not
    told twice.
    """
    connection, player_id = change.connection, mail.player_id
    # The reports of seats bear their match; digests and spectators' reports do not.
    if mail.kind != "report" or mail.match_id is not None or player_id is None:
        return
    marks = BEFORE.read(connection, mail.id)
    if marks is None:
        return
    BEFORE.remove(connection, mail.id)
    messages.settle_told(connection, mail.id, left=left)
    if left:
        return
    players.update_player(connection, player_id)
    names = [matches.get_match(connection, before.match).name for before, _ in marks]
    matches.lock_matches(connection, names)
    for before, told_turn in marks:
        seats = matches.seats_of_player(connection, player_id, before.match)
        watched = watchers.watched_by(connection, player_id)
        for now in [*map(mark_of, seats), *map(mark_of, watched)]:
            if (now.match, now.seat) == (before.match, before.seat):
                turn = before.turn if now.turn == told_turn else now.turn
                replace(now, seq=min(before.seq, now.seq), turn=turn).put(connection, player_id)
                # Without a digest the report of a seat is due. That of a spectator, refused, would
                # be written and refused for ever.
                if turn < now.turn and now.seat is not None:
                    matches.set_agenda(connection, before.match, change.desk.now())


def owe_report(connection: Connection, seat: SeatRow, turn: int) -> None:
    """Have a report of a turn due again to a seat that was told of it."""
    told = min(seat.reported_turn, turn - 1)
    matches.set_reported(connection, seat.match_id, [seat.seat], seat.reported_seq, told)


def mark_of(row: SeatRow | WatcherRow) -> ToldMark:
    """Return the mark of a seat or spectator."""
    seat = row.seat if isinstance(row, SeatRow) else None
    return ToldMark(row.match_id, seat, row.reported_seq, row.reported_turn)
