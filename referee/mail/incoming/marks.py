"""Marks of our own text and box, written and found again.

The first and the last line we write are frames; the order box stands between them. They come back
quoted, wrapped, joined or typographically improved, and must still be recognised. No other sentence
of ours is: what stands between the frames is ours, and everything outside is the writer's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Final

from referee.mail.codes import format_code, parse_code
from referee.mail.incoming.lines import (
    CLOSINGS,
    Line,
    Thread,
    Where,
    WrittenLine,
    holds_address,
    holds_date,
    is_footer,
    is_rule,
    is_signature,
    parse_lines,
)
from referee.mail.incoming.quoting import LONGEST_ATTRIBUTION, read_lines
from referee.resources import FALLBACK, languages, sentences, words_for
from referee.signs import (
    DASH,
    MOST_WRAPPED,
    SIGN,
    is_ours,
    kind_of_frame,
    plain_match,
    sign_at_start,
    signs_over,
)
from referee.value import Value, replace

_MOST_LINES: Final = 5000
"""Lines looked at in one text; no person writes more."""

OLDER_LEVEL: Final = 2
"""Depth of nested originals where an answer may be an older one. Quote marks count."""

_NO_THREAD: Final = Thread()

_CODE: Final = re.compile(
    rf"[^\w=]([0-9A-Z]{{4}}\s?[{DASH}]?\s?[0-9A-Z]{{4}})[\s*_]*$", re.IGNORECASE
)
_SEQ: Final = re.compile(r"(?<!\w)e([0-9]{1,9})(?!\w)", re.IGNORECASE)

_BEGINS_FRAME: Final = re.compile(
    rf"\S\s[{DASH}]{{2,}}+\s*+(?:[a-z][a-z0-9]{{0,40}}\s?[{DASH}]\s?[0-9]|referee\b|$)",
    re.IGNORECASE,
)
"""The start of our opening frame behind an attribution, on whose line a program has flowed it."""

_LOG_HEAD: Final = re.compile(
    rf"[^\W\d_].{{0,60}}?[:：] ?[a-z2-7]{{4}}(?:[{DASH}][a-z2-7]{{4}}){{2}}", re.IGNORECASE
)
"""The line that tells the head of the log, in any language."""


class Box(Value):
    """An order box that came back: match, code, content.

    ``code`` is canonical, or empty when it cannot be read any more; ``title`` is all that its head
    says behind the match.
    """

    match: str
    code: str
    title: str
    written: tuple[WrittenLine, ...] = ()

    @property
    def seq(self) -> int | None:
        """The last event of its match when it was written; None if it does not say."""
        seq = _SEQ.search(self.title)
        return int(seq[1]) if seq else None

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines meant as orders."""
        return tuple(line.text for line in self.written if line.where == "own")


class Cut(Value):
    """A text taken apart: the lines outside our text in their sequence, and boxes.

    ``broken``: text of ours that does not end, or a quotation, stands below the last line of the
    person's own.
    """

    lines: tuple[WrittenLine, ...]
    boxes: tuple[Box, ...]
    broken: bool = False

    @property
    def free(self) -> tuple[str, ...]:
        """The person's own lines, those that look like an attribution among them."""
        return tuple(line.text for line in self.lines if line.where in {"own", "lead"})


def box_lines(
    match: str, turn: int, seat: str, code: str, language: str, hint: str, seq: int | None = None
) -> tuple[str, ...]:
    """Return an empty order box, with its hint in parentheses."""
    title = f"{match} · {_words(language)[0]} {turn} · {seat}"
    return _box(title if seq is None else f"{title} · e{seq}", code, language, hint)


def question_lines(number: int, code: str, language: str, hint: str) -> tuple[str, ...]:
    """Return an empty box for a question that concerns no single seat."""
    return _box(f"request-{number}", code, language, hint)


def _box(title: str, code: str, language: str, hint: str) -> tuple[str, ...]:
    return f"=== {title} · {format_code(code)} ===", f"({hint})", f"=== {_words(language)[1]} ==="


def cut(text: str, thread: Thread = _NO_THREAD) -> Cut:
    """Take an answer apart. Quoted boxes count; nothing else that is quoted or ours does.

    ``thread`` is what its letter says of the thread it stands in.
    """
    pieces = list(_signs(text))
    # Known beforehand, because a frame in the middle may have been typed by a person.
    closing = (
        at
        for at, (line, sign) in enumerate(pieces)
        if line.depth == 0 and sign is not None and kind_of_frame(sign) == "closes"
    )
    cutter = _Cutter(thread, max(closing, default=-1))
    for at, (line, sign) in enumerate(pieces):
        cutter.take(at, line, sign)
    return cutter.result()


def box_heads(text: str) -> Iterator[Box]:
    """Yield all order boxes with a code, without their content and faster than :func:`cut`."""
    for _, sign in _signs(text):
        if sign is not None and sign["boxed"] and (box := _box_of(sign)).code:
            yield box


def _words(language: str) -> tuple[str, str]:
    """Return the words of a box's head and of its end."""
    words = sentences(language if language in languages() else FALLBACK)
    return words["frame"]["turn"], words["particle"]["end"]


def _signs(answer: str) -> Iterator[tuple[Line, re.Match[str] | None]]:
    """Yield each line of an answer with its sign, and one that holds more in pieces.

    Text behind the closing frame is ignored: another person may have learnt our frames.
    """
    lines = [*islice(parse_lines(answer), _MOST_LINES)]
    at = 0
    while at < len(lines):
        line, used = _joined(lines, at)
        at += used
        text, start, closed = line.text, 0, False
        # Some programs wrap what they quote onto the line of their own “Alice wrote:”.
        if (attributed := _attributed(text)) is not None:
            yield _piece(line, text[: attributed.start()].strip(" *_"), closed=False), None
            yield Line(line.depth, attributed[0], line.width), attributed
            continue
        for sign in SIGN.finditer(text) if sign_at_start(text) else ():
            if before := text[start : sign.start()].strip(" *_"):
                yield _piece(line, before, closed=closed), None
            yield Line(line.depth, sign[0], line.width), sign
            start, closed = sign.end(), closed or kind_of_frame(sign) == "closes"
        rest = text[start:].strip(" *_") if start else text
        if rest or not start:
            yield _piece(line, rest, closed=closed), None


def _joined(lines: Sequence[Line], at: int) -> tuple[Line, int]:
    """Return the line, joined with others if that completes a sign."""
    line = lines[at]
    if is_rule(line.text):
        return line, 1
    following = lines[at : at + MOST_WRAPPED]
    for count, text, sign in signs_over([below.text for below in following]):
        # A box whose code is on the next line is not whole yet, though its words are complete.
        if not sign["boxed"] or (sign["closed"] and _box_of(sign).code):
            return Line(line.depth, text, line.width), count
    if _BEGINS_FRAME.search(line.text):
        for count in range(2, len(following) + 1):
            text = " ".join(below.text for below in following[:count])
            if _attributed(text) is not None:
                return Line(line.depth, text, line.width), count
    return line, 1


def _attributed(text: str) -> re.Match[str] | None:
    """Return our opening frame behind an attribution on one line, if any."""
    # A cheap test first: the search below is run for every line of every letter.
    if "referee" not in text[-40:].lower() or is_ours(text):
        return None
    sign = next(filter(kind_of_frame, SIGN.finditer(text[:LONGEST_ATTRIBUTION])), None)
    if sign is None or kind_of_frame(sign) == "closes":
        return None
    if sign.end() < len(text.rstrip(" *_")):
        return None
    before = text[: sign.start()].rstrip(" *_")
    attributes = before.endswith(CLOSINGS) and (holds_address(before) or holds_date(before))
    return sign if attributes else None


def _piece(line: Line, text: str, *, closed: bool) -> Line:
    return Line(line.depth, text, line.width, "ours" if closed else line.origin)


def _box_of(sign: re.Match[str]) -> Box:
    code = _CODE.search(sign["title"].rstrip())
    canonical = parse_code(code[1]) if code else None
    return Box(plain_match(sign["boxed"]), canonical or "", sign["title"])


@dataclass(slots=True)
class _Cutter:
    """Walks over lines and signs once, aware of frame and box.

    Unmarked text of ours ends with the last frame that closes, ``closing``: an earlier one may have
    been written into it by someone else.
    """

    thread: Thread
    closing: int
    framed: bool = False
    box: Box | None = None
    head: int = 0
    content: list[str] = field(default_factory=list)
    rest: list[Line] = field(default_factory=list)
    boxes: list[tuple[int, Box]] = field(default_factory=list)

    def take(self, at: int, line: Line, sign: re.Match[str] | None) -> None:
        # “=== Fin ===” was drawn by the writer; it is none of our words.
        end = None if sign is None or self.box is not None else sign["end"]
        if sign is None or (end is not None and end.casefold() not in words_for("end")):
            if self.box is not None and line.origin == "text":
                self.content.append(line.text)
            if self.box is not None or (self.framed and line.depth == 0):
                self.rest.append(replace(line, origin="ours"))
            else:
                self.rest.append(line)
        elif frame := kind_of_frame(sign):
            self._finish()
            closes, last = frame == "closes", at >= self.closing
            if line.depth == 0:
                self.framed = not (closes and last)
            # In a quotation each frame closes the text it stands in; unquoted, only the last one.
            ended = closes and (last or line.depth > 0)
            self.rest.append(replace(line, origin="end" if ended else "ours"))
        else:
            self._finish(ended=sign["end"] is not None)
            if sign["boxed"]:
                self.box = _box_of(sign)
                self.head = len(self.rest)
            self.rest.append(replace(line, origin="ours"))

    def result(self) -> Cut:
        """Return the parts; a box far down the thread counts as older if more was written."""
        self._finish()
        lines, levels, broken = read_lines(self.rest, self.thread)
        said = any(line.where == "own" for line in lines)
        boxes: list[Box] = []
        older: list[WrittenLine] = []
        for head, box in self.boxes:
            # It was quoted from an earlier mail, and its orders may have been played already.
            if levels[head] >= OLDER_LEVEL and said:
                older += [replace(line, where="below") for line in box.written]
                boxes.append(replace(box, written=()))
            else:
                boxes.append(box)
        return Cut((*lines, *older), tuple(boxes), self.framed or broken)

    def _finish(self, *, ended: bool = False) -> None:
        if self.box is not None:
            content = [line for line in self.content if line]
            if not ended:
                # Our own text follows a box whose end is gone: it begins with the head of the log.
                content = [*takewhile(lambda line: not _LOG_HEAD.fullmatch(line), content)]
            written, signed = list[WrittenLine](), False
            for line, hinted in _hinted(content):
                # A program may have inserted a signature at the cursor, inside the box.
                signed = signed or is_signature(line)
                if not (is_rule(line) or is_footer(line)):
                    where: Where = "hint" if hinted else "aside" if signed else "own"
                    written.append(WrittenLine(line, where))
            self.boxes.append((self.head, replace(self.box, written=tuple(written))))
        self.box = None
        self.content = []


def _hinted(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it is of the first text in parentheses, our hint.

    That is one sentence over three lines at most; behind it something may follow on its line.
    """
    opened = next((at for at, line in enumerate(lines) if line.startswith("(")), len(lines))
    hint, closed, after = "\n".join(lines[opened : opened + 3])[1:].partition(")")
    # With its end removed, a hint cannot be told from an order.
    if not closed:
        yield from ((line, False) for line in lines)
        return
    yield from ((line, False) for line in lines[:opened])
    yield from ((line, True) for line in hint.split("\n"))
    yield from ((line, False) for line in after.strip().split("\n") if line)
    yield from ((line, False) for line in lines[opened + 3 :])
