"""Queries: functions that return their statement, and say by a decorator what is read with it.

Such a function is called once, with places in its statement for what it takes; its callers give a
connection first, and then what belongs into these places. So each statement is built once, and
stands under the name and beside the types it is asked with. Rows come out as values, each of the
kind that its table is made of.

Rows that may be there already are added, in either dialect, by the functions at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar, cast

from sqlalchemy import Column, Connection, CursorResult, Executable, Table, bindparam, insert

from referee.store.database.block import read_cached

P = ParamSpec("P")

R = TypeVar("R")

Statement = Callable[P, Executable]

Rows: TypeAlias = CursorResult[*tuple[Any, ...]]

Ask = Callable[Concatenate[Connection, P], R]


def reading(read: Callable[[Rows], R]) -> Callable[[Statement[P]], Ask[P, R]]:
    """Have a query return what a function reads from its result."""

    def decorate(build: Statement[P]) -> Ask[P, R]:
        parameters = signature(build).parameters
        # SQLAlchemy keeps the names of columns for itself.
        places = {name: f"given_{name}" for name in parameters}
        defaults = {
            places[name]: parameter.default
            for name, parameter in parameters.items()
            if parameter.default is not Parameter.empty
        }

        @cache
        def statement() -> Executable:
            filled: Callable[..., Executable] = build
            return filled(**{name: bindparam(place) for name, place in places.items()})

        @wraps(build)
        def ask(connection: Connection, /, *args: P.args, **kwargs: P.kwargs) -> R:
            given = defaults | dict(zip(places.values(), args, strict=False))
            given |= {places[name]: value for name, value in kwargs.items()}
            return read(connection.execute(statement(), given))

        return ask

    return decorate


def cached(table: Table) -> Callable[[Ask[P, R]], Ask[P, R]]:
    """Have a query of one table read once in a block, until the block changes that table.

    Its rows go by what it is given, in sequence and without its name: another query of this table
    must be given other things.
    """

    def decorate(query: Ask[P, R]) -> Ask[P, R]:
        @wraps(query)
        def ask(connection: Connection, /, *args: P.args, **kwargs: P.kwargs) -> R:
            given = (*args, *kwargs.values())
            what = given[0] if len(given) == 1 else given
            return read_cached(connection, table, what, lambda: query(connection, *args, **kwargs))

        return ask

    return decorate


def required(query: Ask[P, R | None]) -> Ask[P, R]:
    """Have a query raise KeyError where it would return None."""

    @wraps(query)
    def ask(connection: Connection, /, *args: P.args, **kwargs: P.kwargs) -> R:
        answer = query(connection, *args, **kwargs)
        if answer is None:
            raise KeyError(*args, *kwargs.values())
        return answer

    return ask


def every(kind: type[R]) -> Callable[[Statement[P]], Ask[P, tuple[R, ...]]]:
    """Have a query return all rows of a kind."""
    return reading(lambda rows: all_rows(kind, rows))


def first(kind: type[R]) -> Callable[[Statement[P]], Ask[P, R | None]]:
    """Have a query return the first row of a kind, None without any."""
    return reading(lambda rows: first_row(kind, rows))


def value(kind: type[R]) -> Callable[[Statement[P]], Ask[P, R | None]]:
    """Have a query return the first value of its first row, None without any."""
    del kind
    return reading(lambda rows: rows.scalar())


def number(build: Statement[P]) -> Ask[P, int]:
    """Have a query return its only value, a whole number."""
    return reading(lambda rows: int(rows.scalar_one()))(build)


def values(kind: type[R]) -> Callable[[Statement[P]], Ask[P, tuple[R, ...]]]:
    """Have a query return the first value of each row."""
    del kind
    return reading(lambda rows: tuple(rows.scalars()))


def tuples(build: Statement[P]) -> Ask[P, list[Any]]:
    """Have a query return its rows as they are, with the names of their columns."""
    return reading(lambda rows: [*rows])(build)


def one(build: Statement[P]) -> Ask[P, Any]:
    """Have a query return its first row as it is, None without any."""
    return reading(lambda rows: rows.first())(build)


def mapping(build: Statement[P]) -> Ask[P, dict[Any, Any]]:
    """Have a query return the second value of each row by its first."""
    return reading(lambda rows: {row[0]: row[1] for row in rows})(build)


def exists(build: Statement[P]) -> Ask[P, bool]:
    """Have a query return whether there is a row."""
    return reading(lambda rows: rows.first() is not None)(build)


def changed(build: Statement[P]) -> Ask[P, int]:
    """Have a query change rows and return how many."""
    return reading(lambda rows: rows.rowcount)(build)


def done(build: Statement[P]) -> Ask[P, None]:
    """Have a query change rows and return nothing."""
    return reading(lambda _: None)(build)


def add_row(connection: Connection, table: Table, **columns: object) -> int:
    """Add a row to a table that numbers its rows; return the number."""
    return int(connection.execute(_adding(table), columns).scalar_one())


@cache
def _adding(table: Table) -> Any:
    return insert(table).returning(table.c.id)


def row_columns(kind: type[Any], table: Table) -> list[Column[Any]]:
    """Return the columns for the fields of a kind of row."""
    # By the names of the fields: a column no field names, such as the raw bytes, is not read.
    return [table.c[name] for name in kind.__match_args__]


def first_row(kind: type[R], rows: Rows) -> R | None:
    """Return the first row of a result, if there is one."""
    row = rows.first()
    return None if row is None else kind(*row)


def only_row(kind: type[R], rows: Rows, what: object) -> R:
    """Return the row of a result. Raises KeyError naming ``what`` if there is none."""
    row = first_row(kind, rows)
    if row is None:
        raise KeyError(what)
    return row


def all_rows(kind: type[R], rows: Rows) -> tuple[R, ...]:
    """Return all rows of a result."""
    return tuple([kind(*row) for row in rows])


def insert_or_skip(connection: Connection, table: Table, rows: Any, *returned: str) -> Rows:
    """Add a row, or several, unless their keys are taken; return columns of those added."""
    return connection.execute(_inserting(connection.dialect.name, table, (), returned), rows)


def insert_or_replace(
    connection: Connection,
    table: Table,
    row: Any,
    first: str,
    *others: str,
    returned: tuple[str, ...] = (),
) -> Rows:
    """Add a row, or replace columns of the one with its key; return columns of it as it stands."""
    adding = _inserting(connection.dialect.name, table, (first, *others), returned)
    return connection.execute(adding, row)


@cache
def _inserting(
    dialect: str, table: Table, replaced: tuple[str, ...], returned: tuple[str, ...]
) -> Executable:
    # Only the dialect in use is imported: the other one would cost every command its start-up.
    added: Any = import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
    if replaced:
        key = [column.name for column in table.primary_key]
        changes = {column: added.excluded[column] for column in replaced}
        added = added.on_conflict_do_update(index_elements=key, set_=changes)
    else:
        added = added.on_conflict_do_nothing()
    return cast("Executable", added.returning(*[table.c[column] for column in returned]))
