"""Submissions: the orders or commands found in a letter, and their outcome."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, bindparam, func, insert, select, update

from referee.store import tables as t
from referee.store.database.rows import all_rows, first_row, row_columns
from referee.store.states import SubmissionOutcome
from referee.value import Value


class SubmissionRow(Value):
    """The orders or commands of a letter for one seat."""

    id: int
    letter_id: int
    number: int
    match_id: int | None
    seat: str | None
    code: str | None
    turn: int | None
    orders: str
    digest: str
    outcome: SubmissionOutcome
    first_seq: int | None
    last_seq: int | None
    receipt: int | None


_submissions: Final = select(*row_columns(SubmissionRow, t.submissions))

# Counted within the insert, which saves a statement for each place of a letter.
_number: Final = (
    select(func.count() + 1)
    .where(t.submissions.c.letter_id == bindparam("letter"))
    .scalar_subquery()
)

_ADD: Final = insert(t.submissions).values(number=_number).returning(t.submissions.c.id)

_OF_LETTER: Final = _submissions.where(t.submissions.c.letter_id == bindparam("letter")).order_by(
    t.submissions.c.number
)

_LATEST: Final = (
    _submissions.where(t.submissions.c.digest == bindparam("which"))
    # What was refused may be sent again: the position may allow it by now.
    .where(t.submissions.c.outcome.in_(["accepted", "partly", "held"]))
    .order_by(t.submissions.c.id.desc())
    .limit(1)
)

_s: Final = t.submissions.c

_PLAYED: Final = (
    _submissions.where(_s.match_id == bindparam("match"), _s.seat == bindparam("colour"))
    .where(_s.code == bindparam("code"), _s.outcome.in_(["accepted", "partly"]))
    .order_by(_s.id.desc())
    .limit(1)
)

_HELD: Final = (
    update(t.submissions).where(_s.match_id == bindparam("match")).where(_s.outcome == "held")
)

_UPDATE: Final = update(t.submissions).where(t.submissions.c.id == bindparam("which"))


def add_submission(
    connection: Connection,
    *,
    letter_id: int,
    orders: str,
    digest: str,
    outcome: SubmissionOutcome,
    match_id: int | None = None,
    seat: str | None = None,
    code: str | None = None,
    turn: int | None = None,
    first_seq: int | None = None,
    last_seq: int | None = None,
    receipt: int | None = None,
) -> int:
    """Keep a submission and its outcome; return its id.

    They count from one in a letter. ``digest`` is of match, seat, code and canonical orders;
    ``first_seq`` and ``last_seq`` are the events it led to.
    """
    row = {"letter": letter_id, "letter_id": letter_id, "orders": orders, "digest": digest}
    bound = {"match_id": match_id, "seat": seat, "code": code, "turn": turn}
    outcomes = {"outcome": outcome, "first_seq": first_seq}
    found: int = connection.execute(
        _ADD, {**row, **bound, **outcomes, "last_seq": last_seq, "receipt": receipt}
    ).scalar_one()
    return found


def submissions_of(connection: Connection, letter_id: int) -> tuple[SubmissionRow, ...]:
    """Return the submissions of a letter in the order of its text."""
    return all_rows(SubmissionRow, connection.execute(_OF_LETTER, {"letter": letter_id}))


def repeat_of(connection: Connection, digest: str) -> SubmissionRow | None:
    """Return the latest submission with a digest that was played or held."""
    return first_row(SubmissionRow, connection.execute(_LATEST, {"which": digest}))


def latest_played(
    connection: Connection, match_id: int, seat: str, code: str
) -> SubmissionRow | None:
    """Return the latest submission of a seat under a code that was played, if any."""
    row = {"match": match_id, "colour": seat, "code": code}
    return first_row(SubmissionRow, connection.execute(_PLAYED, row))


def settle_held(
    connection: Connection,
    match_id: int,
    seat: str | None,
    outcome: SubmissionOutcome,
    seqs: tuple[int | None, int | None] = (None, None),
) -> None:
    """Record the outcome of what is held, of one seat or all.

    ``seqs`` are the first and last event it led to.
    """
    update_held = _HELD if seat is None else _HELD.where(_s.seat == bindparam("colour"))
    first, last = seqs
    row = {"match": match_id, "outcome": outcome, "first_seq": first, "last_seq": last}
    connection.execute(update_held, row if seat is None else {**row, "colour": seat})


def set_receipt(connection: Connection, submission_id: int, receipt: int) -> None:
    """Record the mail in the outbox that answers a submission."""
    connection.execute(_UPDATE, {"which": submission_id, "receipt": receipt})
