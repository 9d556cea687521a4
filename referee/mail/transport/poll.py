"""How long until something happens in a mailbox: IDLE (RFC 2177), or polling, both interruptible.

The library's own check of IDLE spins when the server closes, breaks on a line split over two
packets, and misses what arrived together with the server's consent. So it is not used: the socket
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
"""Seconds between two looks at whether to stop."""

LONGEST_IDLE: Final = 300.0
"""Seconds of one IDLE; reports have servers dropping connections after ten minutes."""

_NEWS: Final = frozenset({b"EXISTS", b"RECENT"})


class Wake:
    """A bell: rung from any thread or signal handler, it ends a wait, the next one if none runs."""

    def __init__(self, stopping: threading.Event | None = None) -> None:
        self.stopping = stopping
        self._rung = threading.Event()

    def ring(self) -> None:
        """End the wait that is going on."""
        self._rung.set()

    def pause(self, seconds: float, also: socket.socket | None = None) -> None:
        """Wait until time is up, the bell rings, the program stops, or ``also`` can be read."""
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


def idle(client: IMAPClient, seconds: float, wake: Wake) -> bool:
    """Wait in IDLE at most so long (five minutes at most); tell whether anything was reported.

    Raises MailboxLost when the server said goodbye, and what the library raises on a dead peer.
    """
    news = _begin(client)
    if not news and not _buffered(client):
        wake.pause(min(seconds, LONGEST_IDLE), client.socket())
    _, events = client.idle_done()
    return _notable(events) or news


def poll(client: IMAPClient, seconds: float, wake: Wake) -> bool:
    """Wait, then ask; for servers without IDLE."""
    wake.pause(seconds)
    _, events = client.noop()
    return _notable(events)


def _begin(client: IMAPClient) -> bool:
    """Enter IDLE; tell whether something was reported before the server agreed."""
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
    """Tell whether lines were read from the network together with the server's consent."""
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
    """Tell whether a report speaks of messages; a server's chatter ("still here") does not.

    Raises MailboxLost when the server said goodbye.
    """
    reports = [event for event in events if isinstance(event, tuple) and len(event) > 1]
    if any(event[0] == b"BYE" for event in reports):
        raise MailboxLost("the server closed the connection")
    return any(event[1] in _NEWS for event in reports)
