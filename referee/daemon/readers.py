"""The readers of all mailboxes: each in a thread of its own, under a lease of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial

from referee.daemon.process import TICK, Process
from referee.daemon.reader import Reader
from referee.desk.letters.inbox import IntakeStopped
from referee.desk.service import crew
from referee.desk.service.lease import hold_lease
from referee.errors import RefereeError
from referee.store.store import StoreError


@dataclass
class Readers:
    """The readers of a daemon.

    The lease of the first mailbox is the daemon's own. ``handle`` sees to the letters kept, of
    whichever mailbox, and is never called twice at a time. ``give_up`` is called when a mailbox
    belongs to another referee. ``take_over``: read them even if they bear another installation's
    mark.
    """

    process: Process
    handle: Callable[[], object]
    give_up: Callable[[RefereeError], None]
    take_over: bool = False
    first: Reader = field(init=False)
    further: tuple[Reader, ...] = field(init=False)
    _left: set[str] = field(init=False)
    _kept: set[str] = field(default_factory=set, init=False)
    _filed: set[str] = field(default_factory=set, init=False)
    _noted: bool = field(default=False, init=False)
    _handling: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __post_init__(self) -> None:
        accounts = self.process.settings.mailboxes
        self._left = {each.address for each in accounts}
        self.first, *further = (
            Reader(
                self.process,
                each,
                self._handle_in_turn,
                self.give_up,
                partial(self._note_entered, each.address),
                partial(self._are_all_kept, each.address),
                partial(self._are_all_filed, each.address),
                self.take_over,
            )
            for each in accounts
        )
        self.further = tuple(further)

    def _handle_in_turn(self) -> None:
        """Handle the letters kept; if that must stop, no mailbox is read any more.

        Letters are handled from wherever they come, so the fault is not one mailbox's.
        """
        here = self.process
        with self._handling:
            if not here.resting.is_set():
                try:
                    self.handle()
                except IntakeStopped:
                    here.resting.set()
                    # The others may wait for letters; from here on they only end.
                    self.wake()
                    raise

    @property
    def _count(self) -> int:
        return 1 + len(self.further)

    def _are_all_kept(self, address: str) -> bool:
        """Note that the folders of a mailbox were read again; return whether all were."""
        before = len(self._kept)
        self._kept.add(address)
        if before < len(self._kept) == self._count:
            # The others have waited for this one.
            self.wake()
        return len(self._kept) == self._count

    def _are_all_filed(self, address: str) -> bool:
        """Note that a mailbox has its letters filed again; return whether all mailboxes have."""
        self._filed.add(address)
        if len(self._filed) < self._count:
            return False
        self._kept.clear()
        self._filed.clear()
        return True

    def _note_entered(self, address: str) -> None:
        """Let mail leave once no mailbox can be another installation's.

        Each is then known to be ours or out of reach.
        """
        self._left.discard(address)
        here = self.process
        # One that gave up its mailbox, or was asked to stop, knows nothing.
        if self._left or here.stopping.is_set():
            return
        here.entered.set()
        if here.worker is not None and not self._noted:
            with here.reported("enter"):
                crew.note_entered(here.desk, here.worker)
                self._noted = True

    def read_once(self) -> None:
        """Make one pass over all mailboxes. Raises Occupied, MailboxError, OSError."""
        with ExitStack() as leases:
            for each in self.further:
                holding = hold_lease(each.desk, self.process.stopping, self.give_up, waits=False)
                leases.enter_context(holding)
            readers = (self.first, *self.further)
            for each in readers:
                each.read_once()
            # What the first of them left to the last one.
            if self._filed:
                for each in readers:
                    each.read_once()

    def keep_reading(self) -> None:
        """Read all mailboxes until asked to stop."""
        here = self.process
        threads = [
            threading.Thread(
                target=here.keep_up,
                args=(partial(self._read_held, each), "reading"),
                name=each.account.address,
            )
            for each in self.further
        ]
        for thread in threads:
            thread.start()
        try:
            here.keep_up(self.first.keep_reading, "reading")
        finally:
            # Also when the first one gave up: its daemon is about to end.
            for thread in threads:
                thread.join()

    def _read_held(self, reader: Reader) -> None:
        stopping = self.process.stopping
        while not stopping.is_set():
            try:
                with hold_lease(reader.desk, stopping, self.give_up, waits=True) as taken:
                    if taken:
                        reader.keep_reading()
            except StoreError as trouble:
                self.process.report(trouble)
                stopping.wait(TICK)
            except RefereeError as fault:
                self.give_up(fault)
            else:
                # Asked to stop, or intake rests until the daemon is started again.
                return

    def wake(self) -> None:
        """End the wait for new mail."""
        for each in (self.first, *self.further):
            each.wake()

    def wake_if_waiting(self) -> None:
        """End the wait for new mail where there is something to do."""
        for each in (self.first, *self.further):
            each.wake_if_waiting()
