"""Threads: names, addresses and subjects that programs repeat."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from referee.value import Value

LONGEST_NAMES: Final = 998
"""Characters of a header in which display names are looked for."""

SHORTEST_NAME: Final = 3

SHORTEST_SUBJECT: Final = 5

_ADDRESS: Final = re.compile(r"[^\s<>@\"(),:;\[\]=]{1,64}@[^\s<>@\"(),:;\[\]=]{1,255}")

_DATE: Final = re.compile(
    r"(?<!\d)(?:19|20|25)\d\d(?!\d)"  # a year, of the Buddhist calendar too
    r"|(?<!\d)\d{1,2}[:.h]\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[/.-]\s?\d{1,2}[/.-]\s?\d{2}"
    r"|\d\s?[年月日년월일時时시]"
)

_CLOCK: Final = re.compile(r"(?<![\d.])\d{1,2}[:.h]\d\d(?![\d.])|\d\s?[時时시]")

_ANGLED: Final = re.compile(r"<[^<>]{0,320}>|[^\s<>@]{1,64}@[^\s<>@]{1,255}")

_PREFIX: Final = re.compile(r"\s*[^\W\d_]{1,8}(?:\[\d{1,3}\])?\s?[:：]\s*")


class Thread(Value):
    """The thread of a letter as its headers tell it, casefolded.

    ``addresses`` and ``names`` are those of its sender and recipients, ``own`` the sender's names;
    ``subject`` is bare of ``Re:`` and its equivalents in other languages, or empty if it is too
    short to tell anything.
    """

    addresses: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    subject: str = ""

    def known(self, text: str) -> bool:
        """Whether a line holds an address or the subject of the thread."""
        lowered = text.casefold()
        if self.subject and self.subject in lowered:
            return True
        return "@" in lowered and any(address in lowered for address in self.addresses)

    def named(self, text: str) -> bool:
        """Whether a line holds a display name, as a separate word."""
        return _among(self.names, text)

    def attributes(self, text: str) -> bool:
        """Whether a line could be an attribution: it holds an address, a date or the own name."""
        return holds_address(text) or holds_date(text) or _among(self.own, text)


def thread_of(addresses: Iterable[str], own: str, others: str, subject: str) -> Thread:
    """Make a thread of addresses, the decoded headers of sender and recipients, and a subject."""
    bare = subject
    # Re: Aw: Fwd: pile up, in the language of each program on the way.
    while (prefix := _PREFIX.match(bare)) is not None:
        bare = bare[prefix.end() :]
    core = " ".join(bare.casefold().split())
    writers = _names(own)
    return Thread(
        frozenset(address.casefold() for address in addresses),
        writers | _names(others),
        writers,
        # A subject like “Hi” occurs in ordinary sentences.
        core if len(core) >= SHORTEST_SUBJECT else "",
    )


def holds_address(text: str) -> bool:
    """Whether a line holds anything like an address."""
    return "@" in text and _ADDRESS.search(text[:998]) is not None


def addresses_in(text: str) -> tuple[str, ...]:
    """Return possible addresses in a text, without the marks around them."""
    addresses = _ADDRESS.findall(text)
    return tuple(address.strip("'`*_.!?;").removeprefix("mailto:") for address in addresses)


def holds_date(text: str) -> bool:
    """Whether a line holds a date or time, in any digits."""
    return _DATE.search(text[:998]) is not None


def holds_moment(text: str) -> bool:
    """Whether a line holds a date with an hour, as a program writes when a mail was sent."""
    return _CLOCK.search(text[:998]) is not None and holds_date(_CLOCK.sub(" ", text[:998]))


def _among(names: frozenset[str], text: str) -> bool:
    # Padded with blanks, so that a name counts only as whole words.
    words = f" {_words(text)} " if names else ""
    return any(f" {name} " in words for name in names)


def _names(header: str) -> frozenset[str]:
    names = map(_words, _ANGLED.split(header[:LONGEST_NAMES]))
    # “Al” or “Jo” would be found in lines that name nobody.
    return frozenset(name for name in names if len(name) >= SHORTEST_NAME)


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
