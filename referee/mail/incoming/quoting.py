"""Lines of an answer: the person's own, quoted and added ones.

Text below an introduction of an original is never taken for an order, only asked about. Every step
is plain string work over bounded pieces, so hostile text costs linear time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.mail.incoming.introductions import Introduction, Introductions, Kind
from referee.mail.incoming.lines import (
    CLOSINGS,
    Line,
    Origin,
    Where,
    WrittenLine,
    is_footer,
    is_link,
    is_rule,
    is_signature,
    may_be_footer,
)
from referee.mail.incoming.threads import Thread, holds_date
from referee.signs import is_ours
from referee.value import Value

NARROWEST_WRAP: Final = 46
"""The narrowest column at which mail programs wrap. A shorter line was ended by its writer."""

LONGEST_TITLE: Final = 4
"""Words of a title directly above a block of headers."""

MOST_LINKS: Final = 2
"""Links below an advertising line, at most."""

MOST_FOOTERS: Final = 8
"""Lines that programs add at the end of a text, at most."""

SHORTEST_RULE: Final = 5
"""Characters of a drawn line that separates off an original."""


class WrittenLines(Value):
    """The lines of an answer in their sequence, each with the place where it stands.

    ``levels`` tells of each line read in how many originals it stands, quote marks included;
    ``broken``: text of ours or a quotation stands below the last of the person's own lines.
    """

    lines: tuple[WrittenLine, ...]
    levels: tuple[int, ...]
    broken: bool


@dataclass
class _Reader:
    """Walks over the lines once, aware of a running signature or original."""

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

    def read(self) -> WrittenLines:
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
                self.broken |= line.origin is Origin.END and line.depth == 0 and not self.ours
                self.ours = self.ours or line.origin is not Origin.TEXT
                if line.origin is Origin.END and line.depth <= 1:
                    # An answer below the whole original is one only if nothing else was written:
                    # else it may as well be an older one, which the original above answers.
                    said = any(self.written[at].where == "own" for at in self.own)
                    self.ended = said and (self.original or line.depth == 0)
                    self.original = self.original and self.older
                # GroupWise introduces an unmarked original by ">>> Name <address> date >>>".
                elif line.depth > 2 and line.text.endswith(">>>"):
                    self._begin(Kind.HEADERS, sure=True)
                self._drop_footers()
            deep = self.originals - self.marked
            self.levels += [deep + read.depth for read in self.lines[at : at + used]]
            at += used
        self._drop_footers()
        return WrittenLines(tuple(self.written), tuple(self.levels), self.broken)

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
        if shape.kind is Kind.SEPARATOR and not self.introductions.introduces(at + 1):
            self._add(self.lines[at].text.strip("-—–_=~*#━─.<> "), "signed")
        elif shape.kind is not Kind.SEPARATOR:
            self._drop_above(at, shape.kind)
        following = self.introductions.next(at + shape.count)
        quotes = following is not None and following.depth > 0
        # With quote marks the marks themselves tell where the original ends.
        if following is None or (quotes and shape.kind is Kind.ATTRIBUTION and not self.original):
            return
        # Its marks are those of the original begun here, not of one within it.
        self.marked = quotes
        self._begin(shape.kind, sure=shape.sure)

    def _begin(self, kind: Kind, *, sure: bool) -> None:
        """Begin an original, or continue the one just begun."""
        continues = self.fresh is Kind.SEPARATOR or (
            self.fresh is Kind.ATTRIBUTION and kind is Kind.SEPARATOR
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
        texts = [self.written[at].text for at in own[-MOST_LINKS - MOST_FOOTERS :]]
        at = len(texts)
        # Programs put an advertising line and then its links; a link alone says nothing.
        while at > 1 and len(texts) - at < MOST_LINKS and is_link(texts[at - 1]):
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
        if kind is Kind.ATTRIBUTION:
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


def read_lines(lines: Sequence[Line], thread: Thread) -> WrittenLines:
    """Return the lines the person wrote, without blank ones.

    Dropped are quoted lines, attributions, header blocks, drawn rules and footers of telephones;
    what stands below an original, a signature or beside a wrapped quote is set apart.
    """
    return _Reader(lines, Introductions(lines, thread)).read()
