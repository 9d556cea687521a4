"""Heads and seed commitments of a match in our mails."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from referee.mail.incoming.letter import Letter, read_letter
from referee.mail.incoming.mime import read_headers
from referee.signs import MOST_WRAPPED, kind_of_frame, place_of_frame, plain_line, signs_over

MATCH_HEADER: Final = "X-Referee-Match"

HEAD_HEADER: Final = "X-Referee-Head"

LONGEST_HEAD: Final = 80
"""Characters read of a head in a header. A true one has 64 digits."""

_QUOTE: Final = re.compile(r"(?:[ \t]{0,3}>[ \t]?)*+")

_SHORT_HEAD: Final = re.compile(r"[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}")

_HEX: Final = re.compile(r"[0-9a-f]{64}")


def shown_proofs(raw: bytes, match: str, phrases: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the heads and commitments a mail shows of a match, each once. Never raises.

    Both are 64 hexadecimal digits, heads from the text twelve letters ``abcd-efgh-ijkl``. Heads
    are taken from the header fields, the turn file, and the lines of our text that begin with one
    of ``phrases``; text by players never begins a line of ours, nor does indented text.
    """
    headers = read_headers(raw)
    heads: list[str] = []
    # A mail that names another match may not vouch for a head of this one.
    if match in {name.strip().lower() for name in headers.all(MATCH_HEADER.lower())}:
        shown = (value.strip().lower() for value in headers.all(HEAD_HEADER.lower()))
        heads += [head[:LONGEST_HEAD] for head in shown if head]
    letter = read_letter(raw)
    for document in letter.json:
        value = document.value
        if isinstance(value, dict) and value.get("kind") == "turn" and value.get("match") == match:
            heads.append(str(value.get("head"))[:LONGEST_HEAD])
    begins = [start for phrase in phrases if (start := phrase.strip().casefold())]
    lines = [line.casefold() for line in _lines_in_frames(letter, match)]
    rests = [
        line[len(start) :].strip() for line in lines for start in begins if line.startswith(start)
    ]
    heads += [rest for rest in rests if _SHORT_HEAD.fullmatch(rest)]
    commitments = [line for line in lines if _HEX.fullmatch(line)]
    return [*dict.fromkeys(heads)], [*dict.fromkeys(commitments)]


def _lines_in_frames(letter: Letter, match: str) -> Iterator[str]:
    """Yield the lines within a match's frames, without quote marks."""
    for block in letter.blocks:
        # Our text still counts when it comes back quoted, or with no-break spaces.
        lines = [
            _QUOTE.sub("", line.replace("\xa0", " "), count=1).rstrip()
            for line in block.split("\n")
        ]
        plain = [plain_line(line) for line in lines]
        current, at = "", 0
        while at < len(lines):
            for used, _, sign in signs_over(plain[at : at + MOST_WRAPPED]):
                if frame := kind_of_frame(sign):
                    # Frames of other matches end this one: a digest holds several reports.
                    current = place_of_frame(sign) if frame == "opens" else ""
                    at += used
                    break
            else:
                if current == match:
                    yield lines[at]
                at += 1
