"""The outbox: mails written once, sent in order, marked with the server's answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import ClassVar, Final

from sqlalchemy import Connection, bindparam, exists, func, select, update

from referee.store import tables as t
from referee.store.database.block import read_cached
from referee.store.database.packing import without_files
from referee.store.database.rows import all_rows, first_row, only_row, row_columns, row_values
from referee.store.database.upsert import dialect_of, insert_or_skip
from referee.store.states import MOST_DOUBTS, UNSENT, OutboxKind, OutboxState
from referee.value import Discreet, Value


class OutboxRow(Value):
    """A mail without its bytes; ``seq`` is the event a report tells up to.

    ``bounced_at`` is when it came back; ``unproved``: it answers a letter that proved nothing.
    ``arrived`` is when the letter came that it was written after, if there was one. ``told_in`` is
    the report that told it in its place. ``doubts`` counts the tries that may have arrived.
    """

    id: int
    recipient: str
    player_id: int | None
    match_id: int | None
    seat: str | None
    kind: OutboxKind
    turn: int | None
    seq: int | None
    code: str | None
    message_id: str
    envelope_from: str
    state: OutboxState
    attempts: int
    next_at: datetime
    created: datetime
    sent_at: datetime | None
    answer: str | None
    unproved: bool
    bounced_at: datetime | None
    arrived: datetime | None
    told_in: int | None = None
    doubts: int = 0


class NewMail(Discreet):
    """A mail to be written; a report tells up to the event ``seq``.

    ``next_at`` is when it may leave, if not at once. ``brief`` is a reply in short, as a report can
    tell it in its place.
    """

    hidden: ClassVar[frozenset[str]] = frozenset({"raw"})
    recipient: str
    kind: OutboxKind
    message_id: str
    envelope_from: str
    raw: bytes
    created: datetime
    player_id: int | None = None
    match_id: int | None = None
    seat: str | None = None
    turn: int | None = None
    seq: int | None = None
    code: str | None = None
    arrived: datetime | None = None
    next_at: datetime | None = None
    brief: str | None = None


FOLLOWS_WITHIN: Final = timedelta(minutes=1)
"""How long a reply waits for the report that may take its place."""

_o: Final = t.outbox.c

_earlier: Final = t.outbox.alias("earlier")

_mails: Final = select(*row_columns(OutboxRow, t.outbox))

_ONE: Final = _mails.where(_o.id == bindparam("which"))

_LAST: Final = select(func.max(_o.id))

_AFTER: Final = _mails.where(_o.id > bindparam("which")).order_by(_o.id)

_RAW: Final = select(_o.raw).where(_o.id == bindparam("which"))

_BY_MESSAGE_ID: Final = _mails.where(_o.message_id == bindparam("which"))

_LATEST: Final = _mails.order_by(_o.id.desc()).limit(bindparam("most"))

_LATEST_IN: Final = _LATEST.where(_o.state == bindparam("which"))

_DUE: Final = (
    _mails.where(_o.state.in_(["waiting", "uncertain"]))
    .where(_o.next_at <= bindparam("now"))
    .where(_o.doubts < MOST_DOUBTS)
    .where(
        # In order for each recipient: a report must not overtake the receipt of its orders.
        ~exists()
        .where(_earlier.c.recipient == _o.recipient)
        .where(_earlier.c.state.in_(UNSENT))
        .where(_earlier.c.id < _o.id)
        # One that waits for its hour, or for the organiser, holds nothing back.
        .where(_earlier.c.doubts < MOST_DOUBTS)
        .where((_earlier.c.attempts > 0) | (_earlier.c.next_at <= bindparam("now")))
    )
    .where(
        # A match that has still something to do may write the report that tells it instead.
        ~exists()
        .where(_o.brief.is_not(None))
        .where(_o.created > bindparam("followed"))
        .where(t.matches.c.id == _o.match_id)
        .where(t.matches.c.agenda_at <= bindparam("now"))
    )
    .order_by(_o.next_at, _o.id)
    .limit(bindparam("most"))
)

_CLAIM: Final = (
    update(t.outbox)
    .where(_o.id == bindparam("which"))
    .where(_o.state.in_(["waiting", "uncertain"]))
    # Another daemon may have tried it since it was found due.
    .where(_o.attempts == func.coalesce(bindparam("tries"), _o.attempts))
    # Claimed before it is sent, or two daemons would send it twice.
    .values(state="sending", claimed_by=bindparam("whose"), attempts=_o.attempts + 1)
    .returning(_o.raw)
)

_UPDATE: Final = update(t.outbox).where(_o.id == bindparam("which"))

_TOLD_IN: Final = select(_earlier.c.told_in).where(_earlier.c.id == bindparam("which"))

_it_or_its_report: Final = (_o.id == bindparam("which")) | (_o.id == _TOLD_IN.scalar_subquery())

_AGAIN: Final = (
    update(t.outbox)
    .where(_it_or_its_report)
    .where(_o.state == "failed")
    .where(_o.raw.is_not(None))
    .values(state="waiting", doubts=0)
)

_ON_ITS_WAY: Final = select(_o.id).where(_it_or_its_report).where(_o.state.in_([*UNSENT, "held"]))

_CHANGE: Final = _UPDATE.where(_o.state.in_(bindparam("those", expanding=True))).values(doubts=0)

_EARLIER: Final = (
    update(t.outbox)
    .where(_o.recipient == bindparam("whom"))
    .where(_o.id < bindparam("which"))
    .where(_o.state.in_(["waiting", "uncertain"]))
)

# A report shows its match as it stands, whatever else was to be said to its seat.
_REPLACE: Final = (
    update(t.outbox)
    .where((_o.state == "failed") | (_o.state == "uncertain") & (_o.doubts >= MOST_DOUBTS))
    .where(_o.match_id.is_not_distinct_from(bindparam("match")))
    .where(_o.seat.is_not_distinct_from(bindparam("colour")))
    .where(
        _o.match_id.is_not(None)
        | (_o.kind == bindparam("sort")) & _o.player_id.is_not_distinct_from(bindparam("whom"))
    )
    .values(state="superseded")
)

_HASTEN: Final = update(t.outbox).where(_o.state.in_(["waiting", "uncertain"]))


# Uncertain, not waiting: the server may have accepted it before the process died.
_RECOVER: Final = update(t.outbox).where(_o.state == "sending").values(state="uncertain")

_LAST_TO: Final = _mails.where(_o.recipient == bindparam("place")).order_by(_o.id.desc()).limit(1)


def enqueue_mails(connection: Connection, mails: Sequence[NewMail]) -> dict[str, int]:
    """Write mails to be sent; return their ids by Message-ID.

    Their bytes and Message-IDs stay as they are. One whose Message-ID another mail bears is left
    out.
    """
    if not mails:
        return {}
    rows = [
        {**row_values(each), "state": "waiting", "next_at": each.next_at or each.created}
        for each in mails
    ]
    statement = insert_or_skip(dialect_of(connection), t.outbox, "message_id", "id")
    return {found[0]: found[1] for found in connection.execute(statement, rows)}


def set_envelopes(connection: Connection, envelopes: Mapping[int, str]) -> None:
    """Note where mails, by their ids, are returned if undeliverable."""
    rows = [{"which": each, "envelope_from": to} for each, to in envelopes.items()]
    if rows:
        connection.execute(_UPDATE, rows)


def get_mail(connection: Connection, outbox_id: int) -> OutboxRow:
    """Return a mail. Raises KeyError."""
    return only_row(OutboxRow, connection.execute(_ONE, {"which": outbox_id}), outbox_id)


def last_mail_id(connection: Connection) -> int:
    """Return the number of the latest mail, nought without any."""
    found: int | None = connection.execute(_LAST).scalar()
    return found or 0


def mails_after(connection: Connection, outbox_id: int) -> tuple[OutboxRow, ...]:
    """Return the mails written after one, in the order they were written."""
    return all_rows(OutboxRow, connection.execute(_AFTER, {"which": outbox_id}))


def mail_by_message_id(connection: Connection, message_id: str) -> OutboxRow | None:
    """Return the mail of ours that bore this Message-ID."""
    return read_cached(
        connection,
        t.outbox,
        message_id,
        lambda: first_row(OutboxRow, connection.execute(_BY_MESSAGE_ID, {"which": message_id})),
    )


def raw_mail(connection: Connection, outbox_id: int) -> bytes:
    """Return the bytes of a mail. Raises KeyError without any."""
    found: bytes | None = connection.execute(_RAW, {"which": outbox_id}).scalar()
    if found is None:
        raise KeyError(outbox_id)
    return found


def drop_files(connection: Connection, outbox_id: int) -> None:
    """Forget the pictures and pages of a mail, which take most of its room."""
    raw: bytes | None = connection.execute(_RAW, {"which": outbox_id}).scalar()
    if raw is not None:
        connection.execute(_UPDATE, {"which": outbox_id, "raw": without_files(raw)})


def latest_mails(
    connection: Connection, state: str | None = None, limit: int = 100
) -> tuple[OutboxRow, ...]:
    """Return the latest mails, all or those in a state, newest first."""
    if state is None:
        return all_rows(OutboxRow, connection.execute(_LATEST, {"most": limit}))
    return all_rows(OutboxRow, connection.execute(_LATEST_IN, {"most": limit, "which": state}))


def due_mails(connection: Connection, now: datetime, limit: int = 50) -> tuple[OutboxRow, ...]:
    """Return the mails to send now: each recipient's earliest unfinished one.

    A mail that failed for good or is held does not hold back those after it.
    """
    which: dict[str, object] = {"now": now, "followed": now - FOLLOWS_WITHIN, "most": limit}
    return all_rows(OutboxRow, connection.execute(_DUE, which))


def claim_mail(
    connection: Connection, outbox_id: int, worker: str | None = None, attempts: int | None = None
) -> bytes | None:
    """Take a mail for sending and return its bytes; ``worker`` is one of several daemons.

    The attempt is counted. None if another has it or has tried it after so many ``attempts``, or
    it is done.
    """
    which = {"which": outbox_id, "whose": worker, "tries": attempts}
    found: bytes | None = connection.execute(_CLAIM, which).scalar()
    return found


def unclaim_mail(connection: Connection, row: OutboxRow) -> None:
    """Put a claimed mail back as it was; the attempt does not count."""
    # The server was at fault, and the mail must not be given up for that.
    before = {"state": row.state, "attempts": row.attempts}
    connection.execute(_UPDATE, {"which": row.id, **before})


def mark_mail(
    connection: Connection,
    outbox_id: int,
    state: OutboxState,
    *,
    now: datetime,
    answer: str | None = None,
    next_at: datetime | None = None,
    doubts: int | None = None,
) -> None:
    """Record a mail's state and the server's answer.

    ``next_at`` is when to try again, ``doubts`` how many tries may have arrived by now.
    """
    row: dict[str, object] = {"which": outbox_id, "state": state}
    if answer is not None:
        row["answer"] = answer
    if next_at is not None:
        row["next_at"] = next_at
    if doubts is not None:
        row["doubts"] = doubts
    if state == "sent":
        row["sent_at"] = now
    connection.execute(_UPDATE, row)


def is_to_arrive(connection: Connection, outbox_id: int, now: datetime) -> bool:
    """Return whether a mail, or the report that told it, has still to leave.

    What was refused leaves again: the same bytes and Message-ID.
    """
    connection.execute(_AGAIN, {"which": outbox_id, "next_at": now})
    return connection.execute(_ON_ITS_WAY, {"which": outbox_id}).first() is not None


def change_mail(
    connection: Connection,
    outbox_id: int,
    those: Iterable[OutboxState],
    state: OutboxState,
    next_at: datetime,
) -> bool:
    """Move a mail from one of ``those`` states to another; return whether."""
    row = {"which": outbox_id, "those": list(those), "state": state, "next_at": next_at}
    return connection.execute(_CHANGE, row).rowcount == 1


def hasten_earlier(connection: Connection, row: OutboxRow, now: datetime) -> None:
    """Make the recipient's earlier waiting mails due now."""
    connection.execute(_EARLIER, {"whom": row.recipient, "which": row.id, "next_at": now})


def hasten_all(connection: Connection, now: datetime) -> None:
    """Make all waiting mails due now."""
    connection.execute(_HASTEN, {"next_at": now})


def take_place(connection: Connection, old: int, new: int) -> None:
    """Let a mail be found wherever one was that it took the place of."""
    for column in (_o.told_in, t.submissions.c.receipt, t.waiting_messages.c.mail_id):
        found = update(column.table).where(column == old)
        connection.execute(found.values({column: new}))


def replace_failed(
    connection: Connection,
    match_id: int | None,
    seat: str | None,
    kind: OutboxKind = "report",
    player_id: int | None = None,
) -> None:
    """Note that mails that did not arrive have lost their purpose.

    All to a seat, or those like a later one.
    """
    which = {"match": match_id, "colour": seat, "sort": kind, "whom": player_id}
    connection.execute(_REPLACE, which)


def recover_mails(connection: Connection) -> int:
    """Mark mails a dead process was sending as uncertain; return how many."""
    return connection.execute(_RECOVER).rowcount


def note_unproved(connection: Connection, outbox_id: int) -> None:
    """Record that a mail answers a letter without proof of its sender."""
    connection.execute(_UPDATE, {"which": outbox_id, "unproved": True})


def note_bounced(connection: Connection, outbox_id: int, now: datetime) -> None:
    """Record that a mail came back."""
    connection.execute(_UPDATE, {"which": outbox_id, "bounced_at": now})


def last_to(connection: Connection, recipient: str) -> OutboxRow | None:
    """Return the latest mail to an address."""
    return first_row(OutboxRow, connection.execute(_LAST_TO, {"place": recipient}))
