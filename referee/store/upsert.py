"""How a row is written that may be there already: both databases know it, each in its dialect."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Column, Connection, Executable, Table
from sqlalchemy.dialects import postgresql, sqlite


@cache
def unless_there(dialect: str, table: Table, returned: Column[Any] | None = None) -> Executable:
    """Return the statement that adds a row unless one with the same key is there.

    Executed, it returns the column of the row added, or no row.
    """
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    statement = insert(table).on_conflict_do_nothing()
    return statement if returned is None else statement.returning(returned)


@cache
def counted(dialect: str, table: Table, counter: str) -> Executable:
    """Return the statement that adds a row with its counter at one, or counts one more.

    Executed with the key of the row, it returns the count.
    """
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    key = [column.name for column in table.primary_key]
    column = table.c[counter]
    return (
        insert(table)
        .values({counter: 1})
        .on_conflict_do_update(index_elements=key, set_={counter: column + 1})
        .returning(column)
    )


def dialect_of(connection: Connection) -> str:
    """Return the name of the database's dialect."""
    return connection.dialect.name
