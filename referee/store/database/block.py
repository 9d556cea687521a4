"""Blocks on SQLite: the first fault of each, and the rows read in it.

While a block on SQLite writes nobody else can, and one that reads sees one state throughout: a row
once read stays as it is until the block itself writes to its table. So there is one cache for all
tables, empty when a block begins; the steps of a letter need not hand each other the match, its
seats and players. PostgreSQL locks single rows: nothing is kept there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Executable, Table
from sqlalchemy.engine.interfaces import ExecutionContext
from sqlalchemy.sql.expression import (
    ReleaseSavepointClause,
    SavepointClause,
    SelectBase,
    UpdateBase,
)

from referee.store.database.errors import Undone

BLOCK: Final = "referee_block"
"""The key of the block among the infos of a connection."""

R = TypeVar("R")

K = TypeVar("K", bound=Hashable)

_CHANGE_NOTHING: Final = (SelectBase, SavepointClause, ReleaseSavepointClause)


@dataclass(slots=True)
class Block:
    """Transaction that a connection to SQLite is in."""

    dbapi: sqlite3.Connection
    fault: BaseException | None = None
    rows: dict[object, dict[Hashable, Any]] = field(default_factory=dict)

    def check(self) -> None:
        """Raise Undone if the database has failed in this block before.

        SQLite may then have left the transaction by itself, and a caller that passes over the error
        would go on writing outside of any; or it has undone one statement, and half the block would
        stay. See "Response To Errors Within A Transaction",
        https://www.sqlite.org/lang_transaction.html
        """
        if self.fault is not None or not self.dbapi.in_transaction:
            raise Undone("the database gave up in the middle and undid everything") from self.fault

    def forget_changed(self, statement: Executable | None) -> None:
        """Forget the rows that a statement may change."""
        # No table changes another: none has triggers, and no reference of theirs cascades.
        if isinstance(statement, UpdateBase):
            self.rows.pop(statement.table, None)
        elif not isinstance(statement, _CHANGE_NOTHING):
            # A savepoint undone, or plain SQL, which does not say what it changes.
            self.rows.clear()


def block_of(connection: Connection) -> Block | None:
    """Return the block of a connection to SQLite; None on PostgreSQL."""
    found: Block | None = connection.info.get(BLOCK)
    return found


def before_statement(cursor: Any, text: str, given: Any, context: ExecutionContext) -> None:
    """Check the block before each of its statements. Raises Undone."""
    del cursor, text, given
    block = block_of(context.root_connection)
    if block is not None:
        block.check()
        block.forget_changed(context.invoked_statement)


def read_cached(connection: Connection, table: Table, what: Hashable, read: Callable[[], R]) -> R:
    """Return rows of one table from the cache of the block; read them if need be.

    ``what`` is the name the rows have among all that are read of the table.
    """
    known = _known(connection, table)
    if what not in known:
        known[what] = read()
    found: R = known[what]
    return found


def read_cached_each(
    connection: Connection,
    table: Table,
    which: Iterable[K],
    read: Callable[[list[K]], Mapping[K, R]],
) -> dict[K, R]:
    """Return the rows of each there is; read the missing ones in one look."""
    wanted = dict.fromkeys(which)
    known: dict[Any, R] = _known(connection, table)
    missing = [each for each in wanted if each not in known]
    if missing:
        known.update(read(missing))
    return {each: known[each] for each in wanted if each in known}


def put_cached(connection: Connection, table: Table, what: Hashable, rows: R) -> R:
    """Put rows just written into the cache of the block; return them."""
    _known(connection, table)[what] = rows
    return rows


def _known(connection: Connection, table: Table) -> dict[Hashable, Any]:
    """Return the rows known of a table; nothing is kept where a block has no cache."""
    block = block_of(connection)
    return {} if block is None else block.rows.setdefault(table, {})
