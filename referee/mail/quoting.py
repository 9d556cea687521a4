"""Which lines of an answer the person wrote, and which his mail program quoted or added.

Every step is plain string work over bounded pieces, so hostile text costs linear time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

OUR_WIDTH: Final = 72
"""Our own lines are at most this wide, so a wrapped one was."""

NARROWEST_WRAP: Final = 58
"""No mail program wraps narrower than this; a shorter line was ended by its writer."""

MOST_HEADER_LINES: Final = 7
"""A quoted header block shows three header lines within this many."""

LONGEST_ATTRIBUTION: Final = 300

MOST_ATTRIBUTING: Final = 8
"""Words of an attribution without date and address; more are prose."""

_INVISIBLE: Final = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"))
_PREFIX: Final = re.compile(r"[ \t]{0,3}(?:[A-Z]{0,3}>[ \t]?)++")
"""Quote marks; some programs put the initials of the quoted before each."""

_DATE: Final = re.compile(r"\b(?:19|20)\d\d\b|\d[:.]\d\d\b|\d/\d{1,2}/\d")
_HEADER_NAMES: Final = {
    "from": "from", "von": "from", "sent": "date", "date": "date", "gesendet": "date",
    "datum": "date", "to": "to", "an": "to", "cc": "cc", "kopie": "cc", "subject": "subject",
    "betreff": "subject", "reply-to": "reply", "antwort an": "reply",
    "de": "from", "van": "from", "da": "from", "envoyé": "date", "verzonden": "date",
    "enviado": "date", "inviato": "date", "à": "to", "aan": "to", "para": "to", "objet": "subject",
    "onderwerp": "subject", "asunto": "subject", "oggetto": "subject",
}  # fmt: skip
_WROTE: Final = (
    "wrote", "schrieb", "geschrieben", "writes", "schreibt", "écrit", "schreef", "escribió",
    "scritto",
)  # fmt: skip
_SEPARATORS: Final = (
    "original message", "original-nachricht", "originalnachricht", "ursprüngliche nachricht",
    "ursprungliche nachricht", "urspruengliche nachricht", "forwarded message",
    "weitergeleitete nachricht", "original appointment",
)  # fmt: skip
_FORWARDED: Final = (
    "begin forwarded message:",
    "anfang der weitergeleiteten nachricht:",
)
_FOOTERS: Final = (
    "sent from my ", "sent from yahoo", "sent from outlook", "sent from proton", "sent from mail",
    "sent with ", "sent via ", "get outlook for ", "von meinem ", "von meiner ", "gesendet mit ",
    "gesendet von ", "gesendet über ", "diese nachricht wurde von meinem ", "outlook für ",
    "holen sie sich outlook", "laden sie outlook", "please excuse my brevity",
    "bitte entschuldigen sie die kürze",
)  # fmt: skip


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
    """The lines a person wrote; ``leads`` are attributions, unless they begin as commands do.

    They stand right above what is quoted or last, say that somebody wrote, and end with a colon.
    """

    lines: tuple[str, ...]
    leads: tuple[str, ...]


def parse_line(raw: str) -> Line:
    """Return a line with odd spaces made plain, invisible characters removed, trimmed."""
    plain = raw.translate(_INVISIBLE).replace("\xa0", " ").replace("\u202f", " ").rstrip()
    prefix = _PREFIX.match(plain)
    if prefix is None:
        return Line(0, " ".join(plain.split()), len(plain))
    depth = prefix[0].count(">")
    return Line(depth, " ".join(plain[prefix.end() :].split()), len(plain))


def is_signature(text: str) -> bool:
    """Tell whether a trimmed line is the delimiter of a signature (RFC 3676 section 4.3)."""
    return text == "--"


def is_footer(text: str) -> bool:
    """Tell whether a line was added by a telephone or a mail provider."""
    return len(text) < 160 and text.lower().lstrip("*_-– ").startswith(_FOOTERS)


def is_rule(text: str) -> bool:
    """Tell whether a line is drawn, not written: it has no letter, digit or brace."""
    return not any(each.isalnum() or each in "{}[]" for each in text)


def is_separator(text: str) -> bool:
    """Tell whether a line announces that the original message follows unquoted."""
    lowered = text.lower()
    if lowered in _FORWARDED:
        return True
    if len(text) > 80 or not lowered.startswith(("--", "—", "––", "__")):
        return False
    return lowered.strip("-—–_ ").rstrip(":") in _SEPARATORS


def header_name(text: str) -> str | None:
    """Return which header a line of a quoted header block shows, in any language, or None."""
    name, colon, _ = text.lstrip("*_ ")[:40].partition(":")
    return _HEADER_NAMES.get(name.strip("*_ ").lower()) if colon else None


def begins_headers(lines: Sequence[Line], at: int) -> bool:
    """Tell whether a quoted header block begins here: three headers of which one is a sender."""
    first = header_name(lines[at].text)
    if first not in {"from", "date"}:
        return False
    names = {header_name(each.text) for each in lines[at : at + MOST_HEADER_LINES]} - {None}
    return "from" in names and len(names) >= 3


def attribution(lines: Sequence[Line], at: int) -> int:
    """Return over how many lines (at most 3) an attribution runs from here; 0: none begins."""
    joined = ""
    if not _opens(lines[at].text):
        return 0
    for count, line in enumerate(lines[at : at + 3], start=1):
        if not line.written or not line.text:
            return 0
        joined = f"{joined} {line.text}".strip()
        if len(joined) > LONGEST_ATTRIBUTION:
            return 0
        if _attributes(joined):
            return count
    return 0


def _attributes(text: str) -> bool:
    if not text.endswith(":"):
        return False
    if text.startswith("* ") and "@" in text:
        return True
    dated = any(each.isdigit() for each in text) or "@" in text
    words = text.lower().replace(":", " ").split()
    return dated and any(word in words for word in _WROTE)


def may_attribute(text: str) -> bool:
    """Tell whether a line could be an attribution that names neither a date nor an address."""
    words = text.lower().removesuffix(":").split()
    short = text.endswith(":") and 1 < len(words) <= MOST_ATTRIBUTING
    return short and any(word in words for word in _WROTE)


def _opens(text: str) -> bool:
    """Tell whether an attribution may begin with a line; an order above it must not go with it."""
    words = text.lower().startswith(("on ", "am ", "at ", "in ", "le ", "op ", "el ", "il "))
    return words or "@" in text or bool(_DATE.search(text))


def _wrapped(line: Line, before: Line | None, widest: int) -> bool:
    """Tell whether a line is the rest of a quoted line that was wrapped without its mark.

    Then the first word did not fit into a width that held every quoted line, and the whole was
    no wider than ours are.
    """
    if before is None or before.depth == 0:
        return False
    needed = before.width + 1 + len(line.text.split(" ", 1)[0])
    whole = before.width + 1 + len(line.text)
    return (
        needed > max(NARROWEST_WRAP, widest)
        and before.width <= widest
        and whole <= OUR_WIDTH + 2 * before.depth
    )


class _Reader:
    """Walks over the lines once; knows whether a signature or an original message is running."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        quoted = (each.width for each in lines if each.depth and " " in each.text)
        self.widest = max(quoted, default=0)
        self.found: list[str] = []
        self.leads: list[str] = []
        self.signature = False
        self.original = False
        self.originals = 0
        self.older = False
        self.headers_until = -1
        self.before: Line | None = None

    def read(self) -> Written:
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            at += self._written(at) if line.written else self._quoted(line)
        return Written(tuple(self.found), tuple(self.leads))

    def _quoted(self, line: Line) -> int:
        self.signature = False
        if line.origin is Origin.END and line.depth <= 1 and self.originals <= 1:
            self.original = self.original and self.older
        self.before = line
        return 1

    def _written(self, at: int) -> int:
        line, before = self.lines[at], self.before
        self.before = None
        if not line.text or is_rule(line.text):
            self.signature = self.signature or is_signature(line.text)
            return 1
        if at > self.headers_until and (begins_headers(self.lines, at) or is_separator(line.text)):
            self._begin_original(at)
        elif count := attribution(self.lines, at):
            self.older = self.older or self.original
            if not self._quote_follows(at + count):
                self._begin_original(at)
            return count
        elif _wrapped(line, before, self.widest):
            self.before = Line(1, line.text, line.width)
        elif self.original:
            self.older = self.older or not header_name(line.text)
        elif not (self.signature or is_footer(line.text)):
            self.found.append(line.text)
            if may_attribute(line.text) and self._quote_follows(at + 1):
                self.leads.append(line.text)
        return 1

    def _begin_original(self, at: int) -> None:
        self.original = True
        self.originals += 1
        self.headers_until = at + MOST_HEADER_LINES + 3

    def _quote_follows(self, at: int) -> bool:
        following = (each for each in self.lines[at : at + 5] if each.text)
        first = next(following, None)
        return first is None or not first.written


def written_lines(lines: Sequence[Line]) -> Written:
    """Return the lines the person wrote, without blank ones.

    Dropped are quoted lines, attributions, signatures, drawn rules, footers of telephones, and
    everything after a quoted header block up to the end of our text.
    """
    return _Reader(lines).read()
