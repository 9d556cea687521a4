"""The acts by name, and how one is carried out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final, Protocol, Self, cast

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.directory import no_match
from referee.desk.matches import broken
from referee.desk.matches import clock as matches_clock
from referee.desk.plans.outcome import (
    Proposal,
    Stand,
    Sweep,
    mails_of,
    notices,
    reported,
    stand,
    written,
)
from referee.desk.work import ORGANISER, Refused, Work
from referee.games.game import Document
from referee.matches.time.calendar import Calendar
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.post import outbox
from referee.store.states import PLAYABLE

ACTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "act": "act_for:Acting",
        "fix": "board:Fix",
        "look": "act_for:Looking",
        "pause": "pause:Pause",
        "redo": "board:Redo",
        "resume": "pause:Resume",
        "extend": "nudge:Extend",
        "remind": "nudge:Remind",
        "resend": "nudge:Resend",
        "note": "nudge:Note",
        "seat": "seat:HandOver",
        "sit": "seat:SitIn",
        "end": "end:End",
        "move": "move:Move",
        "undo": "board:Undo",
        "away": "player:Away",
        "back": "player:Back",
        "zone": "player:Zone",
        "merge": "player:Merge",
        "clock": "nudge:SetRight",
        "drop": "player:Drop",
        "address-add": "player:AddAddress",
        "address-remove": "player:RemoveAddress",
    }
)
"""The module in this room, and its class, for every act by name."""


class Act(Protocol):
    """An act on one match.

    It is made anew from its document, so that it can be carried out later than it was planned.
    """

    name: ClassVar[str]

    @property
    def match(self) -> str:
        """The match's name."""
        ...

    def document(self) -> Document:
        """Return its arguments, ``match`` included, as JSON for ``read``."""
        ...

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Return the act a document of its own describes."""
        ...

    def carry_out(self, work: Work) -> None:
        """Carry it out in the open transaction. Raises Refused.

        If it is refused, nothing is half done.
        """
        ...


class Plain:
    """An act whose document is its own fields, as they are."""

    __slots__ = ()

    def document(self) -> Document:
        """Return its fields as JSON."""
        return {each.name: getattr(self, each.name) for each in fields(cast("Any", self))}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Return the act a document of its own describes."""
        return cls(**document)


class Wide(Plain, ABC):
    """An act that may change several matches, by clocks or seats.

    ``final``: it cannot be taken back, so it is planned even when it changes no match.
    """

    __slots__ = ()

    name: ClassVar[str]
    final: ClassVar[bool] = False

    @abstractmethod
    def reach(self, connection: Connection) -> Iterable[MatchRow]:
        """Return the matches it may change."""

    @abstractmethod
    def carry_out(self, change: Change) -> Done:
        """Carry it out in the open transaction. Raises RefereeError.

        If it is refused, nothing is half done.
        """


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of a wide act, in lines.

    ``tell`` logs and mails it in one match it changed.
    """

    lines: tuple[str, ...]
    tell: Callable[[Work], None]


def read(name: str, document: Mapping[str, Any]) -> Act | Wide:
    """Return the act a name and document describe. Raises Refused."""
    place = ACTS.get(name)
    if place is None:
        raise Refused(f"there is no act {name}: it was planned by another version of the referee")
    module, _, kind = place.partition(":")
    reader = getattr(import_module(f"referee.desk.plans.{module}"), kind).read
    return cast("Callable[[Mapping[str, Any]], Act | Wide]", reader)(document)


LONGEST_WHY: Final = 1000
"""Characters of a reason."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """The parts of a match a wide act may change: clock, holders, calendars."""

    due: datetime | None
    stops: frozenset[str]
    holders: tuple[tuple[str, int | None], ...]
    calendars: tuple[Calendar, ...]


def enact(
    change: Change,
    act: Act,
    why: str,
    by: str = ORGANISER,
    files: dict[Path, bytes] | None = None,
) -> Proposal:
    """Carry out an act in the open transaction; return its outcome.

    Raises Refused. ``files`` collects the files to be written once it is committed.
    """
    row = match_named(change.connection, act.match)
    before = stand(change, row)
    # Mails written from here on are the act's.
    last = outbox.last_id(change.connection)
    work = Work(change, act.match, by, _reason(why), files={} if files is None else files)
    act.carry_out(work)
    return _found(work, (act.name, act.document()), row, before, last)


def sweep(change: Change, act: Wide, why: str, by: str = ORGANISER) -> Sweep:
    """Carry out a wide act; log and tell it in each match changed.

    Raises RefereeError; Refused if a match changed and no reason was given.
    """
    names = [row.name for row in act.reach(change.connection) if row.state in PLAYABLE]
    rows = matches.lock(change.connection, names) if names else ()
    stands = [stand(change, row, drawn=False) for row in rows]
    marks = [_mark(change, row) for row in rows]
    last = outbox.last_id(change.connection)
    done = act.carry_out(change)
    # Only matches that really changed are logged and told.
    changed = [
        (row, before)
        for row, before, mark in zip(rows, stands, marks, strict=True)
        if _mark(change, matches.by_id(change.connection, row.id)) != mark
    ]
    if changed and not why.strip():
        named = ", ".join(row.name for row, _ in changed)
        raise Refused(f"this changes {named}: say in a few words --why, the players are told")
    found, lines = [], [*done.lines]
    for row, before in changed:
        work = Work(change, row.name, by, _reason(why))
        try:
            with change.connection.begin_nested(), broken.known(row):
                done.tell(work)
                each = _found(work, (act.name, act.document()), row, before, last, drawn=False)
            found.append(each)
        # A broken match must not keep a player from being set right elsewhere.
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
    found = matches.lock(connection, [name])
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
    """Return an act's outcome in a match that was ``row`` before."""
    desk, connection = work.desk, work.connection
    # Something may be due now that was not before.
    matches.set_agenda(connection, row.id, desk.now())
    after = matches.by_id(connection, row.id)
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
        after=stand(work.change, after, drawn=drawn),
        events=written(work.change, after, row.seq),
        warnings=tuple(work.warnings),
        mails=notices(connection, mails),
        reports=reported(work.change, after, mails),
    )


def _mark(change: Change, row: MatchRow) -> _Mark:
    clock = matches_clock.clock_of(change, row)
    seats = matches.seats(change.connection, row.id)
    calendars = [matches_clock.calendar_of(change.connection, row, each) for each in seats]
    # Days that are over in every zone change nothing any more.
    today = (change.desk.now() - timedelta(days=1)).date()
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
