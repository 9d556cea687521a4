"""Letters as an IMAP server delivers them, and their grouping."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from referee.mail.incoming import mime
from referee.mail.incoming.mime import Headers
from referee.value import Value

CHUNK: Final = 50
"""Messages fetched or moved with one command."""

CHUNK_BYTES: Final = 4_000_000
"""Bytes of bodies asked for with one command."""


HEADER_BYTES: Final = 65_536
"""Bytes of headers that are read of a letter, which anybody may have sent."""


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
        tree = mime.parse_tree(self.raw, most_parts=1, deepest=0, header_bytes=HEADER_BYTES)
        return tree.headers

    @property
    def is_short(self) -> bool:
        """Whether it has fewer bytes than the server announced."""
        return not self.truncated and len(self.raw) < self.size


def uid_chunks(uids: Sequence[int]) -> Iterator[list[int]]:
    """Yield UIDs in groups of at most :data:`CHUNK`."""
    for start in range(0, len(uids), CHUNK):
        yield list(uids[start : start + CHUNK])


def by_bytes(uids: Sequence[int], sizes: Mapping[int, int], cap_bytes: int) -> Iterator[list[int]]:
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


def arrival_of(about: Mapping[bytes, Any]) -> datetime:
    """Return the server's own stamp in UTC, else now."""
    stamp = about.get(b"INTERNALDATE")
    return stamp.astimezone(UTC) if isinstance(stamp, datetime) else datetime.now(UTC)


def headers_in(about: Mapping[bytes, Any]) -> bytes:
    """Return the headers in an answer, or empty bytes."""
    head = next((value for key, value in about.items() if key.startswith(b"BODY[HEADER")), b"")
    return head if isinstance(head, bytes) else b""


def body_in(answer: Mapping[bytes, Any]) -> bytes | None:
    """Return the message in an answer, None when the letter is gone or not given."""
    raw = next((value for key, value in answer.items() if key.startswith(b"BODY[]")), None)
    return bytes(raw) if raw and isinstance(raw, bytes) else None
