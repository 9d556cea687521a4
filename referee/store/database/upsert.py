"""Statements for rows that may be there already, in either dialect."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from sqlalchemy import Connection, Executable, Table


@cache
def insert_or_skip(dialect: str, table: Table, *returned: str) -> Executable:
    """Return the statement that adds a row unless its key is taken.

    Executed, it returns columns of the row added, or no row.
    """
    added = _insert(dialect, table).on_conflict_do_nothing()
    statement: Executable = added.returning(*[table.c[column] for column in returned])
    return statement


@cache
def insert_or_count(dialect: str, table: Table, counter: str) -> Executable:
    """Return the statement that adds a row or counts it up.

    A new row has its counter at one. Executed with the key of the row, it returns the count.
    """
    key = [column.name for column in table.primary_key]
    more = {counter: table.c[counter] + 1}
    statement: Executable = (
        _insert(dialect, table)
        .values({counter: 1})
        .on_conflict_do_update(index_elements=key, set_=more)
        .returning(table.c[counter])
    )
    return statement


@cache
def insert_or_raise(dialect: str, table: Table, counter: str) -> Executable:
    """Return the statement that adds a row, given whole, or raises a lower counter of it."""
    key = [column.name for column in table.primary_key]
    added = _insert(dialect, table)
    statement: Executable = added.on_conflict_do_update(
        index_elements=key,
        set_={counter: added.excluded[counter]},
        where=table.c[counter] < added.excluded[counter],
    )
    return statement


@cache
def insert_or_replace(dialect: str, table: Table, *columns: str) -> Executable:
    """Return the statement that adds a row, given whole, or replaces columns of it."""
    added = _insert(dialect, table)
    statement: Executable = added.on_conflict_do_update(
        index_elements=[column.name for column in table.primary_key],
        set_={column: added.excluded[column] for column in columns},
    )
    return statement


@cache
def insert_and_lock(dialect: str, table: Table, column: str) -> Executable:
    """Return the statement that adds a row unless there, and locks it.

    The lock lasts until the block ends. Executed with the whole row, it returns a column of it as
    it stands.
    """
    key = [column.name for column in table.primary_key]
    added = _insert(dialect, table)
    statement: Executable = added.on_conflict_do_update(
        # Set to itself: DO NOTHING would neither lock the row that is there nor return it.
        index_elements=key,
        set_={column: added.excluded[column] for column in key},
    ).returning(table.c[column])
    return statement


def dialect_of(connection: Connection) -> str:
    """Return the name of the database's dialect."""
    return connection.dialect.name


def _insert(dialect: str, table: Table) -> Any:
    # Only the dialect in use is imported: the other one would cost every command its start-up.
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
