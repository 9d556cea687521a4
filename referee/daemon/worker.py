"""The worker: agenda, chores, the organiser's mail, and the outbox, round after round.

Of several daemons one leads: only it does what follows from the clock. All send mails.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from referee.daemon import process
from referee.daemon.process import Process
from referee.desk import agenda
from referee.desk.letters import inbox
from referee.desk.mails import summary
from referee.desk.mails.delivery import Sending
from referee.desk.matches.time.outages import ClockWatch
from referee.desk.service import chores, crew
from referee.desk.service.life import Pulse
from referee.mail.transport.postman import Postman, own_hostname
from referee.store.database.locks import LEADER, Lock
from referee.store.tables.post import OutboxRow

log = logging.getLogger(__name__)

AT_A_TIME: Final = 1.0
"""Seconds spent on the agenda, and on chores, before mail gets its turn."""

SENDING: Final = 10.0
"""Seconds that a round waits for mail; what takes longer goes on beside the next."""

LAST_WORDS: Final = 40.0
"""Seconds that a server has at the end to take the mail in hand; systemd kills after sixty."""

LEFT_TO_OTHERS: Final = timedelta(seconds=1)
"""How long a match due is left to the daemon that made it so."""

BEAT: Final = 5.0
"""Seconds between two signs of life."""


@dataclass
class Worker:
    """The part of a daemon that plays and sends.

    ``wake_reader`` ends the reader's wait if it has something to do; ``note_sent`` learns of every
    mail the server has taken.
    """

    process: Process
    pulse: Pulse
    wake_reader: Callable[[], None]
    note_sent: Callable[[OutboxRow], None]
    clock: ClockWatch = field(init=False)
    _leadership: Lock = field(init=False)
    _leads: bool = field(default=False, init=False)
    _recovered: float = field(default=-math.inf, init=False)

    def __post_init__(self) -> None:
        self.clock = ClockWatch(self.process.desk)
        self._leadership = self.process.desk.store.lock(LEADER)

    async def work_once(self) -> None:
        """Make one pass; what the clock asks for only if no other daemon leads. Errors are raised.

        After a restore all letters come first.
        """
        desk = self.process.desk
        if inbox.is_rereading_due(desk):
            return
        if self._leadership.holds():
            agenda.do_due_steps(desk)
            chores.do_chores(desk)
            summary.write_if_due(desk)
        async with self._sending() as sending:
            await sending.send_due()
        self._leadership.give_up()

    async def keep_beating(self) -> None:
        """Only show that this process lives, until asked to stop."""
        here = self.process
        async with self._beating():
            # Ready, as those that work are, once the mailbox is known to be ours or out of reach.
            await asyncio.to_thread(here.entered.wait)
            self.pulse.become_ready()
            await asyncio.to_thread(here.stopping.wait)

    async def keep_working(self) -> None:
        """Work until asked to stop."""
        here = self.process
        async with self._sending() as sending:
            under_way: asyncio.Task[None] | None = None
            async with self._beating():
                # No mail leaves before the mailbox is known to be ours or out of reach.
                await asyncio.to_thread(here.entered.wait)
                works = self._works()
                self.pulse.become_ready()
                while not here.stopping.is_set():
                    # After a restore all letters come first.
                    rereading = True
                    with here.reported("look"):
                        rereading = inbox.is_rereading_due(here.desk)
                    if here.unfit.is_set():
                        # Another one leads, whose clock is right.
                        self._give_up_lead()
                    elif not rereading:
                        with here.reported("wake"):
                            self.wake_reader()
                        self._lead_round(works)
                        if under_way is None or under_way.done():
                            under_way = asyncio.create_task(self._send(sending))
                        # A server that is slow to answer holds up no deadline.
                        await asyncio.wait({under_way}, timeout=SENDING)
                    await asyncio.to_thread(self._doze)
                if under_way is not None:
                    # The mail in hand may leave; if that takes too long, it is uncertain.
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(under_way, LAST_WORDS)
            self._give_up_lead()

    def _doze(self) -> None:
        """Wait until there is work, or a tick is over, never in the thread that handles signals.

        A handler that sets the event while its own thread holds the lock would wait forever.
        """
        self.process.waking.wait(process.TICK)
        self.process.waking.clear()

    def _lead_round(self, works: Mapping[str, Callable[[], object]]) -> None:
        """Do the works of a round, as long as this process leads."""
        for doing, work in works.items():
            # Asked before each, for the lead may be lost at any time.
            led, self._leads = self._leads, False
            with self.process.reported("lead"):
                self._leads = self._leadership.holds()
            if not self._leads:
                break
            if not led and self.process.worker is not None:
                log.info("this daemon leads", extra={"action": "lead"})
                # Those that lost the database as well give signs of life again by then.
                self._recovered = time.monotonic() + crew.CREW_BEAT
                # Its own watch of the clock began long ago, and another has looked since.
                with self.process.reported("clock"):
                    self.clock.begin()
                    crew.note_leader(self.process.desk, self.process.worker)
            done = False
            with self.process.reported(doing):
                work()
                done = True
            # A jump that could not be noted yet must not let deadlines act.
            if not done and doing == "clock":
                break

    def _give_up_lead(self) -> None:
        self._leadership.give_up()
        self._leads = False

    def _recover(self) -> None:
        """Now and then, take over what dead daemons had in their hands."""
        if time.monotonic() - self._recovered >= crew.CREW_BEAT:
            # First: what fails because a row is locked must not hold up each round.
            self._recovered = time.monotonic()
            crew.recover_from_dead(self.process.desk)

    def _works(self) -> Mapping[str, Callable[[], object]]:
        """Return the works of a leader's round, in their order, by name."""
        desk = self.process.desk
        recovery = {} if self.process.worker is None else {"recover": self._recover}
        return {
            # First, so that no deadline is judged by a clock that has jumped.
            "clock": self.clock.look,
            **recovery,
            "agenda": self._work_agenda,
            # For a moment, so that deadlines and mails get their turn among digests.
            "chores": lambda: chores.do_chores(desk, AT_A_TIME),
            "summary": lambda: summary.write_if_due(desk),
        }

    def _work_agenda(self) -> None:
        """Work on the agenda for a moment; the rest follows after sending."""
        # Among several daemons the one that has handled a letter follows its matches up.
        since = agenda.AT_ONCE if self.process.worker is None else LEFT_TO_OTHERS
        agenda.do_due_steps(self.process.desk, seconds=AT_A_TIME, since=since)
        if agenda.has_due_step(self.process.desk, since=since):
            self.process.waking.set()

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

    async def _send(self, sending: Sending) -> None:
        with self.process.reported("send"):
            await sending.send_due()

    @contextlib.asynccontextmanager
    async def _sending(self) -> AsyncIterator[Sending]:
        here, settings = self.process, self.process.desk.settings
        hostname = own_hostname(settings.domain)
        async with Postman(settings.smtp, here.timing, hostname=hostname) as postman:
            yield Sending(here.desk, postman, self.note_sent, here.worker, here.may_go_on)
