"""Waiting for letters: IDLE (RFC 2177) or polling, both interruptible."""

from __future__ import annotations

import select
import socket
import threading
import time
from typing import Final

from referee.mail.transport.client import Client, checked

SLICE: Final = 0.25
"""Seconds between two checks for a stop."""

LONGEST_IDLE: Final = 300.0
"""Seconds of one IDLE; some servers reportedly drop connections after ten minutes."""


class Wake:
    """A bell that ends the present wait, or the next. Any thread or signal handler may ring it."""

    def __init__(self, stopping: threading.Event | None = None) -> None:
        self.stopping = stopping
        self._rung = threading.Event()

    def ring(self) -> None:
        """End the present wait."""
        self._rung.set()

    def pause(self, seconds: float, also: socket.socket | None = None) -> None:
        """Wait until the time is up, the bell rings, the program stops, or ``also`` can be read."""
        poller = select.poll()
        if also is not None:
            poller.register(also.fileno(), select.POLLIN)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self._rung.is_set():
                self._rung.clear()
                return
            if self.stopping is not None and self.stopping.is_set():
                return
            if poller.poll(1000 * min(left, SLICE)):
                return


def wait_for_news(client: Client, seconds: float, wake: Wake) -> bool:
    """Wait for letters, in IDLE five minutes at most; return whether any were reported.

    Those reported before, with the answer to something else, count too.
    """
    if client.news:
        pass
    elif client.begin_idle():
        # The socket tells that there is something to read, and ending IDLE reads it.
        if not client.news and not client.pending:
            wake.pause(min(seconds, LONGEST_IDLE), client.sock)
        client.end_idle()
    else:
        wake.pause(seconds)
        checked(client.noop())
    came, client.news = client.news, False
    return came
