"""IMAP connections: opened, logged in, and made to last and to miss no news.

The client is the standard library's; what goes wrong comes out of here as a MailboxError.

A server tells of a new letter beside its answer to something else, or in one packet with its
consent to IDLE (RFC 2177), and does not tell again. So every line is looked at as it is read, and
what has come and is not read yet lies in a buffer that can be seen.
"""

from __future__ import annotations

import contextlib
import imaplib
import re
import select
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

from imapclient import imap_utf7
from imapclient.datetime_util import parse_to_datetime
from imapclient.exceptions import ProtocolError
from imapclient.response_parser import parse_response

from referee.errors import RefereeError
from referee.mail.refusals import with_remedy
from referee.mail.transport.servers import NO_TOKENS, Server, Timing, tls_fault, token_way

LONGEST_LINE: Final = 1_000_000
"""Bytes of a line that are read, without the literals in it."""

LONGEST_IDLE: Final = 300.0
"""Seconds of one IDLE; some servers reportedly drop connections after ten minutes."""

SLICE: Final = 0.25
"""Seconds between two checks for a stop."""

_IDLE: Final = b"idle"
"""The tag of IDLE; the library numbers its own."""

_COUNTED: Final = re.compile(rb"\* (\d+) (EXISTS|EXPUNGE)\r\n")

_KEEPALIVE: Final = (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4))

_TEMPORARY: Final = re.compile(
    r"\[(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG|ALERT\] (?:too many|internal))", re.IGNORECASE
)

_NO_IMAP: Final = (ValueError, AssertionError, LookupError, TypeError, AttributeError)
"""Errors that the libraries, and we, raise on answers that are no IMAP."""


class MailboxError(RefereeError):
    """The mailbox cannot be used; subclasses say how."""


class MailboxLost(MailboxError):
    """The connection broke or was never made; connecting again later may help."""


class LoginRefused(MailboxError):
    """The server rejects the user, password or token. Trying again will not help."""


class MailboxRefused(MailboxError):
    """The server refused a request. The message says what to do."""


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


class Client(imaplib.IMAP4):
    """A connection to an IMAP server, with at most one folder open. Blocking; one thread at a time.

    ``exists`` is how many letters the open folder has, as far as the server told. ``news`` is
    whether more were reported since it was opened; whoever has taken note of it sets it back. After
    OSError, ``abort`` or ProtocolError the connection is not used again. ``in_literal`` is whether
    it ended inside one.
    """

    def __init__(
        self, host: str, port: int, timing: Timing, context: ssl.SSLContext | None = None
    ) -> None:
        """Connect, with TLS from the start if there is a ``context``."""
        self.context = context
        self.exists, self.news, self.in_literal = 0, False, False
        self.prefix, self.separator = "", "/"
        self.unread = bytearray()
        super().__init__(host, port, timing.connect)
        self.sock.settimeout(timing.answer)
        # Send small commands at once, and notice a dead peer.
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEPALIVE:
            if hasattr(socket, name):
                self.sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            milliseconds = int(timing.answer * 1000)
            self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)

    def open(self, host: str = "", port: int = 143, timeout: float | None = None) -> None:
        """Connect, for the library."""
        self.host, self.port = host, port
        self.sock = socket.create_connection((host, port), timeout)
        if self.context is not None:
            self.sock = self.context.wrap_socket(self.sock, server_hostname=host)

    def read(self, size: int) -> bytes:
        """Return so many bytes, of a literal; fewer at the end of the connection."""
        self.in_literal = True
        while len(self.unread) < size and self._receive():
            pass
        self.in_literal = len(self.unread) < size
        return self._take(size)

    def readline(self) -> bytes:
        """Return a line, without its end at the end of the connection."""
        end = self.unread.find(b"\n")
        while end < 0:
            known = len(self.unread)
            if known > LONGEST_LINE:
                raise self.abort(f"a line has more than {LONGEST_LINE} bytes")
            if not self._receive():
                break
            end = self.unread.find(b"\n", known)
        line = self._take(end + 1 or len(self.unread))
        if told := _COUNTED.fullmatch(line):
            # Many servers count anew after each letter that is moved away, which is no news.
            exists = int(told[1]) if told[2] == b"EXISTS" else self.exists - 1
            self.news = self.news or exists > self.exists
            self.exists = exists
        return line

    def shutdown(self) -> None:
        """Close the connection, which is not used again; never raises."""
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):
            self.sock.close()

    @property
    def pending(self) -> bool:
        """Whether something has come that is not read yet, beside what the socket still holds."""
        hidden = self.sock.pending() if isinstance(self.sock, ssl.SSLSocket) else 0
        return bool(self.unread or hidden)

    def encrypt(self, context: ssl.SSLContext) -> None:
        """Begin TLS on a connection without it (STARTTLS)."""
        checked(self.xatom("STARTTLS"))
        # Whatever somebody in between has put in before counts for nothing.
        self.unread.clear()
        self.sock = context.wrap_socket(self.sock, server_hostname=self.host)
        self.learn_capabilities()

    def learn_capabilities(self) -> None:
        """Ask for the server's capabilities again; it may have more after a log-in."""
        told = checked(self.capability())[-1]
        self.capabilities = tuple(told.decode().upper().split()) if told else ()

    def log_in(self, server: Server) -> None:
        """Log in, by token if the server's account has one (RFC 4422). Raises MailboxError."""
        token = server.token() if server.token else ""
        offered = [name.removeprefix("AUTH=") for name in self.capabilities]
        mechanism, credentials = token_way(server.user, token, offered)
        if token and not mechanism:
            raise MailboxRefused(f"{server}: {NO_TOKENS}")
        if not token and "LOGINDISABLED" in self.capabilities:
            needed = "passwords need TLS here; use imaps:// or imap+starttls://"
            raise MailboxRefused(f"{server}: {needed}")
        user, password = server.user, "" if token else server.secret()
        try:
            if token:
                self.authenticate(mechanism, lambda _: credentials.encode())
            elif (user + password).isascii():
                self.login(user, password)
            else:
                self.authenticate("PLAIN", lambda _: f"\0{user}\0{password}".encode())
        except self.abort:
            raise
        except self.error as error:
            if _TEMPORARY.search(str(error)):
                raise MailboxLost(f"{server}: login not possible now: {_say(error)}") from error
            if token:
                server.spurn(token)
            said = f"{server}: login refused ({_say(error)})"
            raise LoginRefused(with_remedy(said, server.remedy)) from error

    def learn_namespace(self) -> None:
        """Ask for the prefix and the separator of the account's own folders (RFC 2342)."""
        told = parse_response(checked(self.namespace()))
        if told and told[0]:
            prefix, separator, *_ = told[0][0]
            self.prefix = imap_utf7.decode(prefix or b"")
            self.separator = (separator or b"").decode()

    def named(self, folder: str) -> str:
        """Return a folder of the account as an argument of a command (RFC 3501 section 5.1.3)."""
        name = folder.replace("/", self.separator) if self.separator else folder
        # INBOX has no prefix on any server (RFC 3501 section 5.1).
        if folder.upper() != "INBOX" and not name.startswith(self.prefix):
            name = self.prefix + name
        return quoted(imap_utf7.encode(name).decode("ascii"))

    def list_folders(self, pattern: str = '"*"') -> list[tuple[str, frozenset[bytes]]]:
        """Return the folders whose names are like this, each with its flags in lower case."""
        listed = parse_response([line for line in checked(self.list('""', pattern)) if line])
        return [
            # A name of digits alone comes as a number.
            (
                imap_utf7.decode(name) if isinstance(name, bytes) else str(name),
                frozenset(flag.lower() for flag in flags),
            )
            for flags, _, name in zip(listed[::3], listed[1::3], listed[2::3], strict=True)
        ]

    def open_folder(self, folder: str) -> tuple[int, int, int]:
        """Open a folder; return how many letters it has, its UIDVALIDITY, and the next UID.

        A number that the server leaves out is 0.
        """
        try:
            exists = checked(self.select(self.named(folder)))[-1]
        except self.readonly:
            exists = checked(self.select(self.named(folder), readonly=True))[-1]
        # The library would give up a connection on which something cannot be written.
        self.is_readonly = True
        self.exists, self.news = int(exists or 0), False
        uidvalidity, uidnext = (self.response(name)[1][-1] for name in ("UIDVALIDITY", "UIDNEXT"))
        return self.exists, int(uidvalidity or 0), int(uidnext or 0)

    def create_folder(self, folder: str) -> None:
        """Create a folder unless there is one."""
        name = self.named(folder)
        if self.list_folders(name):
            return
        try:
            checked(self.create(name))
        except self.error:
            if not self.list_folders(name):
                raise
        with contextlib.suppress(self.error):
            # Many mail programs show subscribed folders only; servers without them may refuse.
            checked(self.subscribe(name))

    def ask(self, command: str, *arguments: str) -> list[Any]:
        """Give a command about letters named by UID; return the answer."""
        return checked(self.uid(command, *arguments))

    def find(self, *criteria: str) -> list[int]:
        """Return the UIDs of the letters that meet all criteria."""
        return [int(uid) for line in self.ask("SEARCH", *criteria) if line for uid in line.split()]

    def get(self, uids: Sequence[int], *items: str) -> dict[int, dict[bytes, Any]]:
        """Return the items asked for of each letter that is still there, by UID."""
        answer = parse_response(self.ask("FETCH", uid_set(uids), f"({' '.join(items)})"))
        letters: dict[int, dict[bytes, Any]] = {}
        # Flags of other letters may be told in between.
        for _, about in zip(answer[::2], answer[1::2], strict=True):
            if not isinstance(about, tuple):
                raise ProtocolError(f"not about a letter: {about!r}")
            pairs = zip(about[::2], about[1::2], strict=True)
            told = {name.upper(): value for name, value in pairs if isinstance(name, bytes)}
            if stamp := told.get(b"INTERNALDATE"):
                with contextlib.suppress(ValueError):
                    told[b"INTERNALDATE"] = parse_to_datetime(stamp, normalise=False)
            letters.setdefault(told.get(b"UID", 0), {}).update(told)
        return {uid: letters[uid] for uid in uids if uid in letters}

    def move(self, uids: Sequence[int], folder: str, copied: set[int]) -> None:
        """Move by MOVE (RFC 6851), else copy and remove; those ``copied`` are added to."""
        if "MOVE" in self.capabilities:
            self.ask("MOVE", uid_set(uids), self.named(folder))
        else:
            if fresh := [uid for uid in uids if uid not in copied]:
                self.ask("COPY", uid_set(fresh), self.named(folder))
                copied.update(fresh)
            self.remove(uids)
        # Without UIDPLUS they may stay, marked as deleted.
        if self.find("UID", uid_set(uids), "UNDELETED"):
            raise self.error("done, as it says, and they are still there")

    def remove(self, uids: Sequence[int]) -> None:
        """Mark letters as deleted and expunge these alone (RFC 4315)."""
        which = uid_set(uids)
        self.ask("STORE", which, "+FLAGS", r"(\Deleted)")
        if "UIDPLUS" in self.capabilities:
            self.ask("EXPUNGE", which)
        elif set(self.find("DELETED")) <= set(uids):
            # A bare EXPUNGE would also remove what somebody else has marked.
            checked(self.expunge())

    def wait_for_news(self, seconds: float, wake: Wake) -> bool:
        """Wait for letters, in IDLE five minutes at most; return whether any were reported.

        Those reported before, with the answer to something else, count too.
        """
        if self.news:
            pass
        elif self.begin_idle():
            # The socket tells that there is something to read, and ending IDLE reads it.
            if not self.news and not self.pending:
                wake.pause(min(seconds, LONGEST_IDLE), self.sock)
            self.end_idle()
        else:
            wake.pause(seconds)
            checked(self.noop())
        came, self.news = self.news, False
        return came

    def begin_idle(self) -> bool:
        """Have the server tell of news until ``end_idle`` (RFC 2177); return whether it does.

        One that refuses once is not asked again.
        """
        if "IDLE" not in self.capabilities:
            return False
        self.send(_IDLE + b" IDLE\r\n")
        while not (line := self._heard()).startswith(b"+"):
            if line.startswith(_IDLE):
                self.capabilities = tuple(name for name in self.capabilities if name != "IDLE")
                return False
        return True

    def end_idle(self) -> None:
        """End IDLE and read all that the server told meanwhile."""
        self.send(b"DONE\r\n")
        while not (line := self._heard()).startswith(_IDLE):
            pass
        if not line.startswith(_IDLE + b" OK"):
            raise self.error(line.decode(errors="replace"))

    def _heard(self) -> bytes:
        line = self.readline()
        if not line.endswith(b"\r\n") or line.startswith(b"* BYE"):
            raise self.abort(line.decode(errors="replace") or "the server closed the connection")
        return line

    def _receive(self) -> bool:
        """Wait for bytes; return whether any came."""
        came = self.sock.recv(65_536)
        self.unread += came
        return bool(came)

    def _take(self, size: int) -> bytes:
        taken = bytes(self.unread[:size])
        del self.unread[:size]
        return taken


def checked(answer: tuple[str, Sequence[Any]]) -> list[Any]:
    """Return the data of a server's answer. Raises ``imaplib.IMAP4.error`` if it refused."""
    state, told = answer
    if state != "OK":
        raise imaplib.IMAP4.error(b" ".join(filter(None, told)).decode(errors="replace"))
    return [*told]


def quoted(text: str) -> str:
    """Return a text as an argument of a command."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def uid_set(uids: Sequence[int]) -> str:
    """Return UIDs as an argument of a command."""
    return ",".join(map(str, uids))


@contextlib.contextmanager
def naming_faults(server: Server, doing: str) -> Iterator[None]:
    """Translate the libraries' exceptions to a MailboxError naming server and action."""
    try:
        yield
    except MailboxError:
        raise
    except (OSError, imaplib.IMAP4.abort, ProtocolError, *_NO_IMAP) as error:
        if told := tls_fault(server, "imap", error):
            raise MailboxRefused(f"{server}: {told}") from error
        raise MailboxLost(f"{server}: lost while {doing}: {_say(error)}") from error
    except imaplib.IMAP4.error as error:
        said = f"{server}: refused {doing}: {_say(error)}"
        raise MailboxRefused(with_remedy(said)) from error


def _say(error: Exception) -> str:
    text = " ".join(str(error).split())
    # Libraries put the server's words into their errors as bytes.
    text = re.sub(r"""^b(['"])(.*)\1$""", r"\2", text)
    return text[:200] or type(error).__name__


def open_client(server: Server, timing: Timing) -> Client:
    """Return a client that is connected, secured and logged in.

    Raises MailboxError, or ServerError when something needed to log in is missing.
    """
    server.require()
    context = server.context()
    later = server.security == "starttls"
    with naming_faults(server, "connecting"):
        client = Client(server.host, server.port, timing, None if later else context)
    try:
        if later and context is not None:
            with naming_faults(server, "beginning TLS"):
                client.encrypt(context)
        with naming_faults(server, "logging in"):
            client.log_in(server)
            client.learn_capabilities()
        if "NAMESPACE" in client.capabilities:
            with naming_faults(server, "asking for the namespace"):
                client.learn_namespace()
    except BaseException:
        # Not only MailboxError: a token may not be had either.
        client.shutdown()
        raise
    return client
