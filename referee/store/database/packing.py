"""Mails packed for the database, and unpacked to the same bytes."""

from __future__ import annotations

import re
import zlib
from base64 import encodebytes
from binascii import a2b_base64
from itertools import count
from typing import Final

_GAP: Final = b"\r\n\r\n"
"""The end of a part's head."""

_FILE: Final = re.compile(_GAP + rb"((?:[A-Za-z0-9+/]{76}\r\n){50,})")
"""Whole lines of base64 (RFC 2045, section 6.8): a file of 3 kB or more but for its last line."""

_FILES: Final = (
    re.compile(rb"(\r\n\r\n)(?:[A-Za-z0-9+/]{76}\r\n){50,}[A-Za-z0-9+/=]*"),
    # A page, quoted-printable: no line of it begins as the boundary of its mail does.
    re.compile(rb'(\.html"(?:\r\n[^\r\n]+)*\r\n\r\n).*?(?=\r\n--=_)', re.DOTALL),
)
"""Pictures and pages, behind the head of their part."""

_PNG: Final = b"\x89PNG\r\n"


def pack(raw: bytes) -> bytes:
    """Return a mail packed: text and files by turns, each compressed (RFC 1950).

    Files are taken out of their base64, in which they are larger and compress badly.
    """
    parts = _FILE.split(raw)
    parts[1::2] = map(a2b_base64, parts[1::2])
    # A picture is compressed already. More effort for the rest takes twice as long and saves 5 %.
    return b"".join(zlib.compress(part, 0 if part.startswith(_PNG) else 1) for part in parts)


def without_files(raw: bytes) -> bytes:
    """Return a mail with its larger files empty, such as pictures and pages."""
    for file in _FILES:
        raw = file.sub(rb"\1", raw)
    return raw


def unpack(packed: bytes) -> bytes:
    """Return a packed mail as it was. Raises zlib.error for bytes that are none."""
    parts = []
    for number in count():
        if not packed:
            break
        stream = zlib.decompressobj()
        part = stream.decompress(packed)
        if not stream.eof:
            raise zlib.error("a packed mail is cut short")
        packed = stream.unused_data
        parts.append(_GAP + encodebytes(part).replace(b"\n", b"\r\n") if number % 2 else part)
    return b"".join(parts)
