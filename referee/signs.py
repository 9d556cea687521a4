"""The signs of our own text, recognised in letters and removed elsewhere.

A frame is the first or last line of our text; between the two stands the order box. The first bears
the news, in a few words, because it is what lists of mails show. The reader of letters and the
writer of mails share these patterns: any text that the reader would take for a sign is defused by
the writer. With two sets of patterns, a spelling known to one of them alone would let a player
speak in another player's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

DASH: Final = "‐‑‒–—―−-"
_MATCH: Final = rf"[a-z][a-z0-9]{{0,40}}+\s?+[{DASH}]\s?+[0-9]{{1,12}}+"
_GARBLED: Final = r"[ÂÃâ‚€\s]{0,12}+"
_DOT: Final = rf"(?:\s*+{_GARBLED}[^\w\s=]{{1,8}}+{_GARBLED}|\s++(?![^\W_]++\s)\S{{1,16}}+\s++)"
"""A middle dot, its garble when UTF-8 is read as windows-1252, or another spelling of it.

A gateway that decodes nothing leaves ``=C2=B7`` there, one that escapes ``&middot;``.
"""

_SPOT: Final = (
    r"\s++(?:[ÂÃâ‚€]{1,6}+\s++){0,2}+"
    rf"(?:(?![ÂÃâ]++\s|[.,:;!'\"()/&]++\s)(?:[ÂÃâ]|[^\w\s{DASH}]){{1,12}}+|=(?:C2=)?B7|\\xb7|&(?:middot|#183|#xB7);)"
    r"\s++(?:[ÂÃâ‚€]{1,6}+\s++){0,2}+"
)
"""A middle dot between blanks, or what has become of it: no word, and no point of a sentence.

Narrower than the one above, which stands only where the sign around it is already certain.
"""

SIGN: Final = re.compile(
    rf"(?:(?<![{DASH}])[{DASH}]++\s*+(?:"
    # Both ends are required, so that nobody who writes of a match behind a dash begins our text. No
    # dash stands in the news: each is searched once, however many frames a line seems to begin.
    rf"(?P<opens>{_MATCH}|referee){_SPOT}[^{DASH}]{{1,200}}?{_SPOT}referee\s*+[{DASH}]++"
    rf"|referee{_SPOT}(?P<closes>{_MATCH}|referee)\s*+[{DASH}]++"
    # The frames of older mails: the first without news, the last behind some words.
    rf"|(?P<words>(?:[^\W\d_]{{1,20}}+\s++){{0,4}})(?P<framed>{_MATCH}|referee)"
    rf"(?:{_DOT}referee\b(?:\s*+[{DASH}]++)?|(?<=referee)\s*+(?:[{DASH}]{{2,}}+|[—―])))"
    rf"|(?<!=)={{2,}}+\s*+(?P<boxed>{_MATCH})(?P<title>{_DOT}(?:[^=]|=(?:C2=)?B7){{0,160}}+)(?P<closed>={{2,}}+|$)"
    rf"|(?<!=)={{2,}}+\s*+(?P<end>[^\W\d_]{{2,12}}+)\s*+(?:={{2,}}+|$))",
    re.IGNORECASE,
)
"""A frame, or the head or end of a box."""

LONGEST_SIGN: Final = 320
"""Characters within which a sign ends: one of ours is short, even if garbled."""

MOST_WRAPPED: Final = 3
"""Lines that a sign runs over at most, when it has been wrapped."""

STARTS: Final = re.compile(rf"[*_ ]{{0,4}}(?:==|[{DASH}])")
"""The start of a possible sign, after marks of emphasis."""

_OURS: Final = re.compile(
    "[ÂÃâ‚€ ]{0,12}[·・∙⋅‧…]|=(?:C2=)?B7|&(?:middot|#183|#xB7);", re.IGNORECASE
)

_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Invisible characters: joiners, direction marks, selectors, tags, lone surrogates."""

_LIKE_DASHES: Final = (
    r"\u2010-\u2015\u2043\u207b\u208b\u2212\u2500\u2501\u2796\u2e3a\u2e3b\ufe58\ufe63\uff0d"
)
_RUNS: Final = re.compile(rf"[-{_LIKE_DASHES}]{{2,}}|[{_LIKE_DASHES}]")
_LIKE_EQUALS: Final = r"\u1400\u207c\u208c\u2550\u2e40\ua78a\ufe66\uff1d"
_EQUALS: Final = re.compile(rf"[={_LIKE_EQUALS}](?:\s?[={_LIKE_EQUALS}])*")
_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")
"""The start of a tag, where programs that unescape twice end their quote."""

_ENTITY: Final = re.compile(
    r"&(?=#|[A-Za-z0-9]{1,32};|(?:lt|gt|amp|quot|shy|nbsp|middot)(?![a-z]))", re.IGNORECASE
)
"""The start of an escape, which those programs may turn into a tag."""

_HALF: Final = re.compile(
    rf"(?<!\w)[{DASH}]\s*+(?=(?:[^\W\d_]{{1,20}}+\s++){{0,4}}"
    rf"(?:{_MATCH}|referee\s*+\S{{0,12}}+\s*+(?:{_MATCH}|referee))"
    rf"|referee\b[^{DASH}]{{1,240}}?\breferee\s*+[{DASH}])",
    re.IGNORECASE,
)
"""The dash that begins a frame, even if its dots are garbled."""

LONGEST_NEWS: Final = 60
"""Characters of the news in a frame."""

_NO_NEWS: Final = re.compile(rf"[=\s{DASH}]+")


Frame = Literal["opens", "closes"]
"""A kind of frame: the first line of our text, or the last."""


def frame_open(place: str, news: str) -> str:
    """Return the first line of our text, in a mail about the match ``place``, or ``referee``.

    ``news`` are our own words, never a player's. Dashes in them become blanks.
    """
    return f"--- {place} · {_NO_NEWS.sub(' ', news).strip()} · referee ---"


def frame_close(place: str) -> str:
    """Return the last line of our text, in a mail about the match ``place``, or ``referee``."""
    return f"--- referee · {place} ---"


def plain_line(text: str) -> str:
    """Return a line without invisible characters and with single blanks."""
    seen = text if text.isascii() else _UNSEEN.sub("", text)
    return " ".join(seen.split())


def is_ours(text: str) -> bool:
    """Whether a line begins with our middle dot, intact or garbled."""
    return _OURS.match(text) is not None


def sign_at_start(text: str) -> re.Match[str] | None:
    """Return the sign that starts a plain line, after marks of emphasis."""
    start = STARTS.match(text)
    if start is None:
        return None
    # Bounded: a line of dashes would be searched in square time.
    sign = SIGN.search(text, 0, LONGEST_SIGN)
    return sign if sign is not None and not text[: sign.start()].strip("*_ ") else None


def signs_over(lines: Sequence[str]) -> Iterator[tuple[int, str, re.Match[str]]]:
    """Yield the signs that the first of some plain lines may begin, wrapped or not.

    Each comes with the number of lines that it runs over, and these in one.
    """
    if not lines or not STARTS.match(lines[0]):
        return
    for count in range(1, MOST_WRAPPED + 1):
        text = " ".join(lines[:count])
        if sign := sign_at_start(text):
            yield count, text, sign


def frame_of(text: str) -> Frame | None:
    """Return the kind of the frame with which a line begins; None for any other line."""
    sign = None if is_ours(text) else sign_at_start(text)
    return None if sign is None else kind_of_frame(sign)


def kind_of_frame(sign: re.Match[str]) -> Frame | None:
    """Return the kind of a frame; None for a sign of a box."""
    if sign["closes"] or (sign["framed"] and sign["words"]):
        return "closes"
    return "opens" if sign["opens"] or sign["framed"] else None


def place_of_frame(sign: re.Match[str]) -> str:
    """Return the match that a frame names, in its plain spelling, or ``referee``."""
    return plain_match(sign["opens"] or sign["closes"] or sign["framed"])


def plain_match(name: str) -> str:
    """Return a match's name as we write it.

    Programs with smart punctuation put a long dash in it, or break it there.
    """
    return re.sub(rf"\s?[{DASH}]\s?", "-", name).lower()


def tame(text: str) -> str:
    """Return a foreign line with all signs and halves of signs removed.

    Runs of dashes and of equals signs shrink to one. The dash of a frame becomes a comma, the
    bracket of a tag a quotation mark, and an escape gets a blank. This repeats until the line stays
    the same, because taking one sign out can join up another.
    """
    # It stays text even if unescaped twice.
    text = _ENTITY.sub("& ", _TAG.sub("‹", text))
    text = _EQUALS.sub("=", _RUNS.sub("-", text))
    before = None
    # Each sign loses a dash or equals sign, so this ends.
    while text != before:
        before = text
        text = _EQUALS.sub("=", _HALF.sub(", ", text))
        text = SIGN.sub(lambda sign: re.sub(rf"\s*[={DASH}]+\s*", ", ", sign[0]), text)
        text = " ".join(text.replace(" , ", ", ").split()).removeprefix(", ")
    return text
