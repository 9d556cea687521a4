"""Reply codes: made for a turn, found again, kept from others."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.games.game import Seat
from referee.mail.incoming import marks
from referee.store.people import requests
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.play.seats import SeatRow
from referee.store.play.turns import CodeRow


def gives_away(connection: Connection, text: str) -> bool:
    """Return whether a text holds an order box or any reply code."""
    if marks.cut(text).boxes:
        return True
    return any(
        matches.find_code(connection, code) or requests.find(connection, code)
        for code in marks.codes_in(text)
    )


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
    held = [each for each in seats if each.holder == "player"]
    now, found = change.desk.now(), _codes(change, row, held, began)
    known = matches.find_codes(change.connection, found.values())
    rows = [
        CodeRow(found[each.seat], row.id, each.seat, turn, began, each.handed_on, now)
        for each in held
        if known[found[each.seat]] is None
    ]
    matches.add_codes(change.connection, rows)


def code_of(change: Change, row: MatchRow, seat: SeatRow) -> str:
    """Return the reply code a seat's mails bear now."""
    return codes_of(change, row, [seat])[seat.seat]


def codes_of(change: Change, row: MatchRow, seats: Sequence[SeatRow]) -> dict[Seat, str]:
    """Return the reply codes that the mails of seats bear now."""
    began = BEFORE_TURN_ONE if row.state == "invited" else row.turn_began_seq
    return _codes(change, row, seats, began)


def _codes(change: Change, row: MatchRow, seats: Sequence[SeatRow], began: int) -> dict[Seat, str]:
    """Return the codes of seats for a turn and their holders.

    They follow from the referee's key, so they are the same again after a restore. Where two codes
    agree, the later one is made anew, and found again in the same way.
    """
    found: dict[Seat, str] = {}
    for number in range(MOST_ALIKE):
        tried = {
            each.seat: _made(change, row, each, began, number)
            for each in seats
            if each.seat not in found
        }
        if not tried:
            return found
        known = matches.find_codes(change.connection, tried.values())
        new = [code for code in tried.values() if known[code] is None]
        taken = requests.taken(change.connection, new)
        for each in seats:
            code = tried.get(each.seat)
            if code is None or code in taken or code in found.values():
                continue
            # Free, or made before for the same turn and holder.
            mine = (row.id, each.seat, began, each.handed_on)
            if (kept := known[code]) is None or _holding(kept) == mine:
                found[each.seat] = code
    raise RuntimeError("no free code for a seat")


def _made(change: Change, row: MatchRow, seat: SeatRow, began: int, number: int) -> str:
    holding = f"{seat.seat}+{seat.handed_on}" if seat.handed_on else seat.seat
    which = f"{holding}#{number}" if number else holding
    return marks.new_code(change.desk.key, row.name, which, began)


def _holding(code: CodeRow) -> tuple[int, Seat, int, int]:
    return code.match_id, code.seat, code.seq, code.handed_on
