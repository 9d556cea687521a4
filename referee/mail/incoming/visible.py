"""Heads and seed commitments of a match in our mails."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from referee.mail.incoming import letter as incoming_letter
from referee.mail.incoming import mime
from referee.mail.incoming.letter import LIMITS, Letter
from referee.signs import (
    MOST_WRAPPED,
    Frame,
    kind_of_frame,
    place_of_frame,
    plain_line,
    signs_over,
)
from referee.value import Value

MATCH_HEADER: Final = "X-Referee-Match"

HEAD_HEADER: Final = "X-Referee-Head"

LONGEST_HEAD: Final = 80
"""Characters read of a head in a header. A true one has 64 digits."""

_QUOTE: Final = re.compile(r"(?:[ \t]{0,3}>[ \t]?)*+")

_SHORT_HEAD: Final = re.compile(r"[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}")

_HEX: Final = re.compile(r"[0-9a-f]{64}")


class Shown(Value):
    """Heads and commitments in one mail about a match.

    Both are empty for other mails. ``heads`` are 64 hexadecimal digits or, from the text, twelve
    letters ``abcd-efgh-ijkl``; ``commitments`` 64 hexadecimal digits.
    """

    heads: tuple[str, ...]
    commitments: tuple[str, ...]


def shown_proofs(raw: bytes, match: str, phrases: Sequence[str]) -> Shown:
    """Return the heads and commitments a mail shows of a match. Never raises.

    Heads are taken from the header fields, the turn file, and the lines of our text that begin with
    one of ``phrases``; text by players never begins a line of ours, nor does indented text.
    """
    letter = incoming_letter.read_letter(raw)
    lines = list(_lines(letter, match))
    begins = tuple(each.strip().casefold() for each in phrases)
    texts = [each.casefold() for each in lines]
    rests = [each[len(start) :].strip() for each in texts for start in begins if _is(each, start)]
    heads = [*_header_heads(raw, match), *_turn_file_heads(letter, match)]
    heads += [each for each in rests if _SHORT_HEAD.fullmatch(each)]
    commitments = [each for each in texts if _HEX.fullmatch(each)]
    return Shown(tuple(dict.fromkeys(heads)), tuple(dict.fromkeys(commitments)))


def _is(line: str, start: str) -> bool:
    return bool(start) and line.startswith(start)


def _header_heads(raw: bytes, match: str) -> Iterator[str]:
    limits = LIMITS
    top = raw[: limits.header_bytes]
    headers = mime.parse_tree(
        top, most_parts=1, deepest=0, header_bytes=limits.header_bytes
    ).headers
    # A mail that names another match may not vouch for a head of this one.
    if match in {each.strip().lower() for each in headers.all(MATCH_HEADER.lower())}:
        for each in headers.all(HEAD_HEADER.lower()):
            if head := each.strip().lower()[:LONGEST_HEAD]:
                yield head


def _turn_file_heads(letter: Letter, match: str) -> Iterator[str]:
    for document in letter.json:
        value = document.value
        if isinstance(value, dict) and value.get("kind") == "turn" and value.get("match") == match:
            yield str(value.get("head"))[:LONGEST_HEAD]


def _lines(letter: Letter, match: str) -> Iterator[str]:
    """Yield the lines within a match's frames, without quote marks."""
    for block in letter.blocks:
        # Our text still counts when it comes back quoted, or with no-break spaces.
        lines = [
            _QUOTE.sub("", line.replace("\xa0", " "), count=1).rstrip()
            for line in block.splitlines()
        ]
        plain = [plain_line(line) for line in lines]
        current, at = "", 0
        while at < len(lines):
            count, frame = next(_frames(plain[at : at + MOST_WRAPPED]), (1, None))
            if frame is not None:
                # Frames of other matches end this one: a digest holds several reports.
                opens = kind_of_frame(frame) is Frame.OPENS
                current = place_of_frame(frame) if opens else ""
            elif current == match:
                yield lines[at]
            at += count


def _frames(lines: Sequence[str]) -> Iterator[tuple[int, re.Match[str]]]:
    for count, _, sign in signs_over(lines):
        if kind_of_frame(sign):
            yield count, sign
