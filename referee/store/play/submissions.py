"""Submissions: the orders or commands found in a letter, and their outcome."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Connection,
    Executable,
    bindparam,
    case,
    func,
    insert,
    literal,
    select,
    update,
)

from referee.store import tables as t
from referee.store.database import query
from referee.store.states import SubmissionOutcome
from referee.store.tables.post import SubmissionRow

_s: Final = t.submissions.c
_submissions: Final = select(*query.row_columns(SubmissionRow, t.submissions))

# Counted within the insert, which saves a statement for each place of a letter.
_number: Final = (
    select(func.count() + 1).where(_s.letter_id == bindparam("letter")).scalar_subquery()
)

_ADD: Final = insert(t.submissions).values(number=_number).returning(_s.id)


def add_submission(connection: Connection, *, letter_id: int, **columns: object) -> int:
    """Keep a submission and its outcome, by column; return its id.

    Submissions of a letter are numbered from one. ``digest`` is of match, seat, code and canonical
    orders; ``first_seq`` and ``last_seq`` are the events it led to.
    """
    # The letter is bound twice, for SQLAlchemy keeps the names of columns for itself.
    row = {"letter": letter_id, "letter_id": letter_id, **columns}
    return int(connection.execute(_ADD, row).scalar_one())


@query.every(SubmissionRow)
def submissions_of(letter_id: int) -> Executable:
    """Return the submissions of a letter in the order of its text."""
    return _submissions.where(_s.letter_id == letter_id).order_by(_s.number)


@query.first(SubmissionRow)
def repeat_of(digest: str) -> Executable:
    """Return the latest submission with a digest that was played or held."""
    # What was refused may be sent again: the position may allow it by now.
    counted = _s.outcome.in_(["accepted", "partly", "held"])
    return _submissions.where(_s.digest == digest, counted).order_by(_s.id.desc()).limit(1)


@query.first(SubmissionRow)
def latest_played(match_id: int, seat: str, code: str) -> Executable:
    """Return the latest submission of a seat under a code that was played, if any."""
    of_seat = _submissions.where(_s.match_id == match_id, _s.seat == seat, _s.code == code)
    played = of_seat.where(_s.outcome.in_(["accepted", "partly"]))
    return played.order_by(_s.id.desc()).limit(1)


def settle_held(
    connection: Connection,
    match_id: int,
    seat: str | None,
    outcome: SubmissionOutcome,
    seqs: tuple[int | None, int | None] = (None, None),
) -> None:
    """Record the outcome of what is held, of one seat or all.

    ``seqs`` are the first and last event it led to: the latest of several, whose orders go on
    behind those of the others.
    """
    held = (_s.match_id == match_id) & (_s.outcome == "held")
    if seat is not None:
        held &= _s.seat == seat
    is_latest = _s.id == select(func.max(_s.id)).where(held).scalar_subquery()
    # Typed, for PostgreSQL takes what may be NULL alone for a text.
    first_seq, last_seq = (case((is_latest, literal(seq, BigInteger))) for seq in seqs)
    settled = update(t.submissions).where(held)
    connection.execute(settled.values(outcome=outcome, first_seq=first_seq, last_seq=last_seq))


@query.done
def set_receipt(submission_id: int, receipt: int) -> Executable:
    """Record the mail in the outbox that answers a submission."""
    return update(t.submissions).where(_s.id == submission_id).values(receipt=receipt)
