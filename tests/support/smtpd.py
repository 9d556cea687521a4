"""An SMTP server on loopback that records what it is given and misbehaves on command."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from referee.mail.transport.servers import Server

Stage = Literal["banner", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "body", "dot", "taken"]
"""Where a server may misbehave; ``dot`` is before a mail is taken, ``taken`` after it was."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What a server does at a stage in place of answering well.

    A line it says, nothing at all (``silence``), hanging up (``drop``), or so many seconds late
    what it should.
    """

    stage: Stage
    does: str | float


Mode = Literal[
    "ok",
    "later at rcpt",
    "later at data",
    "later after dot",
    "failed at mail",
    "failed at rcpt",
    "failed after dot",
    "drop at mail",
    "drop before dot",
    "drop after dot",
    "hang after dot",
    "say 421 when idle",
    "421 at mail",
    "refuse login",
    "refuse login for now",
    "refuse connection",
]

FAULTS: Final[dict[Mode, Fault]] = {
    "later at rcpt": Fault("RCPT", "450 4.2.1 greylisted"),
    "later at data": Fault("DATA", "451 4.3.0 not now"),
    "later after dot": Fault("dot", "452 4.3.1 full"),
    "failed at mail": Fault("MAIL", "550 5.7.1 not from you"),
    "failed at rcpt": Fault("RCPT", "550 5.1.1 nobody of that name"),
    "failed after dot": Fault("dot", "554 5.7.1 I do not like it"),
    "drop at mail": Fault("MAIL", "drop"),
    "drop before dot": Fault("body", "drop"),
    "drop after dot": Fault("taken", "drop"),
    "hang after dot": Fault("taken", "silence"),
    "421 at mail": Fault("MAIL", "421 4.3.2 shutting down"),
    "refuse login": Fault("AUTH", "535 5.7.8 who are you?"),
    "refuse login for now": Fault("AUTH", "454 4.7.0 come back later"),
    "refuse connection": Fault("banner", "554 5.3.2 closed for the winter"),
}
"""The faults that many tests want, by a name."""

USER = "referee"
PASSWORD = "secret"
TOKEN = "fresh-token"


@dataclass(frozen=True, slots=True)
class Delivered:
    """A mail the server has taken, as it came over the wire, without its dots."""

    envelope_from: str
    recipient: str
    raw: bytes


@dataclass
class SmtpServer:
    """The running server, in a thread of its own.

    ``modes`` is what to do with the next mails, one each; when it is empty, ``mode`` holds.
    ``refused`` maps recipients to the answer they always get, ``silent`` are those whose mails are
    taken without an answer, ``talks`` the open connections. A mail of more than ``most`` bytes is
    too large, which is told at ``weighs``. ``relay`` is given what is taken.
    """

    mode: Mode | Fault = "ok"
    modes: list[Mode | Fault] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    most: int = 1_000_000
    weighs: Stage = "MAIL"
    delivered: list[Delivered] = field(default_factory=list)
    connections: int = 0
    logins: list[tuple[str, str]] = field(default_factory=list)
    auth: bool = False
    patience: float = 0.2
    port: int = 0
    relay: Callable[[Delivered], None] | None = None
    _loop: asyncio.AbstractEventLoop | None = None
    _thread: threading.Thread | None = None
    _stopped: asyncio.Event | None = None
    talks: set[asyncio.Task[None]] = field(default_factory=set)

    def reset(self) -> None:
        """Hang up on everybody, forget what happened and behave again.

        A client that was killed may leave a mail on its way, which belongs to nobody that follows.
        """
        if self._loop is not None:
            asyncio.run_coroutine_threadsafe(self._hang_up(), self._loop).result(60)
        self.mode, self.auth, self.connections, self.patience = "ok", False, 0, 0.2
        self.relay, self.most, self.weighs = None, 1_000_000, "MAIL"
        for each in (self.modes, self.refused, self.silent, self.delivered, self.logins):
            each.clear()

    def server(self, *, user: str = "", password: str = "") -> Server:
        """Return the way to this server."""
        return Server("plain", "127.0.0.1", self.port, user, password)

    def to(self, recipient: str) -> list[Delivered]:
        """Return the mails to one recipient, oldest first."""
        return [each for each in self.delivered if each.recipient == recipient]

    def start(self) -> None:
        """Start listening on a free port."""
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(60)

    def stop(self) -> None:
        """Stop the server and every conversation it is in."""
        assert self._loop is not None
        assert self._stopped is not None
        assert self._thread is not None
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(30)

    async def _hang_up(self) -> None:
        talks = list(self.talks)
        for each in talks:
            each.cancel()
        await asyncio.gather(*talks, return_exceptions=True)

    def _run(self, ready: threading.Event) -> None:
        async def main() -> None:
            self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()

            async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                task = asyncio.current_task()
                assert task is not None
                self.talks.add(task)
                with contextlib.suppress(OSError, asyncio.CancelledError):
                    await Conversation(self, reader, writer).run()
                writer.close()
                self.talks.discard(task)

            listener = await asyncio.start_server(serve, "127.0.0.1", 0, limit=2**24)
            self.port = listener.sockets[0].getsockname()[1]
            ready.set()
            await self._stopped.wait()
            listener.close()
            await self._hang_up()

        asyncio.run(main())


class Conversation:
    """One connection: commands are answered in turn until the client quits or a mode ends it."""

    def __init__(
        self, server: SmtpServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.server, self.reader, self.writer = server, reader, writer
        self.mode: Mode | Fault = server.modes[0] if server.modes else server.mode
        self.sender = ""
        self.recipients: list[str] = []
        self.open = True
        self.handlers: dict[str, Callable[[str], Coroutine[Any, Any, None]]] = {
            "EHLO": self.ehlo,
            "AUTH": self.authenticate,
            "MAIL": self.mail,
            "RCPT": self.rcpt,
            "DATA": self.data,
            "QUIT": self.quit,
        }

    async def run(self) -> None:
        self.server.connections += 1
        if await self.misbehaves("banner"):
            return
        await self.say("220 loopback ESMTP")
        while self.open and (line := await self.reader.readline()):
            command = line.decode("ascii", "replace").strip()
            handler = self.handlers.get(command[:4].upper())
            await (handler(command) if handler else self.say("250 2.0.0 so be it"))

    async def misbehaves(self, stage: Stage) -> bool:
        """Do what is to go wrong at a stage; tell whether that was all."""
        fault = self.mode if isinstance(self.mode, Fault) else FAULTS.get(self.mode)
        if fault is None or fault.stage != stage:
            return False
        if isinstance(fault.does, float):
            await asyncio.sleep(fault.does)
            return False
        if fault.does == "silence":
            await asyncio.sleep(3600)
        if fault.does != "drop":
            await self.say(fault.does)
        self.open = not fault.does.startswith(("drop", "421"))
        return True

    async def weigh(self, stage: Stage, size: int) -> bool:
        """Refuse what is too large, where the server looks; tell whether it was."""
        large = stage == self.server.weighs and size > self.server.most
        if large:
            await self.say("552 5.3.4 message size exceeds fixed limit")
        return large

    async def say(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\r\n" for line in lines).encode())
        await self.writer.drain()

    async def ehlo(self, _: str) -> None:
        if await self.misbehaves("EHLO"):
            return
        extra = ["250-AUTH PLAIN XOAUTH2"] if self.server.auth else []
        await self.say("250-loopback", *extra, f"250-SIZE {self.server.most}", "250 8BITMIME")

    async def authenticate(self, command: str) -> None:
        _, mechanism, initial = (*command.split(" ", 2), "")[:3]
        decoded = base64.b64decode(initial).decode()
        if mechanism == "XOAUTH2":
            user = decoded.split("user=", 1)[1].split("\1")[0]
            secret = decoded.split("Bearer ", 1)[1].split("\1")[0]
        else:
            _, user, secret = decoded.split("\0")
        self.server.logins.append((user, secret))
        if await self.misbehaves("AUTH"):
            return
        known = (user, secret) in {(USER, PASSWORD), (USER, TOKEN)}
        await self.say("235 2.7.0 welcome" if known else "535 5.7.8 who are you?")

    async def mail(self, command: str) -> None:
        self.mode = self.server.modes.pop(0) if self.server.modes else self.server.mode
        self.sender, self.recipients = command.partition("<")[2].partition(">")[0], []
        size = int(command.lower().partition("size=")[2].split(" ")[0] or 0)
        if await self.misbehaves("MAIL") or await self.weigh("MAIL", size):
            return
        if self.server.auth and not self.server.logins:
            await self.say("530 5.7.0 log in first")
        else:
            await self.say("250 2.1.0 sender noted")

    async def rcpt(self, command: str) -> None:
        recipient = command.partition("<")[2].partition(">")[0]
        if recipient in self.server.refused:
            await self.say(self.server.refused[recipient])
        elif not await self.misbehaves("RCPT"):
            self.recipients.append(recipient)
            await self.say("250 2.1.5 recipient noted")

    async def data(self, _: str) -> None:
        if await self.misbehaves("DATA"):
            return
        if not self.recipients:
            await self.say("503 5.5.1 for whom?")
            return
        await self.say("354 go on")
        if await self.misbehaves("body"):
            return
        lines: list[bytes] = []
        while (line := await self.reader.readline()) != b".\r\n":
            if not line.endswith(b"\n"):
                # Without the dot a mail has not been handed over (RFC 5321 section 4.1.1.4).
                self.open = False
                return
            lines.append(line[1:] if line.startswith(b".") else line)
        await self.taken(b"".join(lines))

    async def taken(self, raw: bytes) -> None:
        if await self.misbehaves("dot") or await self.weigh("dot", len(raw)):
            return
        taken = [Delivered(self.sender, each, raw) for each in self.recipients]
        self.server.delivered += taken
        if self.server.silent.intersection(self.recipients):
            await asyncio.sleep(3600)
        self.recipients = []
        if self.server.relay is not None:
            for each in taken:
                await asyncio.to_thread(self.server.relay, each)
        if await self.misbehaves("taken"):
            return
        await self.say("250 2.0.0 taken")
        if self.mode == "say 421 when idle":
            await asyncio.sleep(self.server.patience)
            await self.say("421 4.4.2 you took too long")
            self.open = False

    async def quit(self, _: str) -> None:
        await self.say("221 2.0.0 bye")
        self.open = False
