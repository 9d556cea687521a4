"""A way to a server on which connections break, stall, half close, crawl or tell nonsense."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, Literal, Self

Trouble = Literal["drop", "stall", "half-close", "slow", "nonsense"]

TROUBLES: Final[tuple[Trouble, ...]] = ("drop", "stall", "half-close", "slow", "nonsense")

NONSENSE: Final = b"\x00\xff what? {7}\r\n"


@dataclass
class Way:
    """Takes connections in place of a server's port, and opens one to the server for each."""

    target: int
    port: int = field(default=0, init=False)

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        # Closing alone does not wake a thread that waits in accept.
        for end in (self._listener, *self._open):
            cut(end)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self.target))
                self._open += [client, server]
                self.begin(client, server)

    def begin(self, client: socket.socket, server: socket.socket) -> None:
        """Pass on what both ends say, in threads of its own."""
        raise NotImplementedError


@dataclass
class TroubledWay(Way):
    """Passes connections on to a port; ``troubles`` befall the next answers, one each."""

    troubles: list[Trouble] = field(default_factory=list)
    befell: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, client: socket.socket, server: socket.socket) -> None:
        """Pass on each direction in a thread; troubles befall the answers."""
        for ends in ((client, server, False), (server, client, True)):
            threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                trouble = self._next(data) if answers else None
                if trouble is None:
                    target.sendall(data)
                elif not _befall(trouble, data, target):
                    break
        if answers:
            cut(target)
        cut(source)

    def _next(self, data: bytes) -> Trouble | None:
        """Return what befalls an answer; nonsense never stands within a letter."""
        line = data.endswith(b"\r\n") and b"BODY[" not in data and len(data) < 2000
        with self._lock:
            if not self.troubles or (self.troubles[0] == "nonsense" and not line):
                return None
            trouble = self.troubles[0]
            # Whoever waits until no trouble is left looks then at what befell.
            self.befell[trouble] += 1
            return self.troubles.pop(0)


def _befall(trouble: Trouble, data: bytes, target: socket.socket) -> bool:
    """Let an answer suffer; tell whether the connection goes on."""
    half = len(data) // 2
    if trouble == "slow":
        for start in range(0, len(data), max(len(data) // 20, 1)):
            target.sendall(data[start : start + max(len(data) // 20, 1)])
            time.sleep(0.02)
        return True
    if trouble == "nonsense":
        target.sendall(NONSENSE)
        return True
    target.sendall(data[:half])
    if trouble == "stall":
        # The other side gives up first; what it says meanwhile is read and goes nowhere.
        with contextlib.suppress(OSError):
            target.settimeout(60)
            target.recv(1)
            time.sleep(5)
    elif trouble == "half-close":
        target.shutdown(socket.SHUT_WR)
        time.sleep(1)
    return False


def cut(connection: socket.socket) -> None:
    """End a connection for both sides, whatever state it is in."""
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
