"""Tables as the archive uses them: whole matches put in, and bytes dropped."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select, text, update

from referee.store import tables as t
from referee.store.database.rows import all_rows, row_columns
from referee.store.database.upsert import dialect_of, insert_or_raise
from referee.store.play.matches import MatchRow
from referee.store.states import SETTLED
from referee.value import Value

_o: Final = t.outbox.c

_ADD: Final = insert(t.matches).returning(t.matches.c.id)

_BY_HEADER: Final = (
    select(*row_columns(MatchRow, t.matches))
    .where(t.matches.c.header_hash == bindparam("which"))
    .order_by(t.matches.c.id)
)

_KEPT_EVENTS: Final = (
    select(func.count(), func.coalesce(func.sum(func.length(t.events.c.body)), 0))
    .select_from(t.events)
    .where(t.events.c.match_id == bindparam("match"))
)

# What has still to be sent is never pruned, however old.
_gone: Final = (_o.match_id == bindparam("match")) & _o.state.in_(SETTLED) & _o.raw.is_not(None)

_MAILS: Final = select(func.count(), func.coalesce(func.sum(func.length(_o.raw)), 0)).where(_gone)

_DROP_MAILS: Final = update(t.outbox).where(_gone).values(raw=None, brief=None)

_said: Final = t.submissions.alias("said")

_else: Final = t.submissions.alias("elsewhere")

_done: Final = (
    t.letters.c.raw.is_not(None)
    & (t.letters.c.state == "handled")
    & exists()
    .where(_said.c.letter_id == t.letters.c.id)
    .where(_said.c.match_id == bindparam("match"))
    # A letter may be for two matches, and the other one still needs it.
    & ~exists()
    .where(_else.c.letter_id == t.letters.c.id)
    .where(_else.c.match_id.is_distinct_from(bindparam("match")))
)

_LETTERS: Final = select(
    func.count(), func.coalesce(func.sum(func.length(t.letters.c.raw)), 0)
).where(_done)

_DROP_LETTERS: Final = update(t.letters).where(_done).values(raw=None)

_told: Final = t.outbox.alias("told")

_old_mails: Final = (
    select(_o.id)
    .where(_o.raw.is_not(None))
    .where(func.coalesce(_o.sent_at, _o.created) < bindparam("before"))
    .where(
        (_o.state == "sent")
        # What a report tells in its place leaves by itself if that is refused or taken back.
        | (_o.state == "superseded")
        & ~exists().where(_told.c.id == _o.told_in).where(_told.c.state != "sent")
    )
    .order_by(_o.id)
    .limit(bindparam("most"))
)

_old_letters: Final = (
    select(t.letters.c.id)
    .where(t.letters.c.raw.is_not(None))
    .where(t.letters.c.handled_at < bindparam("before"))
    # What lies in quarantine is the organiser's to read.
    .where(t.letters.c.state.in_(["handled", "ignored", "repeat"]))
    .order_by(t.letters.c.id)
    .limit(bindparam("most"))
)

_BYTES: Final = frozenset({"raw", "brief"})
"""The columns that hold what a mail or letter says."""

_FREE: Final = text(
    "SELECT freelist_count, page_count, auto_vacuum "
    "FROM pragma_freelist_count(), pragma_page_count(), pragma_auto_vacuum()"
)

PAGES: Final = 1000
"""Pages of an SQLite file that are given back at a time: 4 MB."""


class Weight(Value):
    """How many things there are, and their bytes."""

    count: int
    bytes: int


class Prunable(Value):
    """The weight of a match's letters, mails and events."""

    letters: Weight
    mails: Weight
    events: Weight


def add_whole(connection: Connection, row: Mapping[str, Any]) -> int:
    """Add a match that was played elsewhere, its columns as given; return its id."""
    found: int = connection.execute(_ADD, dict(row)).scalar_one()
    return found


def matches_with_header(connection: Connection, header_hash: str) -> tuple[MatchRow, ...]:
    """Return the matches that began with this header, oldest first."""
    return all_rows(MatchRow, connection.execute(_BY_HEADER, {"which": header_hash}))


def take_number(connection: Connection, game: str, number: int) -> None:
    """Keep new matches of a game from numbers up to this one."""
    statement = insert_or_raise(dialect_of(connection), t.counters, "last")
    connection.execute(statement, {"game": game, "last": number})


def prunable_weight(connection: Connection, match_id: int) -> Prunable:
    """Return the weight of all that could go of a match.

    Letters count if every submission in them was for this match, mails if they will not be sent
    again.
    """
    rows = [
        connection.execute(each, {"match": match_id}).one()
        for each in (_LETTERS, _MAILS, _KEPT_EVENTS)
    ]
    return Prunable(*(Weight(int(count), int(size)) for count, size in rows))


def drop_raw(connection: Connection, match_id: int) -> None:
    """Forget the bytes of a match's letters and mails; their rows remain."""
    connection.execute(_DROP_LETTERS, {"match": match_id})
    connection.execute(_DROP_MAILS, {"match": match_id})


def drop_old_bytes(connection: Connection, before: datetime, most: int) -> bool:
    """Forget the bytes of mails delivered and of letters handled before a moment.

    At most so many of each go at a time; return whether there may be more.
    """
    found = 0
    for table, old in ((t.outbox, _old_mails), (t.letters, _old_letters)):
        columns = [column for column in table.columns if column.name not in _BYTES]
        which = {"before": before, "most": most}
        rows = connection.execute(select(*columns).where(table.c.id.in_(old)), which)
        kept = [dict(row) for row in rows.mappings()]
        found = max(found, len(kept))
        if kept and connection.dialect.name == "sqlite":
            # Written anew: where rows only shrink, SQLite leaves each on a page of its own.
            connection.execute(insert(table).prefix_with("OR REPLACE"), kept)
        elif kept:
            gone = {column.name: None for column in table.columns if column.name in _BYTES}
            these = [row["id"] for row in kept]
            connection.execute(update(table).where(table.c.id.in_(these)).values(gone))
    return found >= most


def give_room_back(connection: Connection) -> bool:
    """Give some of SQLite's free pages back to the disk; return whether there may be more.

    A fifth of them stays, which the next mails fill again. PostgreSQL sees to its files itself.
    """
    if connection.dialect.name != "sqlite":
        return False
    free, pages, shrinks = connection.execute(_FREE).one()
    if not shrinks or free <= pages // 5:
        return False
    driver: Any = connection.connection.driver_connection
    for _ in range(min(PAGES, free - pages // 5)):
        # The statement yields at each page, and Python's driver goes no further than that.
        driver.execute("PRAGMA incremental_vacuum(1)")
    return True


def drop_events(connection: Connection, match_id: int) -> None:
    """Forget a match's public events; position and private events stay."""
    # Private events stay: they are not in the record, so nothing could bring them back.
    connection.execute(delete(t.events).where(t.events.c.match_id == match_id))
