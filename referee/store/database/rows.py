"""Rows of the database as frozen dataclasses, and each block's cache."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

from sqlalchemy import Column, Connection, Result, Table

R = TypeVar("R")

K = TypeVar("K", bound=Hashable)

_READING: Final = ("SELECT", "SAVEPOINT", "RELEASE")

_WRITING: Final = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")

_EVERY: Final = "*"
"""Every table: of a block that begins, or a savepoint that is undone."""


Cache: TypeAlias = dict[str, dict[Hashable, Any]]
"""Rows read in one block, by table and the name they were read under.

They are good until something is written to their table. Only blocks on SQLite have a cache: they
alone can tell that nothing else writes meanwhile.
"""


def row_columns(kind: type[Any], table: Table) -> list[Column[Any]]:
    """Return the columns for the fields of a kind of row."""
    # By the names of the fields: a column no field names, such as the raw bytes, is not read.
    return [table.c[field.name] for field in fields(kind)]


def first_row(kind: type[R], found: Result[*tuple[Any, ...]]) -> R | None:
    """Return the first row found, if there is one."""
    row = found.first()
    return None if row is None else kind(*row)


def only_row(kind: type[R], found: Result[*tuple[Any, ...]], what: object) -> R:
    """Return the row found. Raises KeyError naming ``what`` if there is none."""
    row = first_row(kind, found)
    if row is None:
        raise KeyError(what)
    return row


def all_rows(kind: type[R], found: Result[*tuple[Any, ...]]) -> tuple[R, ...]:
    """Return all rows found."""
    return tuple([kind(*row) for row in found])


def forget_changed(cache: Cache, statement: str) -> None:
    """Forget the rows that a statement may change."""
    table = _written(statement)
    if table == _EVERY:
        cache.clear()
    elif table is not None:
        cache.pop(table, None)


@lru_cache(maxsize=1024)
def _written(statement: str) -> str | None:
    """Return the table a statement writes to, if any; ``_EVERY`` where it cannot be told."""
    found = _WRITING.match(statement)
    if found is None and not statement.startswith(_READING):
        return _EVERY
    return found[1] if found else None


def _known(connection: Connection, table: Table) -> dict[Hashable, Any]:
    """Return the rows known of a table; nothing is kept where a block has no cache."""
    cache: Cache | None = getattr(connection.connection.dbapi_connection, "cache", None)
    return {} if cache is None else cache.setdefault(table.name, {})


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
    """Return what there is of each; read in one look whatever the cache lacks."""
    wanted = dict.fromkeys(which)
    known: dict[Any, R] = _known(connection, table)
    missing = [each for each in wanted if each not in known]
    if missing:
        known.update(read(missing))
    return {each: known[each] for each in wanted if each in known}


def put_cached(connection: Connection, table: Table, what: Hashable, rows: R) -> R:
    """Put rows into the cache of the block as they were just written; return them."""
    _known(connection, table)[what] = rows
    return rows
