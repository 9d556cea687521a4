"""Mails packed for the database: smaller, and the same to the byte when unpacked."""

from __future__ import annotations

import zlib
from base64 import encodebytes
from random import Random

import pytest

from referee.store.database.packing import pack, unpack

pytestmark = pytest.mark.fast

NOISE = Random(5).randbytes(9000)
PAGE = b"<p>a line of a page that a mail brings along</p>\n" * 400


def attached(content: bytes) -> bytes:
    """Return a mail with a file."""
    lines = encodebytes(content).replace(b"\n", b"\r\n")
    return b"Subject: a board\r\n\r\n" + lines + b"\r\n--end--\r\n"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"Subject: hi\r\n\r\nshort\r\n",
        attached(PAGE),
        attached(b"\x89PNG\r\n" + NOISE),
        attached(PAGE) + attached(NOISE) + attached(PAGE),
        attached(PAGE).replace(b"\r\n", b"\n"),
        attached(NOISE)[:-300],
        encodebytes(NOISE).replace(b"\n", b"\r\n"),
        b"\r\n\r\n" + (b"A" * 76 + b"\r\n") * 60,
        b"\r\n\r\n" * 9 + (b"A" * 76 + b"\r\n") * 60 + b"\r\n" + (b"B" * 76 + b"\r\n") * 60,
        b"\r\n\r\n" + (b"A" * 75 + b"=\r\n") * 60,
        NOISE,
    ],
)
def test_a_mail_comes_back_as_it_was(raw: bytes) -> None:
    """Whatever a mail looks like, not a byte of it changes."""
    assert unpack(pack(raw)) == raw


def test_files_are_packed_without_their_base64() -> None:
    """Text shrinks to a tenth; a picture, which does not, takes its own bytes and few more."""
    picture = b"\x89PNG\r\n" + NOISE
    assert len(pack(attached(PAGE))) < len(PAGE) / 10
    assert len(pack(attached(picture))) < len(picture) + 300


def test_bytes_that_are_no_packed_mail_are_refused() -> None:
    """A row damaged on the disk is a fault, not an empty mail."""
    with pytest.raises(zlib.error):
        unpack(b"Subject: hi\r\n\r\n")
    with pytest.raises(zlib.error):
        unpack(pack(attached(PAGE))[:-20])
