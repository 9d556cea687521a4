"""The acts of an organiser, and how one is carried out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, ClassVar, Final, Self

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.directory import no_match
from referee.desk.matches import broken
from referee.desk.matches.time import clock as matches_clock
from referee.desk.plans import outcome
from referee.desk.plans.outcome import MatchOutcome, Outcome
from referee.desk.work import ORGANISER, Refused, Work
from referee.games.game import Document
from referee.store.play import matches
from referee.store.post import outbox, reports
from referee.store.tables.play import MatchRow
from referee.value import Value

LONGEST_WHY: Final = 1000
"""Characters of a reason."""


class Act(Value):
    """An act of an organiser, on all the matches it reaches.

    It is made anew from its document, so that it can be carried out later than it was planned.
    ``final``: it cannot be taken back, so it is planned even when it changes no match. ``single``:
    it names its match and always changes it.
    """

    name: ClassVar[str]
    final: ClassVar[bool] = False
    single: ClassVar[bool] = False

    def document(self) -> Document:
        """Return its arguments as JSON for ``read``: its fields as they are."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Return the act a document of its own describes."""
        return cls(**document)

    @abstractmethod
    def reach(self, connection: Connection) -> Iterable[str]:
        """Return the names of the matches it may change."""

    @abstractmethod
    def begin(self, change: Change) -> Begun:
        """Do in the open transaction all that belongs to no single match.

        Raises RefereeError. If it is refused, nothing is half done.
        """


class Begun(Value):
    """An act whose general part is done, told in lines.

    ``carry_on`` does the rest in one match it changes: all of it, or only log and mails.
    """

    lines: tuple[str, ...]
    carry_on: Callable[[Work], None]


class OnMatch(Act):
    """An act on one match, carried out there as a whole."""

    single: ClassVar[bool] = True
    match: str

    def reach(self, _: Connection) -> Iterable[str]:
        return (self.match,)

    def begin(self, _: Change) -> Begun:
        return Begun((), self.carry_out)

    @abstractmethod
    def carry_out(self, work: Work) -> None:
        """Carry it out in the open transaction. Raises Refused, and then nothing is half done."""


def enact(change: Change, act: Act, why: str, by: str = ORGANISER) -> Outcome:
    """Carry out an act in the open transaction; return its outcome.

    It is logged and told in each match it changes. Raises RefereeError; Refused if a match changed
    and no reason was given.
    """
    names = [*act.reach(change.connection)]
    rows = matches.lock_matches(change.connection, names)
    if missing := {*names} - {row.name for row in rows}:
        raise Refused(no_match(change.connection, min(missing)))
    before = {row.id: outcome.match_state(change, row, drawn=act.single) for row in rows}
    marks = {} if act.single else {row.id: _mark(change, row) for row in rows}
    # The replies told by reports that have not left.
    told = {row.id: reports.replies_told(change.connection, row.id) for row in rows}
    # Mails written from here on are the act's.
    last = outbox.last_mail_id(change.connection)
    begun = act.begin(change)
    changed = [
        row
        for row in rows
        if act.single
        or marks[row.id] != _mark(change, matches.get_match(change.connection, row.id))
    ]
    reason = why.strip()
    if changed and not reason:
        if act.single:
            raise Refused("give --why: say in a few words why, the players are told")
        named = ", ".join(row.name for row in changed)
        raise Refused(f"this changes {named}: say in a few words --why, the players are told")
    if changed and len(reason) > LONGEST_WHY:
        raise Refused(f"--why is too long: at most {LONGEST_WHY} characters")
    lines: list[str] = [*begun.lines]
    outcomes: list[MatchOutcome] = []
    for row in changed:
        work = Work(change, row.name, by, reason)
        # What an act on one match alone comes upon in it is told; a wide one goes on elsewhere.
        with (
            broken.faults_as_broken(row) if act.single else _passing_over_broken(change, row, lines)
        ):
            begun.carry_on(work)
            came = outcome.gather(work, row, before[row.id], last, drawn=act.single)
            outcomes.append(outcome.with_replies(change, came, told[row.id]))
    return Outcome(
        id=0,
        state="applied",
        act=act.name,
        arguments=outcome.shown_arguments(act.document()),
        by=by,
        why=reason,
        lines=tuple(lines),
        matches=tuple(outcomes),
        single=act.single,
    )


def _mark(change: Change, row: MatchRow) -> tuple[object, ...]:
    """Return the parts of a match an act may change: clock, holders, calendars."""
    clock = matches_clock.clock_of(change, row)
    seats = matches.seats(change.connection, row.id)
    calendars = [matches_clock.calendar_of(change.connection, row, seat) for seat in seats]
    # Days that are over in every zone change nothing any more.
    today = (change.desk.now() - timedelta(days=1)).date()
    return (
        clock.run and clock.run.due(clock.calendar),
        clock.run.stops if clock.run else frozenset(),
        [(seat.seat, seat.player_id) for seat in seats],
        [calendar.since(today) for calendar in calendars] if clock.pace.limited else [],
    )


@contextmanager
def _passing_over_broken(change: Change, row: MatchRow, lines: list[str]) -> Iterator[None]:
    """Pass over a match that is broken, with a line on it."""
    try:
        with change.connection.begin_nested(), broken.faults_as_broken(row):
            yield
    # A broken match must not keep a player from being set right elsewhere.
    except broken.BrokenMatch as fault:
        lines.append(f"{fault}. It is changed too, and its players are not told")
