"""The outbox: mails written once, sent in order, marked with the server's answer; and counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import ClassVar, Final

from msgspec import structs
from sqlalchemy import Connection, Executable, bindparam, case, func, select, update

from referee.store import tables as t
from referee.store.database import query
from referee.store.database.packing import without_files
from referee.store.states import MOST_DOUBTS, TO_TRY, UNSENT, OutboxKind, OutboxState
from referee.store.tables.post import OutboxRow
from referee.value import Discreet


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


BATCH: Final = 50
"""Mails taken for sending at a time."""

FOLLOWS_WITHIN: Final = timedelta(minutes=1)
"""How long a reply waits for the report that may take its place."""

_o: Final = t.outbox.c
_earlier: Final = t.outbox.alias("earlier")
_mails: Final = select(*query.row_columns(OutboxRow, t.outbox))
_UPDATE: Final = update(t.outbox).where(_o.id == bindparam("which"))


def enqueue_mails(connection: Connection, mails: Sequence[NewMail]) -> dict[str, int]:
    """Write mails to be sent; return their ids by Message-ID.

    Their bytes and Message-IDs stay as they are. One whose Message-ID another mail bears is left
    out.
    """
    if not mails:
        return {}
    rows = [
        {**structs.asdict(mail), "state": "waiting", "next_at": mail.next_at or mail.created}
        for mail in mails
    ]
    written = query.insert_or_skip(connection, t.outbox, rows, "message_id", "id")
    return {mail[0]: mail[1] for mail in written}


def set_envelopes(connection: Connection, envelopes: Mapping[int, str]) -> None:
    """Note where mails, by their ids, are returned if undeliverable."""
    rows = [{"which": mail_id, "envelope_from": to} for mail_id, to in envelopes.items()]
    if rows:
        connection.execute(_UPDATE, rows)


@query.required
@query.first(OutboxRow)
def get_mail(outbox_id: int) -> Executable:
    """Return a mail. Raises KeyError."""
    return _mails.where(_o.id == outbox_id)


@query.number
def last_mail_id() -> Executable:
    """Return the number of the latest mail, nought without any."""
    return select(func.coalesce(func.max(_o.id), 0))


@query.every(OutboxRow)
def mails_after(outbox_id: int) -> Executable:
    """Return the mails written after one, in the order they were written."""
    return _mails.where(_o.id > outbox_id).order_by(_o.id)


@query.every(OutboxRow)
def answers_to(letter_id: int) -> Executable:
    """Return the mails that told a letter's writer what came of it, in the order they were written.

    A report that told a reply stands in its place.
    """
    letter, submission = t.letters.c, t.submissions.c
    unknown = letter.player_id.is_(None) & (_o.recipient == letter.sender)
    written = (_o.arrived == letter.arrived) & ((_o.player_id == letter.player_id) | unknown)
    receipts = select(submission.receipt).where(submission.letter_id == letter_id)
    answers = select(func.coalesce(_o.told_in, _o.id)).where(
        letter.id == letter_id, written | _o.id.in_(receipts)
    )
    # Of reports that a later one took the place of, none left.
    left = (_o.kind != "report") | (_o.state != "superseded")
    return _mails.where(_o.id.in_(answers.correlate(None)), left).order_by(_o.id)


@query.cached(t.outbox)
@query.first(OutboxRow)
def mail_by_message_id(message_id: str) -> Executable:
    """Return the mail of ours that bore this Message-ID."""
    return _mails.where(_o.message_id == message_id)


@query.required
@query.value(bytes)
def raw_mail(outbox_id: int) -> Executable:
    """Return the bytes of a mail. Raises KeyError without any."""
    return select(_o.raw).where(_o.id == outbox_id)


def drop_files(connection: Connection, outbox_id: int) -> None:
    """Forget the pictures and pages of a mail, which take most of its room."""
    try:
        raw = raw_mail(connection, outbox_id)
    # Without any bytes there is nothing to forget.
    except KeyError:
        return
    change_mail(connection, outbox_id, raw=without_files(raw))


def latest_mails(
    connection: Connection, state: str | None = None, limit: int = 100
) -> tuple[OutboxRow, ...]:
    """Return the latest mails, all or those in a state, newest first."""
    latest = _mails.order_by(_o.id.desc()).limit(limit)
    if state is not None:
        latest = latest.where(_o.state == state)
    return query.all_rows(OutboxRow, connection.execute(latest))


def due_mails(connection: Connection, now: datetime) -> tuple[OutboxRow, ...]:
    """Return the mails to send now: each recipient's earliest unfinished one.

    A mail that failed for good or is held does not hold back those after it.
    """
    return _due(connection, now, now - FOLLOWS_WITHIN)


@query.every(OutboxRow)
def _due(now: datetime, followed: datetime) -> Executable:
    # In order for each recipient: a report must not overtake the receipt of its orders.
    overtaken = (
        select(_earlier.c.id)
        .where(_earlier.c.recipient == _o.recipient)
        .where(_earlier.c.state.in_(UNSENT))
        .where(_earlier.c.id < _o.id)
        # One that waits for its hour, or for the organiser, holds nothing back.
        .where(_earlier.c.doubts < MOST_DOUBTS)
        .where((_earlier.c.attempts > 0) | (_earlier.c.next_at <= now))
        .exists()
    )
    # A match that has still something to do may write the report that tells it instead.
    may_be_told = (
        select(t.matches.c.id)
        .where(_o.brief.is_not(None))
        .where(_o.created > followed)
        .where(t.matches.c.id == _o.match_id)
        .where(t.matches.c.agenda_at <= now)
        .exists()
    )
    waiting = _mails.where(_o.state.in_(TO_TRY), _o.next_at <= now)
    due = waiting.where(_o.doubts < MOST_DOUBTS, ~overtaken, ~may_be_told)
    return due.order_by(_o.next_at, _o.id).limit(BATCH)


@query.value(bytes)
def claim_mail(
    outbox_id: int, worker: str | None = None, attempts: int | None = None
) -> Executable:
    """Take a mail for sending and return its bytes; ``worker`` is one of several daemons.

    The attempt is counted. None if another has it or has tried it after so many ``attempts``, or
    it is done.
    """
    free = update(t.outbox).where(_o.id == outbox_id, _o.state.in_(TO_TRY))
    # Another daemon may have tried it since it was found due.
    untried = free.where(_o.attempts == func.coalesce(attempts, _o.attempts))
    # Claimed before it is sent, or two daemons would send it twice.
    claimed = untried.values(state="sending", claimed_by=worker, attempts=_o.attempts + 1)
    return claimed.returning(_o.raw)


def change_mail(connection: Connection, outbox_id: int, **changes: object) -> None:
    """Change columns of a mail."""
    connection.execute(_UPDATE, {"which": outbox_id, **changes})


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
    sent_at = now if state == "sent" else None
    told = {"answer": answer, "next_at": next_at, "doubts": doubts, "sent_at": sent_at}
    changes = {column: content for column, content in told.items() if content is not None}
    change_mail(connection, outbox_id, state=state, **changes)


def send_refused_again(connection: Connection, outbox_id: int, now: datetime) -> bool:
    """Let a mail that was refused, or the report that told it, leave once more, the same bytes.

    Return whether either has still to leave.
    """
    told_in = select(_earlier.c.told_in).where(_earlier.c.id == outbox_id).scalar_subquery()
    again = (_o.id == outbox_id) | (_o.id == told_in)
    refused = update(t.outbox).where(again, _o.state == "failed", _o.raw.is_not(None))
    connection.execute(refused.values(state="waiting", doubts=0, next_at=now))
    on_its_way = select(_o.id).where(again, _o.state.in_([*UNSENT, "held"]))
    return connection.execute(on_its_way).first() is not None


def move_mail(
    connection: Connection,
    outbox_id: int,
    states: Iterable[OutboxState],
    state: OutboxState,
    next_at: datetime,
) -> bool:
    """Move a mail from one of these states to another; return whether."""
    mail = update(t.outbox).where(_o.id == outbox_id, _o.state.in_(list(states)))
    moved = mail.values(state=state, next_at=next_at, doubts=0)
    return connection.execute(moved).rowcount == 1


def hasten_earlier(connection: Connection, row: OutboxRow, now: datetime) -> None:
    """Make the recipient's earlier waiting mails due now."""
    earlier = (_o.recipient == row.recipient) & (_o.id < row.id)
    waiting = update(t.outbox).where(earlier, _o.state.in_(TO_TRY))
    connection.execute(waiting.values(next_at=now))


@query.done
def hasten_all(now: datetime) -> Executable:
    """Make all waiting mails due now."""
    waiting = update(t.outbox).where(_o.state.in_(TO_TRY))
    return waiting.values(next_at=now)


def take_place(connection: Connection, old: int, new: int) -> None:
    """Let a mail be found wherever one was that it took the place of."""
    for column in (_o.told_in, t.submissions.c.receipt, t.waiting_messages.c.mail_id):
        connection.execute(update(column.table).where(column == old).values({column: new}))


@query.done
def replace_failed(
    match_id: int | None,
    seat: str | None,
    kind: OutboxKind = "report",
    player_id: int | None = None,
) -> Executable:
    """Note that undelivered mails lost their purpose: all to a seat, or those like a later one."""
    lost = (_o.state == "failed") | (_o.state == "uncertain") & (_o.doubts >= MOST_DOUBTS)
    to_seat = _o.match_id.is_not_distinct_from(match_id) & _o.seat.is_not_distinct_from(seat)
    # A report shows its match as it stands, whatever else was to be said to its seat.
    like = (_o.kind == kind) & _o.player_id.is_not_distinct_from(player_id)
    replaced = update(t.outbox).where(lost, to_seat, _o.match_id.is_not(None) | like)
    return replaced.values(state="superseded")


@query.first(OutboxRow)
def last_to(recipient: str) -> Executable:
    """Return the latest mail to an address."""
    return _mails.where(_o.recipient == recipient).order_by(_o.id.desc()).limit(1)


@query.value(datetime)
def latest_sent(number: int, now: datetime) -> Executable:
    """Return when the oldest of so many mails sent last left; None if fewer were sent."""
    left = select(_o.sent_at).where(_o.sent_at <= now).order_by(_o.sent_at.desc())
    return left.offset(number - 1).limit(1)


@query.number
def count_bounces(player_id: int, since: datetime) -> Executable:
    """Return how many mails to a player since a moment came back."""
    sent = select(func.count()).where(_o.player_id == player_id, _o.created >= since)
    return sent.where(_o.bounced_at.is_not(None))


@query.exists
def bounced_since(player_id: int | None, address: str, since: datetime) -> Executable:
    """Return whether a mail to a player's address since a moment came back."""
    sent = select(_o.id).where(_o.player_id == player_id, _o.recipient == address)
    return sent.where(_o.bounced_at >= since).limit(1)


@query.one
def answers_since(
    player_id: int, hour: datetime, day: datetime, *, unproved: bool = False
) -> Executable:
    """Return how many answers a player was written: since ``hour``, and since ``day``.

    Receipts are counted in the hour, not in the day. Counted are answers to letters
    whose sender was proved, or only to the others.
    """
    hourly = func.count(case((_o.created >= hour, 1)))
    daily = func.count(case((_o.kind == "answer", 1)))
    written = select(hourly, daily).where(_o.player_id == player_id, _o.created >= day)
    # Counted apart: whoever forges a sender must not use up the answers of the true one.
    return written.where(_o.kind.in_(["answer", "receipt"]), _o.unproved == unproved)


@query.exists
def warned_since(player_id: int, since: datetime) -> Executable:
    """Return whether a player got a notice without match since a moment."""
    written = select(_o.id).where(_o.player_id == player_id, _o.created > since)
    return written.where(_o.kind == "notice", _o.match_id.is_(None)).limit(1)
