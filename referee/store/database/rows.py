"""Rows of the database as frozen dataclasses, and each block's cache."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import fields
from typing import Any, Final, TypeVar, cast

from sqlalchemy import Column, Connection, Result, Table

R = TypeVar("R")

_CACHE: Final = "referee_cache"


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


class Cache:
    """Rows read in one block, good until something is written.

    Only blocks on SQLite have a cache: they alone can tell that nothing else writes meanwhile.
    """

    def __init__(self) -> None:
        self._mark: tuple[int, object] | None = None
        self._known: dict[Hashable, Any] = {}

    def get(self, connection: Connection, what: Hashable, read: Callable[[], R]) -> R:
        """Return the rows kept under the name ``what``; read them if need be."""
        # SQLite counts the rows written, but does not count back where a savepoint is undone.
        written = cast("Any", connection.connection.dbapi_connection).total_changes
        mark = (written, connection.get_nested_transaction())
        if mark != self._mark:
            self._mark = mark
            self._known.clear()
        if what not in self._known:
            self._known[what] = read()
        found: R = self._known[what]
        return found


def with_cache(connection: Connection) -> Connection:
    """Give a block that begins an empty cache; return its connection."""
    return connection.execution_options(**{_CACHE: Cache()})


def read_cached(connection: Connection, what: Hashable, read: Callable[[], R]) -> R:
    """Return rows from the cache of the block; read them if need be.

    ``what`` is the name the rows have among all that are read.
    """
    cache: Cache | None = connection.get_execution_options().get(_CACHE)
    return read() if cache is None else cache.get(connection, what, read)
