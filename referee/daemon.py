"""The daemon: one thread reads the mailbox, another plays and sends.

There are two, because waiting for new mail takes minutes while deadlines pass. The work itself is
done in `desk`; here are its order, its end, and the care that trouble in one part spares the rest.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import Final

from referee.config import Settings
from referee.desk import agenda, health
from referee.desk.desk import Desk
from referee.desk.letters import inbox, sender
from referee.desk.letters import reread as letters_reread
from referee.desk.letters.inbox import Caps, IntakeStopped
from referee.desk.mails import summary
from referee.desk.mails.delivery import Sending
from referee.desk.matches import broken
from referee.desk.matches.time import outages
from referee.desk.matches.time.outages import ClockWatch
from referee.desk.service import chores, mailbox_mark
from referee.desk.service.lease import hold_lease
from referee.desk.service.life import Pulse, make_application, served_pages, tell_systemd
from referee.desk.service.mailbox_mark import MailboxTaken
from referee.desk.service.metrics import Metrics
from referee.desk.service.status import read_status
from referee.errors import RefereeError
from referee.mail.oauth.tokens import AuthError
from referee.mail.transport.connecting import LoginRefused, MailboxError
from referee.mail.transport.mailbox import Folders, Mailbox
from referee.mail.transport.postman import Postman, own_hostname
from referee.mail.transport.servers import PATIENT, Timing
from referee.store.post import outbox
from referee.store.post.letters import LetterRow
from referee.store.store import StoreError

log = logging.getLogger(__name__)

TICK: Final = 1.0
"""Seconds between two looks at the agenda and the outbox."""

AT_A_TIME: Final = 1.0
"""Seconds spent on the agenda before mail gets its turn."""

BEAT: Final = 5.0
"""Seconds between two signs of life."""

LONGEST_PAUSE: Final = 60.0
"""Seconds at most between two attempts to reach a server."""


@dataclass
class Daemon:
    """One referee at work.

    ``take_over``: read the mailbox even if it bears another installation's mark. ``reread``: the
    database was restored from a copy, so handle all letters in the folders that it does not know.
    """

    desk: Desk
    settings: Settings
    stopping: threading.Event = field(default_factory=threading.Event)
    waking: threading.Event = field(default_factory=threading.Event)
    folders: Folders = field(default_factory=Folders)
    timing: Timing = PATIENT
    take_over: bool = False
    reread: bool = False
    pulse: Pulse = field(default_factory=Pulse)
    _tried: threading.Event = field(default_factory=threading.Event, init=False)
    _ticking: ClockWatch = field(init=False)
    _metrics: Metrics = field(init=False)
    _fault: RefereeError | None = field(default=None, init=False)
    _reading: Mailbox | None = field(default=None, init=False)
    _polled: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._ticking = ClockWatch(self.desk)
        self._metrics = Metrics(self.desk, self.settings.poll_seconds)

    def once(self) -> None:
        """Make one pass: fetch, handle, file, play, send. Errors are raised.

        An unreadable mailbox is also noted for ``referee status``.
        """
        with self._serving(waits=False):
            try:
                self._read_once()
            except (MailboxError, AuthError, OSError) as trouble:
                self._note(trouble)
                raise
            agenda.do_due_steps(self.desk)
            chores.do_chores(self.desk)
            summary.write_if_due(self.desk)
            asyncio.run(self._send_all())

    def _read_once(self) -> None:
        mailbox = self._mailbox()
        mailbox.connect()
        try:
            self._enter(mailbox)
            self._read_again_if_due(mailbox)
            # Again until there is nothing new, since letters may arrive while others are handled.
            while self._read(mailbox):
                pass
        finally:
            mailbox.close()

    def run(self) -> None:
        """Work until asked to stop; trouble in one part never stops another.

        Raises Occupied, LeaseLost or MailboxTaken if the mailbox belongs to another referee.
        """
        with self._watched(), self._serving(waits=not self.settings.database.startswith("sqlite")):
            reader = threading.Thread(target=self._keep_reading, name="mailbox")
            reader.start()
            try:
                asyncio.run(self._keep_working())
            finally:
                self.stop()
                # Before the lease is given back: a letter in work must not meet another daemon.
                reader.join()
        if self._fault is not None:
            raise self._fault

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        """Serve metrics and health for the block, if the settings say where."""
        pages = make_application(self._metrics.registry, self.pulse, self._trouble)
        with served_pages(self.settings.listen, pages):
            try:
                yield
            finally:
                tell_systemd("STOPPING=1")

    def _trouble(self) -> str | None:
        """Return the trouble that keeps this referee from its work, if any."""
        status = read_status(self.desk, self.settings.poll_seconds)
        # Not in words: they may name addresses, and whoever reaches the port reads them.
        return None if status.level != "trouble" else "in trouble: see referee status"

    def stop(self, number: int = 0, frame: FrameType | None = None) -> None:
        """Ask both threads to finish. May serve as a signal handler."""
        del number, frame
        self.stopping.set()
        self.waking.set()
        # If asked before its first attempt, the reader makes none, so nothing may wait for it.
        self._tried.set()

    def stop_on_signals(self) -> None:
        """Stop cleanly on SIGTERM and SIGINT."""
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, self.stop)

    @contextlib.contextmanager
    def _serving(self, *, waits: bool) -> Iterator[None]:
        """Hold the mailbox for the block; first tidy up after a killed daemon."""
        self.settings.require_log_in()
        sender.check_trust(self.desk)
        with hold_lease(self.desk, self.stopping, self._give_up, waits=waits) as taken:
            # Not if it was asked to stop while another daemon was still at work.
            if taken:
                self._recover()
            yield

    def _give_up(self, fault: RefereeError) -> None:
        """Stop for good, since the mailbox belongs to another referee."""
        self._fault = fault
        self.stop()
        if self._reading is not None:
            self._reading.wake()

    def _enter(self, mailbox: Mailbox) -> None:
        """Prepare a mailbox for reading. Raises MailboxTaken if it is not ours."""
        mailbox.ensure_folders()
        mailbox_mark.leave_mark(self.desk, mailbox, self.folders, take_over=self.take_over)
        # Once: after a lost connection the mark must be ours, or somebody else has taken over.
        self.take_over = False

    def _recover(self) -> None:
        inbox.recover_letters(self.desk)
        self._ticking.begin()
        health.end_alarm(self.desk)
        with self.desk.store.writing() as connection:
            outbox.recover_mails(connection)
            broken.wake_broken(connection, self.desk.now())
            if self.reread:
                health.ask_rereading(connection, self.desk.now())

    def _mailbox(self) -> Mailbox:
        return Mailbox(self.settings.imap, self.folders, timing=self.timing, stopping=self.stopping)

    def _read(self, mailbox: Mailbox) -> int:
        """Read all new letters; return how many there were.

        Fetching comes last, after filing: a letter that arrives in between is then either fetched
        or announced during the wait.
        """
        inbox.file_away(self.desk, mailbox, self.folders)
        began = self.desk.now()
        kept = inbox.fetch_and_keep(self.desk, mailbox, self.folders, self._caps())
        outages.note_outage(self.desk, began)
        if inbox.handle_waiting(self.desk, self._follow):
            self.waking.set()
        health.note_poll(self.desk, began)
        return kept

    def _caps(self) -> Caps:
        return Caps(letter=self.settings.letter_bytes)

    def _follow(self, letter: LetterRow) -> None:
        with self._reported("agenda"):
            agenda.follow_sender(self.desk, letter)

    def _work_agenda(self) -> None:
        """Work on the agenda for a moment; the rest follows after sending."""
        agenda.do_due_steps(self.desk, seconds=AT_A_TIME)
        if agenda.has_due_step(self.desk):
            self.waking.set()

    def _read_again_if_due(self, mailbox: Mailbox) -> None:
        """After a restore, handle the letters that the database has lost."""
        if not letters_reread.is_rereading_due(self.desk):
            return
        with self._reported("agenda"):
            agenda.do_due_steps(self.desk)
        letters_reread.keep_unknown(self.desk, mailbox, self.folders, self._caps())
        inbox.fetch_and_keep(self.desk, mailbox, self.folders, self._caps())
        inbox.handle_waiting(self.desk, self._follow)
        letters_reread.finish_rereading(self.desk, mailbox, self.folders)
        self.waking.set()

    def _keep_reading(self) -> None:
        pause = TICK
        while not self.stopping.is_set():
            try:
                self._read_until_lost()
                pause = TICK
            except MailboxTaken as taken:
                self._give_up(taken)
                return
            except IntakeStopped as trouble:
                self._raise_alarm(str(trouble))
                return
            except (RefereeError, OSError) as trouble:
                self._report(trouble)
                # Providers lock accounts after a few refused logins in a row.
                if isinstance(trouble, LoginRefused):
                    pause = max(pause, LONGEST_PAUSE / 2)
            except Exception:
                log.exception("reading the mailbox failed", extra={"action": "poll"})
            finally:
                self._tried.set()
            self.stopping.wait(pause)
            # A connection that ended after it was useful says nothing about the next one.
            pause = TICK if self._polled else min(pause * 2, LONGEST_PAUSE)

    def _raise_alarm(self, text: str) -> None:
        """Note an alarm, as soon as the database can be written."""
        while not self.stopping.is_set():
            try:
                health.raise_alarm(self.desk, text)
            except StoreError as trouble:
                self._report(trouble)
                self.stopping.wait(TICK)
            else:
                return

    def _read_until_lost(self) -> None:
        self._polled = False
        mailbox = self._mailbox()
        mailbox.connect()
        try:
            self._enter(mailbox)
            self._tried.set()
            self._read_again_if_due(mailbox)
            self._reading = mailbox
            while not self.stopping.is_set():
                kept = self._read(mailbox)
                self._polled = True
                # With letters just kept more may have come meanwhile, so it looks again at once.
                if not kept:
                    mailbox.wait(self.settings.poll_seconds)
        finally:
            self._reading = None
            mailbox.close()

    async def _keep_working(self) -> None:
        async with self._postman() as postman:
            sending = Sending(self.desk, postman, self._metrics.note_sent)
            # No mail leaves before the mailbox is known to be ours or out of reach.
            await asyncio.to_thread(self._tried.wait)
            works: dict[str, Callable[[], object]] = {
                # First, so that no deadline is judged by a clock that has jumped.
                "clock": self._ticking.look,
                "wake": self._wake_reader,
                "agenda": self._work_agenda,
                "chores": lambda: chores.do_chores(self.desk),
                "summary": lambda: summary.write_if_due(self.desk),
            }
            self.pulse.become_ready()
            async with self._beating():
                while not self.stopping.is_set():
                    if self._may_work():
                        for doing, work in works.items():
                            with self._reported(doing):
                                work()
                        with self._reported("send"):
                            await sending.send_due()
                    await asyncio.to_thread(self._pause)

    @contextlib.asynccontextmanager
    async def _beating(self) -> AsyncIterator[None]:
        """Show signs of life while no work of the block hangs."""

        async def beat() -> None:
            while True:
                self.pulse.beat()
                await asyncio.sleep(BEAT)

        # Beside the work in the same loop: a slow mail server is waited for, but work that never
        # ends holds this up as well.
        beating = asyncio.create_task(beat())
        try:
            yield
        finally:
            beating.cancel()

    def _may_work(self) -> bool:
        """Whether work may begin; after a restore, all letters come first."""
        due = True
        with self._reported("look"):
            due = letters_reread.is_rereading_due(self.desk)
        return not due

    @contextlib.contextmanager
    def _reported(self, doing: str) -> Iterator[None]:
        """Log an error in the block, and go on with the rest."""
        try:
            yield
        except (StoreError, OSError) as trouble:
            self._report(trouble)
        except Exception:
            log.exception("%s failed", doing, extra={"action": doing})

    def _wake_reader(self) -> None:
        """End the reader's wait if a command released a letter."""
        mailbox = self._reading
        if mailbox is not None and inbox.has_waiting(self.desk):
            mailbox.wake()

    def _pause(self) -> None:
        """Wait for the next tick, never in the thread that handles signals.

        A handler that sets the event while its own thread holds the lock would wait forever.
        """
        self.waking.wait(self._tick())
        self.waking.clear()

    def _tick(self) -> float:
        return min(TICK, self.settings.poll_seconds)

    async def _send_all(self) -> None:
        async with self._postman() as postman:
            await Sending(self.desk, postman).send_due()

    def _postman(self) -> Postman:
        return Postman(self.settings.smtp, self.timing, hostname=own_hostname(self.desk.domain))

    def _report(self, trouble: Exception) -> None:
        log.error("%s", trouble, extra={"action": "trouble"})
        self._note(trouble)

    def _note(self, trouble: Exception) -> None:
        """Note for ``referee status`` the trouble that keeps the daemon from working."""
        with contextlib.suppress(StoreError):
            part = "mailbox" if isinstance(trouble, MailboxError) else "referee"
            health.note_trouble(self.desk, "trouble", f"{part}: {trouble}")
