"""The daemon: its parts started under the lease of the mailbox, and stopped."""

from __future__ import annotations

import _thread
import asyncio
import contextlib
import logging
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from referee import resources
from referee.daemon.process import TICK, Part, Process
from referee.daemon.reader import Reader
from referee.daemon.worker import Worker
from referee.desk import health
from referee.desk.desk import Desk
from referee.desk.letters import queue, sender
from referee.desk.letters.queue import IntakeStopped
from referee.desk.mails import delivery
from referee.desk.matches import broken
from referee.desk.service import crew, lease
from referee.desk.service.crew import ClocksApart, Membership
from referee.desk.service.lease import Occupied, hold_lease, repeated
from referee.desk.service.life import Pulse, make_application, served_pages, tell_systemd
from referee.desk.service.metrics import Metrics
from referee.desk.service.status import read_status
from referee.errors import UNFIT, RefereeError
from referee.mail.transport.servers import PATIENT, Timing
from referee.store.database.errors import OlderSchema, StoreError, StoreLocked, UnknownSchema

log = logging.getLogger(__name__)


class Alone(RefereeError):
    """On SQLite one daemon does everything."""

    status: ClassVar[int] = UNFIT


@dataclass
class Daemon:
    """One referee at work.

    ``take_over``: read the mailbox even if it bears another installation's mark. ``reread``: the
    database was restored from a copy, so handle all letters in the folders that it does not know.
    ``reads`` and ``works`` are the parts it takes among several daemons; raises Alone if it is to
    take one only of a database that cannot be shared.
    """

    desk: Desk
    timing: Timing = PATIENT
    take_over: bool = False
    reread: bool = False
    reads: bool = True
    works: bool = True
    pulse: Pulse = field(default_factory=Pulse)
    process: Process = field(init=False)
    reader: Reader = field(init=False)
    _worker: Worker = field(init=False)
    _metrics: Metrics = field(init=False)
    _fault: RefereeError | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if not (self.reads and self.works) and not self.desk.store.is_shared:
            raise Alone(
                "on SQLite one daemon reads and works: start it without --read and --work, "
                f"or move to PostgreSQL (see {resources.page('organisers/moving.md')})"
            )
        self._metrics = Metrics(self.desk)
        self.process = Process(self.desk, timing=self.timing)
        handle, take_over = self.process.handle, self.take_over
        self.reader = Reader(self.process, handle, self._give_up, take_over=take_over)
        wake, note = self.reader.wake_if_waiting, self._metrics.note_sent
        self._worker = Worker(self.process, self.pulse, wake, note)

    def once(self) -> None:
        """Make one pass: fetch, handle, file, play, send. Errors are raised."""
        if not self.works:
            self.reader.handle = lambda: None
        with self.membership():
            with self.process.reported("recover"):
                if self.desk.store.is_shared:
                    crew.recover_from_dead(self.desk)
            # Not when the mailbox falls to a daemon that has run for long: that is no new start.
            if self.works and self.desk.store.is_shared:
                health.end_alarm(self.desk)
            stopped: IntakeStopped | None = None
            with contextlib.ExitStack() as mailbox:
                if self.reads:
                    mailbox.enter_context(self.serving())
                    try:
                        self.reader.read_once()
                    except IntakeStopped as trouble:
                        # No letter is handled any more; playing and sending goes on.
                        self.process.raise_alarm(str(trouble))
                        stopped = trouble
                else:
                    self.process.handle()
                # Beside others the mailbox is free from here on; alone its lease guards the mails.
                if self.desk.store.is_shared:
                    mailbox.close()
                if self.works:
                    asyncio.run(self._worker.work_once())
            if stopped is not None:
                raise stopped

    def run(self) -> None:
        """Work until asked to stop; trouble in one part never stops another.

        Raises Occupied or MailboxTaken if the mailbox belongs to another referee, Misfit
        or ClocksApart if this daemon does not fit to those at work.
        """
        pages = make_application(self._metrics.registry, self.pulse, self._trouble)
        with served_pages(self.desk.settings.listen, pages):
            try:
                self._begin()
            finally:
                tell_systemd("STOPPING=1")
        if self._fault is not None:
            raise self._fault

    def _begin(self) -> None:
        """Work until asked to stop; begin once no other program keeps the database locked."""
        stopping, begun = self.process.stopping, False
        while not stopping.is_set():
            try:
                if self.desk.store.is_shared:
                    with self.membership():
                        begun = True
                        self._run_beside_others()
                else:
                    reading = self._beside(self._read_alone, "mailbox")
                    with self.serving(), reading:
                        begun = True
                        asyncio.run(self._worker.keep_working())
            except StoreLocked as trouble:
                if begun:
                    raise
                self.process.report(trouble)
                stopping.wait(TICK)

    def _run_beside_others(self) -> None:
        """Do this daemon's part while others do theirs."""
        self.reader.handle = self.process.handling.set
        with self.process.reported("start"):
            if self.works:
                health.end_alarm(self.desk)
        with contextlib.ExitStack() as parts:
            if self.works:
                parts.enter_context(self._beside(self.process.keep_handling, "letters"))
            if self.reads:
                parts.enter_context(self._beside(self._read_when_free, "mailbox"))
            working = self._worker.keep_working if self.works else self._worker.keep_beating
            asyncio.run(working())

    def _read_alone(self) -> None:
        """Read the mailbox until asked to stop, or an alarm."""
        stopping = self.process.stopping
        while not stopping.is_set():
            self.reader.keep_reading()
            if health.is_alarmed(self.desk):
                return
            # Its file of locks was removed. The next sign of life makes a new one, or finds that
            # another daemon was first, and ends this one.
            stopping.wait(TICK)

    def _read_when_free(self) -> None:
        """Read the mailbox as soon as no other daemon does."""
        stopping, told = self.process.stopping, False
        while not stopping.is_set():
            try:
                with self.serving():
                    told = False
                    self.reader.keep_reading()
            except Occupied as occupied:
                if not told:
                    log.info("waiting: %s", occupied, extra={"action": "lease"})
                told = True
                stopping.wait(lease.BEAT)
            except StoreError as trouble:
                self.process.report(trouble)
                stopping.wait(TICK)
            except RefereeError as fault:
                self._give_up(fault)

    @contextlib.contextmanager
    def _beside(self, part: Part, name: str) -> Iterator[None]:
        """Run a part beside the block, in a thread; both end together."""

        def keep_up() -> None:
            try:
                self.process.keep_up(part, name)
            except BaseException as fault:
                log.critical("%s died", name, exc_info=True, extra={"action": name})
                self._give_up(RefereeError(f"{name} died of {fault!r}: start the referee again"))

        thread = threading.Thread(target=keep_up, name=name)
        thread.start()
        try:
            yield
        finally:
            self.stop()
            # Before a lease is given back: a letter in work must not meet another daemon.
            thread.join()

    @contextlib.contextmanager
    def membership(self) -> Iterator[None]:
        """Belong to the crew for the block, where there can be one."""
        if not self.desk.store.is_shared:
            yield
            return
        parts = {"read": self.reads, "work": self.works}
        member = Membership(self.desk, " ".join(part for part, taken in parts.items() if taken))
        here = self.process

        def beat() -> None:
            try:
                member.beat()
                # Only its reader knows whether the mailbox is this installation's.
                if not here.entered.is_set() and crew.is_entered(self.desk):
                    here.entered.set()
                here.unfit.clear()
            except ClocksApart as fault:
                here.unfit.set()
                here.report(fault)
            except (OlderSchema, UnknownSchema) as fault:
                self._give_up(fault)

        try:
            member.join()
            here.worker = member.name
            with repeated(beat, lambda: crew.CREW_BEAT if here.entered.is_set() else TICK, "crew"):
                yield
        finally:
            member.leave()

    def _trouble(self) -> str | None:
        """Return the trouble that keeps this referee from its work, if any."""
        status = read_status(self.desk)
        # Not in words: they may name addresses, and whoever reaches the port reads them.
        return None if status.level != "trouble" else "in trouble: see referee status"

    def stop(self) -> None:
        """Ask all parts to finish."""
        self.process.stop()

    def stop_on_signals(self) -> None:
        """Stop cleanly on SIGTERM and SIGINT."""
        for number in (signal.SIGTERM, signal.SIGINT):
            # The thread a signal interrupts may hold the very lock that is needed here.
            signal.signal(number, lambda *_: _thread.start_new_thread(self.stop, ()))

    @contextlib.contextmanager
    def serving(self) -> Iterator[None]:
        """Hold the mailbox for the block; first tidy up after a killed daemon."""
        self.desk.settings.require_log_in()
        sender.check_trust(self.desk)
        with hold_lease(self.desk, self._lose_mailbox) as lock:
            self.reader.holds = lock.is_sure
            alone = self.process.worker is None
            if alone:
                queue.recover_letters(self.desk)
                self._worker.clock.begin()
                health.end_alarm(self.desk)
            with self.desk.writing() as change:
                if alone:
                    delivery.doubt_mails(change, ())
                broken.wake_broken(change.connection, self.desk.now())
                if self.reread:
                    health.ask_rereading(change.connection, self.desk.now())
            # Once: when the mailbox falls to this daemon again, its letters are known.
            self.reread = False
            yield

    def _lose_mailbox(self, fault: RefereeError) -> None:
        """Leave the mailbox to another daemon, or stop where there can be none beside this one."""
        if self.desk.store.is_shared:
            self.reader.wake()
        else:
            self._give_up(fault)

    def _give_up(self, fault: RefereeError) -> None:
        """Stop for good: the mailbox belongs to another referee, or the tables have changed."""
        self._fault = fault
        self.stop()
        self.reader.wake()
