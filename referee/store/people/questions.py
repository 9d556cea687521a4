"""Questions that wait for a yes: of an address, under a code, or of a match's players."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Executable, delete, insert, select, update

from referee.store import tables as t
from referee.store.database import query
from referee.store.states import QuestionKind, QuestionState
from referee.store.tables.play import QuestionDocument, QuestionRow

_q: Final = t.questions.c
_columns: Final = query.row_columns(QuestionRow, t.questions)
_questions: Final = select(*_columns).order_by(_q.id)
_waiting: Final = _q.state == "waiting"
_settled: Final = ~_waiting


def add_question(
    connection: Connection, kind: QuestionKind, document: QuestionDocument, **columns: object
) -> QuestionRow:
    """Keep a question that nobody has answered yet; return it."""
    asked = {"kind": kind, "document": document, "answered": (), "state": "waiting"}
    added = insert(t.questions).returning(*_columns)
    return query.only_row(QuestionRow, connection.execute(added, {**asked, **columns}), kind)


@query.first(QuestionRow)
def find_question(code: str) -> Executable:
    """Return the question of this code."""
    return _questions.where(_q.code == code)


@query.reading(lambda rows: frozenset(rows.scalars()))
def codes_of_questions(codes: Sequence[str]) -> Executable:
    """Return those of some codes that belong to questions."""
    return select(_q.code).where(_q.code.in_(codes))


@query.every(QuestionRow)
def questions_put_to(address: str) -> Executable:
    """Return the questions put to an address, oldest first."""
    return _questions.where(_q.address == address)


@query.every(QuestionRow)
def questions_of(player_id: int, kind: QuestionKind, since: datetime) -> Executable:
    """Return a player's questions of a kind since a moment."""
    return _questions.where(_q.player_id == player_id, _q.kind == kind, _q.created > since)


@query.cached(t.questions)
@query.first(QuestionRow)
def open_question_in(match_id: int) -> Executable:
    """Return the open question to the players of a match, if any."""
    return _questions.where(_waiting, _q.match_id == match_id)


@query.every(QuestionRow)
def ending_questions(now: datetime) -> Executable:
    """Return the open questions that time may have ended, or play."""
    return _questions.where(_waiting, (_q.expires <= now) | _q.match_id.is_not(None))


def change_question(connection: Connection, question_id: int, **changes: object) -> bool:
    """Change columns of an open question; return False for another."""
    one = update(t.questions).where(_q.id == question_id, _waiting)
    return connection.execute(one, changes).rowcount == 1


def settle_question(connection: Connection, question_id: int, state: QuestionState) -> bool:
    """Record the outcome of an open question; return False for another."""
    return change_question(connection, question_id, state=state)


@query.exists
def any_settled(before: datetime) -> Executable:
    """Return whether settled questions lapsed before a moment."""
    return select(_q.id).where(_settled, _q.expires <= before).limit(1)


@query.done
def drop_settled(before: datetime) -> Executable:
    """Forget settled questions that lapsed before a moment."""
    return delete(t.questions).where(_settled, _q.expires <= before)
