"""How the installation stands, in numbers, and what it remembers about itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Select, bindparam, delete, func, select

from referee.store import tables as t
from referee.store.database.rows import columns, every, remembered
from referee.store.database.upsert import dialect_of, held, replaced
from referee.store.leases import LeaseRow

_GET: Final = select(t.meta.c.value).where(t.meta.c.key == bindparam("which"))

_DROP: Final = delete(t.meta).where(t.meta.c.key == bindparam("which"))

_PLAYERS: Final = select(func.count()).select_from(t.players)

_MATCHES: Final = select(t.matches.c.state, func.count()).group_by(t.matches.c.state)

_LETTERS: Final = select(t.letters.c.state, func.count()).group_by(t.letters.c.state)

_OUTBOX: Final = select(t.outbox.c.state, func.count()).group_by(t.outbox.c.state)

_OLDEST_LETTER: Final = select(func.min(t.letters.c.arrived)).where(t.letters.c.state == "kept")

_OLDEST_MAIL: Final = select(func.min(t.outbox.c.created)).where(
    t.outbox.c.state.in_(["waiting", "sending", "uncertain"])
)

_LATE: Final = (
    select(t.matches.c.name, t.matches.c.to_act, t.matches.c.due)
    .where(t.matches.c.state == "running", t.matches.c.due < bindparam("now"))
    .order_by(t.matches.c.due)
)

_RUNNING: Final = select(
    t.matches.c.id, t.matches.c.name, t.matches.c.game, t.matches.c.edition
).where(t.matches.c.state == "running")

_LEASES: Final = select(*columns(LeaseRow, t.leases)).order_by(t.leases.c.mailbox)


@dataclass(frozen=True, slots=True)
class Status:
    """Counts by state, and since when the oldest unhandled letter and unsent mail wait."""

    players: int
    matches: dict[str, int]
    letters: dict[str, int]
    outbox: dict[str, int]
    oldest_letter: datetime | None
    oldest_mail: datetime | None
    leases: tuple[LeaseRow, ...]


def status(connection: Connection) -> Status:
    """Return how the installation stands."""
    return Status(
        players=connection.execute(_PLAYERS).scalar_one(),
        matches=_by_state(connection, _MATCHES),
        letters=_by_state(connection, _LETTERS),
        outbox=_by_state(connection, _OUTBOX),
        oldest_letter=connection.execute(_OLDEST_LETTER).scalar(),
        oldest_mail=connection.execute(_OLDEST_MAIL).scalar(),
        leases=every(LeaseRow, connection.execute(_LEASES)),
    )


def late(connection: Connection, now: datetime) -> list[tuple[str, str | None, datetime]]:
    """Return the matches out of time, oldest first: name, seat to act, and since when."""
    found = connection.execute(_LATE, {"now": now})
    return [(row.name, row.to_act, row.due) for row in found]


def running(connection: Connection) -> list[tuple[int, str, str, int]]:
    """Return the matches that run: number, name, game and edition."""
    return [(row.id, row.name, row.game, row.edition) for row in connection.execute(_RUNNING)]


def counts(connection: Connection) -> dict[str, dict[str, int]]:
    """Return how many matches, letters and mails are in each state."""
    return {
        "matches": _by_state(connection, _MATCHES),
        "letters": _by_state(connection, _LETTERS),
        "outbox": _by_state(connection, _OUTBOX),
    }


def value(connection: Connection, key: str) -> str | None:
    """Return what is remembered under a key."""
    return remembered(
        connection,
        ("meta", key),
        lambda: connection.execute(_GET, {"which": key}).scalar(),
    )


def put(connection: Connection, key: str, value: str) -> None:
    """Remember a value under a key, in place of what was there."""
    statement = replaced(dialect_of(connection), t.meta, "value")
    connection.execute(statement, {"key": key, "value": value})


def locked(connection: Connection, key: str) -> str:
    """Return what is remembered under a key, empty if nothing is, for changing it.

    Until the block ends nobody else changes it; who asks for it the same way waits.
    """
    statement = held(dialect_of(connection), t.meta, "value")
    found: str = connection.execute(statement, {"key": key, "value": ""}).scalar_one()
    return found


def remove(connection: Connection, key: str) -> None:
    """Forget what is remembered under a key."""
    connection.execute(_DROP, {"which": key})


def _by_state(connection: Connection, counts: Select[*tuple[Any, ...]]) -> dict[str, int]:
    return {row[0]: row[1] for row in connection.execute(counts)}
