"""A queue for threads, which serves them in the order they asked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class ThreadQueue:
    """Threads that stand in line; each goes on when all before it are done.

    SQLite itself gives its lock to whoever asks just when it is free, so a thread that writes again
    and again would keep all others out.
    """

    def __init__(self, patience: float) -> None:
        """Make a queue in which a thread waits ``patience`` seconds at most."""
        self._patience = patience
        self._lock = threading.Lock()
        self._waiting: list[threading.Event] = []

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn and keep it for the block.

        A thread that has waited too long goes on all the same: the database then says that it is
        locked.
        """
        mine = threading.Event()
        with self._lock:
            self._waiting.append(mine)
            self._call_first()
        try:
            mine.wait(self._patience)
            yield
        finally:
            with self._lock:
                # Also after an exception or a wait in vain, or all behind it would wait for ever.
                self._waiting.remove(mine)
                self._call_first()

    def _call_first(self) -> None:
        if self._waiting:
            self._waiting[0].set()
