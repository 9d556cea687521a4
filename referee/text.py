"""Small helpers for sentences: likeness, suggestions, plurals, foreign texts, width, addresses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final

LONGEST_QUOTE: Final = 160
"""Characters of a foreign text that a message repeats."""

_CONTROLS: Final = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], "?")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean nord-1?`, with up to three close names."""
    return one_meant(get_close_matches(word, list(known), n=3, cutoff=0.7))


def one_meant(near: Sequence[str]) -> str:
    """Return `; did you mean nord-1 or nord-7?`; empty without names."""
    if not near:
        return ""
    *first, last = near
    return f"; did you mean {', '.join(first)} or {last}?" if first else f"; did you mean {last}?"


def counted(number: int, thing: str) -> str:
    """Return `1 match` or `2 matches`."""
    many = "es" if thing.endswith("ch") else "s"
    return f"{number} {thing}{'' if number == 1 else many}"


def short(text: str) -> str:
    """Return a foreign text for a message: short, printable, on one line."""
    if not text.isprintable():
        text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[: LONGEST_QUOTE + 1])
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


def likeness(one: str, other: str) -> float:
    """Return how much two texts are alike, from 0 to 1: the pairs of letters they share.

    That is Dice's coefficient of the pairs within their words, whose ends count as letters.
    """
    pairs, others = _pairs(one), _pairs(other)
    return 2 * len(pairs & others) / max(len(pairs) + len(others), 1)


def _pairs(text: str) -> set[str]:
    words = [f" {word} " for word in text.casefold().split()]
    return {word[at : at + 2] for word in words for at in range(len(word) - 1)}


def width(text: str) -> int:
    """Return how many columns a text takes in a fixed-width font."""
    if text.isascii():
        return len(text)
    # Its tables take longer to import than a short command has to say.
    from wcwidth import wcswidth  # noqa: PLC0415

    columns = wcswidth(text)
    # Control characters have no width that programs agree on; most show a box.
    return columns if columns >= 0 else wcswidth(text.translate(_CONTROLS))


def sqlite_url(file: Path) -> str:
    """Return the address of an SQLite database in a file, in which ``%`` and ``?`` are signs."""
    return f"sqlite:///{str(file).replace('%', '%25').replace('?', '%3F')}"
