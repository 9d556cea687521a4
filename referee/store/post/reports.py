"""The mails to a seat: how far its reports told, and which are taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import Connection, bindparam, case, exists, func, or_, select, update

from referee.store import tables as t
from referee.store.database.block import read_cached
from referee.store.database.rows import all_rows, row_columns
from referee.store.post.outbox import OutboxRow
from referee.store.states import WITHDRAWABLE, OutboxState

_o: Final = t.outbox.c
_report: Final = t.outbox.alias("report")
_to_seat: Final = (_o.match_id == bindparam("match")) & (_o.seat == bindparam("colour"))
_of_seat: Final = _to_seat & (_o.kind == "report")
_SUPERSEDE: Final = (
    update(t.outbox)
    .where(_to_seat)
    .where(_o.kind == bindparam("sort"))
    # Not a list, which cannot be given with many rows.
    .where(or_(*(_o.state == each for each in WITHDRAWABLE)))
    .values(state="superseded")
)
_UNSENT_DIGESTS: Final = (
    select(*row_columns(OutboxRow, t.outbox))
    .where(_o.kind == "report")
    # The reports of seats bear their match.
    .where(_o.match_id.is_(None))
    .where(_o.state.in_(WITHDRAWABLE))
    .order_by(_o.id)
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
_TOLD_UNSENT: Final = (
    select(_o.id)
    .where(_o.match_id == bindparam("match"))
    .where(_o.kind == "receipt")
    .where(exists().where(_report.c.id == _o.told_in).where(_report.c.state.in_(WITHDRAWABLE)))
    .order_by(_o.id)
)
_UNSENT_TO: Final = (
    select(_o.id, _o.seat, _o.player_id, _o.kind, _o.state, _o.brief)
    .where(_o.match_id == bindparam("match"))
    .where(_o.seat.in_(bindparam("colours", expanding=True)))
    .where(_o.kind.in_(["report", "receipt"]))
    .where(_o.state.in_(WITHDRAWABLE))
    .order_by(_o.id)
    # One that another daemon is just taking to send it leaves by itself.
    .with_for_update(skip_locked=True)
)
_TELL_IN: Final = (
    update(t.outbox)
    .where(_o.id == bindparam("which"))
    # Another daemon may just have taken it.
    .where(_o.state == "waiting")
    .values(state="superseded")
)
_SUPERSEDE_TO: Final = _SUPERSEDE.where(_o.player_id == bindparam("whom"))
_NEWER_REPORT: Final = (
    select(_o.id)
    .where(_of_seat)
    .where(_o.id > bindparam("which"))
    .where(_o.state != "superseded")
    .order_by(_o.id.desc())
    .limit(1)
)
_NEVER_LEFT: Final = ("superseded", "failed", "held")
_LAST_OF_SEAT: Final = (
    select(_report.c.id)
    .where(_report.c.match_id == t.seats.c.match_id)
    .where(_report.c.seat == t.seats.c.seat)
    .where(_report.c.kind == "report")
    .order_by(_report.c.id.desc())
    .limit(1)
    .scalar_subquery()
)
# One that came back told its reader as little as one that was refused at once.
_LAST_STATES: Final = select(
    _o.seat, case((_o.bounced_at.is_not(None), "failed"), else_=_o.state).label("state")
).where(_o.id.in_(select(_LAST_OF_SEAT).where(t.seats.c.match_id == bindparam("match"))))
_LAST_LEFT: Final = (
    select(_o.seq)
    .where(_of_seat)
    .where(_o.state.not_in(_NEVER_LEFT))
    .where(_o.bounced_at.is_(None))
    .order_by(_o.id.desc())
    .limit(1)
)
_TOLD_BEFORE: Final = (
    select(func.max(_o.seq))
    .where(_of_seat)
    .where(_o.state.not_in(_NEVER_LEFT))
    .where(_o.bounced_at.is_(None))
    .where(_o.seq < bindparam("before"))
)
_RECEIPTS: Final = (
    select(t.submissions.c.receipt)
    .where(t.submissions.c.match_id == bindparam("match"))
    .where(t.submissions.c.last_seq >= bindparam("since"))
)
_SHOWING: Final = (
    select(*row_columns(OutboxRow, t.outbox))
    .where(
        (
            (_o.match_id == bindparam("match"))
            & (_o.kind == "report")
            & (_o.seq >= bindparam("since"))
        )
        # One receipt may be for several matches.
        | _o.id.in_(_RECEIPTS)
    )
    .order_by(_o.id)
)


def newer_report(connection: Connection, row: OutboxRow) -> int | None:
    """Return the latest report that took a report's place, if any."""
    if row.kind != "report":
        return None
    which = {"match": row.match_id, "colour": row.seat, "which": row.id}
    found: int | None = connection.execute(_NEWER_REPORT, which).scalar()
    return found


def withdraw_reports(connection: Connection, match_id: int, seat: str) -> int:
    """Take back the unsent reports to a seat; return how many."""
    which = {"match": match_id, "colour": seat, "sort": "report"}
    found = connection.execute(_SUPERSEDE, which).rowcount
    if found:
        connection.execute(_RELEASE, {"match": match_id, "colour": seat})
    return found


def give_back_replies(connection: Connection, row: OutboxRow) -> None:
    """Let the replies of a report refused for good leave by themselves."""
    if row.kind == "report" and row.match_id is not None:
        connection.execute(_RELEASE, {"match": row.match_id, "colour": row.seat})


def replies_told(connection: Connection, match_id: int) -> tuple[int, ...]:
    """Return the replies told by a match's unsent reports."""
    return tuple(connection.execute(_TOLD_UNSENT, {"match": match_id}).scalars())


def withdraw_reports_to(
    connection: Connection, match_id: int, seats: Mapping[str, int]
) -> dict[str, list[tuple[int, str]]]:
    """Take back the unsent reports to seats and their present players.

    Return the replies to those that have not left: ids and briefs, by seat.
    """
    found = _unsent_to(connection, match_id, seats)
    if any(each.kind == "report" for each in found):
        which = {"match": match_id, "sort": "report"}
        rows = [{**which, "colour": seat, "whom": player} for seat, player in seats.items()]
        connection.execute(_SUPERSEDE_TO, rows)
        connection.execute(_RELEASE, [{"match": match_id, "colour": seat} for seat in seats])
        found = _unsent_to(connection, match_id, seats)
    replies: dict[str, list[tuple[int, str]]] = {}
    for each in found:
        if each.state == "waiting" and each.brief is not None:
            replies.setdefault(each.seat, []).append((each.id, each.brief))
    return replies


def _unsent_to(connection: Connection, match_id: int, seats: Mapping[str, int]) -> list[Any]:
    rows = connection.execute(_UNSENT_TO, {"match": match_id, "colours": list(seats)})
    return [each for each in rows if each.player_id == seats[each.seat]]


def tell_in(connection: Connection, report_id: int, replies: Iterable[int]) -> None:
    """Take back replies that a report tells."""
    rows = [{"which": each, "told_in": report_id} for each in replies]
    if rows:
        connection.execute(_TELL_IN, rows)


def unsent_digests(connection: Connection) -> tuple[OutboxRow, ...]:
    """Return the digests that have not left, and the reports to spectators."""
    return all_rows(OutboxRow, connection.execute(_UNSENT_DIGESTS))


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
    if _last_state(connection, match_id, seat) not in _NEVER_LEFT:
        return reported_seq
    which = {"match": match_id, "colour": seat}
    return connection.execute(_LAST_LEFT, which).scalar() or 0


def is_lost(connection: Connection, match_id: int, seat: str) -> bool:
    """Return whether the last report to a seat was refused for good, dropped, or came back."""
    return _last_state(connection, match_id, seat) in {"failed", "superseded"}


def told_before(connection: Connection, match_id: int, seat: str, seq: int) -> int:
    """Return how far a seat's last report before an event told."""
    which = {"match": match_id, "colour": seat, "before": seq}
    return connection.execute(_TOLD_BEFORE, which).scalar() or 0


def _last_state(connection: Connection, match_id: int, seat: str) -> OutboxState | None:
    """Return the state of the last report to a seat; None if it got none."""

    def read() -> dict[str, OutboxState]:
        rows = connection.execute(_LAST_STATES, {"match": match_id})
        return {row.seat: row.state for row in rows}

    return read_cached(connection, t.outbox, match_id, read).get(seat)


def mails_showing(connection: Connection, match_id: int, since: int) -> tuple[OutboxRow, ...]:
    """Return the mails that tell of an event or later ones.

    Reports, and the receipts for them.
    """
    return all_rows(OutboxRow, connection.execute(_SHOWING, {"match": match_id, "since": since}))
