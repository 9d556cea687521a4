"""The turns of a match, their deadlines, and their reply codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, TypeAlias

from sqlalchemy import Connection, bindparam, insert, select, update

from referee.store import tables as t
from referee.store.database.block import put_cached, read_cached_each
from referee.store.database.rows import all_rows, first_row, row_columns, row_values
from referee.store.database.upsert import dialect_of, insert_or_skip
from referee.store.states import TurnState
from referee.value import Value


class TurnRow(Value):
    """A turn of a match; ``credit`` is time given back, in seconds."""

    id: int
    match_id: int
    number: int
    seat: str | None
    began_seq: int
    began_at: datetime
    credit: int
    late_told_at: datetime | None
    ended_seq: int | None
    ended_at: datetime | None
    state: TurnState


class CodeRow(Value):
    """A reply code, and the seat and turn it stands for.

    ``handed_on`` is how often its seat had been given to somebody else when it was made.
    """

    code: str
    match_id: int
    seat: str
    turn: int
    seq: int
    handed_on: int
    created: datetime


_Held: TypeAlias = tuple[int, int, str, int]
"""The match of a code, the event after which its turn began, its seat and holder."""

_turns: Final = select(*row_columns(TurnRow, t.turns)).where(
    t.turns.c.match_id == bindparam("match")
)

_OPEN: Final = insert(t.turns).returning(t.turns.c.id)

_ALL: Final = _turns.order_by(t.turns.c.id)

_LATEST: Final = _turns.where(t.turns.c.number == bindparam("which")).order_by(t.turns.c.id.desc())

_UPDATE: Final = update(t.turns).where(t.turns.c.id == bindparam("which"))

_CLOSE: Final = (
    update(t.turns)
    .where(t.turns.c.match_id == bindparam("match"))
    .where(t.turns.c.number == bindparam("which"))
    # A turn that was undone has the same number and keeps its own end.
    .where(t.turns.c.state == "open")
)

_HELD: Final = (
    select(*row_columns(CodeRow, t.codes))
    .where(t.codes.c.match_id == bindparam("match"))
    .where(t.codes.c.seat.in_(bindparam("seats", expanding=True)))
    .where(t.codes.c.seq == bindparam("began"))
    .order_by(t.codes.c.created, t.codes.c.code)
)

_CODES: Final = select(*row_columns(CodeRow, t.codes)).where(
    t.codes.c.code.in_(bindparam("which", expanding=True))
)


def open_turn(
    connection: Connection,
    match_id: int,
    number: int,
    seat: str | None,
    began_seq: int,
    now: datetime,
) -> int:
    """Record that a turn begins; return its id."""
    row = {"match_id": match_id, "number": number, "seat": seat, "began_seq": began_seq}
    found: int = connection.execute(_OPEN, {**row, "began_at": now, "state": "open"}).scalar_one()
    return found


def close_turn(
    connection: Connection, match_id: int, number: int, ended_seq: int, now: datetime
) -> None:
    """Record that the open turn of this number has ended."""
    row = {"match": match_id, "which": number, "ended_seq": ended_seq, "ended_at": now}
    connection.execute(_CLOSE, {**row, "state": "done"})


def update_turn(connection: Connection, turn_id: int, **changes: object) -> None:
    """Change a turn's ``credit``, ``late_told_at`` or ``state``."""
    connection.execute(_UPDATE, {"which": turn_id, **changes})


def turns(connection: Connection, match_id: int) -> tuple[TurnRow, ...]:
    """Return the turns of a match as they came, undone ones included."""
    return all_rows(TurnRow, connection.execute(_ALL, {"match": match_id}))


def find_turn(connection: Connection, match_id: int, number: int) -> TurnRow | None:
    """Return the turn of this number; the latest, if it was undone and played again."""
    return first_row(TurnRow, connection.execute(_LATEST, {"match": match_id, "which": number}))


def keep_codes(connection: Connection, rows: Sequence[CodeRow]) -> list[CodeRow]:
    """Keep reply codes unless they stand for something already; return them as they stand."""
    if not rows:
        return []
    statement = insert_or_skip(dialect_of(connection), t.codes, "code")
    added = {*connection.execute(statement, [row_values(row) for row in rows]).scalars()}
    kept = {row.code: row for row in reversed(rows) if row.code in added}
    for row in kept.values():
        put_cached(connection, t.codes, row.code, row)
        put_cached(connection, t.codes, _held(row), row)
    others = find_codes(connection, [row.code for row in rows if row.code not in kept])
    return [*kept.values(), *filter(None, others.values())]


def codes_held(
    connection: Connection, match_id: int, began: int, holders: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], str]:
    """Return the codes kept for seats and their holders when a turn began after an event.

    A holder is the number in :attr:`CodeRow.handed_on`. Of several codes the latest is returned.
    """

    def read(wanted: list[_Held]) -> dict[_Held, CodeRow | None]:
        given = {"match": match_id, "seats": [seat for _, _, seat, _ in wanted], "began": began}
        rows = all_rows(CodeRow, connection.execute(_HELD, given))
        return {**dict.fromkeys(wanted), **{_held(row): row for row in rows}}

    wanted = [(match_id, began, *holder) for holder in holders]
    rows = read_cached_each(connection, t.codes, wanted, read).values()
    return {(row.seat, row.handed_on): row.code for row in rows if row is not None}


def _held(row: CodeRow) -> _Held:
    return row.match_id, row.seq, row.seat, row.handed_on


def find_code(connection: Connection, code: str) -> CodeRow | None:
    """Return the row of a reply code."""
    return find_codes(connection, [code])[code]


def find_codes(connection: Connection, codes: Iterable[str]) -> dict[str, CodeRow | None]:
    """Return the rows of reply codes, all in one look; None for those that stand for nothing."""

    def read(wanted: list[str]) -> dict[str, CodeRow | None]:
        rows = all_rows(CodeRow, connection.execute(_CODES, {"which": wanted}))
        return {**dict.fromkeys(wanted), **{row.code: row for row in rows}}

    return read_cached_each(connection, t.codes, codes, read)
