"""Heads of our mails, above the first frame, and their foot.

Heads are the core's own under ``turn``, and those that begin receipts, digests, answers and
invitations, in every language; an answer that brings them back without marks must not be taken for
saying them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from referee.resources import languages, sentences

FIXED: Final = 3
"""Words with which the first sentence of an answer must begin to be known for ours."""

HEADS: Final = {
    "receipt": "done partly partly_later nothing waiting later none_later held held_partly",
    "letter": "one several",
    "digest": "none rest one many",
}
"""The heads of receipts and digests: sections of a catalogue and their keys."""

KNOWN: Final = 6
"""Words by which one of those is known: they fit the first line of any width."""

MOST_LINES: Final = 4
"""Lines that one sentence of a head is wrapped to, at most."""

MOST_SENTENCES: Final = 2
"""Sentences of a head, at most."""

MOST_BLANK: Final = 3
"""Blank lines within a head and between it and the frame, at most."""

_FIELD: Final = re.compile(r"\{\{.*?\}\}")
_CASE: Final = re.compile(r"\{%.*?%\}.*", re.DOTALL)
_POINTS: Final = re.compile(r"[:,.]+(?=\s|$)")
_DECORATION: Final = " \t*_#|"

_SEAT: Final = r"\S{1,40}(?: \(.{0,60}?\))?"
_PLAYER: Final = r"\S{1,40} \(.{0,60}?\)"
"""A seat with its player's name, without which “I played” would look like a head."""


def head_lines(above: Sequence[str]) -> int:
    """Count the lines of the head above a frame, blank ones included."""
    found = 0
    for _ in range(MOST_SENTENCES):
        used = _sentence(above[: len(above) - found])
        if not used:
            break
        found += used
    return found


def _sentence(above: Sequence[str]) -> int:
    """Return how many of the last lines are one sentence of ours; 0 if none is."""
    lines = blanks = 0
    for used, line in enumerate(reversed(above), 1):
        text = line.strip(_DECORATION)
        lines, blanks = lines + bool(text), blanks + (not text)
        # Nearest first: no line above the beginning of our sentence is swallowed with it.
        if text and is_head(text):
            return used
        if lines == MOST_LINES or blanks > MOST_BLANK:
            break
    return 0


def is_head(line: str) -> bool:
    """Whether a line begins like the first sentence of our mails."""
    return _openings().match(_plain(line[:200])) is not None


def is_foot(line: str) -> bool:
    """Whether a line begins like a sentence below our order box."""
    return _foot().match(_plain(line[:200])) is not None


@cache
def _foot() -> re.Pattern[str]:
    feet = [each for language in languages() for each in sentences(language)["foot"].values()]
    return re.compile("|".join(rf"{_first_words(each)}(?!\w)" for each in feet))


def _plain(text: str) -> str:
    """Return a text without the points that programs leave out."""
    return " ".join(_POINTS.sub(" ", text).casefold().split())


@cache
def _openings() -> re.Pattern[str]:
    """Return the beginnings of all heads, in all languages."""
    turns = [sentences(each)["turn"].values() for each in languages()]
    found = {_opening(each) for turn in turns for each in turn}
    found |= {_first_words(each) for language in languages() for each in _heads_in(language)}
    found |= {each for language in languages() for each in _answers_in(language)}
    return re.compile("|".join(rf"(?:{each})(?!\w)" for each in sorted(found)))


def _heads_in(language: str) -> Iterator[str]:
    known = sentences(language)
    return (known[section][key] for section, keys in HEADS.items() for key in keys.split())


def _answers_in(language: str) -> Iterator[str]:
    """Yield the beginnings of answers and invitations, if long enough."""
    known = sentences(language)
    invited = (each for key, each in known["invitation"].items() if key.startswith("headline"))
    for each in (*known["answer"].values(), *invited):
        words = _first_words(each)
        # Escaped, every blank stands behind a backslash.
        if words.count(" ") >= FIXED - 1:
            yield words


def _first_words(sentence: str) -> str:
    """Return the expression of a sentence's first words.

    They end before a field or its second line.
    """
    fixed = _FIELD.split(_CASE.sub("", sentence.split("\n", maxsplit=1)[0]))[0]
    return re.escape(" ".join(_plain(fixed).split()[:KNOWN]))


def _opening(sentence: str) -> str:
    """Return the expression of a sentence's beginning: its first words that are fixed."""
    first, *rest = (_plain(each) for each in _FIELD.split(_CASE.sub("", sentence)))
    if len(first.split()) > 1 or not rest:
        return re.escape(first)
    second = re.escape(rest[0])
    if first:
        return rf"{re.escape(first)} \S{{1,12}} {second}"
    return f"{_SEAT if len(rest[0].split()) > 1 else _PLAYER} {second}"
