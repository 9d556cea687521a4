"""The check whether a database is undamaged."""

from __future__ import annotations

from typing import Final

from sqlalchemy import text

from referee.store.store import missing_indexes, open_store, revision_of

__all__ = ["database_faults", "lost_indexes", "revision_of"]

MOST: Final = 100


def database_faults(url: str) -> tuple[str, ...]:
    """Return the damage in an SQLite database, and its dangling references.

    PostgreSQL checks its pages and references by itself; there it is only opened. Raises
    StoreError.
    """
    with open_store(url) as store, store.reading() as connection:
        if connection.dialect.name != "sqlite":
            return ()
        said = connection.execute(text(f"PRAGMA integrity_check({MOST})")).scalars().all()
        damaged = [" ".join(str(line).split()) for line in said if line != "ok"]
        # The check above reads pages and indexes only; a row may still refer to one that is gone.
        lost = connection.execute(text("PRAGMA foreign_key_check")).all()
        tables = dict.fromkeys((str(row[0]), str(row[2])) for row in lost)
        led = [f"{name} refers to what {parent} does not hold" for name, parent in tables]
    return (*damaged, *led)


def lost_indexes(url: str) -> tuple[str, ...]:
    """Return the names of the indexes that a database lacks. Raises StoreError."""
    with open_store(url) as store, store.reading() as connection:
        return tuple(str(index.name) for index in missing_indexes(connection))
