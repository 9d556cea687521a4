"""The acts of an organiser, and how one is carried out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from typing import Any, ClassVar, Final, Self

import msgspec
from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.directory import no_match
from referee.desk.matches import broken
from referee.desk.matches.time import clock as matches_clock
from referee.desk.plans import outcome
from referee.desk.plans.outcome import Outcome
from referee.desk.work import ORGANISER, Refused, Work
from referee.games.game import Document
from referee.matches.events import NOTICE
from referee.render.answers import Signed, signed
from referee.render.words.moments import day_text
from referee.render.words.wording import Catalogue
from referee.store.play import matches
from referee.store.post import outbox, reports
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow
from referee.value import Value, asdict

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
        """Return its arguments as JSON for ``read``: its fields."""
        return asdict(self)

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Return the act a document of its own describes."""
        return msgspec.convert(document, cls)

    @abstractmethod
    def reach(self, connection: Connection) -> Iterable[str]:
        """Return the names of the matches it may change."""

    @abstractmethod
    def begin(self, change: Change) -> Begun:
        """Do all that belongs to no single match. Raises RefereeError, with nothing half done."""


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
    lines, outcomes = [*begun.lines], []
    for row in changed:
        work = Work(change, row.name, by, reason)
        try:
            with change.connection.begin_nested(), broken.faults_as_broken(row):
                begun.carry_on(work)
                came = outcome.gather(
                    work, row, before[row.id], last, told[row.id], drawn=act.single
                )
        except broken.BrokenMatch as fault:
            if act.single:
                raise
            # A broken match must not keep a player from being set right elsewhere.
            lines.append(f"{fault}. It is changed too, and its players are not told")
        else:
            outcomes.append(came)
    return Outcome(
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


def telling(
    player: PlayerRow | None,
    what: str,
    *days: date,
    who: str | None = None,
    whom: str | None = None,
) -> Callable[[Work], None]:
    """Return a function that tells a match of changed clocks: those of a ``player``, or all."""

    def tell(work: Work) -> None:
        seat, name = None, who
        if player is not None:
            name = who or player.name
            seat = matches.seats_of_player(work.connection, player.id, work.row.id)[0].seat
        work.note(NOTICE, seat=seat, act=what)

        def said(reader: PlayerRow) -> Signed:
            worded = [day_text(day, Catalogue(reader.language)) for day in days]
            first, last = worded or (None, None)
            return signed(
                "clocks-changed",
                what=what,
                seat=seat,
                who=name,
                whom=whom,
                first=first,
                last=last,
                to_act=work.row.to_act,
                due=work.due(reader),
            )

        work.tell(said)

    return tell
