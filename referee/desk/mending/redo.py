"""Doing again what was taken back, as long as nothing else has happened since."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from referee.desk import ledger, rewinding
from referee.desk.mending.act import Plain, Refused, Work
from referee.desk.mending.undo import GOING, whole_log
from referee.matches import line, mending
from referee.matches.replay import at_event


@dataclass(frozen=True, slots=True)
class Redo(Plain):
    """Let a match stand again as it stood before something was taken back."""

    name: ClassVar[str] = "redo"
    match: str

    def carry_out(self, work: Work) -> None:
        work.going(*GOING)
        sitting = work.sitting()
        live, log = sitting.live, whole_log(work, sitting)
        to = line.redoable(log)
        if to is None:
            raise Refused(f"{self.match}: nothing was taken back that could be done again")
        later = at_event(live.game, live.terms, live.seed, log, to)
        moment = ledger.stamp(work.desk.now())
        after, logged = mending.redo(live, later, moment, by=work.by, why=work.reason)
        rewinding.set_again(work.desk, work.connection, sitting, after, logged)
