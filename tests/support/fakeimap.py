"""An IMAP server that says exactly what a test tells it to, in the pieces the test chooses."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from referee.mail.transport.servers import Server

Say = Callable[[bytes], None]
CAPABILITY = b"IMAP4rev1 IDLE UIDPLUS MOVE AUTH=PLAIN AUTH=XOAUTH2"


@dataclass
class FakeImap:
    """One scripted server; ``commands`` records every line it was sent, without tags.

    ``answers`` maps the beginning of a command to the untagged lines sent before its OK, or to a
    function that is given the socket's send and the tag and does it all. ``on_idle`` is given the
    send after IDLE came; ``on_done`` False: DONE is never answered. ``ended`` counts the
    connections that clients have closed, or lost.
    """

    capability: bytes = CAPABILITY
    answers: dict[bytes, bytes | Callable[[Say, bytes], None]] = field(default_factory=dict)
    on_idle: Callable[[Say], None] | None = None
    on_done: bool = True
    hangs_up: bool = False
    commands: list[bytes] = field(default_factory=list)
    connections: int = 0
    ended: int = 0

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        # Closing alone does not wake a thread that waits in accept.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._threads[0].join(60)
        self._listener.close()
        for each in self._open:
            self.cut(each)
        for thread in self._threads:
            thread.join(60)

    @property
    def server(self) -> Server:
        port = self._listener.getsockname()[1]
        return Server("plain", "127.0.0.1", port, "referee", "pw")

    def cut(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        connection.close()

    def said(self, beginning: bytes) -> list[bytes]:
        """Return the commands that began so."""
        return [each for each in self.commands if each.startswith(beginning)]

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections += 1
                self._open.append(connection)
                thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _serve(self, connection: socket.socket) -> None:
        self._converse(connection)
        self.ended += 1

    def _converse(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        say = connection.sendall
        idle_tag = login_tag = b""
        with contextlib.suppress(OSError, ValueError), connection.makefile("rb") as lines:
            say(b"* OK [CAPABILITY " + self.capability + b"] ready\r\n")
            for line in lines:
                tag, _, command = line.strip().partition(b" ")
                self.commands.append(command or tag)
                if tag == b"DONE":
                    if self.on_done:
                        say(idle_tag + b" OK idle ended\r\n")
                elif login_tag:
                    say(login_tag + b" OK in\r\n")
                    login_tag = b""
                elif command.startswith(b"AUTHENTICATE"):
                    login_tag = tag
                    say(b"+ \r\n")
                elif command == b"IDLE":
                    idle_tag = tag
                    self._idle(say, connection)
                else:
                    self._answer(say, tag, command)

    def _idle(self, say: Say, connection: socket.socket) -> None:
        if self.on_idle is None:
            say(b"+ idling\r\n")
        else:
            self.on_idle(say)
        if self.hangs_up:
            time.sleep(0.1)
            self.cut(connection)

    def _answer(self, say: Say, tag: bytes, command: bytes) -> None:
        for beginning, answer in self.answers.items():
            if command.startswith(beginning):
                if callable(answer):
                    answer(say, tag)
                    return
                say(answer)
                break
        else:
            say(self._usual(command))
        say(tag + b" OK done\r\n")

    def _usual(self, command: bytes) -> bytes:
        if command.startswith(b"SELECT"):
            return b"* 4 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 90] x\r\n"
        if command.startswith(b"CAPABILITY"):
            return b"* CAPABILITY " + self.capability + b"\r\n"
        return b"* BYE bye\r\n" if command.startswith(b"LOGOUT") else b""


def say_slowly(*pieces: bytes, gap: float = 0.1) -> Callable[[Say], None]:
    """Return an ``on_idle`` that sends pieces one after the other, each in a packet of its own."""

    def talk(say: Say) -> None:
        for piece in pieces:
            say(piece)
            time.sleep(gap)

    return talk
