"""The worker: agenda, chores, the organiser's mail, and the outbox, round after round.

Of several daemons one leads: only it does what follows from the clock. All send mails.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from referee.daemon import process
from referee.daemon.process import Process
from referee.desk import agenda
from referee.desk.letters import reread as letters_reread
from referee.desk.mails import summary
from referee.desk.mails.delivery import Sending
from referee.desk.matches.time.outages import ClockWatch
from referee.desk.service import chores, crew
from referee.desk.service.life import Pulse
from referee.mail.transport.postman import Postman, own_hostname
from referee.mail.transport.servers import Server
from referee.store.database.leadership import Leadership
from referee.store.post.outbox import OutboxRow, Route

log = logging.getLogger(__name__)

AT_A_TIME: Final = 1.0
"""Seconds spent on the agenda before mail gets its turn."""

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
    _clock: ClockWatch = field(init=False)
    _leadership: Leadership = field(init=False)
    _leads: bool = field(default=False, init=False)
    _recovered: float = field(default=-math.inf, init=False)

    def __post_init__(self) -> None:
        self._clock = ClockWatch(self.process.desk)
        self._leadership = self.process.desk.store.claim_leadership()

    def begin(self) -> None:
        """Compare the clock with the last poll before the start."""
        self._clock.begin()

    def work_once(self) -> None:
        """Make one pass; what the clock asks for only if no other daemon leads. Errors are raised.

        After a restore all letters come first.
        """
        desk = self.process.desk
        if letters_reread.is_rereading_due(desk):
            return
        if self._leadership.holds():
            agenda.do_due_steps(desk)
            chores.do_chores(desk)
            summary.write_if_due(desk)
        asyncio.run(self._send_all())
        self._leadership.give_up()

    def keep_working(self) -> None:
        """Work until asked to stop."""
        asyncio.run(self._keep_working())

    def keep_beating(self) -> None:
        """Only show that this process lives, until asked to stop."""
        asyncio.run(self._keep_beating())

    async def _keep_beating(self) -> None:
        self.pulse.become_ready()
        async with self._beating():
            await asyncio.to_thread(self.process.stopping.wait)

    async def _send_all(self) -> None:
        async with contextlib.AsyncExitStack() as postmen:
            for each in await self._sendings(postmen):
                await each.send_due()

    async def _keep_working(self) -> None:
        here = self.process
        async with contextlib.AsyncExitStack() as postmen:
            sendings = await self._sendings(postmen)
            async with self._beating():
                # No mail leaves before the mailbox is known to be ours or out of reach.
                await asyncio.to_thread(here.entered.wait)
                works, under_way = self._works(), dict[int, asyncio.Task[None]]()
                self.pulse.become_ready()
                while not here.stopping.is_set():
                    if here.unfit.is_set():
                        # Another one leads, whose clock is right.
                        self._give_up_lead()
                    elif self._may_work():
                        with here.reported("wake"):
                            self.wake_reader()
                        self._lead_round(works)
                        await self._send_beside(sendings, under_way)
                    await asyncio.to_thread(self._pause)
                await _finished(under_way)
            self._give_up_lead()

    def _lead_round(self, works: Mapping[str, Callable[[], object]]) -> None:
        """Do the works of a round, as long as this process leads."""
        for doing, work in works.items():
            # Asked before each, for the lead may be lost at any time.
            if not self._is_leader():
                break
            done = False
            with self.process.reported(doing):
                work()
                done = True
            # A jump that could not be noted yet must not let deadlines act.
            if not done and doing == "clock":
                break

    async def _send_beside(
        self, sendings: Sequence[Sending], under_way: dict[int, asyncio.Task[None]]
    ) -> None:
        """Send by each way; one that takes long goes on beside the next rounds."""
        for number, each in enumerate(sendings):
            if number not in under_way or under_way[number].done():
                under_way[number] = asyncio.create_task(self._send(each))
        # A server that is slow to answer holds up none of the others, and no deadline.
        await asyncio.wait(under_way.values(), timeout=SENDING)

    def _sends_on(self) -> bool:
        """Return whether the next mail may be sent."""
        return not (self.process.stopping.is_set() or self.process.unfit.is_set())

    def _give_up_lead(self) -> None:
        self._leadership.give_up()
        self._leads = False

    def _is_leader(self) -> bool:
        """Return whether this process leads."""
        led, self._leads = self._leads, self._leadership.holds()
        if self._leads and not led and self.process.worker is not None:
            log.info("this daemon leads", extra={"action": "lead"})
            # Its own watch of the clock began long ago, and another has looked since.
            with self.process.reported("clock"):
                self._clock.begin()
        return self._leads

    def _recover(self) -> None:
        """Now and then, take over what dead daemons had in their hands."""
        if time.monotonic() - self._recovered >= crew.CREW_BEAT:
            # First: what fails because a row is locked must not hold up each round.
            self._recovered = time.monotonic()
            crew.recover_from_dead(self.process.desk)

    def _works(self) -> Mapping[str, Callable[[], object]]:
        """Return the works of a leader's round, in their order, by name."""
        desk = self.process.desk
        shared = {} if self.process.worker is None else {"recover": self._recover}
        return {
            # First, so that no deadline is judged by a clock that has jumped.
            "clock": self._clock.look,
            **shared,
            "agenda": self._work_agenda,
            "chores": lambda: chores.do_chores(desk),
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

    def _may_work(self) -> bool:
        """Whether work may begin; after a restore, all letters come first."""
        due = True
        with self.process.reported("look"):
            due = letters_reread.is_rereading_due(self.process.desk)
        return not due

    def _pause(self) -> None:
        """Wait for the next tick, never in the thread that handles signals.

        A handler that sets the event while its own thread holds the lock would wait forever.
        """
        waking = self.process.waking
        waking.wait(min(process.TICK, self.process.settings.poll_seconds))
        waking.clear()

    async def _send(self, sending: Sending) -> None:
        with self.process.reported("send"):
            await sending.send_due()

    async def _sendings(self, postmen: contextlib.AsyncExitStack) -> list[Sending]:
        """Return the ways mail leaves, one for each server and domain."""
        here, found = self.process, list[Sending]()
        routes: dict[tuple[Server, str], list[str]] = {}
        for each in here.settings.mailboxes:
            routes.setdefault((each.smtp, each.domain), []).append(each.address)
        for (server, domain), served in routes.items():
            postman = Postman(server, here.timing, hostname=own_hostname(domain))
            await postmen.enter_async_context(postman)
            # Rates are those of an account, whatever the domains it sends for.
            names = {each.address: str(each.smtp) for each in here.settings.mailboxes}
            account = [address for address, name in names.items() if name == str(server)]
            sending = Sending(
                here.desk,
                postman,
                self.note_sent,
                here.worker,
                self._route(served),
                self._route(account),
                {*names.values()} - {str(server)},
                self._sends_on,
            )
            found.append(sending)
        return found

    def _route(self, served: Collection[str]) -> Route:
        """Return the mails of some mailboxes.

        With those of the first belong also those of mailboxes that are given up.
        """
        addresses = self.process.desk.addresses
        if addresses[0] not in served:
            return Route(only=tuple(served))
        return Route(but=tuple(each for each in addresses if each not in served))


async def _finished(under_way: Mapping[int, asyncio.Task[None]]) -> None:
    """Let the mails in hand leave; one that takes too long is uncertain."""
    if under_way:
        _, late = await asyncio.wait(under_way.values(), timeout=LAST_WORDS)
        for each in late:
            each.cancel()
        await asyncio.gather(*late, return_exceptions=True)
