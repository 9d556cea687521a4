"""The reader of the mailbox: letters are fetched, kept, handed on and filed."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from referee.daemon import process
from referee.daemon.process import Process
from referee.desk import agenda, health
from referee.desk.letters import inbox, queue
from referee.desk.letters.queue import IntakeStopped
from referee.desk.matches.time import outages
from referee.desk.service import crew, mailbox_mark
from referee.desk.service.mailbox_mark import MailboxTaken
from referee.errors import RefereeError
from referee.mail.oauth.tokens import AuthError
from referee.mail.transport.mailbox import LoginRefused, Mailbox, MailboxError, MailboxRefused
from referee.store.post import claims

log = logging.getLogger(__name__)

LONGEST_PAUSE: Final = 60.0
"""Seconds at most between two attempts to reach a server."""


FILING_PAUSE: Final = 600.0
"""Seconds after which letters that could not be filed are tried again."""


@dataclass
class Reader:
    """The part of a daemon that reads the mailbox.

    ``handle`` sees to the letters kept. ``give_up`` is called when the mailbox belongs to another
    referee. ``take_over``: read it even if it bears another installation's mark. ``holds`` says
    whether no other daemon can have begun to read it.
    """

    process: Process
    handle: Callable[[], object]
    give_up: Callable[[RefereeError], None]
    take_over: bool = False
    holds: Callable[[], bool] = lambda: True
    _reading: Mailbox | None = field(default=None, init=False)
    _polled: bool = field(default=False, init=False)
    _noted: bool = field(default=False, init=False)
    _began: datetime = field(default=datetime.min.replace(tzinfo=UTC), init=False)
    _unfiled: str | None = field(default=None, init=False)
    _files_at: float = field(default=0, init=False)

    def read_once(self) -> None:
        """Make one pass. An unreadable mailbox is noted, and its error raised."""
        try:
            with self.mailbox() as mailbox:
                self.enter(mailbox)
                # Until there is nothing new, since letters may arrive while others are handled.
                while self._reread_if_due(mailbox) and self.read(mailbox):
                    pass
        except (MailboxError, MailboxTaken, AuthError, OSError) as trouble:
            self.process.note(trouble)
            raise

    def keep_reading(self) -> None:
        """Read until asked to stop, or others may read, through every loss of the connection."""
        stopping, pause = self.process.stopping, process.TICK
        while not stopping.is_set() and self.holds():
            try:
                self._read_until_lost()
                pause = process.TICK
            except MailboxTaken as taken:
                self.process.note(taken)
                self.give_up(taken)
                return
            except IntakeStopped as trouble:
                self.process.raise_alarm(str(trouble))
                return
            except (RefereeError, OSError) as trouble:
                self.process.report(trouble)
                # Providers lock accounts after a few refused logins in a row.
                if isinstance(trouble, LoginRefused):
                    pause = max(pause, LONGEST_PAUSE / 2)
            except Exception as fault:
                log.exception("reading the mailbox failed", extra={"action": "poll"})
                self.process.note(fault)
            finally:
                self.note_entered()
            stopping.wait(pause)
            # A connection that ended after it was useful says nothing about the next one.
            pause = process.TICK if self._polled else min(pause * 2, LONGEST_PAUSE)

    def _read_until_lost(self) -> None:
        stopping, self._polled = self.process.stopping, False
        # What was kept back when the database failed must not wait for the server as well.
        self._let_go()
        mailbox = self.mailbox()
        mailbox.connect()
        try:
            self.enter(mailbox)
            self.note_entered()
            self._reading = mailbox
            while not stopping.is_set() and self.holds() and self._reread_if_due(mailbox):
                kept = self.read(mailbox)
                self._polled = True
                # With letters just kept more may have come meanwhile, so it looks again at once.
                if not kept and not stopping.is_set():
                    mailbox.wait(self.process.desk.settings.poll_seconds)
                    # Somebody else may have begun to read it meanwhile.
                    mailbox_mark.watch_mark(self.process.desk, mailbox)
        finally:
            self._reading = None
            mailbox.close()

    def note_entered(self) -> None:
        """Let mail leave, now that the mailbox is known to be ours or out of reach."""
        here = self.process
        # One that gave the mailbox up, or was asked to stop, knows nothing.
        if here.stopping.is_set():
            return
        here.entered.set()
        if here.worker is not None and not self._noted:
            with here.reported("enter"):
                crew.note_entered(here.desk, here.worker)
                self._noted = True

    def mailbox(self) -> Mailbox:
        """Return the mailbox, not connected."""
        here = self.process
        imap = here.desk.settings.imap
        return Mailbox(imap, here.folders, timing=here.timing, stopping=here.stopping)

    def enter(self, mailbox: Mailbox) -> None:
        """Prepare a mailbox for reading. Raises MailboxTaken if it is not ours."""
        here = self.process
        with contextlib.suppress(MailboxRefused):
            mailbox.ensure_folders()
        mailbox_mark.leave_mark(here.desk, mailbox, take_over=self.take_over)
        # Once: after a lost connection the mark must be ours, or somebody else has taken over.
        self.take_over = False

    def read(self, mailbox: Mailbox) -> int:
        """Read all new letters; return how many there were.

        Fetching comes last, after filing: a letter that arrives in between is then either fetched
        or announced during the wait.
        """
        here = self.process
        self._began = began = here.desk.now()
        if time.monotonic() >= self._files_at:
            self._unfiled = inbox.file_away(here.desk, mailbox)
            self._files_at = time.monotonic() + (FILING_PAUSE if self._unfiled else 0)
        kept = self._fetch(mailbox)
        # By a clock that is not right nothing can be said of times, nor of a fetch cut short.
        fit = here.may_go_on()
        if fit:
            outages.note_outage(here.desk, began)
        self.handle()
        if fit:
            crowded = mailbox.lacks_room(here.desk.settings.letter_bytes)
            health.note_poll(here.desk, began, crowded=crowded, unfiled=self._unfiled)
        return kept

    def _reread_if_due(self, mailbox: Mailbox) -> bool:
        """After a restore, handle the letters the database lost; False if stopped meanwhile."""
        here = self.process
        if not inbox.is_rereading_due(here.desk):
            return True
        with here.reported("agenda"):
            agenda.do_due_steps(here.desk)
        inbox.keep_unknown(here.desk, mailbox)
        self._fetch(mailbox)
        self.handle()
        while queue.has_waiting(here.desk):
            # The workers have them in hand.
            if here.stopping.wait(process.TICK) or not self.holds():
                return False
        # Asked to stop, neither the fetch nor the handling may have come to its end.
        if here.stopping.is_set():
            return False
        inbox.finish_rereading(here.desk, mailbox)
        here.waking.set()
        return True

    def _fetch(self, mailbox: Mailbox) -> int:
        """Keep all new letters, and let the workers have them; return how many."""
        here = self.process
        try:
            return inbox.fetch_and_keep(
                here.desk, mailbox, here.worker, lambda: not here.stopping.is_set()
            )
        finally:
            # Also of a fetch that broke off: what it keeps back stops the letters of everybody.
            self._let_go()

    def _let_go(self) -> None:
        """Let the workers have the letters kept."""
        if self.process.worker is not None:
            queue.sort_letters(self.process.desk, self.process.worker)

    def wake(self) -> None:
        """End the wait for new mail."""
        mailbox = self._reading
        if mailbox is not None:
            mailbox.wake()

    def wake_if_waiting(self) -> None:
        """End the wait for new mail if there is something to do."""
        mailbox, here = self._reading, self.process
        if mailbox is None:
            return
        if here.worker is None:
            due = queue.has_waiting(here.desk)
        else:
            # Since the last read alone: what could not be filed then cannot be now.
            with here.desk.store.reading() as connection:
                due = claims.has_unfiled(connection, self._began)
        if due:
            mailbox.wake()
