"""How much time hostile letters cost: never more than in proportion to their size."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from referee.mail.marks import cut
from referee.mail.reading import read

SHAPES: dict[str, Callable[[int], bytes]] = {
    "blank lines": lambda n: b"\n\n" + b"\n" * n,
    "attributions": lambda n: b"\n\n" + b"On Mon, x 1\n" * (n // 12),
    "frames": lambda n: b"\n\n" + b"--- referee \n" * (n // 13),
    "dashes": lambda n: b"\n\n" + (b"-" * 900 + b" referee\n") * (n // 909),
    "heads": lambda n: b"\n\n" + b"=== moor-7 \n" * (n // 12),
    "boxes": lambda n: b"\n\n" + "=== moor-7 · t · K7PQ-M2XD ===\n(\n".encode() * (n // 34),
    "headers in text": lambda n: b"\n\n" + b"From: x\nDate: y\n" * (n // 16),
    "quotes": lambda n: b"\n\n" + (b"> " * 400 + b"\n") * (n // 801),
    "objects": lambda n: b"\n\n" + b'{"\n' * (n // 3),
    "open tags": lambda n: b"Content-Type: text/html\n\n" + b"<div>" * (n // 5),
    "crossed tags": lambda n: b"Content-Type: text/html\n\n" + b"<a><b><p></a>x" * (n // 14),
    "quote tags": lambda n: b"Content-Type: text/html\n\n" + b"<blockquote>x" * (n // 13),
    "containers": lambda n: (
        b"Content-Type: text/html\n\n" + b"<div class=gmail_quote>x<blockquote>" * (n // 36)
    ),
    "attributes": lambda n: (
        b"Content-Type: text/html\n\n<p " + b" ".join(b"a%d=1" % i for i in range(n // 8)) + b">"
    ),
    "comments": lambda n: b"Content-Type: text/html\n\n" + b"<!--" * (n // 4),
    "nested parts": lambda n: b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(n // 60)
    ),
    "many parts": lambda n: (
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\n" * (n // 6)
    ),
    "many headers": lambda n: b"From: x\n" * (n // 8),
    "folded headers": lambda n: b"From: x\n" + b" a\n" * (n // 3),
    "comments in From": lambda n: b"From: " + b"(<," * (n // 3),
    "parameters": lambda n: b"Content-Type: a/b; " + b'";' * (n // 2),
    "encoded words": lambda n: b"Subject: " + b"=?a?q?" * (n // 6),
    "soft line ends": lambda n: b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * (n // 3),
    "references": lambda n: b"References: " + b"<a@b>\n " * (n // 7),
}


def cost(raw: bytes) -> float:
    """Return the seconds of CPU one reading takes, the better of two."""
    times = []
    for _ in range(2):
        begun = time.process_time()
        letter = read(raw)
        for block in letter.blocks:
            cut(block)
        times.append(time.process_time() - begun)
    return min(times)


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_size_costs_at_most_two_and_a_half_times(shape: str):
    """Hostile letters cost time in proportion to their size; 20 ms are nobody's concern."""
    small, large = SHAPES[shape](50_000), SHAPES[shape](100_000)
    # The machine may be busy with something else; a quadratic reader fails every time.
    assert any(cost(large) <= max(2.5 * cost(small), 0.02) for _ in range(4))
