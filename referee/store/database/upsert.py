"""How a row is written that may be there already: both databases know it, each in its dialect."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from sqlalchemy import Connection, Executable, Table


@cache
def unless_there(dialect: str, table: Table, returned: str) -> Executable:
    """Return the statement that adds a row unless one with the same key is there.

    Executed, it returns a column of the row added, or no row.
    """
    statement: Executable = (
        _insert(dialect, table).on_conflict_do_nothing().returning(table.c[returned])
    )
    return statement


@cache
def counted(dialect: str, table: Table, counter: str) -> Executable:
    """Return the statement that adds a row with its counter at one, or counts one more.

    Executed with the key of the row, it returns the count.
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
def raised(dialect: str, table: Table, counter: str) -> Executable:
    """Return the statement that adds a row, or raises its counter if it is lower.

    Executed with the whole row, it returns nothing.
    """
    key = [column.name for column in table.primary_key]
    added = _insert(dialect, table)
    statement: Executable = added.on_conflict_do_update(
        index_elements=key,
        set_={counter: added.excluded[counter]},
        where=table.c[counter] < added.excluded[counter],
    )
    return statement


@cache
def replaced(dialect: str, table: Table, column: str) -> Executable:
    """Return the statement that adds a row, or puts its value of a column in place of what was.

    Executed with the whole row, it returns nothing.
    """
    added = _insert(dialect, table)
    statement: Executable = added.on_conflict_do_update(
        index_elements=[each.name for each in table.primary_key],
        set_={column: added.excluded[column]},
    )
    return statement


@cache
def held(dialect: str, table: Table, column: str) -> Executable:
    """Return the statement that adds a row unless it is there, and locks it until the block ends.

    Executed with the whole row, it returns a column of it as it stands.
    """
    key = [each.name for each in table.primary_key]
    added = _insert(dialect, table)
    statement: Executable = added.on_conflict_do_update(
        index_elements=key, set_={each: added.excluded[each] for each in key}
    ).returning(table.c[column])
    return statement


def dialect_of(connection: Connection) -> str:
    """Return the name of the database's dialect."""
    return connection.dialect.name


def _insert(dialect: str, table: Table) -> Any:
    # Only the dialect in use is imported: the other one would cost every command its start-up.
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
