"""Ports of loopback: one that answers with the bytes it is given, good or bad, one that is dead."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress


def answer(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    """Return a well-formed answer of HTTP/1.1 with a body."""
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*head, "", ""]).encode() + body


@contextmanager
def misbehaving(said: Iterable[bytes]) -> Iterator[int]:
    """Give the port of a server that says these bytes to whoever asks, piece by piece.

    It hangs up after them; a piece may be as slow in coming as the iterable is.
    """
    pieces = list(said) if isinstance(said, list | tuple) else said
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)

        def serve() -> None:
            while not over.is_set():
                with suppress(OSError):
                    connection, _ = server.accept()
                    with connection:
                        connection.settimeout(60)
                        _hear(connection)
                        for piece in pieces:
                            connection.sendall(piece)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield int(server.getsockname()[1])
        finally:
            over.set()
            thread.join()


def _hear(connection: socket.socket) -> None:
    """Read a request to its end: whoever hangs up on the rest of it breaks off his answer too."""
    length = 0
    with connection.makefile("rb") as lines:
        while (line := lines.readline()) not in {b"\r\n", b""}:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        lines.read(length)


@contextmanager
def nobody() -> Iterator[int]:
    """Give a port on which nobody listens, nor anybody else can begin to."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])
