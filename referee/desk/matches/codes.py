"""Reply codes: made for a turn, found again, kept from others."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.mail.incoming import marks
from referee.store.people import questions
from referee.store.people.questions import QuestionRow
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.play.seats import SeatRow
from referee.store.play.turns import CodeRow


def gives_away(connection: Connection, text: str) -> bool:
    """Return whether a text holds an order box or any reply code."""
    # A box alone, too: it would pass for one of ours.
    found = (seat_or_question(connection, code) for code in marks.codes_in(text))
    return bool(marks.cut(text).boxes) or any(found)


def seat_or_question(connection: Connection, code: str) -> CodeRow | QuestionRow | None:
    """Return the seat's turn or the question a code leads to."""
    return matches.find_code(connection, code) or questions.find_question(connection, code)


log = logging.getLogger(__name__)

BEFORE_TURN_ONE = -1
"""The event in place of the one an invitation's reply code lacks."""

MOST_ALIKE: Final = 1000
"""Codes tried before giving up; two rarely agree in 40 bits."""


def add_codes(
    change: Change,
    row: MatchRow,
    seats: Iterable[SeatRow],
    turn: int,
    began: int,
) -> None:
    """Keep the reply code of a turn for every player's seat."""
    for seat in seats:
        if seat.holder == "player":
            code = _code(change, row, seat, began)
            held = seat.handed_on
            matches.add_code(
                change.connection,
                code,
                row.id,
                seat.seat,
                turn,
                began,
                change.desk.now(),
                handed_on=held,
            )


def code_of(change: Change, row: MatchRow, seat: SeatRow) -> str:
    """Return the reply code a seat's mails bear now."""
    began = BEFORE_TURN_ONE if row.state == "invited" else row.turn_began_seq
    return _code(change, row, seat, began)


def _code(change: Change, row: MatchRow, seat: SeatRow, began: int) -> str:
    """Return the code of a seat for a turn and holder.

    It follows from the referee's key, so it is the same again after a restore. Where two codes
    agree, the later one is made anew, and found again in the same way.
    """
    holding = f"{seat.seat}+{seat.handed_on}" if seat.handed_on else seat.seat
    mine = (row.id, seat.seat, began, seat.handed_on)
    for number in range(MOST_ALIKE):
        which = f"{holding}#{number}" if number else holding
        code = marks.new_code(change.desk.key, row.name, which, began)
        found = seat_or_question(change.connection, code)
        # Free, or made before for the same turn and holder.
        if found is None or (
            isinstance(found, CodeRow)
            and (found.match_id, found.seat, found.seq, found.handed_on) == mine
        ):
            return code
    raise RuntimeError("no free code for a seat")
