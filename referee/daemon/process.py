"""A process at work, as its parts share it: desk, signals, letters handled, trouble told."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from referee.desk import agenda, health
from referee.desk.desk import Desk
from referee.desk.letters import queue
from referee.desk.letters.queue import IntakeStopped
from referee.errors import RefereeError
from referee.mail.transport.mailbox import Folders, MailboxError
from referee.mail.transport.servers import PATIENT, Timing
from referee.store.database.errors import StoreError
from referee.store.tables.post import LetterRow

log = logging.getLogger(__name__)

TICK: Final = 1.0
"""Seconds between two looks at the agenda and the outbox."""

_AGAIN: Final = 60.0
"""Seconds after which a trouble that lasts is logged again."""


Part: TypeAlias = Callable[[], object]
"""A part of a process that runs until it is asked to stop."""


@dataclass
class Process:
    """A process at work, as its parts see it.

    ``stopping`` asks all parts to finish. ``waking`` ends the pause before the next tick,
    ``handling`` that before the next look for letters. ``entered`` is set when a reader knows the
    mailbox to be ours or out of reach, ``unfit`` while this process must leave everything to
    others. ``worker`` is its name among several daemons; None where it works alone.
    """

    desk: Desk
    folders: Folders = field(default_factory=Folders)
    timing: Timing = PATIENT
    stopping: threading.Event = field(default_factory=threading.Event)
    waking: threading.Event = field(default_factory=threading.Event)
    handling: threading.Event = field(default_factory=threading.Event)
    entered: threading.Event = field(default_factory=threading.Event)
    unfit: threading.Event = field(default_factory=threading.Event)
    worker: str | None = None
    _logged: dict[str, float] = field(default_factory=dict, init=False)

    def stop(self) -> None:
        """Ask all parts to finish."""
        self.stopping.set()
        self.waking.set()
        self.handling.set()
        # If asked before its first attempt, the reader makes none, so nothing may wait for it.
        self.entered.set()

    def may_go_on(self) -> bool:
        """Return whether this process is to work: not asked to stop, and fit to."""
        return not self.stopping.is_set() and not self.unfit.is_set()

    def handle(self) -> int:
        """Handle the letters that wait; return how many. Raises IntakeStopped."""
        if self.worker is None:
            handled = queue.handle_waiting(self.desk, self._follow, self.may_go_on)
        else:
            handled = queue.handle_free(self.desk, self.worker, self._follow, self.may_go_on)
        if handled:
            self.waking.set()
        return handled

    def _follow(self, letter: LetterRow) -> None:
        with self.reported("agenda"):
            agenda.follow_sender(self.desk, letter)

    def keep_handling(self) -> None:
        """Handle letters beside other daemons until asked to stop."""
        self.entered.wait()
        while not self.stopping.is_set():
            with self.reported("intake"):
                try:
                    if self.may_go_on() and not health.is_alarmed(self.desk):
                        self.handle()
                except IntakeStopped as trouble:
                    self.raise_alarm(str(trouble))
            self.handling.wait(TICK)
            self.handling.clear()

    def raise_alarm(self, text: str) -> None:
        """Note an alarm, as soon as the database can be written."""
        while not self.stopping.is_set():
            try:
                health.raise_alarm(self.desk, text)
            except (StoreError, OSError) as trouble:
                self.report(trouble)
                self.stopping.wait(TICK)
            else:
                return

    def keep_up(self, part: Part, doing: str) -> None:
        """Run a part to its end, and again after every fault until asked to stop."""
        while not self.stopping.is_set():
            try:
                part()
            except Exception as fault:
                # A thread that ends unseen would leave a daemon that only looks alive.
                log.exception("%s failed", doing, extra={"action": doing})
                self.note(fault)
                self.stopping.wait(TICK)
            else:
                return

    @contextlib.contextmanager
    def reported(self, doing: str) -> Iterator[None]:
        """Log an error in the block, and go on with the rest."""
        try:
            yield
        except (StoreError, OSError) as trouble:
            self.report(trouble)
        except Exception:
            log.exception("%s failed", doing, extra={"action": doing})

    def report(self, trouble: Exception) -> None:
        """Log a trouble that is not of our making, and note it."""
        # While a database is away every part meets the same trouble again each second.
        text, now = str(trouble), time.monotonic()
        recent = {said: at for said, at in [*self._logged.items()] if now - at < _AGAIN}
        if text not in recent:
            log.error("%s", trouble, extra={"action": "trouble"})
            self._logged = {**recent, text: now}
        self.note(trouble)

    def note(self, trouble: Exception) -> None:
        """Note for ``referee status`` the trouble that keeps the daemon from working."""
        # It is in the log already, and whatever is raised here would end a thread.
        with contextlib.suppress(Exception):
            part = "mailbox" if isinstance(trouble, MailboxError) else "referee"
            # The text of any other may quote a letter, a card or a code.
            ours = isinstance(trouble, (RefereeError, OSError))
            said = str(trouble) if ours else f"{type(trouble).__name__}: see the log"
            health.note_trouble(self.desk, "trouble", f"{part}: {said}")
