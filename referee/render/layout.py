"""Text made fit for mails: width, wrapping, taming."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import zip_longest
from typing import Final, Literal, TypeAlias

from referee.signs import plain_line, tame
from referee.text import width

WIDTH: Final = 72
"""Columns of a mail's text."""

Format: TypeAlias = Literal["text", "html", "phone", "spoken"]
"""The forms of a mail: text, HTML beside it, text for a phone, and text to be heard."""

NARROW: Final = 38
"""Columns of text on a phone."""

DOT: Final = "· "
"""Precedes orders, commands and foreign lines, which then cannot play themselves."""

NO_BREAK: Final = "\xa0"
"""The space within a listed order and behind its dot."""

MORE: Final = "… "
"""Precedes the rest of a broken line, for the same reason."""

LONGEST: Final = 300
"""Characters kept of a foreign string; a longer one is of no use to readers."""

LONGEST_PARAGRAPH: Final = 4000
"""Characters kept of one line of a foreign text, which may be a whole paragraph."""

_MOST_LINES: Final = 200
"""Lines kept of a foreign text."""

_BLANK: Final = {"Cc", "Zs", "Zl", "Zp"}
_UNSEEN: Final = {"Cf", "Co", "Cs", "Cn"}
_PLAIN: Final = re.compile(r"[A-Za-z0-9:/]{0,40}")
"""A string too plain to need cleaning, as most fields are."""

_BREAKS: Final = re.compile(rf"[^\S{NO_BREAK}]+")

_SPACE_NAME: Final = re.compile(r"[A-Za-z]\d{1,2}\b")


class Joined(str):
    """An enumeration of short texts, kept as long as a paragraph."""

    __slots__ = ()


def columns_of(kind: Format) -> int:
    """Return the columns of a form of text."""
    return NARROW if kind == "phone" else WIDTH


def capital(text: str) -> str:
    """Return a text with its first letter large and the rest unchanged."""
    return text[:1].upper() + text[1:]


def clean(text: str, longest: int = LONGEST) -> str:
    """Return a foreign string on one line, unable to pose as ours.

    Control, format and direction characters go, and so does anything that the reader of answers
    would take for a sign of ours; a sentence about a referee stays as written. Longer strings end
    in an ellipsis.
    """
    if isinstance(text, Joined):
        longest = LONGEST_PARAGRAPH
    # Cut before it is remembered, for a foreign string may have any length.
    return text if _PLAIN.fullmatch(text) else _cleaned(text[: longest * 4], longest)


@lru_cache(maxsize=1024)
def _cleaned(kept: str, longest: int) -> str:
    if not (kept.isascii() and kept.isprintable()):
        categories = [(character, unicodedata.category(character)) for character in kept]
        kept = "".join(
            " " if category in _BLANK else character
            for character, category in categories
            if category not in _UNSEEN
        )
    kept = tame(plain_line(kept))
    return kept if len(kept) <= longest else kept[: longest - 1].rstrip() + "…"


def clean_lines(text: str) -> tuple[str, ...]:
    """Return a foreign text as clean lines, without blank ones at its ends, and one in between."""
    lines = [clean(line, LONGEST_PARAGRAPH) for line in text.splitlines()[:_MOST_LINES]]
    kept = [line for n, line in enumerate(lines) if line or (n and lines[n - 1])]
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)


def clean_value(value: object) -> object:
    """Return a value with every string in it cleaned."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: clean_value(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean_value(item) for item in value]
    return value


@lru_cache(maxsize=1024)
def wrap(text: str, first: str = "", rest: str = "", columns: int = WIDTH) -> str:
    """Return a text broken into lines of at most ``columns``.

    ``first`` and ``rest`` begin the first and all other lines. No line begins with a word that a
    space's name follows, and the last word stands on no line alone: such a line could be taken for
    an order or a command. A last word too long for that, such as a digest, is kept whole instead.
    """
    words = [word for word in _BREAKS.split(text) if word]
    alone = width(" ".join(words[-2:])) > columns - width(rest)
    chunks: list[str] = []
    for word, follower in zip_longest(words, words[1:]):
        glued = not alone if follower is None else _SPACE_NAME.match(follower)
        if chunks and glued:
            chunks[-1] += f" {word}"
        else:
            chunks.append(word)
    return wrap_whole(chunks, first, rest, columns)


def wrap_whole(items: Iterable[str], first: str = "", rest: str = "", columns: int = WIDTH) -> str:
    """Return items one after the other, broken into lines only between them."""
    lines: list[str] = []
    line, empty = first, True
    for item in items:
        joined = line + item if empty else f"{line} {item}"
        if width(joined) > columns and not empty:
            lines.append(line.rstrip())
            joined = rest + item
        while width(joined) > columns:
            from wcwidth import iter_graphemes  # noqa: PLC0415 - as in referee.text.width

            # Cut at a near blank, and never within a character.
            end = 0
            for seen in iter_graphemes(joined):
                if width(joined[: end + len(seen)]) > columns:
                    break
                end += len(seen)
            blank = max(joined.rfind(sign, 0, end + 1) for sign in (" ", NO_BREAK))
            end = blank if blank > max(len(rest) + 1, end // 2) else max(end, 1)
            lines.append(joined[:end].rstrip())
            # What remains of an order must not stand at the start of a line by itself.
            mark = MORE if item.startswith(DOT.strip()) else ""
            joined = f"{rest}{mark}{joined[end:].lstrip()}"
        line, empty = joined, False
    return "\n".join([*lines, line.rstrip()])


def wrap_all(
    texts: Iterable[str], first: str = "", rest: str = "", columns: int = WIDTH
) -> tuple[str, ...]:
    """Return the lines of texts, each of which is broken like any other text."""
    return tuple(line for text in texts for line in wrap(text, first, rest, columns).splitlines())
