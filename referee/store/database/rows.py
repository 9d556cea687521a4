"""Rows of the database as values."""

from __future__ import annotations

from typing import Any, TypeVar

from sqlalchemy import Column, Result, Table

R = TypeVar("R")


def row_columns(kind: type[Any], table: Table) -> list[Column[Any]]:
    """Return the columns for the fields of a kind of row."""
    # By the names of the fields: a column no field names, such as the raw bytes, is not read.
    return [table.c[name] for name in kind.__match_args__]


def row_values(row: Any) -> dict[str, Any]:
    """Return a row's values by column."""
    return {name: getattr(row, name) for name in type(row).__match_args__}


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
