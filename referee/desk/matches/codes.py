"""Reply codes: made for a turn, and found again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.games.game import Seat
from referee.mail.codes import new_code
from referee.store.people import questions
from referee.store.play import matches
from referee.store.tables.play import CodeRow, MatchRow, QuestionRow, SeatRow


def seat_or_question(connection: Connection, code: str) -> CodeRow | QuestionRow | None:
    """Return the seat's turn or the question a code leads to."""
    return matches.find_code(connection, code) or questions.find_question(connection, code)


BEFORE_TURN_ONE: Final = -1
"""The event kept with an invitation's reply code: no turn has begun."""

_MOST_ALIKE: Final = 1000
"""Codes tried before giving up; two rarely agree in 40 bits."""


def add_codes(
    change: Change,
    row: MatchRow,
    seats: Iterable[SeatRow],
    turn: int,
    began: int,
    history: str | None = None,
) -> None:
    """Keep the reply code of a turn for every player's seat.

    ``history`` is the hash of the event after which the turn began, if at hand.
    """
    held = [seat for seat in seats if seat.holder == "player"]
    keep = partial(matches.keep_codes, change.connection)
    _assigned(change, row, held, turn, began, keep, history)


def code_of(change: Change, row: MatchRow, seat: SeatRow) -> str:
    """Return the reply code a seat's mails bear now."""
    return codes_of(change, row, [seat])[seat.seat]


def codes_of(change: Change, row: MatchRow, seats: Sequence[SeatRow]) -> dict[Seat, str]:
    """Return the reply codes that the mails of seats bear now.

    Those kept when the turn began count, however they were made: mails with them are under way.
    """

    def find(free: Sequence[CodeRow]) -> Iterable[CodeRow]:
        known = matches.find_codes(change.connection, [code.code for code in free])
        return [known[code.code] or code for code in free]

    began = BEFORE_TURN_ONE if row.state == "invited" else row.turn_began_seq
    holders = [(seat.seat, seat.handed_on) for seat in seats]
    kept = matches.codes_held(change.connection, row.id, began, holders)
    left = [seat for seat in seats if (seat.seat, seat.handed_on) not in kept]
    made = _assigned(change, row, left, row.turn, began, find)
    return made | {colour: code for (colour, _), code in kept.items()}


def _assigned(
    change: Change,
    row: MatchRow,
    seats: Sequence[SeatRow],
    turn: int,
    began: int,
    hold: Callable[[Sequence[CodeRow]], Iterable[CodeRow]],
    history: str | None = None,
) -> dict[Seat, str]:
    """Return the codes of seats for a turn and their holders.

    They follow from the referee's key and the match's history, so they are the same again if that
    is repeated after a restore. Where two codes agree, the later one is made anew, and found again
    in the same way. ``hold`` returns the seats and turns that codes, which are no question's, stand
    for.
    """
    assigned: dict[Seat, str] = {}
    if not seats:
        return assigned
    if history is None and began == BEFORE_TURN_ONE:
        history = row.commitment
    elif history is None and began == 0:
        history = row.header_hash or row.commitment
    elif history is None:
        since = matches.events(change.connection, row.id, after=began - 1)
        # Of a match that is over, the record alone may hold the events.
        history = since[0].hash if since else row.head
    now = change.desk.now()
    for number in range(_MOST_ALIKE):
        tried: list[CodeRow] = []
        for seat in (seat for seat in seats if seat.seat not in assigned):
            holding = f"{seat.seat}+{seat.handed_on}" if seat.handed_on else seat.seat
            which = f"{holding}#{number}" if number else holding
            code = new_code(change.desk.settings.key, row.name, which, history)
            tried.append(CodeRow(code, row.id, seat.seat, turn, began, seat.handed_on, now))
        if not tried:
            return assigned
        asked = questions.codes_of_questions(change.connection, [code.code for code in tried])
        free = [code for code in tried if code.code not in asked]
        held = {(kept.code, *_holding(kept)) for kept in hold(free)}
        assigned |= {made.seat: made.code for made in tried if (made.code, *_holding(made)) in held}
    raise RuntimeError("no free code for a seat")


def _holding(code: CodeRow) -> tuple[int, Seat, int, int]:
    return code.match_id, code.seat, code.seq, code.handed_on
