"""A server on loopback that answers every connection with the bytes it is given, good or bad."""

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
                        connection.settimeout(5)
                        connection.recv(65536)
                        for piece in pieces:
                            connection.sendall(piece)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield int(server.getsockname()[1])
        finally:
            over.set()
            thread.join(10)
