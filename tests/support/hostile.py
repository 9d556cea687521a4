"""Letters too big or too many to be kept as files: bombs, floods and traps, made when asked for."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from email.parser import BytesHeaderParser
from email.policy import compat32

HEAD = (
    b"From: alice@example.org\r\nTo: referee@example.test\r\nSubject: Re: your move\r\n"
    b"Message-ID: <flood@example.org>\r\nIn-Reply-To: <turn14@example.test>\r\n"
)

HTML = b"Content-Type: text/html; charset=utf-8\n\n"
MIXED = b"Content-Type: multipart/mixed; boundary=b\n\n"

SHAPES: dict[str, Callable[[int], bytes]] = {
    "blank lines": lambda n: b"\n\n" + b"\n" * n,
    "attributions": lambda n: b"\n\n" + b"On Mon, x 1\n" * (n // 12),
    "dates": lambda n: b"\n\n" + b"23.11.2026 10:04 a@b\n" * (n // 21),
    "frames": lambda n: b"\n\n" + b"--- referee \n" * (n // 13),
    "frames with news": lambda n: b"\n\n" + (b"-a-1 \xc2\xb7 x " * 40 + b"\n") * (n // 401),
    "dashes": lambda n: b"\n\n" + (b"-" * 900 + b" referee\n") * (n // 909),
    "heads": lambda n: b"\n\n" + b"=== moor-7 \n" * (n // 12),
    "boxes": lambda n: b"\n\n" + "=== moor-7 · t · K7PQ-M2XD ===\n(\n".encode() * (n // 34),
    "headers in text": lambda n: b"\n\n" + b"From: x\nDate: y\n" * (n // 16),
    "quotes": lambda n: b"\n\n" + (b"> " * 400 + b"\n") * (n // 801),
    "footers": lambda n: b"\n\nx\n" + b"my mobile\n" * (n // 20) + b"> x\nmy mobile\n" * (n // 28),
    "initials": lambda n: b"\n\n" + (b"ABC> AB" * 140 + b"\n") * (n // 981),
    "objects": lambda n: b"\n\n" + b'{"\n' * (n // 3),
    "list marks": lambda n: b"\n\n" + (b"1. - * " * 140 + b"\n") * (n // 981),
    "orders": lambda n: b"\n\n" + b"place and and D6 and and D7\n" * (n // 28),
    "commands": lambda n: b"\n\n" + b"message all\n" * (n // 12),
    "ligatures": lambda n: b"\n\n" + "ﷺ".encode() * (n // 3),
    "open tags": lambda n: HTML + b"<div>" * (n // 5),
    "crossed tags": lambda n: HTML + b"<a><b><p></a>x" * (n // 14),
    "quote tags": lambda n: HTML + b"<blockquote>x" * (n // 13),
    "containers": lambda n: HTML + b"<div class=gmail_quote>x<blockquote>" * (n // 36),
    "attributes": lambda n: HTML + b"<p " + b" ".join(b"a%d=1" % i for i in range(n // 8)) + b">",
    "comments": lambda n: HTML + b"<!--" * (n // 4),
    "originals": lambda n: (
        HTML + b"<div id=divRplyFwdMsg>From: x<p>-- referee - referee" * (n // 51)
    ),
    "entities": lambda n: HTML + b"&#x10ffff;&amp;&lt" * (n // 18),
    "nested parts": lambda n: b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(n // 60)
    ),
    "many parts": lambda n: MIXED + b"--b\n\n" * (n // 6),
    "many headers": lambda n: b"From: x\n" * (n // 8),
    "folded headers": lambda n: b"From: x\n" + b" a\n" * (n // 3),
    "comments in From": lambda n: b"From: " + b"(<," * (n // 3),
    "parameters": lambda n: b"Content-Type: a/b; " + b'";' * (n // 2),
    "encoded words": lambda n: b"Subject: " + b"=?a?q?" * (n // 6),
    "soft line ends": lambda n: b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * (n // 3),
    "references": lambda n: b"References: " + b"<a@b>\n " * (n // 7),
    "message ids": lambda n: b"Message-ID: " + b"<=?a@" * (n // 5),
    "escapes": lambda n: b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=3D=\n" * (n // 5),
    "json": lambda n: b"Content-Type: application/json\n\n" + b'{"a":"' * (n // 6),
}
"""By name: a letter of about ``n`` bytes that a careless reader takes long over."""


def _parts(count: int) -> bytes:
    return MIXED + b"--b\nContent-Type: text/plain\n\nx\n" * count + b"--b\n\npass\n--b--\n"


def _nested(depth: int) -> bytes:
    levels = (
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(depth)
    )
    return b"".join(levels) + b"\npass\n"


def _json(document: object) -> bytes:
    body = base64.encodebytes(json.dumps(document).encode())
    return b"Content-Type: application/json\nContent-Transfer-Encoding: base64\n\n" + body


BOMBS: dict[str, Callable[[], bytes]] = {
    "ten thousand parts": lambda: HEAD + _parts(10_000),
    "nested a thousand deep": lambda: HEAD + _nested(1_000),
    "ten thousand headers": lambda: HEAD + b"X-Evil: pass\n" * 10_000 + b"\nHello.\n",
    "ten thousand senders": lambda: b"From: " + b"a@b.example, " * 10_000 + b"\n\npass\n",
    "one header of half a megabyte": lambda: HEAD + b"X-Evil: " + b"x " * 250_000 + b"\n\nHello.\n",
    "one line of half a megabyte": lambda: HEAD + b"\n" + b"Hello " * 80_000,
    "ten thousand boxes": lambda: (
        HEAD + b"\n" + "=== moor-7 · t · 0000-0000 ===\nHello\n".encode() * 10_000
    ),
    "two hundred calls for help": lambda: HEAD + b"\n" + b"help\nmatches\n" * 100,
    "two hundred messages": lambda: (
        HEAD + b"\n" + b"".join(b"message all: hello %d\n" % n for n in range(200))
    ),
    "ten thousand lines of orders": lambda: HEAD + b"\n" + b"pass it on\n" * 10_000,
    "ten thousand orders as JSON": lambda: (
        HEAD + _json({"code": "0000-0000", "orders": ["x"] * 10_000})
    ),
    "a hundred thousand quotes in HTML": lambda: HEAD + HTML + b"<blockquote>" * 80_000,
    "half a megabyte of base64 that is none": lambda: (
        HEAD + b"Content-Transfer-Encoding: base64\n\n" + b"!" * 500_000
    ),
    "a laugh of entities": lambda: (
        HEAD
        + HTML
        + b"<!DOCTYPE x [<!ENTITY a0 'pass'>"
        + b"".join(b"<!ENTITY a%d '%b'>" % (i, b"&a%d;" % (i - 1) * 10) for i in range(1, 20))
        + b"]><p>&a19;</p>"
    ),
}
"""Floods below the size that is fetched whole, all from a known player in a good thread."""

MEGABYTES = 50


def enormous() -> bytes:
    """Return a letter of fifty megabytes with an order at its end."""
    return HEAD + b"\n" + b"Hello, referee.\n" * (MEGABYTES * 65_536) + b"pass\n"


OURS = frozenset({
    "From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References",
    "Auto-Submitted", "X-Auto-Response-Suppress", "X-Referee-Loop", "X-Referee-Match",
    "X-Referee-Head", "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
})  # fmt: skip
"""Every header that stands in a mail of ours."""


def check_headers(raw: bytes, recipient: str) -> None:
    """Assert that a mail of ours has our headers, once each, and one recipient."""
    head, _, _ = raw.partition(b"\r\n\r\n")
    assert head.isascii()
    assert b"\r" not in head.replace(b"\r\n", b"")
    assert b"\n" not in head.replace(b"\r\n", b"")
    assert all(byte >= 0x20 or byte in b"\r\n\t" for byte in head)
    names = [name for name, _ in BytesHeaderParser(policy=compat32).parsebytes(raw).items()]
    assert len(names) == len(set(names))
    assert set(names) <= OURS
    assert f"\r\nTo: <{recipient}>\r\n".encode() in head
