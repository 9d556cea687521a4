"""Traces of a person in texts of others: an address, or the name in their matches."""

from __future__ import annotations

import re
from binascii import Error, a2b_base64, a2b_qp
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from sqlalchemy import Connection, select

from referee.resources import pattern_for
from referee.store import tables as t
from referee.store.states import SETTLED

BATCH: Final = 200

_BASE64: Final = re.compile(rb"^(?:[A-Za-z0-9+/]{4,76}={0,2}\r?(?:\n|\Z))+", re.MULTILINE)
"""Lines that may be base64; others that look like it do no harm."""


@dataclass(frozen=True)
class Traces:
    """The addresses and the name a person is known by.

    ``name`` is None for a word too short to look for. An address names the person anywhere, the
    name only as a whole word in one of ``matches``, by id: elsewhere it is another's, or no name at
    all. ``common``: the name is made of words that mails hold anyway, so that it counts only where
    it stands like a name.
    """

    addresses: tuple[str, ...]
    name: str | None
    matches: dict[int, str]
    common: bool = False

    def named_in(self, texts: Iterable[str], of: Iterable[int | None] = ()) -> bool:
        """Return whether texts name the person.

        ``of`` are the matches the texts belong to; a text may also name one of theirs itself.
        """
        said = list(texts)
        if self._addressed is not None and any(map(self._addressed.search, said)):
            return True
        if self._called is None or not any(map(self._called.search, said)):
            return False
        if any(each in self.matches for each in of):
            return True
        return self._playing is not None and any(map(self._playing.search, said))

    @cached_property
    def _addressed(self) -> re.Pattern[str] | None:
        return _pattern(r"(?<![\w.+-])", map(re.escape, self.addresses), r"(?![\w-]|\.\w)")

    @cached_property
    def _called(self) -> re.Pattern[str] | None:
        # Between its words may lie a line's end with a quotation mark, or what RFC 2047 writes.
        names = [r"[\s_>]+".join(map(re.escape, self.name.split()))] if self.name else []
        if self.common and names:
            forms = "|".join(each.replace("NAME", names[0]) for each in _LIKE_A_NAME)
            return re.compile(forms, re.MULTILINE)
        return _pattern(r"(?<![^\W_])", names, r"(?![^\W_])")

    @cached_property
    def _playing(self) -> re.Pattern[str] | None:
        return _pattern(r"(?<![\w-])", map(re.escape, self.matches.values()), r"(?![\w-])")


_LIKE_A_NAME: Final = (
    r"\(NAME\)",
    r"(?<!\w)NAME \(",
    r"[“„\"«]NAME[”“\"»]",
    rf"(?:\b{pattern_for('beside')}|[:,]) NAME(?=[.,;!]|\s*$| {pattern_for('and')} )",
    rf"(?:^|[.:>] )NAME(?: \w+)? {pattern_for('doing')}\b",
)
"""How mails name a player: behind a seat, before one, in quotation marks, in a list, or acting."""


def _pattern(before: str, words: Iterable[str], after: str) -> re.Pattern[str] | None:
    listed = "|".join(words)
    return re.compile(f"{before}(?:{listed}){after}", re.IGNORECASE) if listed else None


def letters_with(connection: Connection, traces: Traces) -> list[int]:
    """Return the handled letters that name a person."""
    c, s = t.letters.c, t.submissions.c
    meant: dict[int, set[int | None]] = {}
    # One query for all: one for each letter would take minutes in a large installation.
    for row in connection.execute(select(s.letter_id, s.match_id)):
        meant.setdefault(row.letter_id, set()).add(row.match_id)
    kept = select(c.id, c.raw).where(c.raw.is_not(None)).where(c.state != "kept")
    return [
        row.id
        for row in _batched(connection, kept)
        if traces.named_in(_said(row.raw), meant.get(row.id, ()))
    ]


def reasons_with(connection: Connection, traces: Traces) -> list[int]:
    """Return the letters whose reason names a person, such as bounces."""
    c = t.letters.c
    given = select(c.id, c.reason).where(c.reason.is_not(None))
    return [row.id for row in _batched(connection, given) if traces.named_in((row.reason,))]


def mails_with(connection: Connection, traces: Traces) -> list[int]:
    """Return the mails that have left which name a person."""
    c = t.outbox.c
    # A mail that still waits must reach its reader whole.
    left = select(c.id, c.match_id, c.raw).where(c.raw.is_not(None))
    return [
        row.id
        for row in _batched(connection, left.where(c.state.in_(SETTLED)))
        if traces.named_in(_said(row.raw), (row.match_id,))
    ]


def matches_sat_in(connection: Connection, player_id: int) -> set[int]:
    """Return the matches a player sits or, by their mails, sat in."""
    c, s = t.outbox.c, t.seats.c
    sits = connection.execute(select(s.match_id).where(s.player_id == player_id)).scalars()
    got = select(c.match_id).where(c.player_id == player_id).where(c.seat.is_not(None))
    sat = connection.execute(got.where(c.match_id.is_not(None)).distinct()).scalars()
    return {*sits, *sat}


def _batched(connection: Connection, selected: Any) -> Iterator[Any]:
    # In batches: all mails of years would not fit into the memory of a small machine.
    yield from connection.execute(selected.execution_options(yield_per=BATCH))


def _said(raw: bytes) -> Iterator[str]:
    """Yield a mail as it lies, and decoded (RFC 2045, section 6)."""
    yield from _read(raw)
    yield from _read(a2b_qp(raw))
    for each in _BASE64.finditer(raw):
        with suppress(Error):
            yield from _read(a2b_base64(each.group()))


def _read(data: bytes) -> Iterator[str]:
    try:
        yield data.decode()
    except UnicodeDecodeError:
        # Read in two ways, as nobody knows the charset: better one text too many than a trace.
        yield data.decode(errors="replace")
        yield data.decode("latin-1")
