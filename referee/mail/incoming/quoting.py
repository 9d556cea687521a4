"""Lines of an answer: the person's own, quoted and added ones.

Text below an introduction of an original is never taken for an order, only asked about. Every step
is plain string work over bounded pieces, so hostile text costs linear time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.mail.incoming.introductions import FULL_LINE, Introduction, Introductions, Kind
from referee.mail.incoming.lines import Line, Origin
from referee.mail.incoming.shapes import (
    CLOSINGS,
    is_footer,
    is_link,
    is_rule,
    is_signature,
    may_be_footer,
)
from referee.mail.incoming.threads import Thread, holds_date
from referee.signs import is_ours

OUR_WIDTH: Final = 72
"""Columns of our own lines at most. A wider quoted one is another person's."""

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


@dataclass(frozen=True, slots=True)
class WrittenLines:
    """The lines a person wrote, and those of which that is doubtful.

    ``leads`` are attributions, unless they begin as commands do: they stand right above what is
    quoted, or last, and end with a colon. ``below`` stands in an original; ``trailing`` below a
    signature, a quoted line that may have been wrapped, what only may begin an original, or, with
    other lines above it, our whole text; ``older`` in an original, with lines above it.
    ``levels`` tells of each line read how many originals it stands in, quote marks included;
    ``breaks`` are the lines written before which text of ours stands, by their number, ``runs``
    those that go on a line into which their first word would not have fit, and ``gaps`` those above
    which a blank line, a rule or anything not written by the person stands.
    """

    lines: tuple[str, ...]
    leads: tuple[str, ...]
    below: tuple[str, ...]
    trailing: tuple[str, ...]
    older: tuple[str, ...]
    levels: tuple[int, ...]
    breaks: tuple[int, ...]
    runs: tuple[int, ...]
    gaps: tuple[int, ...] = ()


def _wrapped(line: Line, before: Line | None, widest: int) -> bool:
    """Whether a line may be the unmarked rest of a quoted one.

    If so, its first word did not fit into a width that held every quoted line.
    """
    if before is None or before.depth == 0:
        return False
    needed = before.width + 1 + len(line.text.split(" ", 1)[0])
    return needed > max(NARROWEST_WRAP, widest - 1)


@dataclass
class _Reader:
    """Walks over the lines once, aware of a running signature or original."""

    lines: Sequence[Line]
    thread: Thread
    is_said: Callable[[str], bool]
    introductions: Introductions = field(init=False)
    widest: int = 0
    found: list[str] = field(default_factory=list)
    leads: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    trailing: list[str] = field(default_factory=list)
    older_lines: list[str] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    runs: list[int] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)
    gap: bool = False
    close: dict[int, bool] = field(default_factory=dict)
    broken: bool = False
    split: bool = False
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

    def __post_init__(self) -> None:
        self.introductions = Introductions(self.lines, self.thread)

    def read(self) -> WrittenLines:
        # A line of one word, such as a long address, is never wrapped and tells no width.
        quoted = (each.width for each in self.lines if each.depth and " " in each.text)
        self.widest = max(quoted, default=0)
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            used = self._written(at) if line.written else self._quoted(line)
            if not line.written:
                self._drop_footers()
            deep = self.originals - self.marked
            self.levels += [deep + each.depth for each in self.lines[at : at + used]]
            at += used
        self._drop_footers()
        return WrittenLines(
            tuple(self.found),
            tuple(self.leads),
            tuple(self.below),
            tuple(self.trailing),
            tuple(self.older_lines),
            tuple(self.levels),
            tuple(self.breaks),
            tuple(self.runs),
            tuple(self.gaps),
        )

    def _quoted(self, line: Line) -> int:
        self.signature = self.ruled = False
        self.gap = True
        self.fresh, self.before, self.split = None, line, True
        if line.origin is Origin.END and line.depth == 0 and not self.broken:
            self.breaks.append(len(self.found))  # the end of a text of ours that began nowhere
        self.broken = self.broken or line.origin is not Origin.TEXT
        if line.origin is Origin.END and line.depth <= 1:
            # An answer below the whole original is one only if nothing else was written: else it
            # may as well be an older one, of which the original above is the answer.
            self.ended = len(self.found) > len(self.leads) and (self.original or line.depth == 0)
            self.original = self.original and self.older
        # GroupWise introduces an unmarked original by ">>> Name <address> date >>>".
        elif line.depth > 2 and line.text.endswith(">>>"):
            self._begin(Kind.HEADERS, sure=True)
        return 1

    def _written(self, at: int) -> int:
        line, before = self.lines[at], self.before
        self.before = None
        if not line.text or is_rule(line.text):
            self.gap = True
            self.signature = self.signature or is_signature(line.text)
            self.ruled = (self.ruled and not line.text) or len(line.text) >= SHORTEST_RULE
            return 1
        ruled, self.ruled = self.ruled, False
        shape = None if is_ours(line.text) else self._introduction(at, ruled=ruled)
        if shape is not None:
            self._pass(at, shape)
            self.gap = True
            return shape.count
        self.fresh = None
        if self.original:
            self.older = True
            self._in_original(line.text)
        elif _wrapped(line, before, self.widest):
            self._rest_of_quote(line, before)
        elif self.signature or self.ended:
            self.trailing.append(line.text)
        else:
            # A quote between two lines may be what they answer, so a message is no longer whole.
            if self.broken or self.split:
                self.breaks.append(len(self.found))
            self.broken = self.split = False
            if self.introductions.runs_on(at):
                self.runs.append(len(self.found))
            if self.gap:
                self.gaps.append(len(self.found))
            self.gap = False
            above = self.lines[max(at - 1, 0) : at]
            self.close[len(self.found)] = any(each.written and each.text for each in above)
            self.found.append(line.text)
            if self.introductions.may_lead(at):
                self.leads.append(line.text)
        return 1

    def _introduction(self, at: int, *, ruled: bool) -> Introduction | None:
        return self.introductions.at(at, ruled=ruled, fresh=self.fresh is not None)

    def _pass(self, at: int, shape: Introduction) -> None:
        """Pass over a shape. An original begins, unless a marked quote follows an attribution."""
        self._drop_footers()
        # “--- my orders ---” may be the writer's own heading; if nothing follows it, we ask.
        if shape.kind is Kind.SEPARATOR and not self.introductions.introduces(at + 1):
            self.trailing.append(self.lines[at].text.strip("-—–_=~*#━─.<> "))
        if shape.kind is Kind.ATTRIBUTION:
            self._drop_first_half(at)
        elif shape.kind is Kind.HEADERS:
            self._drop_title(at)
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

    def _in_original(self, text: str) -> None:
        """Set a line of an original apart. A line surely older needs no question."""
        # With nothing above, the writer may have answered below an original that bears no marks.
        if not self.found:
            self.below.append(text)
        elif self.sure:
            self.older_lines.append(text)
        else:
            self.trailing.append(text)
            self.breaks.append(len(self.found))  # a message above may go on here

    def _drop_footers(self) -> None:
        """Take back last lines that may be footers of programs."""
        # An attribution without a colon is known by the quote below it, and stands there still.
        led = bool(self.leads) and self.found[-1:] == self.leads[-1:]
        at = first = last = end = len(self.found) - led
        # Programs put an advertising line and then its links; a link alone says nothing.
        while at > 1 and end - at < MOST_LINKS and is_link(self.found[at - 1]):
            at -= 1
        # Few, or each quoted line would look again through all that was written.
        while at > max(last - MOST_FOOTERS, 0) and self._may_be_footer(self.found[at - 1]):
            at -= 1
            # A line that goes on a paragraph may as well name a telephone.
            if is_footer(self.found[at]) or not self.close[at]:
                first = at
        self.trailing += self.found[first:end]
        del self.found[first:end]
        # What comes next has other lines above it than those that are gone.
        self.runs = [each for each in self.runs if each < first]
        self.gaps = [each for each in self.gaps if each < first]
        self.gap = self.gap or first < end

    def _may_be_footer(self, text: str) -> bool:
        return is_footer(text) or may_be_footer(text)

    def _drop_first_half(self, at: int) -> None:
        """Take back the date line above an attribution without a date."""
        above = self.lines[at - 1] if at else None
        if above is None or not above.text or not self.found or self.found[-1] != above.text:
            return
        # Some programs wrap an attribution in two: the date above, name and address below.
        halved = not holds_date(self.lines[at].text) and holds_date(above.text)
        if halved or self.lines[at].text.startswith(("<", "[mailto:", "(mailto:")):
            self.trailing.append(self.found.pop())

    def _drop_title(self, at: int) -> None:
        """Take back a possible title directly above a block of headers."""
        above = [each.text for each in self.lines[max(at - 2, 0) : at]]
        if len(above) == 2 and self.found[-1:] == above[1:]:
            titled = not above[0] and len(above[1].split()) <= LONGEST_TITLE
            if titled or above[1].endswith(CLOSINGS):
                title = self.found.pop()
                self._drop_footers()
                self.trailing.append(title)

    def _rest_of_quote(self, line: Line, before: Line | None) -> None:
        """Leave out the rest of a quoted line. Ask if our lines were never so wide."""
        wide, said = before or line, self.is_said(line.text)
        needed = wide.width + 1 + len(line.text.split(" ", 1)[0])
        longer = wide.width + 1 + len(line.text) > OUR_WIDTH + 2 * wide.depth
        if said or needed <= FULL_LINE or longer:
            self.trailing.append(line.text)
        # A long quoted line may be wrapped twice, so this rest may itself have one.
        self.before = Line(1, line.text, wide.width if said else line.width)


def read_lines(
    lines: Sequence[Line], thread: Thread, is_said: Callable[[str], bool]
) -> WrittenLines:
    """Return the lines the person wrote, without blank ones.

    Dropped are quoted lines, attributions, header blocks, drawn rules and footers of telephones;
    what stands below an original, a signature or beside a wrapped quote is set apart. Lines that
    ``is_said`` knows as what people say to the referee are no rest of what is quoted.
    """
    return _Reader(lines, thread, is_said).read()
