"""What the tables hold of one match and its players, as JSON rows, for taking it elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Column, Connection, LargeBinary, Table, delete, insert, select

from referee.store import tables as t
from referee.store.tables.base import Moment

STAYS: Final = frozenset({"codes", "consents", "outbox", "plans", "requests", "submissions"})
"""Tables about a match that mean something only where its mail was read and written."""

PEOPLE: Final = ("addresses", "away")
"""Tables about a player that go with him."""

Rows = list[dict[str, Any]]


def pack(connection: Connection, match_id: int) -> dict[str, Rows]:
    """Return all rows of a match and of the players in them, by table, as JSON."""
    found = {"matches": _rows(connection, t.matches, t.matches.c.id, [match_id])}
    for table in _tables():
        found[str(table.name)] = _rows(connection, table, table.c.match_id, [match_id])
    people = sorted(_players(found))
    found["players"] = _rows(connection, t.players, t.players.c.id, people)
    for name in PEOPLE:
        table = t.metadata.tables[name]
        found[name] = _rows(connection, table, table.c.player_id, people)
    return found


def unpack(connection: Connection, rows: Mapping[str, Rows], match_id: int, whose: Any) -> None:
    """Add the rows of a match, but for its own, under a number; ``whose`` maps players' numbers."""
    for table in _tables():
        for row in rows[table.name]:
            values = {**plain(table, row), "match_id": match_id}
            for column in _of_players(table):
                values[column] = whose.get(row[column])
            values.pop("id", None)
            connection.execute(insert(table), values)


def clear(connection: Connection, match_id: int) -> None:
    """Take away the rows of a match that ``unpack`` adds."""
    for table in reversed(_tables()):
        connection.execute(delete(table).where(table.c.match_id == match_id))


def plain(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as the database takes it. Raises KeyError when it lacks a column."""
    return {column.name: _taken(column, row[column.name]) for column in table.columns}


def _tables() -> list[Table]:
    """Return the tables that belong to a match and go with it, in an order to fill them in."""
    every = t.metadata.sorted_tables
    return [each for each in every if "match_id" in each.columns and each.name not in STAYS]


def _of_players(table: Table) -> list[str]:
    """Return the columns of a table that name players."""
    return [each.name for each in table.columns if each.references(t.players.c.id)]


def _players(rows: Mapping[str, Rows]) -> set[int]:
    found = set()
    for name, listed in rows.items():
        for column in _of_players(t.metadata.tables[name]):
            found |= {row[column] for row in listed if row[column] is not None}
    return found


def _rows(connection: Connection, table: Table, which: Column[Any], values: Iterable[int]) -> Rows:
    statement = select(table).where(which.in_(list(values))).order_by(*table.primary_key)
    found = connection.execute(statement).mappings()
    return [{str(name): _given(value) for name, value in row.items()} for row in found]


def _given(value: Any) -> Any:
    """Return a value as JSON: moments as RFC 3339, bytes in hexadecimal."""
    if isinstance(value, datetime):
        return value.isoformat()
    return value.hex() if isinstance(value, bytes) else value


def _taken(column: Column[Any], value: Any) -> Any:
    if value is None:
        return None
    if isinstance(column.type, Moment):
        return datetime.fromisoformat(value)
    return bytes.fromhex(value) if isinstance(column.type, LargeBinary) else value
