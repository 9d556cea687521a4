"""The mails to a seat: how far its reports told, and which are taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import (
    Connection,
    Executable,
    Select,
    bindparam,
    case,
    exists,
    func,
    or_,
    select,
    update,
)

from referee.store import tables as t
from referee.store.database import query
from referee.store.states import WITHDRAWABLE
from referee.store.tables.post import OutboxRow

_o: Final = t.outbox.c
_report: Final = t.outbox.alias("report")
_to_seat: Final = (_o.match_id == bindparam("match")) & (_o.seat == bindparam("colour"))
_mails: Final = select(*query.row_columns(OutboxRow, t.outbox))
_SUPERSEDE: Final = (
    update(t.outbox)
    .where(_to_seat)
    .where(_o.kind == bindparam("sort"))
    # Not a list, which cannot be given with many rows.
    .where(or_(*(_o.state == state for state in WITHDRAWABLE)))
    .values(state="superseded")
)
# What a report told that never left is told by the reply itself, or by the next report.
_RELEASE: Final = (
    update(t.outbox)
    .where(_to_seat)
    .where(_o.kind == "receipt")
    .where(
        exists()
        .where(_report.c.id == _o.told_in)
        .where(or_(_report.c.state == "superseded", _report.c.state == "failed"))
    )
    # An erased one has nothing left to be sent.
    .where(_o.raw.is_not(None))
    .values(state="waiting", told_in=None)
)
_SUPERSEDE_TO: Final = _SUPERSEDE.where(_o.player_id == bindparam("whom"))
_NEVER_LEFT: Final = ("superseded", "failed", "held")


def newer_report(connection: Connection, row: OutboxRow) -> int | None:
    """Return the latest report that took a report's place, if any."""
    if row.kind != "report" or row.match_id is None:
        return None
    later = (_o.match_id == row.match_id) & (_o.seat == row.seat) & (_o.id > row.id)
    newer = select(func.max(_o.id)).where(later, _o.kind == "report", _o.state != "superseded")
    return connection.execute(newer).scalar()


def withdraw_reports(connection: Connection, match_id: int, seat: str) -> int:
    """Take back the unsent reports to a seat; return how many."""
    which = {"match": match_id, "colour": seat, "sort": "report"}
    withdrawn = connection.execute(_SUPERSEDE, which).rowcount
    if withdrawn:
        connection.execute(_RELEASE, {"match": match_id, "colour": seat})
    return withdrawn


def give_back_replies(connection: Connection, row: OutboxRow) -> None:
    """Let the replies of a report refused for good leave by themselves."""
    if row.kind == "report" and row.match_id is not None:
        connection.execute(_RELEASE, {"match": row.match_id, "colour": row.seat})


@query.values(int)
def replies_told(match_id: int) -> Executable:
    """Return the replies told by a match's unsent reports."""
    unsent = exists().where(_report.c.id == _o.told_in, _report.c.state.in_(WITHDRAWABLE))
    return (
        select(_o.id).where(_o.match_id == match_id, _o.kind == "receipt", unsent).order_by(_o.id)
    )


def withdraw_reports_to(
    connection: Connection, match_id: int, seats: Mapping[str, int]
) -> dict[str, list[tuple[int, str]]]:
    """Take back the unsent reports to seats and their present players.

    Return the replies to those that have not left: ids and briefs, by seat.
    """
    unsent = _unsent_to(connection, match_id, seats)
    if any(mail.kind == "report" for mail in unsent):
        which = {"match": match_id, "sort": "report"}
        rows = [{**which, "colour": seat, "whom": player} for seat, player in seats.items()]
        connection.execute(_SUPERSEDE_TO, rows)
        connection.execute(_RELEASE, [{"match": match_id, "colour": seat} for seat in seats])
        unsent = _unsent_to(connection, match_id, seats)
    replies: dict[str, list[tuple[int, str]]] = {}
    for mail in unsent:
        if mail.state == "waiting" and mail.brief is not None:
            replies.setdefault(mail.seat, []).append((mail.id, mail.brief))
    return replies


def _unsent_to(connection: Connection, match_id: int, seats: Mapping[str, int]) -> list[Any]:
    columns = (_o.id, _o.seat, _o.player_id, _o.kind, _o.state, _o.brief)
    to_seats = select(*columns).where(_o.match_id == match_id, _o.seat.in_(list(seats)))
    mails = to_seats.where(_o.kind.in_(["report", "receipt"]), _o.state.in_(WITHDRAWABLE))
    # One that another daemon is just taking to send it leaves by itself.
    free = mails.order_by(_o.id).with_for_update(skip_locked=True)
    return [row for row in connection.execute(free) if row.player_id == seats[row.seat]]


def tell_in(connection: Connection, report_id: int, replies: Iterable[int]) -> None:
    """Take back replies that a report tells."""
    told = list(replies)
    if told:
        # Another daemon may just have taken it.
        waiting = update(t.outbox).where(_o.id.in_(told), _o.state == "waiting")
        connection.execute(waiting.values(state="superseded", told_in=report_id))


@query.every(OutboxRow)
def unsent_digests() -> Executable:
    """Return the digests that have not left, and the reports to spectators."""
    # The reports of seats bear their match.
    reports = _mails.where(_o.kind == "report", _o.match_id.is_(None))
    return reports.where(_o.state.in_(WITHDRAWABLE)).order_by(_o.id)


def withdraw_invitation(connection: Connection, match_id: int, seat: str) -> bool:
    """Take back the unsent invitation to a seat; return whether there was one."""
    which = {"match": match_id, "colour": seat, "sort": "invitation"}
    return connection.execute(_SUPERSEDE, which).rowcount > 0


def told_since(connection: Connection, match_id: int, seat: str, reported_seq: int) -> int:
    """Return the event up to which a seat has really been told.

    That is ``reported_seq``, unless the last report was superseded before it left, refused, or came
    back: then it is where the last one that arrived ended, nought if none did.
    """
    # The mark says what was written; a mail that never left told its reader nothing.
    if _last_states(connection, match_id).get(seat) not in _NEVER_LEFT:
        return reported_seq
    return _last_left(connection, match_id, seat) or 0


@query.value(int)
def _last_left(match_id: int, seat: str) -> Executable:
    return _told_by_reports(match_id, seat).order_by(_o.id.desc()).limit(1)


def is_lost(connection: Connection, match_id: int, seat: str) -> bool:
    """Return whether the last report to a seat was refused for good, dropped, or came back."""
    return _last_states(connection, match_id).get(seat) in {"failed", "superseded"}


@query.number
def told_before(match_id: int, seat: str, seq: int) -> Executable:
    """Return how far a seat's last report before an event told, nought without one."""
    told = _told_by_reports(match_id, seat).where(_o.seq < seq)
    return told.with_only_columns(func.coalesce(func.max(_o.seq), 0))


def _told_by_reports(match_id: int, seat: str) -> Select[Any]:
    """Select how far each report to a seat told that left and did not come back."""
    reports = select(_o.seq).where(_o.match_id == match_id, _o.seat == seat, _o.kind == "report")
    return reports.where(_o.state.not_in(_NEVER_LEFT), _o.bounced_at.is_(None))


@query.cached(t.outbox)
@query.mapping
def _last_states(match_id: int) -> Executable:
    """Return the states of the last reports of a match, by seat."""
    report = _report.c
    to_seat = (report.match_id == t.seats.c.match_id) & (report.seat == t.seats.c.seat)
    reports = select(report.id).where(to_seat, report.kind == "report")
    last = reports.order_by(report.id.desc()).limit(1).scalar_subquery()
    # One that came back told its reader as little as one that was refused at once.
    state = case((_o.bounced_at.is_not(None), "failed"), else_=_o.state)
    of_match = select(last).where(t.seats.c.match_id == match_id)
    return select(_o.seat, state).where(_o.id.in_(of_match))


@query.every(OutboxRow)
def mails_showing(match_id: int, since: int) -> Executable:
    """Return the mails that tell of an event or later ones: reports, and receipts for them."""
    said = t.submissions.c
    receipts = select(said.receipt).where(said.match_id == match_id, said.last_seq >= since)
    reports = (_o.match_id == match_id) & (_o.kind == "report") & (_o.seq >= since)
    # One receipt may be for several matches.
    return _mails.where(reports | _o.id.in_(receipts)).order_by(_o.id)
