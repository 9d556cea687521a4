"""The intake: kept letters handled, by the reader itself or beside other daemons."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from referee.daemon import process
from referee.daemon.process import Process
from referee.desk import agenda, health
from referee.desk.letters import queue
from referee.desk.letters.queue import IntakeStopped
from referee.store.store import StoreError
from referee.store.tables.post import LetterRow

log = logging.getLogger(__name__)


@dataclass
class Intake:
    """The part of a daemon that handles letters."""

    process: Process

    def handle(self) -> int:
        """Handle the letters that wait; return how many. Raises IntakeStopped."""
        here = self.process
        if here.worker is None:
            handled = queue.handle_waiting(here.desk, self._follow)
        else:
            handled = queue.handle_free(here.desk, here.worker, self._follow, here.may_go_on)
        if handled:
            here.waking.set()
        return handled

    def keep_handling(self) -> None:
        """Handle letters beside other daemons until asked to stop."""
        here = self.process
        here.entered.wait()
        while not here.stopping.is_set():
            try:
                if here.may_go_on() and not health.is_alarmed(here.desk):
                    self.handle()
            except IntakeStopped as trouble:
                here.raise_alarm(str(trouble))
            except (StoreError, OSError) as trouble:
                here.report(trouble)
            except Exception:
                log.exception("handling letters failed", extra={"action": "intake"})
            here.handling.wait(process.TICK)
            here.handling.clear()

    def _follow(self, letter: LetterRow) -> None:
        with self.process.reported("agenda"):
            agenda.follow_sender(self.process.desk, letter)
