"""The outbox: mails written once, sent in order, marked with the server's answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, case, exists, func, select, update

from referee.store import tables as t
from referee.store.database.rows import columns, every, first, only, remembered
from referee.store.database.upsert import dialect_of, unless_there
from referee.store.states import UNSENT, OutboxKind, OutboxState


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A mail without its bytes; ``seq`` is the event a report tells up to.

    ``bounced_at`` is when it came back; ``unproved``: it answers a letter that proved nothing.
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


_o: Final = t.outbox.c

_earlier: Final = t.outbox.alias("earlier")

_mails: Final = select(*columns(OutboxRow, t.outbox))

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
    .where(
        ~exists()
        .where(_earlier.c.recipient == _o.recipient)
        .where(_earlier.c.state.in_(UNSENT))
        .where(_earlier.c.id < _o.id)
    )
    .order_by(_o.next_at, _o.id)
    .limit(bindparam("most"))
)

_CLAIM: Final = (
    update(t.outbox)
    .where(_o.id == bindparam("which"))
    .where(_o.state.in_(["waiting", "uncertain"]))
    .values(state="sending", attempts=_o.attempts + 1)
    .returning(_o.raw)
)

_UPDATE: Final = update(t.outbox).where(_o.id == bindparam("which"))

_AGAIN: Final = _UPDATE.where(_o.state.in_(["sent", "failed"])).values(state="waiting")

_to_seat: Final = (_o.match_id == bindparam("match")) & (_o.seat == bindparam("colour"))

_of_seat: Final = _to_seat & (_o.kind == "report")

_SUPERSEDE: Final = (
    update(t.outbox)
    .where(_to_seat)
    .where(_o.kind == bindparam("sort"))
    .where((_o.state == "waiting") | (_o.state == "held"))
    .values(state="superseded")
)

_SUPERSEDE_TO: Final = _SUPERSEDE.where(_o.player_id == bindparam("whom"))

_CHANGE: Final = _UPDATE.where(_o.state.in_(bindparam("those", expanding=True)))

_EARLIER: Final = (
    update(t.outbox)
    .where(_o.recipient == bindparam("whom"))
    .where(_o.id < bindparam("which"))
    .where(_o.state.in_(["waiting", "uncertain"]))
)

_HASTEN: Final = update(t.outbox).where(_o.state.in_(["waiting", "uncertain"]))

_NEWER_REPORT: Final = (
    select(_o.id)
    .where(_of_seat)
    .where(_o.id > bindparam("which"))
    .where(_o.state != "superseded")
    .order_by(_o.id.desc())
    .limit(1)
)

_NEVER_LEFT: Final = ("superseded", "failed", "held")

_to_seats: Final = (
    select(
        _o.seat,
        func.count().label("mails"),
        func.max(case((_o.kind == "report", _o.id))).label("report"),
    )
    .where(_o.match_id == bindparam("match"))
    .group_by(_o.seat)
    .subquery("to_seats")
)

_TO_SEATS: Final = select(_to_seats.c.seat, _to_seats.c.mails, _o.state).select_from(
    _to_seats.outerjoin(t.outbox, _o.id == _to_seats.c.report)
)

_LAST_LEFT: Final = (
    select(_o.seq)
    .where(_of_seat)
    .where(_o.state.not_in(_NEVER_LEFT))
    .order_by(_o.id.desc())
    .limit(1)
)

_TOLD_BEFORE: Final = (
    select(func.max(_o.seq))
    .where(_of_seat)
    .where(_o.state.not_in(_NEVER_LEFT))
    .where(_o.seq < bindparam("before"))
)

_RECOVER: Final = update(t.outbox).where(_o.state == "sending").values(state="uncertain")

_RECEIPTS: Final = (
    select(t.submissions.c.receipt)
    .where(t.submissions.c.match_id == bindparam("match"))
    .where(t.submissions.c.last_seq >= bindparam("since"))
)

_SHOWING: Final = (
    _mails.where(_o.match_id == bindparam("match"))
    .where(((_o.kind == "report") & (_o.seq >= bindparam("since"))) | _o.id.in_(_RECEIPTS))
    .order_by(_o.id)
)

_COUNTS: Final = select(_o.state, func.count()).group_by(_o.state)

_WARNED_SINCE: Final = (
    select(_o.id)
    .where(_o.player_id == bindparam("whom"))
    .where(_o.created > bindparam("since"))
    .where(_o.kind == "notice")
    .where(_o.match_id.is_(None))
    .limit(1)
)

_ANSWERS_SINCE: Final = (
    select(
        func.count(case((_o.created >= bindparam("hour"), 1))),
        func.count(case((_o.kind == "answer", 1))),
    )
    .where(_o.player_id == bindparam("whom"))
    .where(_o.created >= bindparam("day"))
    .where((_o.kind == "answer") | (_o.kind == "receipt"))
    .where(_o.unproved == bindparam("lacking"))
)

_BOUNCES: Final = (
    select(func.count())
    .where(_o.player_id == bindparam("whom"))
    .where(_o.created >= bindparam("since"))
    .where(_o.bounced_at.is_not(None))
)

_BOUNCED_AFTER: Final = (
    select(_o.id)
    .where(_o.player_id == bindparam("whom"))
    .where(_o.recipient == bindparam("place"))
    .where(_o.bounced_at >= bindparam("since"))
    .limit(1)
)

_LAST_TO: Final = _mails.where(_o.recipient == bindparam("place")).order_by(_o.id.desc()).limit(1)


def enqueue(
    connection: Connection,
    *,
    recipient: str,
    kind: OutboxKind,
    message_id: str,
    envelope_from: str,
    raw: bytes,
    now: datetime,
    player_id: int | None = None,
    match_id: int | None = None,
    seat: str | None = None,
    turn: int | None = None,
    seq: int | None = None,
    code: str | None = None,
    state: OutboxState = "waiting",
    next_at: datetime | None = None,
) -> int | None:
    """Write a mail to be sent; return its id. Its bytes and Message-ID stay as they are.

    A report tells up to the event ``seq``. None if another mail of ours bears the Message-ID.
    """
    whom = {"recipient": recipient, "player_id": player_id}
    bound = {"match_id": match_id, "seat": seat, "turn": turn, "seq": seq, "code": code}
    mail = {"kind": kind, "message_id": message_id, "envelope_from": envelope_from, "raw": raw}
    times = {"created": now, "next_at": next_at or now}
    row = {**whom, **bound, **mail, **times, "state": state}
    found: int | None = connection.execute(
        unless_there(dialect_of(connection), t.outbox, "id"), row
    ).scalar()
    return found


def set_envelope(connection: Connection, outbox_id: int, envelope_from: str) -> None:
    """Note where a mail is returned to if it cannot be delivered."""
    connection.execute(_UPDATE, {"which": outbox_id, "envelope_from": envelope_from})


def get(connection: Connection, outbox_id: int) -> OutboxRow:
    """Return a mail. Raises KeyError."""
    return only(OutboxRow, connection.execute(_ONE, {"which": outbox_id}), outbox_id)


def last_id(connection: Connection) -> int:
    """Return the number of the latest mail, nought without any."""
    found: int | None = connection.execute(_LAST).scalar()
    return found or 0


def written_after(connection: Connection, outbox_id: int) -> tuple[OutboxRow, ...]:
    """Return the mails written after one, in the order they were written."""
    return every(OutboxRow, connection.execute(_AFTER, {"which": outbox_id}))


def by_message_id(connection: Connection, message_id: str) -> OutboxRow | None:
    """Return the mail of ours that bore this Message-ID."""
    return remembered(
        connection,
        t.outbox,
        message_id,
        lambda: first(OutboxRow, connection.execute(_BY_MESSAGE_ID, {"which": message_id})),
    )


def raw(connection: Connection, outbox_id: int) -> bytes:
    """Return the bytes of a mail. Raises KeyError without any."""
    found: bytes | None = connection.execute(_RAW, {"which": outbox_id}).scalar()
    if found is None:
        raise KeyError(outbox_id)
    return found


def list_outbox(
    connection: Connection, state: str | None = None, limit: int = 100
) -> tuple[OutboxRow, ...]:
    """Return the latest mails, all or those in a state, newest first."""
    if state is None:
        return every(OutboxRow, connection.execute(_LATEST, {"most": limit}))
    return every(OutboxRow, connection.execute(_LATEST_IN, {"most": limit, "which": state}))


def due(connection: Connection, now: datetime, limit: int = 50) -> tuple[OutboxRow, ...]:
    """Return the mails to send now: each recipient's earliest unfinished one.

    A mail that failed for good or is held does not hold back those after it.
    """
    return every(OutboxRow, connection.execute(_DUE, {"now": now, "most": limit}))


def claim(connection: Connection, outbox_id: int) -> bytes | None:
    """Take a mail for sending and return its bytes.

    The attempt is counted. None if another has it, or it is done.
    """
    found: bytes | None = connection.execute(_CLAIM, {"which": outbox_id}).scalar()
    return found


def unclaim(connection: Connection, row: OutboxRow) -> None:
    """Put a claimed mail back as it was; the attempt does not count."""
    before = {"state": row.state, "attempts": row.attempts}
    connection.execute(_UPDATE, {"which": row.id, **before})


def mark(
    connection: Connection,
    outbox_id: int,
    state: OutboxState,
    *,
    now: datetime,
    answer: str | None = None,
    next_at: datetime | None = None,
) -> None:
    """Record a mail's state and the server's answer.

    ``next_at`` is when to try again.
    """
    row: dict[str, object] = {"which": outbox_id, "state": state}
    if answer is not None:
        row["answer"] = answer
    if next_at is not None:
        row["next_at"] = next_at
    if state == "sent":
        row["sent_at"] = now
    connection.execute(_UPDATE, row)


def send_again(connection: Connection, outbox_id: int, now: datetime) -> None:
    """Send a finished mail again, the same bytes and Message-ID."""
    connection.execute(_AGAIN, {"which": outbox_id, "next_at": now})


def change(
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


def newer_report(connection: Connection, row: OutboxRow) -> int | None:
    """Return the latest report that took a report's place, if any."""
    if row.kind != "report":
        return None
    which = {"match": row.match_id, "colour": row.seat, "which": row.id}
    found: int | None = connection.execute(_NEWER_REPORT, which).scalar()
    return found


def supersede_reports_to(connection: Connection, match_id: int, seats: Mapping[str, int]) -> None:
    """Take back the unsent reports to seats and their players, not those to earlier holders."""
    which = {"match": match_id, "sort": "report"}
    rows = [{**which, "colour": seat, "whom": player} for seat, player in seats.items()]
    connection.execute(_SUPERSEDE_TO, rows)


def supersede_reports(connection: Connection, match_id: int, seat: str) -> int:
    """Take back the unsent reports to a seat; return how many."""
    which = {"match": match_id, "colour": seat, "sort": "report"}
    return connection.execute(_SUPERSEDE, which).rowcount


def supersede_invitation(connection: Connection, match_id: int, seat: str) -> bool:
    """Take back the unsent invitation to a seat; return whether there was one."""
    which = {"match": match_id, "colour": seat, "sort": "invitation"}
    return connection.execute(_SUPERSEDE, which).rowcount > 0


def told_since(connection: Connection, match_id: int, seat: str, reported_seq: int) -> int:
    """Return the event up to which a seat has really been told.

    That is ``reported_seq``, unless the last report was superseded before it left, or refused: then
    it is where the last one that left ended, nought if none did.
    """
    if _mails_to(connection, match_id, seat)[1] not in _NEVER_LEFT:
        return reported_seq
    which = {"match": match_id, "colour": seat}
    return connection.execute(_LAST_LEFT, which).scalar() or 0


def told_before(connection: Connection, match_id: int, seat: str, seq: int) -> int:
    """Return how far a seat's last report before an event told."""
    which = {"match": match_id, "colour": seat, "before": seq}
    return connection.execute(_TOLD_BEFORE, which).scalar() or 0


def written_to(connection: Connection, match_id: int, seat: str) -> int:
    """Return how many mails were ever written to a seat."""
    return _mails_to(connection, match_id, seat)[0]


def _mails_to(connection: Connection, match_id: int, seat: str) -> tuple[int, OutboxState | None]:
    """Return how many mails a seat was written, and the state of its last report."""

    def read() -> dict[str, tuple[int, OutboxState | None]]:
        found = connection.execute(_TO_SEATS, {"match": match_id})
        return {to: (mails, state) for to, mails, state in found}

    return remembered(connection, t.outbox, match_id, read).get(seat, (0, None))


def showing(connection: Connection, match_id: int, since: int) -> tuple[OutboxRow, ...]:
    """Return the mails that tell of an event or later ones.

    Reports, and the receipts for them.
    """
    return every(OutboxRow, connection.execute(_SHOWING, {"match": match_id, "since": since}))


def recover(connection: Connection) -> int:
    """Mark mails a dead process was sending as uncertain; return how many."""
    return connection.execute(_RECOVER).rowcount


def counts(connection: Connection) -> dict[str, int]:
    """Return how many mails are in each state."""
    return {row[0]: row[1] for row in connection.execute(_COUNTS)}


def note_unproved(connection: Connection, outbox_id: int) -> None:
    """Record that a mail answers a letter without proof of its sender."""
    connection.execute(_UPDATE, {"which": outbox_id, "unproved": True})


def note_bounced(connection: Connection, outbox_id: int, now: datetime) -> None:
    """Record that a mail came back."""
    connection.execute(_UPDATE, {"which": outbox_id, "bounced_at": now})


def bounces(connection: Connection, player_id: int, since: datetime) -> int:
    """Return how many mails to a player since a moment came back."""
    which = {"whom": player_id, "since": since}
    found: int = connection.execute(_BOUNCES, which).scalar_one()
    return found


def bounced_after(connection: Connection, row: OutboxRow) -> bool:
    """Return whether a later mail to the same address came back."""
    which = {"whom": row.player_id, "place": row.recipient, "since": row.created}
    return connection.execute(_BOUNCED_AFTER, which).first() is not None


def last_to(connection: Connection, recipient: str) -> OutboxRow | None:
    """Return the latest mail to an address."""
    return first(OutboxRow, connection.execute(_LAST_TO, {"place": recipient}))


def answers_since(
    connection: Connection, player_id: int, hour: datetime, day: datetime, *, unproved: bool = False
) -> tuple[int, int]:
    """Return how many answers a player was written: since ``hour``, and since ``day``.

    The latter, which is the earlier moment, counts no receipts. Counted are answers to letters
    whose sender was proved, or only to the others.
    """
    which = {"whom": player_id, "hour": hour, "day": day, "lacking": unproved}
    hourly, daily = connection.execute(_ANSWERS_SINCE, which).one()
    return hourly, daily


def warned_since(connection: Connection, player_id: int, since: datetime) -> bool:
    """Return whether a player got a notice without match since a moment."""
    which = {"whom": player_id, "since": since}
    return connection.execute(_WARNED_SINCE, which).first() is not None


def erase(connection: Connection, outbox_id: int) -> None:
    """Forget the text of a mail; its row remains."""
    connection.execute(_UPDATE, {"which": outbox_id, "raw": None})
