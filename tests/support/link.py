"""A way to PostgreSQL over TCP that can be cut, closed for a while, or kept silent."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from support.postgresql import USER

PIECE: Final = 1 << 16
"""Bytes carried at a time."""


@dataclass
class Link:
    """A port of this machine behind which the socket of a PostgreSQL lies."""

    target: Path
    port: int = field(init=False)
    _listener: socket.socket = field(init=False)
    _open: threading.Event = field(default_factory=threading.Event, init=False)
    _asking: threading.Event = field(default_factory=threading.Event, init=False)
    _answering: threading.Event = field(default_factory=threading.Event, init=False)
    _ends: set[socket.socket] = field(default_factory=set, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _threads: list[threading.Thread] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        for each in (self._open, self._asking, self._answering):
            each.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._begin(self._accept)

    def url(self, database: str) -> str:
        """Return the address of a database at the other end."""
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def cut(self) -> None:
        """Close all connections; whatever is under way in them is lost."""
        with self._lock:
            for each in self._ends:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def closed(self) -> Iterator[None]:
        """Close all connections, and take no new ones while the block runs."""
        self._open.clear()
        self.cut()
        try:
            yield
        finally:
            self._open.set()

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Carry nothing while the block runs, and all of it afterwards."""
        self._asking.clear()
        self._answering.clear()
        try:
            yield
        finally:
            self._asking.set()
            self._answering.set()

    @contextmanager
    def unanswered(self) -> Iterator[None]:
        """Bring questions to the server but no answer back; cut it all when the block ends."""
        self._answering.clear()
        try:
            yield
        finally:
            self.cut()
            self._answering.set()

    def close(self) -> None:
        """Close all of it for good."""
        self._open.clear()
        # Closing alone would not wake the thread that waits for a connection.
        self._listener.shutdown(socket.SHUT_RDWR)
        self.cut()
        for each in self._threads:
            each.join()
        self._listener.close()

    def _begin(self, work: Callable[..., None], *given: socket.socket) -> None:
        thread = threading.Thread(target=work, args=given, name="link")
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if not self._open.is_set():
                    near.close()
                    continue
                far = socket.socket(socket.AF_UNIX)
                far.connect(str(self.target))
                with self._lock:
                    self._ends |= {near, far}
                self._begin(self._carry, near, far)

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        """Carry what either end says to the other, until one of them closes."""
        with near, far, selectors.DefaultSelector() as waiting, contextlib.suppress(OSError):
            waiting.register(near, selectors.EVENT_READ, (near, far, self._asking))
            waiting.register(far, selectors.EVENT_READ, (far, near, self._answering))
            said = b"?"
            while said:
                key, _ = waiting.select()[0]
                this, other, may_pass = key.data
                said = this.recv(PIECE)
                may_pass.wait()
                other.sendall(said)
        with self._lock:
            self._ends -= {near, far}
