"""Blocks: the first fault of each, and the rows read in it.

While a block on SQLite writes nobody else can, and one that reads sees one state throughout: a row
once read stays as it is until the block itself writes to its table. So there is one cache for all
tables, empty when a block begins; the steps of a letter need not hand each other the match, its
seats and players. On PostgreSQL others write meanwhile, but not what a block has locked. So it
forgets all rows whenever it locks one: whoever it waited for may have changed them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Executable, Table
from sqlalchemy.engine.interfaces import ExecutionContext
from sqlalchemy.exc import InvalidRequestError
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
    """Memory of a transaction while it lasts: its first fault, and the rows it has read.

    ``dbapi`` is its connection, if that is one to SQLite; ``held`` are the rows locked on
    PostgreSQL.
    """

    dbapi: sqlite3.Connection | None
    fault: BaseException | None = None
    rows: dict[object, dict[Hashable, Any]] = field(default_factory=dict)
    held: set[tuple[object, Hashable]] = field(default_factory=set)

    def check(self) -> None:
        """Raise Undone if the database has failed in this block before.

        SQLite may then have left the transaction by itself, and a caller that passes over the error
        would go on writing outside of any; or it has undone one statement, and half the block would
        stay. See "Response To Errors Within A Transaction",
        https://www.sqlite.org/lang_transaction.html
        """
        # PostgreSQL refuses by itself what follows a fault.
        if self.dbapi is None:
            return
        if self.fault is not None or not self.dbapi.in_transaction:
            raise Undone("the database gave up in the middle and undid everything") from self.fault

    def forget_changed(self, statement: Executable | None, text: str) -> None:
        """Forget the rows that a statement may change, or whose change it may have waited for.

        ``text`` is its SQL.
        """
        # No table changes another: none has triggers, and no reference of theirs cascades.
        if isinstance(statement, UpdateBase):
            self.rows.pop(statement.table, None)
        elif not isinstance(statement, _CHANGE_NOTHING):
            # A savepoint undone, with its locks, or plain SQL, which does not say what it changes.
            self.rows.clear()
            self.held.clear()
        elif "FOR UPDATE" in text:
            # Only on PostgreSQL, as SQLite locks no rows. What a caller gives is never in the text.
            self.rows.clear()


def is_held(connection: Connection, table: Table, what: Hashable) -> bool:
    """Return whether nobody else can change a row until the block ends."""
    block = block_of(connection)
    return block.dbapi is not None or (table, what) in block.held


def forget_unheld(connection: Connection) -> None:
    """Forget all rows read: others may have changed them during a wait."""
    block = block_of(connection)
    if block.dbapi is None:
        block.rows.clear()


def note_held(connection: Connection, table: Table, which: Iterable[Hashable]) -> None:
    """Note that the block has locked rows."""
    block_of(connection).held.update((table, key) for key in which)


def block_of(connection: Connection) -> Block:
    """Return the block that a connection is in."""
    block: Block = connection.info[BLOCK]
    return block


def check_kept(connection: Connection) -> None:
    """Raise an SQLAlchemyError if the block would not be kept."""
    block = block_of(connection)
    block.check()
    # PostgreSQL takes the COMMIT of a failed transaction for a ROLLBACK, and calls it no error.
    driver: Any = connection.connection.driver_connection
    if block.dbapi is None and driver.info.transaction_status.name == "INERROR":
        raise InvalidRequestError("a fault in this block was passed over: nothing of it is kept")


def before_statement(cursor: Any, text: str, given: Any, context: ExecutionContext) -> None:
    """Check the block before each of its statements. Raises Undone."""
    del cursor, given
    try:
        block = block_of(context.root_connection)
    except NotImplementedError:
        # SQLAlchemy itself asks, on a first connection that belongs to no pool.
        return
    block.check()
    block.forget_changed(context.invoked_statement, text)


def read_cached(connection: Connection, table: Table, what: Hashable, read: Callable[[], R]) -> R:
    """Return rows of one table from the cache of the block; read them if need be.

    ``what`` is the name the rows have among all that are read of the table.
    """
    known = _known(connection, table)
    if what not in known:
        known[what] = read()
    rows: R = known[what]
    return rows


def read_cached_each(
    connection: Connection,
    table: Table,
    which: Iterable[K],
    read: Callable[[list[K]], Mapping[K, R]],
) -> dict[K, R]:
    """Return the rows of each there is; read the missing ones in one look."""
    wanted = dict.fromkeys(which)
    known: dict[Any, R] = _known(connection, table)
    missing = [key for key in wanted if key not in known]
    if missing:
        known.update(read(missing))
    return {key: known[key] for key in wanted if key in known}


def put_cached(connection: Connection, table: Table, what: Hashable, rows: R) -> R:
    """Put rows just written into the cache of the block; return them."""
    _known(connection, table)[what] = rows
    return rows


def _known(connection: Connection, table: Table) -> dict[Hashable, Any]:
    return block_of(connection).rows.setdefault(table, {})
