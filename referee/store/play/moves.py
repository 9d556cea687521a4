"""One match and its players as JSON rows, for another installation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Integer,
    LargeBinary,
    Table,
    UniqueConstraint,
    delete,
    insert,
    select,
)

from referee.store import tables as t
from referee.store.tables.base import WORDS, Moment

STAYS: Final = frozenset(
    {"codes", "outbox", "plans", "questions", "submissions", "waiting_messages"}
)
"""Tables about a match that mean something only where its mail was read and written."""

PEOPLE: Final = ("addresses", "away")
"""Tables about a player that go with them."""

PARAGRAPHS: Final = frozenset({"messages.text", "standing_orders.text"})
"""Columns of a text that may have several lines."""

LONGEST: Final = 1 << 20
"""Characters a text of a match may have; the position of a large board has a hundredth of them."""

MOST: Final = (1 << 63) - 1
"""The largest number a column holds."""

MOMENT: Final = "moment"
"""How a moment is called in the schema, whose reader must see to it that there is such a day."""

Rows = list[dict[str, Any]]


def pack_match(connection: Connection, match_id: int) -> dict[str, Rows]:
    """Return all rows of a match and its players as JSON.

    They are told apart by table.
    """
    found = {"matches": _rows(connection, t.matches, t.matches.c.id, [match_id])}
    for table in _tables():
        found[str(table.name)] = _rows(connection, table, table.c.match_id, [match_id])
    people = sorted(_players(found))
    found["players"] = _rows(connection, t.players, t.players.c.id, people)
    for name in PEOPLE:
        table = t.metadata.tables[name]
        found[name] = _rows(connection, table, table.c.player_id, people)
    return found


def rows_schema() -> dict[str, Any]:
    """Return the JSON Schema of the rows that ``pack_match`` returns.

    Each value's comment says what would be right there.
    """
    tables = [t.matches, t.players, *(t.metadata.tables[name] for name in PEOPLE), *_tables()]
    found = {str(each.name): _table(each) for each in tables}
    found["matches"] |= {"minItems": 1, "maxItems": 1}
    return _object(found)


def first_misfit(rows: Mapping[str, Rows]) -> tuple[str, Any, str] | None:
    """Return the first value that contradicts the others: place, value, remedy.

    A row of another match, a player who is missing, the same row twice. ``rows`` fit the schema.
    """
    match, people = rows["matches"][0]["id"], {each["id"] for each in rows["players"]}
    for name, listed in rows.items():
        table = t.metadata.tables[name]
        seen: set[tuple[str, Any]] = set()
        for number, row in enumerate(listed):
            place = f"$.rows.{name}[{number}]"
            if row.get("match_id", match) != match:
                return f"{place}.match_id", row["match_id"], f"{match}, the match's number"
            for column in _of_players(table):
                if row[column] is not None and row[column] not in people:
                    return f"{place}.{column}", row[column], "the number of a player in this file"
            for keys in _keys(table):
                key = ",".join(keys), tuple(row[each] for each in keys)
                if key in seen:
                    return f"{place}.{keys[-1]}", row[keys[-1]], "one that no row before it has"
                seen.add(key)
    return None


def unpack_match(
    connection: Connection, rows: Mapping[str, Rows], match_id: int, whose: Any
) -> None:
    """Add the rows of a match, except its own, under a number.

    ``whose`` maps players' numbers.
    """
    for table in _tables():
        for row in rows[table.name]:
            values = {**plain_row(table, row), "match_id": match_id}
            for column in _of_players(table):
                values[column] = whose.get(row[column])
            # Numbered anew: the number may be another row's here.
            values.pop("id", None)
            connection.execute(insert(table), values)


def clear_match(connection: Connection, match_id: int) -> None:
    """Take away the rows of a match that ``unpack_match`` adds."""
    # Backwards, so that no row refers to one that is gone already.
    for table in reversed(_tables()):
        connection.execute(delete(table).where(table.c.match_id == match_id))


def plain_row(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as the database takes it. Raises KeyError when it lacks a column."""
    return {column.name: _taken(column, row[column.name]) for column in table.columns}


def _tables() -> list[Table]:
    """Return the tables that move with a match, in filling order."""
    every = t.metadata.sorted_tables
    return [each for each in every if "match_id" in each.columns and each.name not in STAYS]


def _keys(table: Table) -> list[list[str]]:
    """Return the sets of columns that tell a table's rows apart."""
    unique = [each for each in table.constraints if isinstance(each, UniqueConstraint)]
    return [[each.name for each in keys.columns] for keys in (table.primary_key, *unique)]


def _table(table: Table) -> dict[str, Any]:
    columns = {each.name: _column(each) for each in table.columns}
    return {"type": "array", "$comment": "a list of rows", "items": _object(columns)}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "$comment": f"an object with {', '.join(properties)}",
        "required": list(properties),
        "additionalProperties": False,
        "properties": dict(properties),
    }


def _column(column: Column[Any]) -> dict[str, Any]:
    """Return the schema of a column's values, as JSON."""
    found = _kind(column)
    if column.nullable:
        return {"anyOf": [{"type": "null"}, found], "$comment": found["$comment"] + ", null"}
    return found


def _kind(column: Column[Any]) -> dict[str, Any]:
    if isinstance(column.type, Moment):
        described = "a moment from 1970 to 2999 such as 2026-11-20T10:00:00+00:00"
        # The end is anchored twice: "$" alone also matches before a last line feed.
        pattern = r"^(19[7-9]|2[0-9]{2})[0-9]-[0-9-]{5}T[0-9:]{8}([.][0-9]{6})?[+]00:00$(?!\n)"
        return {"type": "string", "pattern": pattern, "format": MOMENT, "$comment": described}
    if isinstance(column.type, LargeBinary):
        described = "bytes in hexadecimal"
        return {"type": "string", "pattern": r"^([0-9a-f]{2})+$(?!\n)", "$comment": described}
    if isinstance(column.type, Boolean):
        return {"type": "boolean", "$comment": "true or false"}
    if isinstance(column.type, Integer):
        # Rows are numbered from one; a count may be nought, and some numbers less.
        least = 1 if column.name == "id" or column.foreign_keys else -MOST
        described = f"a whole number from {least} to {MOST}"
        return {"type": "integer", "minimum": least, "maximum": MOST, "$comment": described}
    if words := column.info.get(WORDS):
        return {"enum": list(words), "$comment": f"one of {', '.join(words)}"}
    described = f"a text of at most {LONGEST} characters, without control characters"
    breaks = f"{column.table.name}.{column.name}" in PARAGRAPHS
    pattern = r"^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$" if breaks else r"^[^\x00-\x1f\x7f-\x9f]*$(?!\n)"
    return {"type": "string", "maxLength": LONGEST, "pattern": pattern, "$comment": described}


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
