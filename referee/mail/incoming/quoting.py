"""Lines of an answer: the person's own, quoted and added ones.

Text below an introduction of an original is never taken for an order. It is asked about, unless a
program wrote the introduction beyond doubt and the writer said something above it.
Introductions are known by their shape, in no language: a line that ends in a colon and holds an
address or a date, a run of ``Name: value`` lines that holds what the thread is known by, words
between rules. Every step is plain string work over bounded pieces, so hostile text costs linear
time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from referee.mail.incoming.lines import (
    CLOSINGS,
    Line,
    Thread,
    Where,
    WrittenLine,
    holds_address,
    holds_date,
    holds_moment,
    is_field,
    is_footer,
    is_rule,
    is_separator,
    is_signature,
    may_be_footer,
)
from referee.signs import is_ours
from referee.value import Value

FULL_LINE: Final = 58
"""Columns of a full line; attributions are wrapped there. The next word would not have fit."""

MOST_ATTRIBUTING: Final = 8
"""Words of an attribution without date and address; more are prose."""

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

NARROWEST_WRAP: Final = 46
"""The narrowest column at which mail programs wrap. A shorter line was ended by its writer."""

LONGEST_TITLE: Final = 4
"""Words of a title directly above a block of headers."""

_MOST_LINKS: Final = 2
"""Links below an advertising line, at most."""

MOST_FOOTERS: Final = 8
"""Lines that programs add at the end of a text, at most."""

SHORTEST_RULE: Final = 5
"""Characters of a drawn line that separates off an original."""


_MAILBOX: Final = re.compile(
    r"[^<>@:]{1,80}<[^\s<>@]{1,64}@[^\s<>@]{1,255}>|[^\s<>@:]{1,64}@[^\s<>@:]{1,255}"
)

_LINK: Final = re.compile(r"<?https?://[^\s<>]{1,500}>?|<#[^\s<>]{1,80}>")


Kind = Literal["attribution", "headers", "separator"]
"""A kind of introduction: somebody wrote, a block of headers, or words between rules."""


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
            return Introduction("headers", used, sure)
        text = self.lines[at].text
        if is_separator(text):
            # A person's own heading between rules ends in one; a program's inline form goes on.
            inline = holds_date(text) and self.thread.named(text) and text[-1].isalnum()
            return Introduction("separator", 1, sure=holds_address(text) or inline)
        used = self._attribution(at)
        text = " ".join(line.text for line in self.lines[at : at + used])
        # A person's own sentence about an address may end in a colon as well.
        bracketed = holds_address(text) and "<" in text
        known = holds_address(text) or self.thread.named(text)
        sure = bracketed or (holds_date(text) and known)
        return Introduction("attribution", used, sure) if used else None

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
        return short and (dated or self.thread.known(text) or _MAILBOX.fullmatch(text) is not None)

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
                told = holds_address(joined) or holds_date(joined)
                return count if told or len(joined.split()) <= MOST_ATTRIBUTING else 0
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
        if text.endswith(CLOSINGS) and 1 < len(text.split()) <= MOST_ATTRIBUTING:
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


@dataclass
class _Reader:
    """Walks over the lines once, aware of a running signature or original.

    Of the lines ``written`` those at ``own`` are the person's, those at ``close`` have another
    right above. Since the last of their own there came a ``gap``, text of ``ours``, or anything
    quoted, which ``split`` them; ``broken``: the rest of a text whose beginning is elsewhere. Now
    follows a ``signature``, or the ``original`` of that number: ``marked`` by quote marks, ``sure``
    to be one, with ``older`` text below; ``ended``: all of it is above. Right above stands a rule
    (``ruled``), an introduction (``fresh``) or the quoted line ``before``; the ``widest`` of those
    tells where they were wrapped.
    """

    lines: Sequence[Line]
    introductions: Introductions
    widest: int = 0
    written: list[WrittenLine] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    gap: bool = False
    close: set[int] = field(default_factory=set)
    ours: bool = False
    split: bool = False
    broken: bool = False
    signature: bool = False
    original: bool = False
    originals: int = 0
    marked: bool = False
    older: bool = False
    sure: bool = False
    ended: bool = False
    ruled: bool = False
    fresh: Kind | None = None
    before: Line | None = None

    def read(self) -> tuple[list[WrittenLine], list[int], bool]:
        # A line of one word, such as a long address, is never wrapped and tells no width.
        quoted = (line.width for line in self.lines if line.depth and " " in line.text)
        self.widest = max(quoted, default=0)
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            used = 1
            if line.written:
                used = self._written(at)
            else:
                self.signature = self.ruled = False
                self.gap = True
                self.fresh, self.before, self.split = None, line, True
                # The end of a text of ours that began nowhere.
                self.broken |= line.origin == "end" and line.depth == 0 and not self.ours
                self.ours = self.ours or line.origin != "text"
                if line.origin == "end" and line.depth <= 1:
                    # An answer below the whole original is one only if nothing else was written:
                    # else it may as well be an older one, which the original above answers.
                    said = any(self.written[mine].where == "own" for mine in self.own)
                    self.ended = said and (self.original or line.depth == 0)
                    self.original = self.original and self.older
                # GroupWise introduces an unmarked original by ">>> Name <address> date >>>".
                elif line.depth > 2 and line.text.endswith(">>>"):
                    self._begin("headers", sure=True)
                self._drop_footers()
            deep = self.originals - self.marked
            self.levels += [deep + read.depth for read in self.lines[at : at + used]]
            at += used
        self._drop_footers()
        return self.written, self.levels, self.broken

    def _add(self, text: str, where: Where) -> None:
        self.written.append(WrittenLine(text, where))

    def _disown(self, at: int) -> None:
        self.written[at] = WrittenLine(self.written[at].text, "signed")
        self.own.remove(at)

    def _written(self, at: int) -> int:
        line, before = self.lines[at], self.before
        widest = max(NARROWEST_WRAP, self.widest - 1)
        self.before = None
        if not line.text or is_rule(line.text):
            self.gap = True
            self.signature = self.signature or is_signature(line.text)
            self.ruled = (self.ruled and not line.text) or len(line.text) >= SHORTEST_RULE
            return 1
        ruled, self.ruled = self.ruled, False
        fresh = self.fresh is not None
        if not is_ours(line.text) and (
            shape := self.introductions.at(at, ruled=ruled, fresh=fresh)
        ):
            self._pass(at, shape)
            self.gap = True
            return shape.count
        self.fresh = None
        if self.original:
            self.older = True
            # With nothing above, the writer may have answered below an original without marks.
            if not self.own:
                self._add(line.text, "below")
            # What is surely older needs no question.
            elif self.sure:
                self._add(line.text, "older")
            else:
                self._add(line.text, "signed")
                self.broken = True  # a message above may go on here
        # The first word did not fit into a width that held every quoted line.
        elif (
            before and before.depth and before.width + 1 + len(line.text.split(" ", 1)[0]) > widest
        ):
            self._add(line.text, "rest")
            self.gap = False
            # A long quoted line may be wrapped twice, so this rest may itself have one.
            self.before = Line(1, line.text, line.width)
        elif self.signature or self.ended:
            self._add(line.text, "signed")
        else:
            # A quote between two lines may be what they answer, so a message is no longer whole.
            broken = self.broken or self.ours or self.split
            self.broken = self.ours = self.split = False
            above = self.lines[max(at - 1, 0) : at]
            if any(other.written and other.text for other in above):
                self.close.add(len(self.written))
            where: Where = "lead" if self.introductions.may_lead(at) else "own"
            runs = self.introductions.runs_on(at)
            self.own.append(len(self.written))
            self.written.append(WrittenLine(line.text, where, self.gap, runs, broken))
            self.gap = False
        return 1

    def _pass(self, at: int, shape: Introduction) -> None:
        """Pass over an introduction: an original begins, unless a marked quote follows."""
        self._drop_footers()
        # “--- my orders ---” may be the writer's own heading; if nothing follows it, we ask.
        if shape.kind == "separator" and not self.introductions.introduces(at + 1):
            self._add(self.lines[at].text.strip("-—–_=~*#━─.<> "), "signed")
        elif shape.kind != "separator":
            self._drop_above(at, shape.kind)
        following = self.introductions.next(at + shape.count)
        quotes = following is not None and following.depth > 0
        # With quote marks the marks themselves tell where the original ends.
        if following is None or (quotes and shape.kind == "attribution" and not self.original):
            return
        # Its marks are those of the original begun here, not of one within it.
        self.marked = quotes
        self._begin(shape.kind, sure=shape.sure)

    def _begin(self, kind: Kind, *, sure: bool) -> None:
        """Begin an original, or continue the one just begun."""
        continues = self.fresh == "separator" or (
            self.fresh == "attribution" and kind == "separator"
        )
        # A rule above its header block is one introduction of one original, not of two.
        self.older = self.older or (self.original and not continues)
        self.originals += not continues
        self.sure = self.sure or sure
        self.original, self.fresh, self.ended = True, kind, False

    def _drop_footers(self) -> None:
        """Take back last lines that may be footers of programs."""
        # An attribution without a colon is known by the quote below it, and stands there still.
        led = bool(self.own) and self.written[self.own[-1]].where == "lead"
        own = self.own[: len(self.own) - led]
        texts = [self.written[at].text for at in own[-_MOST_LINKS - MOST_FOOTERS :]]
        at = len(texts)
        # Programs put an advertising line and then its links; a link alone says nothing.
        while at > 1 and len(texts) - at < _MOST_LINKS and _LINK.fullmatch(texts[at - 1]):
            at -= 1
        first, last = len(texts), at
        # Few, or each quoted line would look again through all that was written.
        while at > max(last - MOST_FOOTERS, 0) and (
            is_footer(texts[at - 1]) or may_be_footer(texts[at - 1])
        ):
            at -= 1
            # A line that goes on a paragraph may as well name a telephone.
            if is_footer(texts[at]) or own[at - len(texts)] not in self.close:
                first = at
        for dropped in own[len(own) - len(texts) + first :]:
            self._disown(dropped)
            # What comes next has other lines above it than those that are gone.
            self.gap = True

    def _drop_above(self, at: int, kind: Kind) -> None:
        """Take back the date line above an attribution, or the title above a block of headers."""
        above = [line.text for line in self.lines[max(at - 2, 0) : at]]
        if not self.own or not above or self.written[self.own[-1]].text != above[-1]:
            return
        if kind == "attribution":
            # Some programs wrap an attribution in two: the date above, name and address below.
            text = self.lines[at].text
            halved = not holds_date(text) and holds_date(above[-1])
            if halved or text.startswith(("<", "[mailto:", "(mailto:")):
                self._disown(self.own[-1])
        elif len(above) == 2:
            titled = not above[0] and len(above[1].split()) <= LONGEST_TITLE
            if titled or above[1].endswith(CLOSINGS):
                self._disown(self.own[-1])
                self._drop_footers()


def read_lines(lines: Sequence[Line], thread: Thread) -> tuple[list[WrittenLine], list[int], bool]:
    """Return the lines the person wrote, without blank ones.

    Dropped are quoted lines, attributions, header blocks, drawn rules and footers of telephones;
    what stands below an original, a signature or beside a wrapped quote is set apart. Of each line
    read it is also returned in how many originals it stands, quote marks included; and last whether
    text of ours or a quotation stands below the last of the person's own.
    """
    return _Reader(lines, Introductions(lines, thread)).read()
