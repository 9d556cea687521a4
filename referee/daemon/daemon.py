"""The daemon: its parts started under the lease of the mailbox, and stopped."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FrameType

from referee.config import Settings
from referee.daemon.process import Process
from referee.daemon.reader import Reader
from referee.daemon.worker import Worker
from referee.desk import health
from referee.desk.desk import Desk
from referee.desk.letters import inbox, sender
from referee.desk.matches import broken
from referee.desk.service.lease import hold_lease
from referee.desk.service.life import Pulse, make_application, served_pages, tell_systemd
from referee.desk.service.metrics import Metrics
from referee.desk.service.status import read_status
from referee.errors import RefereeError
from referee.mail.transport.servers import PATIENT, Timing
from referee.store.post import outbox


@dataclass
class Daemon:
    """One referee at work.

    ``take_over``: read the mailbox even if it bears another installation's mark. ``reread``: the
    database was restored from a copy, so handle all letters in the folders that it does not know.
    """

    desk: Desk
    settings: Settings
    timing: Timing = PATIENT
    take_over: bool = False
    reread: bool = False
    pulse: Pulse = field(default_factory=Pulse)
    process: Process = field(init=False)
    reader: Reader = field(init=False)
    _worker: Worker = field(init=False)
    _metrics: Metrics = field(init=False)
    _fault: RefereeError | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._metrics = Metrics(self.desk, self.settings.poll_seconds)
        self.process = Process(self.desk, self.settings, timing=self.timing)
        self.reader = Reader(self.process, self._give_up, take_over=self.take_over)
        wake, note = self.reader.wake_if_waiting, self._metrics.note_sent
        self._worker = Worker(self.process, self.pulse, wake, note)

    def once(self) -> None:
        """Make one pass: fetch, handle, file, play, send. Errors are raised.

        An unreadable mailbox is also noted for ``referee status``.
        """
        with self.serving(waits=False):
            self.reader.read_once()
            self._worker.work_once()

    def run(self) -> None:
        """Work until asked to stop; trouble in one part never stops another.

        Raises Occupied, LeaseLost or MailboxTaken if the mailbox belongs to another referee.
        """
        with self._watched(), self.serving(waits=not self.settings.database.startswith("sqlite")):
            reading = threading.Thread(target=self.reader.keep_reading, name="mailbox")
            reading.start()
            try:
                self._worker.keep_working()
            finally:
                self.stop()
                # Before the lease is given back: a letter in work must not meet another daemon.
                reading.join()
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
        """Ask all parts to finish. May serve as a signal handler."""
        del number, frame
        self.process.stop()

    def stop_on_signals(self) -> None:
        """Stop cleanly on SIGTERM and SIGINT."""
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, self.stop)

    @contextlib.contextmanager
    def serving(self, *, waits: bool) -> Iterator[None]:
        """Hold the mailbox for the block; first tidy up after a killed daemon."""
        self.settings.require_log_in()
        self.settings.signer()
        sender.check_trust(self.desk)
        with hold_lease(self.desk, self.process.stopping, self._give_up, waits=waits) as taken:
            # Not if it was asked to stop while another daemon was still at work.
            if taken:
                self._recover()
            yield

    def _give_up(self, fault: RefereeError) -> None:
        """Stop for good, since the mailbox belongs to another referee."""
        self._fault = fault
        self.stop()
        self.reader.wake()

    def _recover(self) -> None:
        inbox.recover_letters(self.desk)
        self._worker.begin()
        health.end_alarm(self.desk)
        with self.desk.store.writing() as connection:
            outbox.recover_mails(connection)
            broken.wake_broken(connection, self.desk.now())
            if self.reread:
                health.ask_rereading(connection, self.desk.now())
