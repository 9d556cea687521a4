"""Lines of an answer: which the person wrote, which their mail program quoted or added.

Attributions and header blocks are known by their shape, in no language: a line that ends in a colon
and holds an address or a date, a run of ``Name: value`` lines that holds what the thread is known
by. What stands below such a shape is never taken for an order, only asked about.

Every step is plain string work over bounded pieces, so hostile text costs linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from referee.mail.incoming.shapes import (
    CLOSINGS,
    is_field,
    is_footer,
    is_link,
    is_mailbox,
    is_rule,
    is_separator,
    is_signature,
    may_attribute,
    may_be_footer,
)
from referee.mail.incoming.threads import Thread, holds_address, holds_date
from referee.signs import is_ours, plain

OUR_WIDTH: Final = 72
"""Our own lines are at most this wide, so a wrapped one was."""

NARROWEST_WRAP: Final = 46
"""No mail program wraps narrower than this; a shorter line was ended by its writer."""

FULL_LINE: Final = 58
"""A line into which the next word would not have fit, where attributions are wrapped."""

MOST_FIELDS: Final = 12
"""Lines of a quoted header block looked at."""

MOST_CONTINUATIONS: Final = 2
"""Lines of a header block that go on with the value of the line before."""

LONGEST_CELL: Final = 100
"""Characters of a header's value in a cell of its own."""

LONGEST_TITLE: Final = 4
"""Words of a line that stands directly upon a block of headers as its title."""

LONGEST_ATTRIBUTION: Final = 300

ATTRIBUTION_LINES: Final = 4
"""Lines an attribution may be wrapped over."""

_MARKS: Final = re.compile(
    r"[ \t]*+(?:(?:[\w.'-]{0,20}>|&gt;|[|¦│┃┆┇┊┋║▏▎▍▌├┝]|:(?=[ \t>|:]|$))[ \t]?)++"
)
"""Quote marks; some programs put the name or the initials of the quoted before each."""

_MARK: Final = re.compile(r">|&gt;|[|¦│┃┆┇┊┋║▏▎▍▌├┝]|:")

SHORTEST_RULE: Final = 5
"""Characters of a drawn line that parts an original from what stands above it."""


class Origin(Enum):
    """Whose a line is, as far as the frames tell."""

    TEXT = "outside our frames"
    OURS = "inside our frames, or a box"
    END = "the last line of our text"


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its quote marks: how deep it was quoted, and how wide it stood there."""

    depth: int
    text: str
    width: int
    origin: Origin = Origin.TEXT

    @property
    def written(self) -> bool:
        """Whether neither quote marks nor frames speak against the person having written it."""
        return self.depth == 0 and self.origin is Origin.TEXT


@dataclass(frozen=True, slots=True)
class Written:
    """The lines a person wrote, and those of which that is doubtful.

    ``leads`` are attributions, unless they begin as commands do: they stand right above what is
    quoted, or last, and end with a colon. ``below`` stands in an original or beside a wrapped
    quote; ``trailing`` below a signature, below what only may begin an original, or, with other
    lines above it, below our whole text; ``older`` in an original, with lines above it.
    ``levels`` tells of each line read how many originals it stands in, quote marks included;
    ``breaks`` are the lines written before which text of ours stands, by their number, and
    ``runs`` those that go on a line into which their first word would not have fit.
    """

    lines: tuple[str, ...]
    leads: tuple[str, ...]
    below: tuple[str, ...]
    trailing: tuple[str, ...]
    older: tuple[str, ...]
    levels: tuple[int, ...]
    breaks: tuple[int, ...]
    runs: tuple[int, ...]


def parse_line(raw: str) -> Line:
    """Return a line with odd spaces made plain, invisible characters removed, trimmed."""
    text = raw.rstrip()
    prefix = _MARKS.match(text)
    if prefix is None:
        return Line(0, plain(text), len(text))
    rest = plain(text[prefix.end() :])
    return Line(len(_MARK.findall(prefix[0])), rest, len(text))


def _wrapped(line: Line, before: Line | None, widest: int) -> bool:
    """Tell whether a line may be the rest of a quoted one that was wrapped without its mark.

    Then its first word did not fit into a width that held every quoted line.
    """
    if before is None or before.depth == 0:
        return False
    needed = before.width + 1 + len(line.text.split(" ", 1)[0])
    return needed > max(NARROWEST_WRAP, widest - 1)


class _Kind(Enum):
    """What introduces a text that somebody wrote before."""

    ATTRIBUTION = "somebody wrote"
    HEADERS = "a block of headers"
    SEPARATOR = "words between rules"


@dataclass(frozen=True, slots=True)
class _Shape:
    """What introduces an original, over how many lines, and whether a program wrote it for sure."""

    kind: _Kind
    count: int
    sure: bool


@dataclass
class _Reader:
    """Walks over the lines once; knows whether a signature or an original message is running."""

    lines: Sequence[Line]
    thread: Thread
    is_said: Callable[[str], bool]
    widest: int = 0
    found: list[str] = field(default_factory=list)
    leads: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    trailing: list[str] = field(default_factory=list)
    older_lines: list[str] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    runs: list[int] = field(default_factory=list)
    broken: bool = False
    signature: bool = False
    original: bool = False
    originals: int = 0
    older: bool = False
    sure: bool = False
    ended: bool = False
    ruled: bool = False
    fresh: _Kind | None = None
    before: Line | None = None

    def read(self) -> Written:
        quoted = (each.width for each in self.lines if each.depth and " " in each.text)
        self.widest = max(quoted, default=0)
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            used = self._written(at) if line.written else self._quoted(line)
            if not line.written:
                self._drop_footers()
            self.levels += [self.originals + each.depth for each in self.lines[at : at + used]]
            at += used
        self._drop_footers()
        return Written(
            tuple(self.found),
            tuple(self.leads),
            tuple(self.below),
            tuple(self.trailing),
            tuple(self.older_lines),
            tuple(self.levels),
            tuple(self.breaks),
            tuple(self.runs),
        )

    def _quoted(self, line: Line) -> int:
        self.signature = self.ruled = False
        self.fresh, self.before = None, line
        if line.origin is Origin.END and line.depth == 0 and not self.broken:
            self.breaks.append(len(self.found))  # the end of a text of ours that began nowhere
        self.broken = self.broken or line.origin is not Origin.TEXT
        if line.origin is Origin.END and line.depth <= 1:
            # An answer below the whole original is one only if nothing else was written: else it
            # may as well be an older one, of which the original above is the answer.
            self.ended = len(self.found) > len(self.leads) and (self.original or line.depth == 0)
            self.original = self.original and self.older
        elif line.depth > 2 and line.text.endswith(">>>"):
            self._begin(_Kind.HEADERS, sure=True)
        return 1

    def _written(self, at: int) -> int:
        line, before = self.lines[at], self.before
        self.before = None
        if not line.text or is_rule(line.text):
            self.signature = self.signature or is_signature(line.text)
            self.ruled = (self.ruled and not line.text) or len(line.text) >= SHORTEST_RULE
            return 1
        ruled, self.ruled = self.ruled, False
        spoken = is_ours(line.text) or self.is_said(line.text)
        shape = None if spoken else self._shape(at, ruled=ruled)
        if shape is not None:
            self._pass(at, shape)
            return shape.count
        self.fresh = None
        if self.original:
            self.older = True
            self._in_original(line.text)
        elif _wrapped(line, before, self.widest):
            self._rest_of_quote(line, before)
        elif self.signature or self.ended:
            self.trailing.append(line.text)
        elif not self._is_footer(at):
            if self.broken:
                self.breaks.append(len(self.found))
            self.broken = False
            if self._runs_on(at):
                self.runs.append(len(self.found))
            self.found.append(line.text)
            if self._may_lead(at):
                self.leads.append(line.text)
        return 1

    def _is_footer(self, at: int) -> bool:
        """Tell whether a line is a footer, or nothing but a link directly below one."""
        text = self.lines[at].text
        return is_footer(text) or (at > 0 and is_link(text) and is_footer(self.lines[at - 1].text))

    def _pass(self, at: int, shape: _Shape) -> None:
        """Pass over a shape; an original begins, unless a marked quote follows an attribution."""
        self._drop_footers()
        if shape.kind is _Kind.SEPARATOR and not self._introduces(at + 1):
            self.trailing.append(self.lines[at].text.strip("-—–_=~*#━─.<> "))
        if shape.kind is _Kind.ATTRIBUTION:
            self._drop_first_half(at)
        elif shape.kind is _Kind.HEADERS:
            self._drop_title(at)
        following = self._next(at + shape.count)
        quotes = following is not None and following.depth > 0
        if following is None or (quotes and shape.kind is _Kind.ATTRIBUTION and not self.original):
            return
        self._begin(shape.kind, sure=shape.sure)

    def _introduces(self, at: int) -> bool:
        """Tell whether headers, an attribution, a quote or text of ours come next."""
        following = self._next(at)
        if following is None or not following.written:
            return following is not None
        return self._is_field(following.text) or self.thread.attributes(following.text)

    def _begin(self, kind: _Kind, *, sure: bool) -> None:
        """Begin an original, or go on with the one that a shape right above began."""
        continues = self.fresh is _Kind.SEPARATOR or (
            self.fresh is _Kind.ATTRIBUTION and kind is _Kind.SEPARATOR
        )
        self.older = self.older or (self.original and not continues)
        self.originals += not continues
        self.sure = self.sure or sure
        self.original, self.fresh, self.ended = True, kind, False

    def _in_original(self, text: str) -> None:
        """Set a line of an original apart; of one that surely is older nobody need be asked."""
        if not self.found:
            self.below.append(text)
        elif self.sure:
            self.older_lines.append(text)
        else:
            self.trailing.append(text)

    def _drop_footers(self) -> None:
        """Take back the last lines that name a telephone or a program, as its footers do."""
        linked = len(self.found) > 1 and is_link(self.found[-1]) and self._may_be_footer(-2)
        if linked:
            self.trailing.append(self.found.pop())
        while self.found and self._may_be_footer(-1):
            self.trailing.append(self.found.pop())

    def _may_be_footer(self, at: int) -> bool:
        return may_be_footer(self.found[at]) and not self.is_said(self.found[at])

    def _drop_first_half(self, at: int) -> None:
        """Take back the line above an attribution that holds the date it lacks."""
        above = self.lines[at - 1] if at else None
        if above is None or not above.text or not self.found or self.found[-1] != above.text:
            return
        halved = not holds_date(self.lines[at].text) and holds_date(above.text)
        if halved or self.lines[at].text.startswith(("<", "[mailto:", "(mailto:")):
            self.trailing.append(self.found.pop())

    def _drop_title(self, at: int) -> None:
        """Take back the line directly upon a block of headers, if it can be its title."""
        above = [each.text for each in self.lines[max(at - 2, 0) : at]]
        if len(above) == 2 and self.found[-1:] == above[1:]:
            titled = not above[0] and len(above[1].split()) <= LONGEST_TITLE
            if not self.is_said(above[1]) and (titled or above[1].endswith(CLOSINGS)):
                title = self.found.pop()
                self._drop_footers()
                self.trailing.append(title)

    def _rest_of_quote(self, line: Line, before: Line | None) -> None:
        """Leave out a line that goes on a quoted one; ask about it if ours was never so wide."""
        wide = before or line
        needed = wide.width + 1 + len(line.text.split(" ", 1)[0])
        if needed <= FULL_LINE or wide.width + 1 + len(line.text) > OUR_WIDTH + 2 * wide.depth:
            self.below.append(line.text)
        self.before = Line(1, line.text, line.width)

    def _shape(self, at: int, *, ruled: bool) -> _Shape | None:
        if used := self._header_block(at, ruled=ruled):
            return _Shape(_Kind.HEADERS, used, sure=True)
        if is_separator(self.lines[at].text):
            return _Shape(_Kind.SEPARATOR, 1, sure=holds_address(self.lines[at].text))
        used = self._attribution(at)
        text = " ".join(each.text for each in self.lines[at : at + used])
        sure = holds_address(text) or (holds_date(text) and self.thread.named(text))
        return _Shape(_Kind.ATTRIBUTION, used, sure) if used else None

    def _header_block(self, at: int, *, ruled: bool) -> int:
        """Return over how many lines a block of headers goes from here; 0: none begins.

        It is a run of fields that holds what the thread is known by. Two suffice where a rule, a
        date or our own text stands by them, and one below a rule with an address.
        """
        first = self.lines[at].text
        apart = ruled or self.fresh is not None or (at > 0 and not self.lines[at - 1].text)
        if not self._is_field(first) or not (apart or self._tells(first)):
            return 0
        used = self._fields(at)
        texts = [each.text for each in self.lines[at : at + used] if each.text]
        addressed = any(holds_address(each) for each in texts)
        dated = any(holds_date(each) for each in texts)
        named = any(self.thread.named(each) for each in texts)
        framed = self._ends(at + used, empty=False)
        known = addressed or (dated and named) or any(self.thread.known(each) for each in texts)
        if sum(map(self._is_field, texts)) >= 3:
            return used if known or dated or named or framed or ruled else 0
        count = sum(is_field(each, tight=True) for each in texts)
        near = ruled or dated or framed
        return used if known and near and (count == 2 or (ruled and addressed and count)) else 0

    def _tells(self, text: str) -> bool:
        """Tell whether a line holds something that a header of the thread would hold."""
        known = self.thread.known(text) or self.thread.named(text)
        return known or holds_address(text) or holds_date(text)

    def _is_field(self, text: str) -> bool:
        """Tell whether a line could stand in a block: a field, or a cell of one."""
        if self.is_said(text):
            return False
        if is_field(text, tight=self._tells(text)):
            return True
        short = 0 < len(text) <= LONGEST_CELL and not text.endswith(CLOSINGS)
        dated = text[:1].isdigit() and holds_date(text)
        return short and (dated or is_mailbox(text) or self.thread.known(text))

    def _fields(self, at: int) -> int:
        """Return over how many lines a run of fields goes, with blanks and wrapped values in it."""
        spare, last, gaps = MOST_CONTINUATIONS, 0, list[int]()
        for used, each in enumerate(self.lines[at : at + 2 * MOST_FIELDS], start=1):
            if not each.written:
                break
            if self._is_field(each.text):
                gaps.append(used - last)
                if gaps[1:2] > [1] and gaps[2:3] == [1]:
                    return 1  # what stands apart from the fields is none of them
                last = used
            elif each.text:
                spare -= 1
            if spare < 0 or used - last > MOST_CONTINUATIONS:
                break
        return last

    def _attribution(self, at: int) -> int:
        """Return over how many lines (at most 4) an attribution runs from here; 0: none begins."""
        joined, unclosed = "", 0
        for count, line in enumerate(self.lines[at : at + ATTRIBUTION_LINES], start=1):
            if not line.written or not line.text or (count > 1 and not self._full(at + count - 2)):
                break
            joined = f"{joined} {line.text}".strip()
            if len(joined) > LONGEST_ATTRIBUTION or not self.thread.attributes(joined):
                break
            quoting = holds_address(joined) and self._quote_at(at + count)
            if joined.rstrip("*_ ").endswith(CLOSINGS) or quoting:
                return count
            dated = holds_address(joined) and holds_date(joined)
            if dated and (self.thread.known(joined) or self._is_apart(at, count)):
                unclosed = unclosed or count
        return unclosed

    def _is_apart(self, at: int, count: int) -> bool:
        """Tell whether lines that end with an address in brackets are a paragraph of their own."""
        around = [*self.lines[max(at - 1, 0) : at], *self.lines[at + count : at + count + 1]]
        closed = self.lines[at + count - 1].text.endswith((">", ">]", ">)"))
        return closed and not any(each.text for each in around)

    def _may_lead(self, at: int) -> bool:
        """Tell whether a line stands as an attribution does, with a colon or a name and a date."""
        text = self.lines[at].text
        if may_attribute(text):
            return self._ends(at + 1)
        return holds_date(text) and self.thread.named(text) and self._quote_at(at + 1)

    def _full(self, at: int) -> bool:
        """Tell whether a line is so wide that the first word of the next did not fit into it."""
        following = self.lines[at + 1].text.split(" ", 1)[0]
        return self.lines[at].width + 1 + len(following) > FULL_LINE

    def _runs_on(self, at: int) -> bool:
        """Tell whether a line may go on the one above, which ends no sentence."""
        above = self.lines[at - 1] if at else None
        unfinished = above is not None and above.written and above.text[-1:] not in set(".!?:;")
        return unfinished and bool(above and above.text) and self._full(at - 1)

    def _next(self, at: int) -> Line | None:
        """Return the next line within a few that is neither blank nor drawn."""
        few = self.lines[at : at + 6]
        return next((each for each in few if each.text and not is_rule(each.text)), None)

    def _ends(self, at: int, *, empty: bool = True) -> bool:
        """Tell whether a quote or our text comes next; with ``empty`` also if nothing does."""
        following = self._next(at)
        return empty if following is None else not following.written

    def _quote_at(self, at: int) -> bool:
        return self._ends(at, empty=False)


def read_lines(lines: Sequence[Line], thread: Thread, is_said: Callable[[str], bool]) -> Written:
    """Return the lines the person wrote, without blank ones.

    Dropped are quoted lines, attributions, header blocks, drawn rules and footers of telephones;
    what stands below an original, a signature or beside a wrapped quote is set apart. Lines that
    ``is_said`` knows as what people say to the referee are none that a program added.
    """
    return _Reader(lines, thread, is_said).read()
