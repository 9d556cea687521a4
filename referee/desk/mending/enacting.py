"""An act carried out in an open transaction, and what came of it in each match it changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from referee.desk import broken, timing
from referee.desk.desk import Desk
from referee.desk.mending.act import ORGANISER, Act, Refused, Wide, Work
from referee.desk.mending.foreseen import mails_of, notices, reported
from referee.desk.mending.proposal import Proposal, Stand, Sweep, stand, written
from referee.desk.naming import no_match
from referee.games.game import Document
from referee.matches.calendar import Calendar
from referee.store import matches as tables
from referee.store import outbox
from referee.store.matches import MatchRow

LONGEST_WHY: Final = 1000
"""Characters of a reason."""

GOING: Final = frozenset({"running", "paused"})
"""The states of a match that a wide act changes only by a plan."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """What of a match a wide act may change: its clock, who sits there, their days off."""

    due: datetime | None
    stops: frozenset[str]
    holders: tuple[tuple[str, int | None], ...]
    calendars: tuple[Calendar, ...]


def enact(
    desk: Desk,
    connection: Connection,
    act: Act,
    why: str,
    by: str = ORGANISER,
    files: dict[Path, bytes] | None = None,
) -> Proposal:
    """Do an act in the open transaction and return what it did, as no plan. Raises Refused.

    ``files`` takes what is to be written when it was done for good.
    """
    row = match_named(connection, act.match)
    before = stand(desk, connection, row)
    last = outbox.last_id(connection)
    work = Work(desk, connection, act.match, by, _reason(why), files={} if files is None else files)
    act.carry_out(work)
    return _found(work, (act.name, act.document()), row, before, last)


def sweep(
    desk: Desk, connection: Connection, act: Wide, why: str, by: str = ORGANISER
) -> Sweep:
    """Do a wide act in the open transaction, and tell and log it in each match it changed.

    Raises RefereeError; Refused for a reason that lacks only if it changed one.
    """
    names = [row.name for row in act.reach(connection) if row.state in GOING]
    rows = tables.lock(connection, names) if names else ()
    stands = [stand(desk, connection, row, drawn=False) for row in rows]
    marks = [_mark(desk, connection, row) for row in rows]
    last = outbox.last_id(connection)
    done = act.carry_out(desk, connection)
    changed = [
        (row, before)
        for row, before, mark in zip(rows, stands, marks, strict=True)
        if _mark(desk, connection, tables.by_id(connection, row.id)) != mark
    ]
    if changed and not why.strip():
        named = ", ".join(row.name for row, _ in changed)
        raise Refused(f"this changes {named}: say in a few words --why, the players are told")
    found, lines = [], [*done.lines]
    for row, before in changed:
        work = Work(desk, connection, row.name, by, _reason(why))
        try:
            with connection.begin_nested(), broken.known(row):
                done.tell(work)
                each = _found(work, (act.name, act.document()), row, before, last, drawn=False)
            found.append(each)
        except broken.BrokenMatch as fault:
            lines.append(f"{fault}. It is changed too, and its players are not told")
    return Sweep(
        id=0,
        state="applied",
        act=act.name,
        arguments=act.document(),
        by=by,
        why=why.strip(),
        done=tuple(lines),
        matches=tuple(found),
    )


def match_named(connection: Connection, name: str) -> MatchRow:
    """Return a match, locked until the transaction ends. Raises Refused."""
    found = tables.lock(connection, [name])
    if not found:
        raise Refused(no_match(connection, name))
    return found[0]


def _found(
    work: Work,
    act: tuple[str, Document],
    row: MatchRow,
    before: Stand,
    last: int,
    *,
    drawn: bool = True,
) -> Proposal:
    """Return what came of an act in a match, which was ``row`` before it."""
    desk, connection = work.desk, work.connection
    tables.set_agenda(connection, row.id, desk.now())
    after = tables.by_id(connection, row.id)
    mails = mails_of(connection, after, last, work.mails)
    return Proposal(
        id=0,
        state="",
        match=row.name,
        act=act[0],
        arguments=act[1],
        by=work.by,
        why=work.why,
        before=before,
        after=stand(desk, connection, after, drawn=drawn),
        events=written(desk, connection, after, row.seq),
        warnings=tuple(work.warnings),
        mails=notices(connection, mails),
        reports=reported(desk, connection, after, mails),
    )


def _mark(desk: Desk, connection: Connection, row: MatchRow) -> _Mark:
    clock = timing.clock_of(desk, connection, row)
    seats = tables.seats(connection, row.id)
    calendars = [timing.calendar_of(connection, row, each) for each in seats]
    today = (desk.now() - timedelta(days=1)).date()
    return _Mark(
        due=None if clock.run is None else clock.run.due(clock.calendar),
        stops=frozenset() if clock.run is None else clock.run.stops,
        holders=tuple((each.seat, each.player_id) for each in seats),
        calendars=tuple(each.since(today) for each in calendars) if clock.pace.limited else (),
    )


def _reason(why: str) -> str:
    said = why.strip()
    if not said:
        raise Refused("--why is empty: say in a few words why, the players are told")
    if len(said) > LONGEST_WHY:
        raise Refused(f"--why is too long: at most {LONGEST_WHY} characters")
    return said
