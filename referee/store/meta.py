"""What the installation remembers about itself, word by word."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, bindparam, delete, insert, select

from referee.store import tables as t

_GET: Final = select(t.meta.c.value).where(t.meta.c.key == bindparam("which"))
_DROP: Final = delete(t.meta).where(t.meta.c.key == bindparam("which"))
_PUT: Final = insert(t.meta)


def get(connection: Connection, key: str) -> str | None:
    """Return what is remembered under a key."""
    value: str | None = connection.execute(_GET, {"which": key}).scalar()
    return value


def put(connection: Connection, key: str, value: str | None) -> None:
    """Remember a value under a key; None forgets it."""
    connection.execute(_DROP, {"which": key})
    if value is not None:
        connection.execute(_PUT, {"key": key, "value": value})
