"""MIME parts (RFC 2045, 2046): a bounded reader that accepts anything.

Each level of nesting is read once, parts and depth are limited, so time is linear in the size.
Attached messages (``message/*``) are leaves: orders in them are never played.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from typing import Any, Final

from referee.mail.incoming.decoding import (
    LONGEST_HEADER,
    decode_text,
    decode_transfer,
    decode_words,
)
from referee.value import Value

HEADER_BYTES: Final = 65_536
"""Bytes of a letter in which its headers begin; anybody may have sent it."""

MOST_HEADERS: Final = 1000
"""Headers of a part that are kept. A long way through servers adds a few dozen."""

_FIELD: Final = re.compile(rb"([!-9;-~]{1,100})[ \t]*:")

_BLANK: Final = re.compile(rb"(?<=\n)\r?\n|(?<=\r)\r")

_TOKEN: Final = re.compile(r"[a-z0-9!#$&^_.+-]{1,80}/[a-z0-9!#$&^_.+-]{1,80}")

_LONGEST_PARAMETERS: Final = 1500


class Headers(Value):
    """The headers of a part, unfolded, names in lower case.

    ``odd`` are the names of fields that another program may know by another name or value than we:
    with a blank before the colon (RFC 5322 section 4.5), or signs that decoding drops.
    """

    fields: tuple[tuple[str, str], ...]
    odd: frozenset[str] = frozenset()

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of a header, top first."""
        return tuple(value for known, value in self.fields if known == name)

    def get(self, name: str) -> str:
        """Return the topmost value of a header, or an empty text."""
        return next((value for known, value in self.fields if known == name), "")

    def text(self, name: str) -> str:
        """Return a header decoded, on one line, without control characters."""
        return decode_words(self.get(name))


class Part(Value):
    """A leaf of the tree: its declared type, its encoded bytes."""

    headers: Headers
    content_type: str
    parameters: dict[str, str]
    raw: bytes

    @property
    def attached(self) -> bool:
        """Whether the part came as a file rather than as text."""
        return self.headers.get("content-disposition").strip().lower().startswith("attachment")

    @property
    def name(self) -> str:
        """The file's name, decoded, or an empty text."""
        disposition = _parameters(self.headers.get("content-disposition"))
        return decode_words(disposition.get("filename") or self.parameters.get("name", ""))

    def content(self, cap: int) -> tuple[bytes, bool]:
        """Undo the transfer encoding; return at most ``cap`` bytes, and if more were left out."""
        encoding = self.headers.get("content-transfer-encoding").strip().lower()
        # Quoted-printable takes three bytes for one, base64 fewer; so this bounds the decoding too.
        content = decode_transfer(self.raw[: 4 * cap], encoding)
        return content[:cap], len(content) > cap or len(self.raw) > 4 * cap

    def text(self, cap: int) -> tuple[str, bool]:
        """Return the text of at most ``cap`` bytes, and if more were left out."""
        content, cut = self.content(cap)
        return decode_text(content, self.parameters.get("charset")), cut


@dataclass(slots=True)
class Tree:
    """The leaves of a letter, in order; ``truncated``: some were not read."""

    headers: Headers
    leaves: list[Part] = field(default_factory=list)
    truncated: bool = False


def parse_tree(raw: bytes, *, most_parts: int, deepest: int) -> Tree:
    """Take a letter apart. Never raises."""
    plain = raw.replace(b"\r\n", b"\n").removeprefix(b"\n")
    # Old Macintosh programs end lines by a bare carriage return; elsewhere one ends no header.
    if b"\n" not in plain:
        plain = plain.replace(b"\r", b"\n").removeprefix(b"\n")
    headers, body = _split_headers(plain, HEADER_BYTES)
    body = body.replace(b"\r", b"\n")
    tree = Tree(headers)
    # A stack instead of recursion: the nesting is the sender's, the depth of ours is not.
    pending = [(headers, body, 0, "text/plain")]
    while pending:
        headers, body, depth, default = pending.pop()
        content_type, parameters = _content_type(headers, default)
        if not content_type.startswith("multipart/"):
            tree.leaves.append(Part(headers, content_type, parameters, body))
            continue
        room = most_parts - len(tree.leaves) - len(pending)
        parts: list[bytes] = []
        if depth < deepest:
            parts += _multipart(body, parameters.get("boundary", ""), room + 1)
            if not parts:
                # The blank line lets the whole body pass as a part without headers.
                parts = [b"\n" + body]
            elif len(parts) > room:
                tree.truncated = True
                parts = parts[: max(room, 0)]
        else:
            tree.truncated = True
        # The default type of a digest's parts (RFC 2046 section 5.1.5).
        inner = "message/rfc822" if content_type == "multipart/digest" else "text/plain"
        split = [(*_split_headers(part, HEADER_BYTES), depth + 1, inner) for part in parts]
        # Reversed, because the last of the list is read next and parts keep their order.
        pending += reversed(split)
    return tree


def read_headers(raw: bytes) -> Headers:
    """Return the headers of a letter, from its first bytes. Never raises."""
    return parse_tree(raw[:HEADER_BYTES], most_parts=1, deepest=0).headers


def is_broken_off(raw: bytes) -> bool:
    """Return whether a letter ends before its text, or before its closing boundary."""
    headers, body = _split_headers(raw.replace(b"\r\n", b"\n"), len(raw))
    content_type, parameters = _content_type(headers, "text/plain")
    if content_type.startswith("multipart/"):
        return f"--{parameters.get('boundary', '')}--".encode() not in body
    return not body.strip()


def head_of(raw: bytes, most: int) -> bytes:
    """Return a letter's headers as they arrived, at most ``most`` bytes."""
    blank = _BLANK.search(raw, 0, most)
    return raw[: blank.start() if blank else most]


def _multipart(body: bytes, boundary: str, most: int) -> Iterator[bytes]:
    """Yield the parts between boundary lines. Without a usable boundary the first line decides."""
    name = boundary.rstrip().encode("utf-8", "replace")[:200]
    # Gateways rewrite a body and leave its old boundary in the header.
    if not name or b"--" + name not in body:
        guessed = re.search(rb"^--([^\s-][^\n]{0,100}[^\s])[ \t]*$", body[:4096], re.MULTILINE)
        if guessed is None:
            return
        name = guessed[1]
    # Escaped, since the boundary is the sender's; the whole line must match, as one boundary
    # may begin like another.
    mark = re.compile(rb"^--" + re.escape(name) + rb"(--)?[ \t]*(?:\n|\Z)", re.MULTILINE)
    start: int | None = None
    count = 0
    for line in mark.finditer(body):
        if start is not None:
            # The line feed before a boundary belongs to the boundary (RFC 2046 section 5.1.1).
            yield body[start : max(start, line.start() - 1)]
            count += 1
        start = line.end()
        if line[1] or count >= most:
            return
    if start is not None:
        yield body[start:]


def _split_headers(raw: bytes, cap: int) -> tuple[Headers, bytes]:
    """Split at the first line that is blank or no header."""
    fields: list[tuple[str, bytes]] = []
    odd: set[str] = set()
    at = 0
    while at < len(raw):
        end = raw.find(b"\n", at)
        end = len(raw) if end < 0 else end
        line = raw[at : min(end, at + LONGEST_HEADER)].replace(b"\r", b" ")
        if not line.strip():
            at = end + 1
            break
        named = _FIELD.match(line)
        if line[:1] in b" \t" and fields:
            name, value = fields[-1]
            # Beyond the limit it is skipped, not split: its rest must not pass for a header.
            if len(value) < LONGEST_HEADER:
                fields[-1] = (name, value + b" " + line.strip())
        elif named:
            if len(fields) < MOST_HEADERS and at < cap:
                name = named[1].decode("ascii").lower()
                fields.append((name, line[named.end() :].strip()))
                if line[named.end(1) : named.end(1) + 1] != b":":
                    odd.add(name)
        # Mailbox files leave such a line behind; anything else begins the text.
        elif not line.startswith((b"From ", b">From ")):
            break
        at = end + 1
    odd |= {name for name, value in fields if value.startswith(BOM_UTF8) or b"\0" in value}
    decoded = tuple((name, decode_text(value[:LONGEST_HEADER], None)) for name, value in fields)
    return Headers(decoded, frozenset(odd)), raw[at:]


def _content_type(headers: Headers, default: str) -> tuple[str, dict[str, str]]:
    # The parser of parameters takes quadratic time, hence the bound.
    value = headers.get("content-type")[:_LONGEST_PARAMETERS]
    name = value.partition(";")[0].strip().lower()
    if not _TOKEN.fullmatch(name):
        # An unreadable type is read as text (RFC 2045 section 5.2), an absent one as its place
        # implies.
        name = default if not name else "text/plain"
    return name, _parameters(value)


def _parameters(value: str) -> dict[str, str]:
    """Return the parameters of a header (RFC 2045 section 5.1, RFC 2231), bounded."""
    message = Message()
    message["Content-Type"] = " ".join(value[:_LONGEST_PARAMETERS].split())
    try:
        pairs: list[tuple[str, Any]] = message.get_params(failobj=[])
    # The library's parser fails on odd encoded parameters with each of these.
    except (ValueError, LookupError, IndexError, TypeError):
        return {}
    parameters: dict[str, str] = {}
    for name, content in pairs[1:]:
        if isinstance(content, tuple):
            charset, _, text = content
            plain = decode_text(text.encode("latin-1", "replace"), charset)
        else:
            plain = content
        parameters.setdefault(name.lower(), plain.strip())
    return parameters
