"""Our mailbox: new letters found, fetched, and moved once they are handled.

The inbox is the queue: a UID is new unless the store knows it. IDLE only wakes the reader. Messages
are always named by explicit UIDs, and only under the UIDVALIDITY they were seen with.
"""

from __future__ import annotations

import contextlib
import logging
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, Self

from referee.mail.incoming.mime import HEADER_BYTES, Headers, read_headers
from referee.mail.transport.client import (
    Client,
    MailboxLost,
    MailboxRefused,
    Wake,
    checked,
    naming_faults,
    open_client,
    quoted,
)
from referee.mail.transport.servers import PATIENT, Server, Timing
from referee.value import Value, replace

log = logging.getLogger(__name__)

CHUNK: Final = 50
"""Messages fetched or moved with one command."""

CHUNK_BYTES: Final = 4_000_000
"""Bytes of bodies asked for with one command."""

WHOLE_SEARCH: Final = 50_000
"""Messages above which a search goes by ranges, as the line of an answer has a largest length."""

_HELPFUL: Final = {"IDLE", "MOVE", "UIDPLUS"}
"""New mail announced (RFC 2177), moving in one step (RFC 6851), and precise removal (RFC 4315)."""

_UNUSABLE: Final = frozenset({b"\\noselect", b"\\nonexistent"})


class Folders(Value):
    """The folders of the mailbox, without the server's prefix."""

    inbox: str = "INBOX"
    handled: str = "Handled"
    ignored: str = "Ignored"
    quarantine: str = "Quarantine"


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
        self._wake = Wake(stopping)
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
        """Connect and log in, dropping an older connection. Raises MailboxError."""
        self._drop()
        self._client = open_client(self.server, self._timing)

    def close(self) -> None:
        """Log out, if the server still listens; never raises."""
        with contextlib.suppress(Exception):
            if self._client is not None:
                self._client.logout()
        self._drop()

    def wake(self) -> None:
        """End a wait early; usable from other threads and from signal handlers."""
        self._wake.ring()

    def select(self, folder: str | None = None) -> int:
        """Open a folder, or the inbox, anew. Return its UIDVALIDITY, which may have changed."""
        self._folder, self.uidvalidity = folder or self.folders.inbox, 0
        with self._doing(f"opening {self._folder}") as client:
            self._exists, self.uidvalidity, self._next = client.open_folder(self._folder)
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
            # Servers may leave the next UID out; then the range of all UIDs is searched.
            for start in range(1, self._next or 2**32 - 1, WHOLE_SEARCH):
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
                client.move(chunk, folder, copied)
        return True

    def ensure_folders(self) -> None:
        """Create the folders that are missing."""
        for folder in (self.folders.handled, self.folders.ignored, self.folders.quarantine):
            with self._doing(f"creating the folder {folder}") as client:
                client.create_folder(folder)

    def put(self, folder: str, raw: bytes) -> None:
        """Store a message of our own in a folder, marked as read."""
        with self._doing(f"storing a message in {folder}") as client:
            checked(client.append(client.named(folder), r"(\Seen)", None, raw))

    @property
    def lacks(self) -> tuple[str, ...]:
        """The extensions that would help and that the server does not have, or refuses."""
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
            return client.wait_for_news(seconds, self._wake)

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
    """Yield UIDs in groups of at most :data:`CHUNK`."""
    for start in range(0, len(uids), CHUNK):
        yield list(uids[start : start + CHUNK])


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
