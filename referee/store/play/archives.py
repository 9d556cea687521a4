"""Tables as the archive uses them: whole matches put in, and bytes dropped."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    text,
    update,
)

from referee.store import tables as t
from referee.store.database import query
from referee.store.states import SETTLED
from referee.store.tables.play import MatchRow
from referee.value import Value

_o: Final = t.outbox.c
_l: Final = t.letters.c
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
    select(_l.id)
    .where(_l.raw.is_not(None))
    .where(_l.handled_at < bindparam("before"))
    # What lies in quarantine is the organiser's to read.
    .where(_l.state.in_(["handled", "ignored", "repeat"]))
    .order_by(_l.id)
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


@query.every(MatchRow)
def matches_with_header(header_hash: str) -> Executable:
    """Return the matches that began with this header, oldest first."""
    began = select(*query.row_columns(MatchRow, t.matches)).where(
        t.matches.c.header_hash == header_hash
    )
    return began.order_by(t.matches.c.id)


@query.value(datetime)
def began_with(commitment: str) -> Executable:
    """Return when a match of this commitment began, if there is one."""
    return select(t.matches.c.started).where(t.matches.c.commitment == commitment).limit(1)


def take_number(connection: Connection, game: str, number: int) -> None:
    """Keep new matches of a game from numbers up to this one."""
    query.insert_or_skip(connection, t.counters, {"game": game, "last": number})
    counter = t.counters.c
    lower = update(t.counters).where(counter.game == game, counter.last < number)
    connection.execute(lower.values(last=number))


def prunable_weight(connection: Connection, match_id: int) -> Prunable:
    """Return the weight of all that could go of a match.

    Letters count if every submission in them was for this match, mails if they will not be sent
    again.
    """

    def weigh(column: ColumnElement[Any], which: ColumnElement[bool]) -> Weight:
        size = func.coalesce(func.sum(func.length(column)), 0)
        count, weight = connection.execute(select(func.count(), size).where(which)).one()
        return Weight(int(count), int(weight))

    return Prunable(
        letters=weigh(_l.raw, _handled(match_id)),
        mails=weigh(_o.raw, _settled(match_id)),
        events=weigh(t.events.c.body, t.events.c.match_id == match_id),
    )


def drop_raw(connection: Connection, match_id: int) -> None:
    """Forget the bytes of a match's letters and mails; their rows remain."""
    connection.execute(update(t.letters).where(_handled(match_id)).values(raw=None))
    connection.execute(update(t.outbox).where(_settled(match_id)).values(raw=None, brief=None))


def _handled(match_id: int) -> ColumnElement[bool]:
    """Pick letters that were handled for this match alone, and still have their bytes."""
    said, elsewhere = t.submissions.alias("said").c, t.submissions.alias("elsewhere").c
    here = exists().where(said.letter_id == _l.id, said.match_id == match_id)
    # A letter may be for two matches, and the other one still needs it.
    other = exists().where(elsewhere.letter_id == _l.id)
    needed = other.where(elsewhere.match_id.is_distinct_from(match_id))
    return _l.raw.is_not(None) & (_l.state == "handled") & here & ~needed


def _settled(match_id: int) -> ColumnElement[bool]:
    """Pick mails of a match that need not be sent any more, and still have their bytes."""
    # What has still to be sent is never pruned, however old.
    return (_o.match_id == match_id) & _o.state.in_(SETTLED) & _o.raw.is_not(None)


def drop_old_bytes(connection: Connection, before: datetime, most: int) -> bool:
    """Forget the bytes of mails delivered and of letters handled before a moment.

    At most so many of each go at a time; return whether there may be more.
    """
    dropped = 0
    for table, old in ((t.outbox, _old_mails), (t.letters, _old_letters)):
        columns = [column for column in table.columns if column.name not in _BYTES]
        which = {"before": before, "most": most}
        rows = connection.execute(select(*columns).where(table.c.id.in_(old)), which)
        kept = [dict(row) for row in rows.mappings()]
        dropped = max(dropped, len(kept))
        if kept and connection.dialect.name == "sqlite":
            # Written anew: where rows only shrink, SQLite leaves each on a page of its own.
            connection.execute(insert(table).prefix_with("OR REPLACE"), kept)
        elif kept:
            gone = {column.name: None for column in table.columns if column.name in _BYTES}
            these = [row["id"] for row in kept]
            connection.execute(update(table).where(table.c.id.in_(these)).values(gone))
    return dropped >= most


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
