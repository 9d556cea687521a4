"""How clocks go on after the referee's own clock was set right, in every match where one ran."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import Connection

from referee.desk import broken, crediting, gaps, ledger, timing
from referee.desk.desk import Desk
from referee.desk.mending.act import Done, Refused, Wide, Work
from referee.matches.clock import format_moment
from referee.matches.events import NOTICE
from referee.store import matches as tables
from referee.store.matches import MatchRow


@dataclass(frozen=True, slots=True)
class SetRight(Wide):
    """Say that the machine's clock, which had jumped, is right: clocks have what was left."""

    name: ClassVar[str] = "clock"

    def reach(self, connection: Connection) -> list[MatchRow]:
        rows = tables.list_matches(connection, "running")
        return [row for row in rows if timing.runs(row)]

    def carry_out(self, desk: Desk, connection: Connection) -> Done:
        ended = gaps.clock_is_right(desk, connection)
        if ended is None:
            raise Refused("the clock has not jumped: there is nothing to set right")
        for row in self.reach(connection):
            # One that is broken is given its time when it goes on.
            with suppress(broken.BrokenMatch):
                crediting.make_good(desk, connection, ledger.load(desk, connection, row))
        first, last = format_moment(ended.began), format_moment(ended.ended or ended.began)
        return Done((f"no clock ran from {first} to {last}; deadlines act again",), _tell)


def _tell(work: Work) -> None:
    work.note(NOTICE, act=SetRight.name)
    work.tell("clocks-changed", lambda reader: {"what": SetRight.name, **work.turn(reader)})
