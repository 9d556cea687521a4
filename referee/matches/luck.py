"""Words of luck: told at once, or promised by hash.

A seat that knew the seed could choose its words last to suit itself; words that were promised
cannot be changed.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Final

from referee.games.game import Seat
from referee.games.play import canonical_json

_HASH: Final = re.compile(r"(?:sha-?256\s*[:=]?\s*)?([0-9a-f]{64})(?:\s*\*?-)?[.!]?", re.IGNORECASE)
"""A hash as people write it, or as ``sha256sum`` prints it. Its name may stand before it."""

_NEARLY: Final = re.compile(r"sha-?256\b|[0-9a-f]{40,}+[.!]?$", re.IGNORECASE)

_STRAIGHT: Final = str.maketrans("‘’‚“”„–—\u00a0", "'''\"\"\"-- ")
"""Characters that mail programs put in place of others."""


@dataclass(frozen=True, slots=True)
class Luck:
    """The seats' gifts to chance: their ``words``, and ``promised`` hashes.

    A seat that has promised and told stands in both.
    """

    words: Mapping[Seat, str] = field(default_factory=dict)
    promised: Mapping[Seat, str] = field(default_factory=dict)

    @property
    def pending(self) -> tuple[Seat, ...]:
        """The seats that have promised words and not told them."""
        return tuple(each for each in self.promised if each not in self.words)

    @property
    def all_promised(self) -> bool:
        """Whether there are words, all of them promised before."""
        return bool(self.words) and set(self.words) <= set(self.promised)

    def fault(self) -> str | None:
        """Return the fault of words that differ from their promise."""
        for seat, told in self.words.items():
            if seat in self.promised and hash_of_words(told) != self.promised[seat]:
                return f"the words of {seat} are not those promised by their SHA-256"
        return None

    def given(self, seat: Seat, text: str) -> Luck:
        """Return the luck with a seat's first gift. That is words, or their hash."""
        # What a seat says later replaces what it said before.
        rest = self.without(seat)
        promise = hash_in(text)
        if promise is None:
            return replace(rest, words={**rest.words, seat: text})
        return replace(rest, promised={**rest.promised, seat: promise})

    def told(self, seat: Seat, text: str) -> Luck | None:
        """Return the luck with promised words told; None if they differ."""
        for each in _spellings(text):
            if hash_of_words(each) == self.promised.get(seat):
                return replace(self, words={**self.words, seat: each})
        return None

    def without(self, seat: Seat, *, asked: bool = False) -> Luck:
        """Return the luck without a seat's gift.

        Once words are ``asked`` for, the promise stays.
        """
        words = {each: text for each, text in self.words.items() if each != seat}
        # By now it may be known to others, so a new promise could be chosen to suit.
        if asked:
            return replace(self, words=words)
        # Before anybody knew the seed, what was promised may still be withdrawn.
        return Luck(words, {each: text for each, text in self.promised.items() if each != seat})

    def to_text(self) -> str:
        """Return the luck as text for the store. Words are strings, promises objects."""
        kept: dict[str, Any] = dict(self.words)
        for seat, promise in self.promised.items():
            told = {"words": self.words[seat]} if seat in self.words else {}
            kept[seat] = {"sha256": promise, **told}
        return canonical_json(kept)

    @staticmethod
    def from_text(text: str) -> Luck:
        """Return the luck from its stored text."""
        words, promised = {}, {}
        # A bare string stands for words given at once, an object for a promise.
        for seat, each in json.loads(text).items():
            if isinstance(each, str):
                words[seat] = each
                continue
            promised[seat] = each["sha256"]
            if "words" in each:
                words[seat] = each["words"]
        return Luck(words, promised)


def hash_of_words(words: str) -> str:
    """Return the SHA-256 of words in hexadecimal."""
    return sha256(words.encode()).hexdigest()


def hash_in(text: str) -> str | None:
    """Return the hash given in place of words. None if these are words."""
    found = _HASH.fullmatch(text.strip())
    return found[1].lower() if found else None


def is_broken_hash(text: str) -> bool:
    """Whether words look like a hash broken by a mail program."""
    return hash_in(text) is None and _NEARLY.match(text.strip()) is not None


def _spellings(text: str) -> Iterator[str]:
    """Yield words as told, and as possibly written. Mail programs may have changed them."""
    composed = unicodedata.normalize("NFC", text)
    # Mail programs compose letters, curl quotes and lengthen dashes behind the writer's back.
    for each in (text, composed, composed.translate(_STRAIGHT)):
        plain = " ".join(each.split())
        yield from (each, plain, plain.strip("'\"").strip())
