"""An IMAP server before Dovecot that refuses, garbles or cuts what a test tells it to.

A rule is chosen by the command, after the tag and as it was sent, and stays until the test takes it
away. What no rule is for is Dovecot's own answer.
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from support.troubled import Way

Change = Callable[[bytes], bytes]
"""Makes another answer of Dovecot's to a command: all lines of it, the tagged one with the rest."""

_LITERAL: Final = re.compile(rb"\{(\d+)\}\r\n$")


@dataclass(frozen=True)
class Rule:
    """Something that goes wrong.

    ``when`` is looked for in the command. ``says`` is the tagged answer, and Dovecot never hears of
    the command; ``changes`` is what becomes of Dovecot's answer. ``hangs_up``: the connection ends
    with that. ``times`` is how often it happens; None for ever.
    """

    when: str
    says: str | None = None
    changes: Change = lambda answer: answer
    hangs_up: bool = False
    times: int | None = None


@dataclass
class Wayward(Way):
    """Passes connections on to Dovecot; ``rules`` say what goes wrong, the first one counts.

    ``befell`` are the commands for which something did, ``commands`` all of them.
    """

    rules: list[Rule] = field(default_factory=list)
    befell: list[bytes] = field(default_factory=list)
    commands: list[bytes] = field(default_factory=list)
    connections: int = 0

    def begin(self, client: socket.socket, server: socket.socket) -> None:
        """Serve a connection in a thread of its own."""
        self.connections += 1
        threading.Thread(target=self._serve, args=(client, server), daemon=True).start()

    def _serve(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError, EOFError), client, server:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            asked, answered = client.makefile("rb"), server.makefile("rb")
            client.sendall(_line(answered))
            while True:
                self._converse(_line(asked), client, server, asked, answered)

    def _converse(
        self,
        line: bytes,
        client: socket.socket,
        server: socket.socket,
        asked: BinaryIO,
        answered: BinaryIO,
    ) -> None:
        tag, _, command = line.rstrip(b"\r\n").partition(b" ")
        self.commands.append(command)
        rule = self._rule_for(command)
        if rule is not None and rule.says is not None:
            client.sendall(tag + b" " + rule.says.encode() + b"\r\n")
        else:
            server.sendall(line)
            if command == b"IDLE":
                self._idle(tag, client, server, asked, answered)
                return
            answer = _answer(tag, answered, lambda: _carry_on(line, client, server, asked))
            client.sendall(answer if rule is None else rule.changes(answer))
        if rule is not None and rule.hangs_up:
            raise EOFError

    def _rule_for(self, command: bytes) -> Rule | None:
        rules = self.rules
        rule = next((each for each in rules if re.search(each.when.encode(), command)), None)
        if rule is not None:
            self.befell.append(command)
            if rule.times is not None and self.befell.count(command) >= rule.times:
                # The test may have changed them meanwhile.
                with contextlib.suppress(ValueError):
                    rules.remove(rule)
        return rule

    def _idle(
        self,
        tag: bytes,
        client: socket.socket,
        server: socket.socket,
        asked: BinaryIO,
        answered: BinaryIO,
    ) -> None:
        """Pass on what either side says, until the client has had enough."""

        def tell() -> None:
            with contextlib.suppress(OSError, EOFError):
                line = b""
                while not line.startswith(tag + b" "):
                    line = _line(answered)
                    client.sendall(line)

        telling = threading.Thread(target=tell, daemon=True)
        telling.start()
        server.sendall(_line(asked))
        telling.join()


def _line(source: BinaryIO) -> bytes:
    line = source.readline()
    if not line:
        raise EOFError
    return line


def _answer(tag: bytes, answered: BinaryIO, carry_on: Callable[[], object]) -> bytes:
    """Read an answer to its end, with the literals in it."""
    answer = b""
    while True:
        line = _line(answered)
        if line.startswith(b"+"):
            carry_on()
            continue
        answer += line
        if found := _LITERAL.search(line):
            answer += answered.read(int(found[1]))
        elif line.startswith(tag + b" "):
            return answer


def _carry_on(line: bytes, client: socket.socket, server: socket.socket, asked: BinaryIO) -> None:
    """Let the client send the literal, and what follows it."""
    found = _LITERAL.search(line)
    client.sendall(b"+ OK\r\n")
    server.sendall((asked.read(int(found[1])) if found else b"") + _line(asked))


def without_bodies(answer: bytes) -> bytes:
    """Say NIL in place of each letter."""
    return re.sub(
        rb"(BODY\[\](?:<0>)?) \{\d+\}\r\n.*?(?=\)\r\n(?:\* |\w+ OK))",
        rb"\1 NIL",
        answer,
        flags=re.DOTALL,
    )


def shorter(by: int) -> Change:
    """Give so many bytes less of each letter, as if that were all of it."""

    def change(answer: bytes) -> bytes:
        found = re.search(rb"BODY\[\](?:<0>)? \{(\d+)\}\r\n", answer)
        if found is None:
            return answer
        size = int(found[1])
        head = answer[: found.start(1)] + b"%d}\r\n" % (size - by)
        return head + answer[found.end() :][: size - by] + answer[found.end() + size :]

    return change


def broken_off(answer: bytes) -> bytes:
    """Give the beginning of an answer with a letter; the rest never comes."""
    return answer[: answer.index(b"}\r\n") + 40]


def nothing(answer: bytes) -> bytes:
    """Say that all went well, and nothing else."""
    tagged = answer.splitlines(keepends=True)[-1]
    return tagged.split(b" ")[0] + b" OK done\r\n"


def without(word: bytes) -> Change:
    """Leave a word out, as one of what the server can do."""
    return lambda answer: answer.replace(b" " + word, b"")
