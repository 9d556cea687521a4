"""Every reader takes time in proportion to what it is given, up to the cap of what it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from support.cost import in_proportion
from support.hostile import HEAD, HTML, MIXED

from referee.desk.letters.words.places import documents_of
from referee.mail import authentication
from referee.mail.addressing import addresses, message_ids, valid_address
from referee.mail.incoming import letter
from referee.mail.incoming.bounces import read_bounce
from referee.mail.incoming.decoding import (
    LONGEST_HEADER,
    decode_words,
    holds_encrypted,
    without_signature,
)
from referee.mail.incoming.letter import Limits
from referee.mail.incoming.mime import HEADER_BYTES

LIMITS = Limits()
US = "mx.example.org"
JSON = HEAD + b"Content-Type: application/json\n\n"
REPORT = (
    b"From: MAILER-DAEMON@example.test\nContent-Type: multipart/report; boundary=b\n\n"
    b"--b\nContent-Type: message/delivery-status\n\n"
)
DAEMON = b"From: MAILER-DAEMON@example.test\n\n"
ARMOUR = b"-----BEGIN PGP SIGNATURE-----\n"
SIGNED = b"-----BEGIN PGP SIGNED MESSAGE-----\n"


@dataclass(frozen=True)
class Reader:
    """What reads something, up to how many bytes, and letters that are hard to read for it."""

    work: Callable[[bytes], object]
    cap: int
    shapes: dict[str, Callable[[int], bytes]]


def repeated(piece: bytes, before: bytes = b"", after: bytes = b"") -> Callable[[int], bytes]:
    """Return what makes so many bytes of a piece."""
    return lambda size: before + piece * (size // len(piece)) + after


def pairs(size: int, last: bytes) -> bytes:
    """Return a JSON object of different keys, and one more at its end."""
    keys = b",".join(b'"%d":0' % number for number in range(size // 11))
    return JSON + b"{" + keys + b',"' + last + b'":1}'


def vouched(raw: bytes) -> bool:
    text = raw.decode()
    return authentication.is_vouched([text] * 10, US, "alice@example.net")


READERS = {
    "JSON": Reader(
        lambda raw: documents_of(letter.read_letter(raw)),
        LIMITS.part_bytes - 1_000,
        {
            "last key twice": lambda n: pairs(n, b"%d" % (n // 11 - 1)),
            "first key twice": lambda n: pairs(n, b"0"),
            "all keys different": lambda n: pairs(n, b"x"),
            "one key only": repeated(b'"a":1,', JSON + b"{", b'"a":1}'),
            "many orders": repeated(b'{"order":"a","to":[1]},', JSON + b'{"orders":[', b"1]}"),
            "escapes": repeated(b"\\u0041", JSON + b'["', b'"]'),
            "brackets": repeated(b"[],", JSON + b"[", b"1]"),
            "a number": repeated(b"1", JSON + b"[1.", b"]"),
            "an open text": repeated(b'\\"', JSON + b'["'),
            "surrogates": repeated(b"\\ud800", JSON + b'["', b'"]'),
        },
    ),
    "JSON in text": Reader(
        lambda raw: documents_of(letter.read_letter(raw)),
        LIMITS.text,
        {
            "open": repeated(b'{"a":\n', HEAD + b"\n"),
            "fences": repeated(b'```\n{"a":1}\n```\n', HEAD + b"\n"),
            "keys": lambda n: HEAD + pairs(n, b"0")[len(JSON) - 1 :].replace(b",", b",\n"),
        },
    ),
    "MIME": Reader(
        letter.read_letter,
        1_000_000,
        {
            "parts": repeated(b"--b\n\nx\n", HEAD + MIXED),
            "nearly parts": repeated(b"--bb\n", HEAD + MIXED),
            "parts of headers": repeated(b"--b\nContent-Type: a/b;c=d\n", HEAD + MIXED),
            "attached letters": repeated(
                b"--b\nContent-Type: message/rfc822\n\nFrom: x\n", HEAD + MIXED
            ),
            "nested": lambda n: (
                HEAD
                + b"".join(
                    b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i)
                    for i in range(10)
                )
                + b"--b9\n\n" * (n // 6)
            ),
            "base64": repeated(b"QUFB\n", HEAD + b"Content-Transfer-Encoding: base64\n\n"),
            "padding": repeated(b"Q=\n", HEAD + b"Content-Transfer-Encoding: base64\n\n"),
            "escapes": repeated(
                b"=3D=\n", HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n"
            ),
        },
    ),
    "headers": Reader(
        letter.senders_of,
        HEADER_BYTES,
        {
            "folds": repeated(b" a\n", b"From: x\n"),
            "many": repeated(b"From: a@b.test\n"),
            "many folded": repeated(b"X: y\n z\n"),
            "no end": repeated(b"x"),
            "no name": repeated(b": x\n", b"From: a@b.test\n"),
        },
    ),
    "encoded words": Reader(
        lambda raw: decode_words(raw.decode()),
        LONGEST_HEADER,
        {
            "words": repeated(b"=?utf-8?q?=41?= "),
            "open": repeated(b"=?utf-8?b?"),
            "marks": repeated(b"=?"),
        },
    ),
    "HTML": Reader(
        letter.read_letter,
        200_000,
        {
            name: repeated(piece, HEAD + HTML)
            for name, piece in {
                "list": b"<li>",
                "paragraphs": b"<p>",
                "tables": b"<table><tr><td>",
                "inline": b"<b><i>",
                "lines": b"<br>",
                "quotes": b"<blockquote>x",
                "quote blocks": b"<div class=gmail_quote>x</div>",
                "comments": b"<!-- -->",
                "entities": b"&#65;&amp",
                "ends": b"</p></div>",
                "open": b"<a href='",
            }.items()
        },
    ),
    "text": Reader(
        letter.read_letter,
        LIMITS.text,
        {
            "flowed": repeated(b"a \n", HEAD + b"Content-Type: text/plain; format=flowed\n\n"),
            "mixed bytes": repeated(b"\xff\n\xc3\xa4\n", HEAD + b"\n"),
            "marks": repeated(b"> > ", HEAD + b"\n"),
            "odd line ends": repeated("> x\u2028".encode(), HEAD + b"\n"),
        },
    ),
    "Authentication-Results": Reader(
        vouched,
        authentication.LONGEST - 100,
        {
            "comments": repeated(b"(", f"{US}; ".encode()),
            "nested": lambda n: f"{US}; ".encode() + b"(" * (n // 2) + b")" * (n // 2),
            "results": repeated(b"dkim=pass header.d=a;", f"{US}; ".encode()),
            "properties": repeated(b" header.d=a", f"{US}; dkim=pass".encode()),
            "quotes": repeated(b'"a', f"{US}; dkim=pass reason=".encode()),
            "escapes": repeated(b"\\\\", f'{US}; dkim=pass reason="'.encode()),
            "spaces": repeated(b" \t", f"{US};".encode(), b"x"),
            "dots": repeated(b"a.", f"{US}; dkim=pass header.".encode()),
        },
    ),
    "bounces": Reader(
        read_bounce,
        262_144,
        {
            "folds": repeated(b" x\n", REPORT + b"Status: 5.1.1\n"),
            "groups": repeated(b"Status: 4.1.1\n\n", REPORT),
            "fields": repeated(b"a: b\n", REPORT),
            "figures": repeated(b"5.1.", DAEMON),
            "codes": repeated(b"550x", DAEMON),
            "lines": repeated(b"5.\n", DAEMON),
        },
    ),
    "OpenPGP armour": Reader(
        lambda raw: (without_signature(raw.decode()), holds_encrypted(raw.decode())),
        1_000_000,
        {
            "beginnings": repeated(SIGNED),
            "beginnings of texts": repeated(SIGNED + b"\npass\n"),
            "headers": repeated(b"Hash: x\n", SIGNED),
            "lines": repeated(b"- -\n", SIGNED + b"\n"),
            "signatures without end": repeated(ARMOUR + b"QUFB\n", SIGNED + b"\n"),
            "a long signature": repeated(b"QUFB\n", SIGNED + b"\n" + ARMOUR),
            "encrypted": repeated(b"-----BEGIN PGP MESSAGE----- x\n"),
            "blanks": repeated(b" ", b"-----BEGIN PGP MESSAGE-----", b"x"),
        },
    ),
    "addresses": Reader(
        lambda raw: addresses(raw.decode()),
        LONGEST_HEADER,
        {
            "many": repeated(b"a@b.test,"),
            "angles": repeated(b"<a@b"),
            "comments": repeated(b"(\\("),
            "quotes": repeated(b'"\\"'),
            "groups": repeated(b"a:b;"),
            "dots": repeated(b"a.", after=b"@b.test"),
            "labels": repeated(b"a.", b"x@"),
            "beyond ASCII": repeated(f"a@{'ß' * 40}.b,".encode()),
            "no domain": repeated(f"a@{'नी' * 40}\u200d.b,".encode()),
        },
    ),
    "one address": Reader(
        lambda raw: valid_address(raw.decode()),
        LONGEST_HEADER,
        {
            "letters beyond ASCII": repeated("ß".encode(), b"x@"),
            "labels beyond ASCII": repeated("ß.".encode(), b"x@"),
            "marks": repeated("a\u0301".encode(), b"x@"),
            "arabic": repeated("ع١".encode(), b"x@"),
        },
    ),
    "Message-IDs": Reader(
        lambda raw: message_ids(raw.decode()),
        LONGEST_HEADER,
        {
            "open": repeated(b"<a@"),
            "encoded": repeated(b"<=?"),
            "many": repeated(b"<a@b>"),
        },
    ),
}

CASES = [(name, shape) for name, reader in READERS.items() for shape in reader.shapes]


@pytest.mark.parametrize(("name", "shape"), CASES, ids=[f"{a}-{b}" for a, b in CASES])
def test_a_reader_takes_time_in_proportion(name: str, shape: str) -> None:
    """Four times as much, up to the cap, costs at most 6.25 times; what is quadratic costs 16."""
    reader = READERS[name]
    assert in_proportion(reader.shapes[shape], reader.work, reader.cap // 4, reader.cap)


def test_of_a_page_so_many_tags_are_read() -> None:
    """A tag costs a hundred times what its bytes cost, so their number is bounded, and told."""
    few, many = (HEAD + HTML + b"<li>" * count + b"pass" for count in (49_999, 60_000))
    assert (letter.read_letter(few).truncated, "pass" in letter.read_letter(few).html_text[0]) == (
        False,
        True,
    )
    found = letter.read_letter(many)
    assert (found.truncated, "pass" in found.html_text[0]) == (True, False)


def test_the_tags_of_all_pages_count_together() -> None:
    """Many pages in one letter are read no further than one."""
    page = b"--b\n" + HTML + b"<li>" * 30_000 + b"pass\n"
    assert [("pass" in each) for each in letter.read_letter(HEAD + MIXED + page * 2).html_text] == [
        True,
        False,
    ]
