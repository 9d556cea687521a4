"""The turns of a match, their deadlines, and their reply codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, TypeAlias

from sqlalchemy import Connection, Executable, select, update

from referee.store import tables as t
from referee.store.database.block import put_cached, read_cached_each
from referee.store.database.query import (
    add_row,
    dialect_of,
    done,
    every,
    first,
    insert_or_skip,
    row_columns,
    row_values,
)
from referee.store.tables.play import CodeRow, TurnRow

_Held: TypeAlias = tuple[int, int, str, int]
"""The match of a code, the event after which its turn began, its seat and holder."""

_t: Final = t.turns.c

_c: Final = t.codes.c

_turns: Final = select(*row_columns(TurnRow, t.turns))

_codes: Final = select(*row_columns(CodeRow, t.codes))


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
    return add_row(connection, t.turns, **row, began_at=now, state="open")


@done
def close_turn(match_id: int, number: int, ended_seq: int, now: datetime) -> Executable:
    """Record that the open turn of this number has ended."""
    # A turn that was undone has the same number and keeps its own end.
    still_open = (_t.match_id == match_id) & (_t.number == number) & (_t.state == "open")
    ended = update(t.turns).where(still_open)
    return ended.values(ended_seq=ended_seq, ended_at=now, state="done")


def update_turn(connection: Connection, turn_id: int, **changes: object) -> None:
    """Change a turn's ``credit``, ``late_told_at`` or ``state``."""
    connection.execute(update(t.turns).where(_t.id == turn_id), changes)


@every(TurnRow)
def turns(match_id: int) -> Executable:
    """Return the turns of a match as they came, undone ones included."""
    return _turns.where(_t.match_id == match_id).order_by(_t.id)


@first(TurnRow)
def find_turn(match_id: int, number: int) -> Executable:
    """Return the turn of this number; the latest, if it was undone and played again."""
    return _turns.where(_t.match_id == match_id, _t.number == number).order_by(_t.id.desc())


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
        rows = _codes_of(connection, match_id, [seat for _, _, seat, _ in wanted], began)
        return {**dict.fromkeys(wanted), **{_held(row): row for row in rows}}

    wanted = [(match_id, began, *holder) for holder in holders]
    rows = read_cached_each(connection, t.codes, wanted, read).values()
    return {(row.seat, row.handed_on): row.code for row in rows if row is not None}


@every(CodeRow)
def _codes_of(match_id: int, seats: Sequence[str], began: int) -> Executable:
    of_turn = _codes.where(_c.match_id == match_id, _c.seat.in_(seats), _c.seq == began)
    return of_turn.order_by(_c.created, _c.code)


def _held(row: CodeRow) -> _Held:
    return row.match_id, row.seq, row.seat, row.handed_on


def find_code(connection: Connection, code: str) -> CodeRow | None:
    """Return the row of a reply code."""
    return find_codes(connection, [code])[code]


def find_codes(connection: Connection, codes: Iterable[str]) -> dict[str, CodeRow | None]:
    """Return the rows of reply codes, all in one look; None for those that stand for nothing."""

    def read(wanted: list[str]) -> dict[str, CodeRow | None]:
        return {**dict.fromkeys(wanted), **{row.code: row for row in _named(connection, wanted)}}

    return read_cached_each(connection, t.codes, codes, read)


@every(CodeRow)
def _named(codes: Sequence[str]) -> Executable:
    return _codes.where(_c.code.in_(codes))
