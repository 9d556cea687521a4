"""The mails to a seat: how far its reports told, and which are taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Executable, Select, case, exists, func, select, update

from referee.store import tables as t
from referee.store.database import query
from referee.store.states import WITHDRAWABLE, OutboxKind
from referee.store.tables.post import OutboxRow

_o: Final = t.outbox.c
_report: Final = t.outbox.alias("report")
_mails: Final = select(*query.row_columns(OutboxRow, t.outbox))
_unsent: Final = update(t.outbox).where(_o.state.in_(WITHDRAWABLE))
_NEVER_LEFT: Final = ("superseded", "failed", "held")


def newer_report(connection: Connection, row: OutboxRow) -> int | None:
    """Return the latest report that took a report's place, if any."""
    # Digests, and reports to spectators, are of no seat and take nobody's place.
    if row.kind != "report" or row.match_id is None or row.seat is None:
        return None
    later = (_o.match_id == row.match_id) & (_o.seat == row.seat) & (_o.id > row.id)
    newer = select(_o.id).where(later, _o.kind == "report", _o.state != "superseded")
    return connection.execute(newer.order_by(_o.id.desc()).limit(1)).scalar()


def withdraw_reports(connection: Connection, match_id: int, seat: str) -> int:
    """Take back the unsent reports to a seat; return how many."""
    withdrawn = _supersede(connection, "report", match_id, seat)
    if withdrawn:
        _release_replies(connection, match_id, seat)
    return withdrawn


def give_back_replies(connection: Connection, row: OutboxRow) -> None:
    """Let the replies of a report refused for good leave by themselves."""
    if row.kind == "report" and row.match_id is not None and row.seat is not None:
        _release_replies(connection, row.match_id, row.seat)


@query.changed
def _supersede(kind: OutboxKind, match_id: int, seat: str) -> Executable:
    """Take back the unsent mails of a kind to a seat; return how many."""
    to_seat = (_o.match_id == match_id) & (_o.seat == seat) & (_o.kind == kind)
    return _unsent.where(to_seat).values(state="superseded")


@query.done
def _supersede_to(match_id: int, seat: str, player_id: int) -> Executable:
    """Take back the unsent reports to a player of a seat."""
    to_player = (_o.match_id == match_id) & (_o.seat == seat) & (_o.player_id == player_id)
    return _unsent.where(to_player, _o.kind == "report").values(state="superseded")


@query.done
def _release_replies(match_id: int, seat: str) -> Executable:
    """Let a report that never left tell no replies: they or the next report do."""
    lost = exists().where(_report.c.id == _o.told_in, _report.c.state.in_(["superseded", "failed"]))
    told = update(t.outbox).where(_o.match_id == match_id, _o.seat == seat, lost)
    # An erased one has nothing left to be sent.
    replies = told.where(_o.kind == "receipt", _o.raw.is_not(None))
    return replies.values(state="waiting", told_in=None)


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
    unsent = _unsent_to(connection, match_id, [*seats])
    if any(mail.kind == "report" and mail.player_id == seats[mail.seat] for mail in unsent):
        for seat, player_id in seats.items():
            _supersede_to(connection, match_id, seat, player_id)
        for seat in seats:
            _release_replies(connection, match_id, seat)
        unsent = _unsent_to(connection, match_id, [*seats])
    replies: dict[str, list[tuple[int, str]]] = {}
    for mail in unsent:
        to_player = mail.player_id == seats[mail.seat]
        if to_player and mail.state == "waiting" and mail.brief is not None:
            replies.setdefault(mail.seat, []).append((mail.id, mail.brief))
    return replies


@query.tuples
def _unsent_to(match_id: int, seats: Sequence[str]) -> Executable:
    columns = (_o.id, _o.seat, _o.player_id, _o.kind, _o.state, _o.brief)
    to_seats = select(*columns).where(_o.match_id == match_id, _o.seat.in_(seats))
    mails = to_seats.where(_o.kind.in_(["report", "receipt"]), _o.state.in_(WITHDRAWABLE))
    # One that another daemon is just taking to send it leaves by itself.
    return mails.order_by(_o.id).with_for_update(skip_locked=True)


@query.done
def tell_in(report_id: int, replies: Sequence[int]) -> Executable:
    """Take back replies that a report tells."""
    # Another daemon may just have taken it.
    waiting = update(t.outbox).where(_o.id.in_(replies), _o.state == "waiting")
    return waiting.values(state="superseded", told_in=report_id)


@query.every(OutboxRow)
def unsent_digests() -> Executable:
    """Return the digests that have not left, and the reports to spectators."""
    # The reports of seats bear their match.
    reports = _mails.where(_o.kind == "report", _o.match_id.is_(None))
    return reports.where(_o.state.in_(WITHDRAWABLE)).order_by(_o.id)


@query.every(OutboxRow)
def unsent_to(player_id: int, address: str) -> Executable:
    """Return the mails on matches to a player at an address that have not left, in their order."""
    to_player = _mails.where(_o.player_id == player_id, _o.recipient == address)
    # A digest, or a spectator's report, bears no match.
    on_matches = to_player.where(_o.match_id.is_not(None) | (_o.kind == "report"))
    return on_matches.where(_o.state.in_(WITHDRAWABLE)).order_by(_o.id)


def withdraw_invitation(connection: Connection, match_id: int, seat: str) -> bool:
    """Take back the unsent invitation to a seat; return whether there was one."""
    return _supersede(connection, "invitation", match_id, seat) > 0


def told_since(connection: Connection, match_id: int, seat: str, reported_seq: int) -> int:
    """Return the event up to which a seat has really been told.

    That is ``reported_seq``, unless the last report was superseded before it left, refused, or came
    back: then it is where the last one that arrived ended, nought if none did.
    """
    # The mark says what was written; a mail that never left told its reader nothing.
    if _last_states(connection, match_id).get(seat) not in _NEVER_LEFT:
        return reported_seq
    last = _told_by_reports(match_id, seat).order_by(_o.id.desc()).limit(1)
    return connection.execute(last).scalar() or 0


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
