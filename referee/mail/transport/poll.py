"""Waiting for letters: IDLE (RFC 2177) or polling, both interruptible.

The library's own check of IDLE spins when the server closes, breaks on a line split over two
packets, and misses news that came together with the server's consent. So it is not used: the socket
tells that there is something to read, and ending IDLE reads it.
"""

from __future__ import annotations

import select
import socket
import ssl
import threading
import time
from collections.abc import Sequence
from typing import Any, Final

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from referee.mail.transport.connecting import MailboxLost

SLICE: Final = 0.25
"""Seconds between two checks for a stop."""

LONGEST_IDLE: Final = 300.0
"""Seconds of one IDLE; some servers reportedly drop connections after ten minutes."""

_NEWS: Final = frozenset({b"EXISTS", b"RECENT"})


class Wake:
    """A bell that ends the present wait, or the next. Any thread or signal handler may ring it."""

    def __init__(self, stopping: threading.Event | None = None) -> None:
        self.stopping = stopping
        self._rung = threading.Event()

    def ring(self) -> None:
        """End the present wait."""
        self._rung.set()

    def pause(self, seconds: float, also: socket.socket | None = None) -> None:
        """Wait until one of several things ends the wait.

        The time is up, the bell rings, the program stops, or ``also`` can be read.
        """
        poller = select.poll()
        if also is not None:
            poller.register(also.fileno(), select.POLLIN)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self._ended():
            if poller.poll(1000 * min(left, SLICE)):
                return

    def _ended(self) -> bool:
        if self._rung.is_set():
            self._rung.clear()
            return True
        return self.stopping is not None and self.stopping.is_set()


def wait_idle(client: IMAPClient, seconds: float, wake: Wake) -> bool:
    """Wait in IDLE, five minutes at most; return whether anything was reported.

    Raises MailboxLost when the server said goodbye, or the library's exception for a dead peer.
    """
    news = _begin(client)
    if not news and not _buffered(client):
        wake.pause(min(seconds, LONGEST_IDLE), client.socket())
    _, events = client.idle_done()
    return _notable(events) or news


def wait_polling(client: IMAPClient, seconds: float, wake: Wake) -> bool:
    """Wait, then ask; for servers without IDLE."""
    wake.pause(seconds)
    _, events = client.noop()
    return _notable(events)


def _begin(client: IMAPClient) -> bool:
    """Enter IDLE; return whether something was reported before the server agreed."""
    try:
        client.idle()
    except IMAPClientError as error:
        if "Unexpected IDLE response" not in str(error):
            raise
        # The library takes news sent before the consent for a refusal; IDLE has begun all the same.
        while client._imap._get_response() is not None:  # noqa: SLF001 - as idle() does itself
            pass
        return True
    return False


def _buffered(client: IMAPClient) -> bool:
    """Whether lines were read from the network together with the server's consent."""
    connection = client.socket()
    file: Any = getattr(client._imap, "_file", None) or getattr(client._imap, "file", None)  # noqa: SLF001
    pending = getattr(connection, "pending", None)
    if pending is not None and pending():
        return True
    if file is None:
        return False
    timeout = connection.gettimeout()
    connection.setblocking(False)
    try:
        return bool(file.peek(1))
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    finally:
        connection.settimeout(timeout)


def _notable(events: Sequence[Any]) -> bool:
    """Whether a report is about messages rather than chatter (“still here”).

    Raises MailboxLost when the server said goodbye.
    """
    reports = [event for event in events if isinstance(event, tuple) and len(event) > 1]
    if any(event[0] == b"BYE" for event in reports):
        raise MailboxLost("the server closed the connection")
    return any(event[1] in _NEWS for event in reports)
