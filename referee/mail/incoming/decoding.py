"""Bytes decoded to text: charsets, encodings, encoded words, flowed paragraphs, armour of OpenPGP.

Nothing here raises for any bytes. Codecs that expand, execute or are slower than linear are not
used, whatever a letter declares.
"""

from __future__ import annotations

import codecs
import re
from binascii import a2b_base64, a2b_qp
from contextlib import suppress
from itertools import takewhile
from typing import Final

LONGEST_HEADER: Final = 8192
"""Characters read of one header; longer ones are only padding."""

MOST_STREAMS: Final = 8
"""Texts in base64 that may follow upon the first in one part."""

_CHARSETS: Final = re.compile(
    r"(?:utf[-_]?(?:8|16|32)(?:[-_]?[lb]e)?|u8|us[-_]ascii|ascii|latin[-_]?\d{1,2}|iso[-_]?8859.*"
    r"|windows[-_]?\d+|cp\d+|\d{3,4}|koi8[-_][rut]|mac[-_]?\w+|gb\w+|big5\w*|euc[-_]\w+"
    r"|ks[-_]?c[-_]?5601[-_\d]*|shift[-_]jis\w*|sjis|windows-31j|iso[-_]2022[-_]\w+|tis[-_]?620|viscii)(?:-sig)?"
)

_LABELS: Final = {
    "iso-8859-8-e": "iso8859-8",
    "iso-8859-8-i": "iso8859-8",
    "windows-31j": "cp932",
    "windows-874": "cp874",
    "windows-936": "gb18030",
    "windows-949": "cp949",
}
"""Codecs of labels that Python does not know."""

_WIDER: Final = {
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
}
"""Codecs that hold all signs of another one, and those that programs write under its name."""

_MULTIBYTE: Final = ("big5", "cp9", "euc", "gb", "shift_jis")

_NOT_A_NAME: Final = re.compile(r"[^a-z0-9]")

_BASE64: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

_PADDING: Final = re.compile(rb"=[=\s]*+")

_NOT_BASE64: Final = bytes(byte for byte in range(256) if byte not in _BASE64)

_ODD_IN_BASE64: Final = bytes(
    byte for byte in range(256) if byte in _BASE64 or byte in b" \t\r\n=-"
)

_WORD: Final = re.compile(r"=\?([^?\s]{1,40})\?([bBqQ])\?([^?\s]{0,2000})\?=(?:[ \t]+(?==\?))?")

_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")

_END_OF_LINE: Final = r"[ \t]*\n"

_SIGNED: Final = re.compile(
    rf"^-----BEGIN PGP SIGNED MESSAGE-----{_END_OF_LINE}"
    rf"(?:[A-Za-z]{{1,30}}: [^\n]*\n)*+{_END_OF_LINE}"
    # Signing puts a dash before every line that begins with one, so no such line is of the text.
    r"(?P<text>(?:(?!-----(?:BEGIN|END) PGP )[^\n]*\n)*+)"
    rf"-----BEGIN PGP SIGNATURE-----{_END_OF_LINE}"
    r"(?:(?!-----)[^\n]*\n)*+"
    r"-----END PGP SIGNATURE-----[ \t]*$",
    re.MULTILINE,
)

_DASHED: Final = re.compile(r"^- ", re.MULTILINE)

_ENCRYPTED: Final = re.compile(r"^-----BEGIN PGP MESSAGE-----[ \t]*$", re.MULTILINE)


def decode_text(raw: bytes, declared: str | None) -> str:
    """Return text, line by line, without NULs.

    It is read as declared, else as UTF-8, else as windows-1252, or as declared as far as it goes if
    it is of East Asia. Declared ISO 8859-1 is read as windows-1252 where possible, and a charset of
    East Asia as the widest of its kind, as every mail program does.
    """
    name = (declared or "").strip(" \"'").lower().removeprefix("x-")
    codec = None
    # A list of what is allowed: Python's codecs also hold zlib, rot13 and punycode, and a lookup of
    # any other name searches for a module to import.
    if len(name) <= 40 and _CHARSETS.fullmatch(name):
        with suppress(LookupError):
            codec = codecs.lookup(_LABELS.get(name, name)).name
            codec = _WIDER.get(codec, codec)
    # Declared Latin-1 is nearly always windows-1252: its range 80 to 9F holds quotes and dashes.
    for candidate in ("cp1252" if codec == "iso8859-1" else None, codec, "utf-8"):
        if candidate is None:
            continue
        try:
            return _clean(raw.decode(candidate))
        except UnicodeError:
            continue
    # Two or four bytes make a character here, so a line feed byte separates nothing.
    if codec and codec.startswith(("utf-16", "utf-32")):
        return _clean(raw.decode(codec, "replace"))
    # Read as windows-1252, one bad byte would spoil all signs of two bytes.
    otherwise = codec if codec and codec.startswith(_MULTIBYTE) else "cp1252"
    # By lines, since answers mix charsets: the quote in one, the program's own words in another.
    lines: list[str] = []
    for line in raw.split(b"\n"):
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeError:
            lines.append(line.decode(otherwise, "replace"))
    return _clean("\n".join(lines))


def _clean(text: str) -> str:
    # Encoding drops lone surrogates, which some codecs produce and no database stores.
    return text.removeprefix("\ufeff").replace("\0", "").encode("utf-8", "ignore").decode()


def decode_transfer(raw: bytes, encoding: str) -> bytes:
    """Undo a Content-Transfer-Encoding (RFC 2045 section 6); bytes in an unknown one stay.

    Parameters, comments, quotes and a blank in place of the dash are tolerated: left encoded, a
    soft line break would part a quoted line from its mark.
    """
    named = _NOT_A_NAME.sub("", encoding.lower().partition(";")[0].partition("(")[0])
    if named == "base64":
        return _base64(raw)
    if named == "quotedprintable":
        return a2b_qp(raw)
    return raw


def _base64(raw: bytes) -> bytes:
    odd = len(raw.translate(None, _ODD_IN_BASE64))
    # Plain text declared as base64 is full of spaces and points; damage leaves a few odd bytes.
    if odd * 10 > len(raw):
        return raw
    first, *others = _PADDING.split(raw, MOST_STREAMS)
    # Gateways put their own words behind what another program has encoded, encoded or not.
    return b"".join(map(_decoded, (first, *takewhile(_is_base64, others))))


def _is_base64(raw: bytes) -> bool:
    """Return whether lines hold nothing but base64, without its padding."""
    return not any(line.strip().translate(None, _BASE64) for line in raw.splitlines())


def _decoded(raw: bytes) -> bytes:
    digits = raw.translate(None, _NOT_BASE64)
    # One digit left over carries less than a byte and cannot be padded.
    if len(digits) % 4 == 1:
        digits = digits[:-1]
    return a2b_base64(digits + b"=" * (-len(digits) % 4))


def decode_words(value: str) -> str:
    """Return a header's text on one line, bounded, its words decoded (RFC 2047)."""
    decoded = _WORD.sub(_word, value[:LONGEST_HEADER])
    # After decoding: an encoded word may hold the line break that makes a second header.
    return " ".join(_CONTROLS.sub(" ", decoded).split())


def _word(word: re.Match[str]) -> str:
    charset, kind, content = word.groups()
    raw = content.encode("ascii", "replace")
    decoded = _base64(raw) if kind in "bB" else a2b_qp(raw, header=True)
    # RFC 2231 allows a language behind the charset: ``utf-8*de``.
    return decode_text(decoded, charset.partition("*")[0])


def unflow(text: str, *, delsp: bool) -> str:
    """Join the soft-wrapped lines of format=flowed text again (RFC 3676)."""
    paragraphs: list[list[str]] = []
    flowing: str | None = None
    for line in text.split("\n"):
        content = line.lstrip(">")
        marks = line[: len(line) - len(content)]
        # Space-stuffing (RFC 3676 section 4.4) protects lines that begin with a space or "From ".
        content = content.removeprefix(" ")
        # A signature's delimiter ends with a space and yet never flows (RFC 3676 section 4.3).
        soft = content.endswith(" ") and content != "-- "
        kept = content[:-1] if soft and delsp else content
        # A line of another depth of quotation never continues a paragraph, nor does the delimiter.
        if flowing == marks and content != "-- ":
            paragraphs[-1].append(kept)
        else:
            paragraphs.append([f"{marks} {kept}" if marks else kept])
        flowing = marks if soft else None
    return "\n".join(map("".join, paragraphs))


def without_signature(text: str) -> str:
    """Return a text as it was before OpenPGP signed it inline (RFC 9580 section 7).

    No signature is checked: the lines that signing adds go, so that they are no part of a message
    to others. Lines of the text end in line feeds alone.
    """
    return _SIGNED.sub(lambda signed: _DASHED.sub("", signed["text"]), text)


def holds_encrypted(text: str) -> bool:
    """Return whether a message that OpenPGP encrypted stands in a text, unquoted."""
    return _ENCRYPTED.search(text) is not None
