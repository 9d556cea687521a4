"""Questions that wait for a yes: of an address, under a code, or of a match's players."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Result, bindparam, delete, insert, or_, select, update

from referee.store import tables as t
from referee.store.database.rows import row_columns
from referee.store.states import QuestionKind, QuestionState
from referee.value import Value, asdict


class QuestionDocument(Value):
    """The subject of a question; each kind uses some of it.

    ``commands`` are those a yes confirms: word, arguments and text of each. ``shown`` are the
    matches whose commitment its mail showed, ``language`` a newcomer's. ``turn`` is the one it is
    about, ``seq`` the last event of the match before it was put.
    """

    commands: tuple[tuple[str, tuple[str, ...], str], ...] = ()
    shown: tuple[str, ...] = ()
    language: str = ""
    turn: int = 0
    seq: int = 0


class QuestionRow(Value):
    """A question of a player, or about a stranger: then ``player_id`` is None.

    One to an ``address`` is answered under its ``code``. One of a ``seat`` to the other players of
    its match is answered by their seats' codes; ``answered`` are the seats that said yes.
    """

    id: int
    kind: QuestionKind
    code: str | None
    address: str | None
    player_id: int | None
    match_id: int | None
    seat: str | None
    document: QuestionDocument
    answered: tuple[str, ...]
    state: QuestionState
    created: datetime
    expires: datetime


_q: Final = t.questions.c

_columns: Final = row_columns(QuestionRow, t.questions)

_questions: Final = select(*_columns).order_by(_q.id)

_waiting: Final = _questions.where(_q.state == "waiting")

_ADD: Final = insert(t.questions).returning(*_columns)

_BY_CODE: Final = _questions.where(_q.code == bindparam("which"))

_TAKEN: Final = select(_q.code).where(_q.code.in_(bindparam("which", expanding=True)))

_TO: Final = _questions.where(_q.address == bindparam("whom"))

_OF: Final = (
    _questions.where(_q.player_id == bindparam("who"))
    .where(_q.kind == bindparam("which"))
    .where(_q.created > bindparam("since"))
)

_OPEN_IN: Final = _waiting.where(_q.match_id == bindparam("match"))

_ENDING: Final = _waiting.where(or_(_q.expires <= bindparam("now"), _q.match_id.is_not(None)))

_SET: Final = update(t.questions).where(_q.id == bindparam("which")).where(_q.state == "waiting")

_SETTLED: Final = (_q.state != "waiting") & (_q.expires <= bindparam("before"))

_ANY_SETTLED: Final = select(_q.id).where(_SETTLED).limit(1)

_DROP_SETTLED: Final = delete(t.questions).where(_SETTLED)


def _rows(found: Result[Any]) -> tuple[QuestionRow, ...]:
    return tuple(
        QuestionRow(**{
            **row,
            "document": QuestionDocument(**_read(row["document"])),
            "answered": _read(row["answered"]),
        })
        for row in found.mappings()
    )  # fmt: skip


def _read(text: str) -> Any:
    return _frozen(json.loads(text))


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _frozen(each) for name, each in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def add_question(
    connection: Connection,
    kind: QuestionKind,
    document: QuestionDocument,
    *,
    now: datetime,
    expires: datetime,
    player_id: int | None,
    code: str | None = None,
    address: str | None = None,
    match_id: int | None = None,
    seat: str | None = None,
) -> QuestionRow:
    """Keep a question that nobody has answered yet; return it."""
    asked = {"kind": kind, "document": json.dumps(asdict(document)), "player_id": player_id}
    whom = {"code": code, "address": address, "match_id": match_id, "seat": seat}
    life = {"answered": "[]", "state": "waiting", "created": now, "expires": expires}
    return _rows(connection.execute(_ADD, {**asked, **whom, **life}))[0]


def find_question(connection: Connection, code: str) -> QuestionRow | None:
    """Return the question of this code."""
    return next(iter(_rows(connection.execute(_BY_CODE, {"which": code}))), None)


def codes_of_questions(connection: Connection, codes: Collection[str]) -> frozenset[str]:
    """Return those of some codes that belong to questions."""
    if not codes:
        return frozenset()
    found = connection.execute(_TAKEN, {"which": list(codes)}).scalars()
    return frozenset(code for code in found if code)


def questions_put_to(connection: Connection, address: str) -> tuple[QuestionRow, ...]:
    """Return the questions put to an address, oldest first."""
    return _rows(connection.execute(_TO, {"whom": address}))


def questions_of(
    connection: Connection, player_id: int, kind: QuestionKind, since: datetime
) -> tuple[QuestionRow, ...]:
    """Return a player's questions of a kind since a moment."""
    row = {"who": player_id, "which": kind, "since": since}
    return _rows(connection.execute(_OF, row))


def open_question_in(connection: Connection, match_id: int) -> QuestionRow | None:
    """Return the open question to the players of a match."""
    return next(iter(_rows(connection.execute(_OPEN_IN, {"match": match_id}))), None)


def ending_questions(connection: Connection, now: datetime) -> tuple[QuestionRow, ...]:
    """Return the open questions that time may have ended, or play."""
    return _rows(connection.execute(_ENDING, {"now": now}))


def set_answered(connection: Connection, question_id: int, seats: Iterable[str]) -> None:
    """Record the seats that have said yes."""
    connection.execute(_SET, {"which": question_id, "answered": json.dumps(sorted(seats))})


def settle_question(connection: Connection, question_id: int, state: QuestionState) -> bool:
    """Record the outcome of an open question; return False for another."""
    return connection.execute(_SET, {"which": question_id, "state": state}).rowcount == 1


def any_settled(connection: Connection, before: datetime) -> bool:
    """Return whether settled questions lapsed before a moment."""
    return connection.execute(_ANY_SETTLED, {"before": before}).first() is not None


def drop_settled(connection: Connection, before: datetime) -> int:
    """Forget settled questions that lapsed before a moment; return how many."""
    return connection.execute(_DROP_SETTLED, {"before": before}).rowcount
