"""Introductions of an original: attributions, header blocks, separators.

They are known by their shape, in no language: a line that ends in a colon and holds an address or a
date, a run of ``Name: value`` lines that holds what the thread is known by.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from referee.mail.incoming.lines import (
    CLOSINGS,
    Line,
    is_field,
    is_mailbox,
    is_rule,
    is_separator,
    may_attribute,
)
from referee.mail.incoming.threads import Thread, holds_address, holds_date, holds_moment
from referee.value import Value

FULL_LINE: Final = 58
"""Columns of a full line; attributions are wrapped there. The next word would not have fit."""

MOST_FIELDS: Final = 12
"""Lines of a quoted header block looked at."""

MOST_CONTINUATIONS: Final = 2
"""Header lines that continue the value of the line before."""

LONGEST_CELL: Final = 100
"""Characters of a header's value in a cell of its own."""

LONGEST_ATTRIBUTION: Final = 300
"""Characters of an attribution whose lines are joined. A name, an address and a date are fewer."""

ATTRIBUTION_LINES: Final = 4
"""Lines an attribution may be wrapped over."""


class Kind(Enum):
    """Kinds of introduction to an earlier text."""

    ATTRIBUTION = "somebody wrote"
    HEADERS = "a block of headers"
    SEPARATOR = "words between rules"


class Introduction(Value):
    """The introduction of an original; ``sure`` if a program wrote it beyond doubt."""

    kind: Kind
    count: int
    sure: bool


class Introductions(Value):
    """Finds introductions among the numbered lines of one text."""

    lines: Sequence[Line]
    thread: Thread

    def at(self, at: int, *, ruled: bool, fresh: bool) -> Introduction | None:
        """Return the introduction that begins at a line, if one does.

        ``ruled``: a drawn rule stands above it; ``fresh``: another introduction does.
        """
        if used := self._header_block(at, ruled=ruled, fresh=fresh):
            text = " ".join(line.text for line in self.lines[at : at + used])
            # Without a rule above it, a form with a date and one's own name is a person's as well.
            alike = (ruled or fresh) and holds_date(text) and self.thread.named(text)
            sure = alike or holds_address(text) or self.thread.known(text)
            return Introduction(Kind.HEADERS, used, sure)
        text = self.lines[at].text
        if is_separator(text):
            # A person's own heading between rules ends in one; a program's inline form goes on.
            inline = holds_date(text) and self.thread.named(text) and text[-1].isalnum()
            return Introduction(Kind.SEPARATOR, 1, sure=holds_address(text) or inline)
        used = self._attribution(at)
        text = " ".join(line.text for line in self.lines[at : at + used])
        sure = holds_address(text) or (holds_date(text) and self.thread.named(text))
        return Introduction(Kind.ATTRIBUTION, used, sure) if used else None

    def introduces(self, at: int) -> bool:
        """Whether headers, an attribution, a quote or text of ours come next."""
        following = self.next(at)
        if following is None or not following.written:
            return following is not None
        return self.is_field(following.text) or self.thread.attributes(following.text)

    def _header_block(self, at: int, *, ruled: bool, fresh: bool) -> int:
        """Return how many lines the header block here has, or 0.

        A block is a run of fields that holds an address, name or subject of the thread. Two fields
        suffice beside a rule, a date or our own text, and one below a rule with an address. Names
        that are none of the thread's are known by the place of the moment below them.
        """
        first = self.lines[at].text
        # In the middle of a paragraph "Note: ..." is talk, whatever follows it.
        apart = ruled or fresh or (at > 0 and not self.lines[at - 1].text)
        if not self.is_field(first) or not (apart or self._tells(first)):
            return 0
        used = self._fields(at)
        block = [line.text for line in self.lines[at : at + used]]
        texts = [text for text in block if text]
        addressed, dated = any(map(holds_address, texts)), any(map(holds_date, texts))
        named = any(map(self.thread.named, texts))
        framed = self._quote_at(at + used)
        known = addressed or (dated and named) or any(map(self.thread.known, texts))
        # People write lists of days or names with colons, hardly ever with both, or an address.
        if sum(map(self.is_field, texts)) >= 3:
            if known or ruled or (framed and (dated or named)):
                return used
            # Windows Mail shows the names of the writer's own address book, and a subject may
            # change. Its block is a paragraph of four fields, and the second alone holds a moment.
            ends = not any(line.text for line in self.lines[at + used : at + used + 1])
            moments = [number for number, text in enumerate(block) if holds_moment(text)]
            sent = ends and used >= 4 and moments == [1] and all(map(self.is_field, block))
            return used if sent else 0
        count = sum(is_field(text, tight=True) for text in texts)
        near = ruled or dated or framed
        return used if known and near and (count == 2 or (ruled and addressed and count)) else 0

    def _tells(self, text: str) -> bool:
        """Whether a line holds an address, date or name of the thread."""
        known = self.thread.known(text) or self.thread.named(text)
        return known or holds_address(text) or holds_date(text)

    def is_field(self, text: str) -> bool:
        """Whether a line could be a field, or a cell of one."""
        if is_field(text, tight=self._tells(text)):
            return True
        short = 0 < len(text) <= LONGEST_CELL and not text.endswith(CLOSINGS)
        dated = text[:1].isdigit() and holds_date(text)
        return short and (dated or is_mailbox(text) or self.thread.known(text))

    def _fields(self, at: int) -> int:
        """Count the lines of a run of fields, blank lines and wrapped values included."""
        spare, last, gaps = MOST_CONTINUATIONS, 0, list[int]()
        for used, line in enumerate(self.lines[at : at + 2 * MOST_FIELDS], start=1):
            if not line.written:
                break
            if self.is_field(line.text):
                gaps.append(used - last)
                if gaps[1:2] > [1] and gaps[2:3] == [1]:
                    return 1  # what stands apart from the fields is none of them
                last = used
            elif line.text:
                spare -= 1
            if spare < 0 or used - last > MOST_CONTINUATIONS:
                break
        return last

    def _attribution(self, at: int) -> int:
        """Return how many lines the attribution here has, at most 4, or 0."""
        joined, unclosed = "", 0
        for count, line in enumerate(self.lines[at : at + ATTRIBUTION_LINES], start=1):
            if not line.written or not line.text or (count > 1 and not self._full(at + count - 2)):
                break
            joined = f"{joined} {line.text}".strip()
            if len(joined) > LONGEST_ATTRIBUTION or not self.thread.attributes(joined):
                break
            # Rambler and GMX end an attribution without a colon.
            quoting = holds_address(joined) and self._quote_at(at + count)
            if joined.rstrip("*_ ").endswith(CLOSINGS) or quoting:
                return count
            if holds_address(joined) and holds_date(joined):
                # With a bracketed address at its end it may form a paragraph of its own.
                around = [
                    *self.lines[max(at - 1, 0) : at],
                    *self.lines[at + count : at + count + 1],
                ]
                apart = line.text.endswith((">", ">]", ">)")) and not any(
                    neighbour.text for neighbour in around
                )
                if apart or self.thread.known(joined):
                    unclosed = unclosed or count
        return unclosed

    def may_lead(self, at: int) -> bool:
        """Whether a line is placed and ends as attributions are."""
        text = self.lines[at].text
        if may_attribute(text):
            following = self.next(at + 1)
            return following is None or not following.written
        return holds_date(text) and self.thread.named(text) and self._quote_at(at + 1)

    def _full(self, at: int) -> bool:
        """Whether the next line's first word did not fit in here."""
        following = self.lines[at + 1].text.split(" ", 1)[0]
        return self.lines[at].width + 1 + len(following) > FULL_LINE

    def runs_on(self, at: int) -> bool:
        """Whether a line may continue the line above."""
        above = self.lines[at - 1] if at else None
        if above is None or not above.written or not above.text or is_rule(above.text):
            return False
        return self._full(at - 1)

    def next(self, at: int) -> Line | None:
        """Return the next line among the following few that is neither blank nor drawn."""
        # Few, or every line of blank text would look through all that follow it.
        few = self.lines[at : at + 6]
        return next((line for line in few if line.text and not is_rule(line.text)), None)

    def _quote_at(self, at: int) -> bool:
        """Whether a quote or our text comes next."""
        following = self.next(at)
        return following is not None and not following.written
