"""How rows of the database become frozen dataclasses: a field for each column of the same name."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import fields
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, Result, Table

R = TypeVar("R")


def columns(kind: type[Any], table: Table) -> list[Column[Any]]:
    """Return the columns a kind of row is made of, in the order of its fields."""
    return [table.c[field.name] for field in fields(kind)]


def first(kind: type[R], found: Result[*tuple[Any, ...]]) -> R | None:
    """Return the first row found, None if there is none."""
    row = found.first()
    return None if row is None else kind(*row)


def only(kind: type[R], found: Result[*tuple[Any, ...]], what: object) -> R:
    """Return the row found. Raises KeyError, naming what was looked for, if there is none."""
    row = first(kind, found)
    if row is None:
        raise KeyError(what)
    return row


def every(kind: type[R], found: Result[*tuple[Any, ...]]) -> tuple[R, ...]:
    """Return all rows found."""
    return tuple([kind(*row) for row in found])


def remembered(connection: Connection, what: Hashable, read: Callable[[], R]) -> R:
    """Return what was read in this block before, unless something was written since; else read it.

    ``what`` names it among all that is read. Where others can write meanwhile it is always read.
    """
    known = getattr(connection.connection.dbapi_connection, "known", None)
    if known is None:
        return read()
    if what not in known:
        known[what] = read()
    found: R = known[what]
    return found
