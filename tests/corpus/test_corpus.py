"""The letters themselves: how many, how different, and each with its expectation."""

from __future__ import annotations

from collections import Counter

import pytest
from support.corpus import (
    CORPUS,
    EXPECTED,
    HOSTILE,
    KINDS,
    LETTERS,
    ORDINARY,
    letter,
    outline,
    parts_of,
    raw,
)

pytestmark = pytest.mark.fast


@pytest.mark.parametrize("kind", KINDS)
def test_every_letter_has_its_expectation(kind: str) -> None:
    """No letter lies in a folder without saying what it is modelled on and what is in it."""
    assert sorted(LETTERS[kind]) == sorted(each.stem for each in (CORPUS / kind).glob("*.eml"))
    assert all(each["model"] and "orders" in each for each in LETTERS[kind].values())


def test_every_folder_is_one_of_letters() -> None:
    """A letter lies in one of the folders, and no name stands in two of them."""
    found = list(CORPUS.rglob("*.eml"))
    assert {each.parent for each in found} == {CORPUS / kind for kind in KINDS}
    assert len(found) == len(EXPECTED) == sum(map(len, LETTERS.values()))


def test_there_are_many_letters_and_no_two_alike() -> None:
    """At least 150 answers differ in MIME structure, separator or language; no bytes repeat."""
    assert len(ORDINARY) >= 150
    outlines = Counter(outline(name) for name in ORDINARY)
    assert [each for each, count in outlines.items() if count > 1] == []
    assert len({raw(name) for name in EXPECTED}) == len(EXPECTED)
    assert len({each["model"] for each in EXPECTED.values()}) == len(EXPECTED)


def test_there_are_many_kinds_by_types_alone() -> None:
    """Whatever is said of charsets and encodings, 150 letters differ in parts, line or language."""
    kinds = {(parts_of(name), *outline(name)[1:]) for name in EXPECTED}
    assert len(kinds) >= 150


def test_the_hostile_letters_are_many() -> None:
    """A third of the letters is hostile or comes from robots."""
    assert len(HOSTILE) >= 80


def test_what_is_read_can_be_stored() -> None:
    """Nothing that comes out of any letter holds a NUL or a character that cannot be stored."""
    for name in EXPECTED:
        found = letter(name)
        texts = [found.thread.subject, *found.blocks, *found.senders, *found.recipients]
        texts += [found.message_id or "", found.in_reply_to or "", *found.references]
        assert all("\0" not in text and text.encode("utf-8") is not None for text in texts), name
