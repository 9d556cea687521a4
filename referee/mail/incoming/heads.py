"""Heads of our mails, above the first frame, and their foot.

Heads are the core's own under ``turn``, and those that begin receipts, digests, answers and
invitations, in every language; an answer that brings them back without marks must not be taken for
saying them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from referee.resources import languages, sentences

FIXED: Final = 3
"""Words that the beginning of an answer's first sentence must hold to be known for ours."""

HEADS: Final = {
    "receipt": "done partly partly_later nothing waiting later none_later held held_partly",
    "letter": "one several",
    "digest": "none rest one many",
}
"""The heads of receipts and digests: sections of a catalogue and their keys."""

KNOWN: Final = 6
"""Words by which a head is known: they fit the first line of any width."""

MOST_LINES: Final = 4
"""Lines that one sentence of a head is wrapped to, at most, if they are not narrow."""

MOST_NARROW: Final = 9
"""Lines that it is wrapped to for a phone, at most."""

NARROW: Final = 38
"""Columns of a line for a phone."""

LEAST_WIDE: Final = 64
"""Columns at which mail programs break other lines, at least."""

MOST_SENTENCES: Final = 2
"""Sentences of a head, at most."""

MOST_BLANK: Final = 3
"""Blank lines within a head and between it and the frame, at most."""

_FIELD: Final = re.compile(r"\{\{.*?\}\}")
_CASE: Final = re.compile(r"\{%.*?%\}.*", re.DOTALL)
_FILLED: Final = re.compile(r"\S*\{\{.*?\}\}\S*")
_TAG: Final = re.compile(r"\{% *(if|elif|else|endif)\b.*?%\}")
_POINTS: Final = re.compile(r"[:,.]+(?=\s|$)")
_DECORATION: Final = " \t*_#|"

_SEAT: Final = r"[^\s(]\S{0,39}(?: \([^()]{0,60}\))?"
_PLAYER: Final = r"[^\s(]\S{0,39} \([^()]{0,60}\)"
"""A seat with its player's name, without which “I played” would look like a head."""

_WORDS: Final = r"\S{1,40}(?: \S{1,40}){0,3}?"
"""Words in place of a field: a name, or a seat with its player's."""


def head_lines(above: Sequence[str], is_said: Callable[[str], bool] = lambda _: False) -> int:
    """Count the lines of the head above a frame, blank ones included.

    ``is_said`` tells lines that people write to the referee: an answer written below a head is no
    part of it.
    """
    said = (n for n, line in enumerate(above, 1) if is_said(line) and not _goes_on(above, n))
    mine, found = above[max(said, default=0) :], 0
    for _ in range(MOST_SENTENCES):
        used = _sentence(mine[: len(mine) - found], mine[len(mine) - found :])
        if not used:
            break
        found += used
    return found


def _goes_on(above: Sequence[str], number: int) -> bool:
    """Return whether a line goes on a sentence of ours."""
    line, after = (each.strip(_DECORATION) for each in (*above, "")[number - 1 : number + 1])
    # Our sentences end with a point.
    if not after and not line.endswith("."):
        return False
    begun: list[str] = []
    for each in reversed(above[: number - 1]):
        text = each.strip(_DECORATION)
        if not text or text.endswith((".", "!", "?")):
            break
        begun.insert(0, text)
    runs = ([*begun[at:], line, *filter(None, [after])] for at in range(len(begun)))
    # Broken lines are full; those of people end where they like.
    columns = NARROW if all(len(each) <= NARROW for each in (*begun, line)) else LEAST_WIDE
    return any(_is_broken(each, columns) and _begins(" ".join(each), named=True) for each in runs)


def _sentence(above: Sequence[str], below: Sequence[str]) -> int:
    """Return how many of the last lines are one sentence of ours; 0 if none is."""
    lines: list[str] = []
    blanks, rest = 0, " ".join(each.strip(_DECORATION) for each in below)
    for used, line in enumerate(reversed(above), 1):
        text = line.strip(_DECORATION)
        blanks += not text
        if text:
            lines.insert(0, text)
        # Nearest first: no line above the beginning of our sentence is swallowed with it. In narrow
        # lines its first words may go on in the next one. What begins with any words stands alone.
        if text and _begins(" ".join([*lines, rest]), named=not below):
            return used
        most = MOST_NARROW if _is_broken(lines, NARROW) else MOST_LINES
        if len(lines) >= most or blanks > MOST_BLANK:
            break
    return 0


def _is_broken(lines: Sequence[str], columns: int) -> bool:
    """Return whether lines are one sentence broken at some columns."""
    # Some words are never parted: the last two, and those before the names of spaces.
    wide = (len(" ".join([line, *after.split()[:4]])) for line, after in pairwise(lines))
    return all(each > columns for each in wide)


def is_head(line: str) -> bool:
    """Whether a line begins like the first sentence of our mails."""
    return _begins(line, named=True)


def _begins(text: str, *, named: bool) -> bool:
    plain = _plain(text[:200])
    return any(each.match(plain) for each in _openings()[: 2 if named else 1])


def is_foot(line: str) -> bool:
    """Whether a line begins like a sentence below our order box."""
    return _foot().match(_plain(line[:200])) is not None


@cache
def _foot() -> re.Pattern[str]:
    """Return the first words of the feet, before any field."""
    feet = [each for language in languages() for each in sentences(language)["foot"].values()]
    first = (_FIELD.split(_CASE.sub("", each.split("\n", maxsplit=1)[0]))[0] for each in feet)
    known = (re.escape(" ".join(_plain(each).split()[:KNOWN])) for each in first)
    return re.compile("|".join(rf"{each}(?!\w)" for each in known))


def _plain(text: str) -> str:
    """Return a text without the points that programs leave out."""
    return " ".join(_POINTS.sub(" ", text).casefold().split())


@cache
def _openings() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the beginnings of all heads; those that begin with any words apart."""
    turns = [sentences(each)["turn"].values() for each in languages()]
    found = {_opening(each) for turn in turns for each in turn}
    known = (each for language in languages() for each in _sentences_in(language))
    found |= {each for one in known for each in map(_beginning, _told_cases(one)) if each}
    named = {each for each in found if each.startswith(_WORDS)}
    plain, others = (
        re.compile("|".join(rf"(?:{each})(?!\w)" for each in sorted(some)))
        for some in (found - named, named)
    )
    return plain, others


def _sentences_in(language: str) -> Iterator[str]:
    """Yield the first sentences of receipts, digests, answers and invitations."""
    known = sentences(language)
    yield from known["answer"].values()
    yield from (each for key, each in known["invitation"].items() if key.startswith("headline"))
    yield from (known[section][key] for section, keys in HEADS.items() for key in keys.split())


def _told_cases(sentence: str) -> Iterator[str]:
    """Yield a sentence in each case that its first words have."""
    first = _TAG.search(sentence)
    if first is None or len(_FIELD.sub(" ", sentence[: first.start()]).split()) >= KNOWN:
        yield sentence[: first.start()] if first else sentence
        return
    cases, begins, depth, otherwise = [], first.end(), 1, False
    for tag in _TAG.finditer(sentence, first.end()):
        depth += {"if": 1, "endif": -1}.get(tag[1], 0)
        if depth == 0 or (depth == 1 and tag[1] in {"elif", "else"}):
            cases.append(sentence[begins : tag.start()])
            begins, otherwise = tag.end(), otherwise or tag[1] == "else"
        if depth == 0:
            break
    for case in cases if otherwise else [*cases, ""]:
        yield from _told_cases(f"{sentence[: first.start()]}{case}{sentence[begins:]}")


def _beginning(sentence: str) -> str:
    """Return the expression of a sentence's first words; empty if too few are fixed."""
    found: list[str] = []
    fixed = 0
    for each in _plain(_FILLED.sub("\0", sentence.split("\n", maxsplit=1)[0])).split():
        field = each == "\0"
        # A field may be long: it belongs to the beginning only if that would be too short.
        if fixed == KNOWN or (field and fixed >= FIXED):
            break
        fixed += not field
        if not field or found[-1:] != [_WORDS]:
            found.append(_WORDS if field else re.escape(each))
    return " ".join(found) if fixed >= FIXED else ""


def _opening(sentence: str) -> str:
    """Return the expression of a sentence's beginning: its first words that are fixed."""
    first, *rest = (_plain(each) for each in _FIELD.split(_CASE.sub("", sentence)))
    if len(first.split()) > 1 or not rest:
        return re.escape(first)
    second = re.escape(rest[0])
    if first:
        return rf"{re.escape(first)} \S{{1,12}} {second}"
    return f"{_SEAT if len(rest[0].split()) > 1 else _PLAYER} {second}"
