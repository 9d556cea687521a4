"""Our mailbox: new letters found, fetched, and moved once they are handled.

The inbox is the queue: a UID is new unless the store knows it. IDLE only wakes the reader. Messages
are always named by explicit UIDs, and only under the UIDVALIDITY they were seen with.

The client is the standard library's; what goes wrong comes out of here as a MailboxError. A server
tells of a new letter beside its answer to something else, or in one packet with its consent to IDLE
(RFC 2177), and does not tell again. So every line is looked at as it is read, and what has come and
is not read yet lies in a buffer that can be seen.
"""

from __future__ import annotations

import contextlib
import imaplib
import logging
import re
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, Self

from imapclient import imap_utf7
from imapclient.datetime_util import parse_to_datetime
from imapclient.exceptions import ProtocolError
from imapclient.response_parser import parse_response

from referee.errors import RefereeError
from referee.mail.incoming.mime import HEADER_BYTES, Headers, read_headers
from referee.mail.refusals import with_remedy
from referee.mail.transport.servers import NO_TOKENS, PATIENT, Server, Timing, tls_fault, token_way
from referee.value import Value, replace

log = logging.getLogger(__name__)

_CHUNK: Final = 50
"""Messages fetched or moved with one command."""

CHUNK_BYTES: Final = 4_000_000
"""Bytes of bodies asked for with one command."""

WHOLE_SEARCH: Final = 50_000
"""Messages above which a search goes by ranges, as the line of an answer has a largest length."""

_HELPFUL: Final = {"IDLE", "MOVE", "UIDPLUS"}
"""New mail announced (RFC 2177), moving in one step (RFC 6851), and precise removal (RFC 4315)."""

_UNUSABLE: Final = frozenset({b"\\noselect", b"\\nonexistent"})

_LONGEST_LINE: Final = 1_000_000
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


class Folders(Value):
    """The folders of the mailbox, without the server's prefix."""

    inbox: str = "INBOX"
    handled: str = "Handled"
    ignored: str = "Ignored"
    quarantine: str = "Quarantine"

    @property
    def filed(self) -> tuple[str, ...]:
        """Those for letters that we are done with."""
        return (self.handled, self.ignored, self.quarantine)


class Fetched(Value):
    """A letter as the server gave it.

    ``arrived`` is the server's own stamp, in UTC; ``size`` counts all its bytes, also when
    ``truncated`` says that ``raw`` holds only the first of them. ``missing``: the server gives no
    more of it than its headers, if these.
    """

    folder: str
    uidvalidity: int
    uid: int
    arrived: datetime
    size: int
    raw: bytes
    truncated: bool
    missing: bool = False

    @property
    def headers(self) -> Headers:
        """The headers that came."""
        return read_headers(self.raw)

    @property
    def is_short(self) -> bool:
        """Whether it has fewer bytes than the server announced."""
        return not self.truncated and len(self.raw) < self.size


class Mailbox:
    """A mailbox on an IMAP server, with one folder open. Blocking; one thread at a time.

    After MailboxLost the connection is gone: ``connect`` makes a new one. ``stopping``, and
    ``wake`` called from any thread or signal handler, end a wait early.
    """

    def __init__(
        self,
        server: Server,
        folders: Folders,
        *,
        timing: Timing = PATIENT,
        stopping: threading.Event | None = None,
    ) -> None:
        self.server = server
        self.folders = folders
        self.uidvalidity = 0
        self._timing = timing
        self._stopping = stopping
        self._rung = threading.Event()
        self._client: Client | None = None
        self._folder = folders.inbox
        self._sought: dict[tuple[str, str], int] = {}
        self._cut: set[int] = set()
        self._exists = 0
        self._next = 1

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()

    def connect(self) -> None:
        """Connect and log in, dropping an older connection.

        Raises MailboxError, or ServerError when something needed to log in is missing.
        """
        self._drop()
        server = self.server
        server.require()
        context = server.context()
        later = server.security == "starttls"
        with naming_faults(server, "connecting"):
            at_once = None if later else context
            self._client = Client(server.host, server.port, self._timing, at_once)
        try:
            if later and context is not None:
                with self._doing("beginning TLS") as client:
                    client.encrypt(context)
            with self._doing("logging in") as client:
                client.log_in(server)
                client.learn_capabilities()
            with self._doing("asking for the namespace") as client:
                client.learn_namespace()
        except BaseException:
            # Not only MailboxError: a token may not be had either.
            self._drop()
            raise

    def close(self) -> None:
        """Log out, if the server still listens; never raises."""
        try:
            with contextlib.suppress(Exception):
                if self._client is not None:
                    self._client.logout()
        finally:
            self._drop()

    def wake(self) -> None:
        """End the present wait, or the next; for other threads and for signal handlers."""
        self._rung.set()

    def select(self, folder: str | None = None) -> int:
        """Open a folder, or the inbox, anew. Return its UIDVALIDITY, which may have changed."""
        self._folder, self.uidvalidity = folder or self.folders.inbox, 0
        with self._doing(f"opening {self._folder}") as client:
            name = client.named(self._folder)
            try:
                exists = checked(client.select(name))[-1]
            except client.readonly:
                exists = checked(client.select(name, readonly=True))[-1]
            # The library would give up a connection on which something cannot be written.
            client.is_readonly = True
            client.exists, client.news = int(exists or 0), False
            # A number that the server leaves out is 0.
            told = (client.response(code)[1][-1] for code in ("UIDVALIDITY", "UIDNEXT"))
            self.uidvalidity, self._next = (int(number or 0) for number in told)
            self._exists = client.exists
        if not self.uidvalidity:
            raise MailboxRefused(
                f"{self.server}: {self._folder} has no UIDVALIDITY; it cannot be used"
            )
        return self.uidvalidity

    def new(self, known: Callable[[int, Sequence[int]], set[int]]) -> list[int]:
        """Return every UID unknown to ``known(uidvalidity, uids)``, ascending."""
        uids = self._uids()
        return sorted(set(uids) - known(self.uidvalidity, uids))

    def _uids(self) -> list[int]:
        """Return the UIDs of all letters in the open folder, ascending."""
        if not self.uidvalidity:
            self.select(self._folder)
        with self._doing("looking for letters") as client:
            if self._exists <= WHOLE_SEARCH:
                return sorted(set(client.find("ALL")))
            uids: set[int] = set()
            # Servers may leave the next UID out; “*” is the last one (RFC 3501 section 9).
            behind = self._next or max(client.find("UID", "*"), default=0) + 1
            for start in range(1, behind, WHOLE_SEARCH):
                uids.update(client.find("UID", f"{start}:{start + WHOLE_SEARCH - 1}"))
            return sorted(uids)

    def fetch(
        self,
        uids: Sequence[int],
        cap_bytes: int,
        head_bytes: int = 65_536,
        wanted: Callable[[bytes], bool] = lambda _: True,
    ) -> Iterator[Fetched]:
        """Yield letters without marking them read, skipping any that are gone.

        If a letter is above ``cap_bytes``, or is above ``head_bytes`` and its beginning is not
        ``wanted``, only the first ``head_bytes`` are fetched. Those that do not come, or come
        shorter than announced, are fetched again on a new connection, one by one.
        """
        letters = partial(self._letters, cap=cap_bytes, head=head_bytes, wanted=wanted)
        left = dict.fromkeys(uids, b"")
        for chunk in _uid_chunks(uids):
            for letter in letters(chunk):
                if letter.is_short:
                    left[letter.uid] = letter.raw
                else:
                    del left[letter.uid]
                    yield letter
        if not left:
            return
        self._reopen(self.uidvalidity)
        again = [self._fetch_alone(uid, left[uid], letters) for uid in self._uids() if uid in left]
        if again and not any(letter.raw for letter in again) and len(left) == len(uids):
            # A server that gives nothing at all is in trouble itself.
            folder = self._folder
            self.select(self.folders.handled)
            if newest := self._uids()[-1:]:
                with self._doing("fetching any") as client:
                    client.get(newest, "BODY.PEEK[HEADER]")
            self.select(folder)
        yield from again

    def _fetch_alone(
        self, uid: int, before: bytes, letters: Callable[[Sequence[int]], Iterator[Fetched]]
    ) -> Fetched:
        """Return a letter that did not come whole: as it comes alone, else its headers.

        Short of its size it must be the same as ``before``: some servers announce what it takes in
        their storage. Where the connection ends in it again, there is no more to wait for.
        """
        self._cut.discard(uid)
        for letter in letters([uid]):
            if not letter.is_short or letter.raw == before:
                return letter
        broken_off = uid in self._cut
        head = next(self.overview(uids=[uid]), self._fetched(uid, {}, b"", truncated=True))
        missing = not (head.raw and broken_off)
        return replace(head, truncated=missing, missing=missing)

    def _letters(
        self, uids: Sequence[int], cap: int, head: int, wanted: Callable[[bytes], bool]
    ) -> Iterator[Fetched]:
        about = self._fetch(uids, ["RFC822.SIZE", "INTERNALDATE"])
        sizes = {uid: int(items.get(b"RFC822.SIZE", 0)) for uid, items in about.items()}
        there = [uid for uid in uids if uid in sizes]
        # Groups of small letters, and single large ones.
        for group in _by_bytes(there, sizes, min(head, cap)):
            first = group[0]
            if sizes[first] > min(head, cap):
                begun = self._fetch(group, [f"BODY.PEEK[]<0.{head}>"])
                beginning = _body_in(begun.get(first, {}))
                if beginning is None:
                    continue
                # The headers suffice to decide whether the rest is worth transferring.
                if sizes[first] > cap or not wanted(beginning):
                    yield self._fetched(first, about[first], beginning, truncated=True)
                    continue
            bodies = self._fetch(group, ["BODY.PEEK[]"])
            for uid in group:
                raw = _body_in(bodies.get(uid, {}))
                if raw is not None:
                    yield self._fetched(uid, about[uid], raw, truncated=False)

    def _fetched(
        self, uid: int, about: dict[bytes, Any], raw: bytes, *, truncated: bool
    ) -> Fetched:
        stamp, size = about.get(b"INTERNALDATE"), int(about.get(b"RFC822.SIZE", 0))
        arrived = stamp.astimezone(UTC) if isinstance(stamp, datetime) else datetime.now(UTC)
        return Fetched(self._folder, self.uidvalidity, uid, arrived, size, raw, truncated)

    def overview(
        self, headers: Sequence[str] = (), newest: int = 0, uids: Sequence[int] | None = None
    ) -> Iterator[Fetched]:
        """Yield letters of the open folder by UID: all, so many of the newest, or some.

        Each has these headers, or all in its first bytes, but no body.
        """
        fields = f".FIELDS ({' '.join(headers)})]" if headers else f"]<0.{HEADER_BYTES}>"
        if uids is None:
            uids = self._uids()[-newest:]
        for chunk in _uid_chunks(uids):
            what = ["RFC822.SIZE", "INTERNALDATE", f"BODY.PEEK[HEADER{fields}"]
            about = self._fetch(chunk, what)
            for uid in sorted(about):
                values = (about[uid][key] for key in about[uid] if key.startswith(b"BODY[HEADER"))
                head = next(values, b"")
                raw = head if isinstance(head, bytes) else b""
                yield self._fetched(uid, about[uid], raw, truncated=True)

    def move(
        self, uids: Sequence[int], folder: str, uidvalidity: int, copied: set[int] | None = None
    ) -> bool:
        """Move letters out of the open folder, skipping any that are gone.

        Those ``copied`` lie there already and are only removed; what is copied is added to them.
        Returns False and does nothing if the folder has another UIDVALIDITY by now: then the
        numbers mean other letters.
        """
        if uidvalidity != self.uidvalidity:
            return False
        copied = set() if copied is None else copied
        for chunk in _uid_chunks(uids):
            with self._doing(f"moving letters to {folder}") as client:
                if "MOVE" in client.capabilities:
                    client.ask("MOVE", uid_set(chunk), client.named(folder))
                else:
                    if fresh := [uid for uid in chunk if uid not in copied]:
                        client.ask("COPY", uid_set(fresh), client.named(folder))
                        copied.update(fresh)
                    client.remove(chunk)
                # Without UIDPLUS they may stay, marked as deleted.
                if client.find("UID", uid_set(chunk), "UNDELETED"):
                    raise client.error("done, as it says, and they are still there")
        return True

    def ensure_folders(self) -> None:
        """Create the folders that are missing."""
        for folder in self.folders.filed:
            with self._doing(f"creating the folder {folder}") as client:
                name = client.named(folder)
                if client.list_folders(name):
                    continue
                try:
                    checked(client.create(name))
                except client.error:
                    if not client.list_folders(name):
                        raise
                with contextlib.suppress(client.error):
                    # Many mail programs show subscribed folders only; servers may refuse it.
                    checked(client.subscribe(name))

    def put(self, folder: str, raw: bytes) -> None:
        """Store a message of our own in a folder, marked as read."""
        with self._doing(f"storing a message in {folder}") as client:
            checked(client.append(client.named(folder), r"(\Seen)", None, raw))

    def missing_extensions(self) -> tuple[str, ...]:
        """Return the extensions that would help and that the server does not have, or refuses."""
        self.select()
        self.wait(0)
        with self._doing("asking") as client:
            return tuple(sorted(_HELPFUL - {*client.capabilities}))

    def names(self) -> list[str]:
        """Return the server's names of the folders that can be opened, the inbox first."""
        with self._doing("listing the folders") as client:
            listed = client.list_folders()
        names = [name for name, flags in listed if not flags & _UNUSABLE]
        return sorted(names, key=lambda name: (name.upper() != "INBOX", name))

    def find(self, folder: str, subject: str) -> list[Fetched]:
        """Return the newest 20 messages with words in their subject.

        By other headers some servers find nothing. Asked again, it looks only at what came into the
        folder since, as some search slowly.
        """
        self.select(folder)
        first = self._sought.get((folder, subject), 1)
        # A range that ends with * names the newest letter in any case (RFC 3501 section 6.4.8).
        among = (*(("UID", f"{first}:*") if first > 1 else ()), "SUBJECT", quoted(subject))
        with self._doing(f"looking into {folder}") as client:
            uids = client.find(*among)
        self._sought[folder, subject] = self._next or first
        newest = list(self.overview(uids=sorted(uids)[-20:]))
        self.select()
        return newest

    def remove(self, folder: str, uids: Sequence[int]) -> None:
        """Remove messages of our own from a folder for good."""
        if uids:
            self.select(folder)
            try:
                with self._doing(f"removing messages from {folder}") as client:
                    client.remove(uids)
            finally:
                # The inbox is opened by whatever comes next.
                self._folder, self.uidvalidity = self.folders.inbox, 0

    def lacks_room(self, size: int) -> bool:
        """Return whether a letter of so many bytes goes beyond the account's quota (RFC 9208)."""
        # A server that tells nothing of quotas is no worse than one without.
        with contextlib.suppress(MailboxRefused), self._doing("asking for the quota") as client:
            told = client.getquotaroot("INBOX")[1][1] if "QUOTA" in client.capabilities else []
            # A folder may count towards several quotas, of kilobytes or of letters.
            lines = b" ".join(filter(None, told)).upper()
            limits = re.findall(rb"\b(STORAGE|MESSAGE) (\d+) (\d+)", lines)
            units = {b"STORAGE": 1024, b"MESSAGE": size}
            return any((int(most) - int(used)) * units[of] < size for of, used, most in limits)
        return False

    def wait(self, seconds: float) -> bool:
        """Wait for letters, at most so long; return whether any were reported.

        A wait that was woken, or timed out, returns False; look at the mailbox all the same.
        """
        with self._doing("waiting for letters") as client:
            return client.wait_for_news(seconds, self._pause)

    def _pause(self, seconds: float, also: socket.socket | None = None) -> None:
        """Wait until the time is up, somebody wakes it or stops, or ``also`` can be read."""
        poller = select.poll()
        if also is not None:
            poller.register(also.fileno(), select.POLLIN)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self._rung.is_set():
                self._rung.clear()
                return
            if self._stopping is not None and self._stopping.is_set():
                return
            if poller.poll(1000 * min(left, SLICE)):
                return

    @contextlib.contextmanager
    def _doing(self, doing: str) -> Iterator[Client]:
        """Lend the connection for an action; it is dropped for good if it breaks."""
        if self._client is None:
            raise MailboxLost(f"{self.server}: not connected")
        try:
            with naming_faults(self.server, doing):
                yield self._client
        except MailboxLost:
            self._drop()
            raise

    def _drop(self) -> None:
        client, self._client = self._client, None
        self.uidvalidity = 0
        if client is not None:
            client.shutdown()

    def _fetch(self, uids: Sequence[int], what: Sequence[str]) -> dict[int, dict[bytes, Any]]:
        """Return the items of letters, without those that the server refuses or breaks off at."""
        if not self.uidvalidity:
            self.select(self._folder)
        uidvalidity, used = self.uidvalidity, self._client
        try:
            with self._doing("fetching letters") as client:
                return client.get(uids, *what)
        except MailboxRefused as refusal:
            log.warning("%s", refusal, extra={"action": "fetch"})
        except MailboxLost:
            # Where it is not the letters but the server, this raises as well.
            self._reopen(uidvalidity)
            if used is not None and used.in_literal and len(uids) == 1:
                self._cut.add(uids[0])
        # One that cannot be had must not keep back the others.
        singly = ([uid] for uid in uids if len(uids) > 1)
        return {uid: about for one in singly for uid, about in self._fetch(one, what).items()}

    def _reopen(self, uidvalidity: int) -> None:
        """Open the folder on a new connection."""
        self.connect()
        if self.select(self._folder) != uidvalidity:
            raise MailboxLost(f"{self._folder} was made anew while it was read")


def _uid_chunks(uids: Sequence[int]) -> Iterator[list[int]]:
    """Yield UIDs in groups of at most :data:`_CHUNK`."""
    for start in range(0, len(uids), _CHUNK):
        yield list(uids[start : start + _CHUNK])


def _by_bytes(uids: Sequence[int], sizes: Mapping[int, int], cap_bytes: int) -> Iterator[list[int]]:
    """Yield groups to fetch together: each letter above the cap alone, the rest by bytes."""
    group: list[int] = []
    total = 0
    for uid in uids:
        if sizes[uid] > cap_bytes:
            yield [uid]
            continue
        # Answers are held in memory as a whole, so their size is bounded as well as their number.
        if group and total + sizes[uid] > CHUNK_BYTES:
            yield group
            group, total = [], 0
        group.append(uid)
        total += sizes[uid]
    if group:
        yield group


def _body_in(answer: Mapping[bytes, Any]) -> bytes | None:
    """Return the message in an answer, None when the letter is gone or not given."""
    raw = next((value for key, value in answer.items() if key.startswith(b"BODY[]")), None)
    return bytes(raw) if raw and isinstance(raw, bytes) else None


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
            if known > _LONGEST_LINE:
                raise self.abort(f"a line has more than {_LONGEST_LINE} bytes")
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
                # The library puts the password in quotes, and leaves the user to us.
                self.login(quoted(user), password)
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
        if "NAMESPACE" not in self.capabilities:
            return
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

    def remove(self, uids: Sequence[int]) -> None:
        """Mark letters as deleted and expunge these alone (RFC 4315)."""
        which = uid_set(uids)
        self.ask("STORE", which, "+FLAGS", r"(\Deleted)")
        if "UIDPLUS" in self.capabilities:
            self.ask("EXPUNGE", which)
        elif set(self.find("DELETED")) <= set(uids):
            # A bare EXPUNGE would also remove what somebody else has marked.
            checked(self.expunge())

    def wait_for_news(self, seconds: float, pause: Callable[..., None]) -> bool:
        """Wait for letters, in IDLE five minutes at most; return whether any were reported.

        Those reported before, with the answer to something else, count too. ``pause`` waits for so
        many seconds, or until the connection can be read.
        """
        if self.news:
            pass
        elif self.begin_idle():
            # The socket tells that there is something to read, and ending IDLE reads it.
            if not self.news and not self.pending:
                pause(min(seconds, LONGEST_IDLE), self.sock)
            self.end_idle()
        else:
            pause(seconds)
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
    # Libraries put the server's words into their errors as bytes.
    text = re.sub(r"""^b(['"])(.*)\1$""", r"\2", " ".join(str(error).split()))
    return text[:200] or type(error).__name__
