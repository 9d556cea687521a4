"""HTML letters as text, with quotations marked as such.

Quoted lines come out with ``> `` before them, and an unmarked original below a line that announces
it, so that one reader of quotes serves both kinds of text. The parser reports tags as it meets them
and builds no tree, so time is linear in the size however deep the nesting (a tree with many
attributes on one tag takes quadratic time).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.signs import plain_line
from referee.value import Value

_DROPPED: Final = frozenset({
    "script", "style", "head", "title", "template", "noscript", "object", "svg", "math", "select",
})  # fmt: skip

_BLOCKS: Final = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl",
    "dt", "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tbody", "tfoot",
    "thead", "tr", "ul", "caption", "summary",
})  # fmt: skip

_CELLS: Final = frozenset({"td", "th"})

_VERBATIM: Final = frozenset({"pre", "textarea"})

_CONTAINERS: Final = frozenset({"gmail_quote", "gmail_quote_container", "protonmail_quote"})

_QUOTES: Final = frozenset({
    "gmail_attr", "moz-cite-prefix", "yahoo-quoted-begin", "yahoo_quoted",
})  # fmt: skip

_QUOTE_IDENTITIES: Final = frozenset({"mail-editor-reference-message-container"})

_REST: Final = frozenset({"appendonsend", "divrplyfwdmsg", "zwchr"})

_OUTLOOK_RULE: Final = re.compile(r"border-top\s*:\s*solid\s+#(?:e1e1e1|b5c4df)\b")

_HIDDEN: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0+(?:\.0+)?\s*(?:[a-z%]|;|$)"
    r"|mso-hide\s*:\s*all|mso-list\s*:\s*ignore"
)

_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")

_REQUOTED: Final = re.compile(r"^(?:x_)++")

_SPACES: Final = re.compile(r"[ \t\r\n\f]+")

_STRUCK: Final = frozenset({"s", "del", "strike"})

_STRIKING: Final = re.compile(r"text-decoration(?:-line)?\s*:[^;]{0,40}line-through")

_FONT: Final = re.compile(r"(?:^|;)\s*font-family\s*:\s*[\"']?(\w*)")

_WINGDINGS: Final = {"J": ":)", "K": ":|", "L": ":(", "à": "→", "è": "→", "ß": "←", "ç": "←"}
"""Smileys and arrows that Outlook makes, as one types, letters of a font of signs.

The other letters say nothing; the bullets of lists are among them.
"""

_ORIGINAL: Final = "----- original -----"
"""Stands for an original that only a program's layout marks."""

_RULE: Final = "__________"

_DEEPEST_MARKS: Final = 3


class Page(Value):
    """The text of an HTML document, and its struck lines.

    A line counts as struck if any part of it is. Such lines are given whole, as the text part
    beside the page shows them.
    """

    text: str
    struck: frozenset[str]


def read_page(html: str, cap: int) -> Page:
    """Return an HTML document's text, at most ``cap`` characters, and its struck lines."""
    # Only letters with nothing but HTML need it, and every start would pay for it.
    from lxml import etree  # noqa: PLC0415

    writer = _Writer(cap)
    parser = etree.HTMLParser(encoding="utf-8", recover=True, no_network=True, target=writer)
    # What the library does with a NUL differs by version; no text must hide behind one.
    source = _CONTROLS.sub("", html).encode("utf-8", "replace")
    try:
        etree.fromstring(source, parser)
    except (etree.LxmlError, ValueError):
        # What was read up to here is kept: an empty document has no root, for one.
        writer.close()
    return Page(writer.text(), frozenset(writer.struck_lines))


@dataclass(slots=True)
class _Open:
    """An open tag and its effect on the text inside."""

    tag: str
    dropped: bool
    struck: bool
    quoted: bool
    container: bool
    line: int = 0
    wingdings: bool = False
    answered: bool = False


class _Writer:
    """Collects lines; each remembers the depth of quotation at its end."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self.lines: list[str] = []
        self.depths: list[int] = []
        self.more: dict[int, int] = {}
        self.pieces: list[str] = []
        self.whole: list[str] = []
        self.struck_lines: list[str] = []
        self.struck = 0
        self.stack: list[_Open] = []
        self.depth = 0
        self.dropped = 0
        self.verbatim = 0
        self.size = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        style = (attributes.get("style") or "")[:300].lower()
        # Outlook on the web puts x_ before the names of what it quotes, again for each quote.
        names = (attributes.get("class") or "")[:200].split()
        classes = {_REQUOTED.sub("", name) for name in names}
        identity = _REQUOTED.sub("", (attributes.get("id") or "")[:80].lower())
        named = _FONT.search(style)
        font = named[1] if named else (attributes.get("face") or "")[:80].lower()
        # A tag that names no font has that of the one around it.
        around = bool(self.stack) and self.stack[-1].wingdings
        opened = _Open(
            tag,
            dropped=tag in _DROPPED or "hidden" in attributes or bool(_HIDDEN.search(style)),
            struck=tag in _STRUCK or bool(_STRIKING.search(style)),
            quoted=tag == "blockquote"
            or attributes.get("name") == "quote"
            or not _QUOTES.isdisjoint(classes)
            or identity in _QUOTE_IDENTITIES,
            container=tag != "blockquote" and not _CONTAINERS.isdisjoint(classes),
            wingdings=font.startswith("wingdings") if font else around,
        )
        if tag in _BLOCKS or tag == "br" or opened.quoted or opened.container:
            self._end_line()
        # Noted after the line has ended, so that marks added later begin with its own content.
        opened.line = len(self.lines)
        if tag == "blockquote":
            # If the nearest container quotes by blockquotes, answers may stand between them. One
            # below other words may be what somebody quoted in a mail that is forwarded whole.
            # Bounded, since a letter may nest blockquotes without end.
            outer = next((tag for tag in reversed(self.stack[-20:]) if tag.container), None)
            if outer is not None:
                # Of blank lines only one is kept, so words would stand among the first two.
                first = not any(self.lines[outer.line : outer.line + 2])
                outer.answered |= first or not _CONTAINERS.isdisjoint(classes)
        self._count(opened, 1)
        self.stack.append(opened)
        # Cells of a row stand on one line; without a space their words would run together.
        if tag in _CELLS:
            self.data(" ")
        # Outlook and Zimbra mark where an original begins, and never where it ends.
        if identity in _REST or (tag == "div" and _OUTLOOK_RULE.search(style)):
            self._line(_ORIGINAL)
        elif tag == "hr":
            self._line(_RULE)

    def end(self, tag: str) -> None:
        # The parser closes what it opened; a stray end belongs to no open tag.
        if not self.stack or self.stack[-1].tag != tag:
            return
        opened = self.stack.pop()
        if tag in _BLOCKS or opened.quoted or opened.container:
            self._end_line()
        self._count(opened, -1)
        # Only at its end is it known whether a container holds answers between blockquotes.
        if opened.container and not opened.answered:
            self.more[opened.line] = self.more.get(opened.line, 0) + 1
            self.more[len(self.lines)] = self.more.get(len(self.lines), 0) - 1

    def data(self, text: str) -> None:
        # Checked before the text is added: one oversized piece is cut, later ones are ignored.
        if self.dropped or self.size > self.cap:
            return
        self.size += len(text)
        if self.stack and self.stack[-1].wingdings:
            text = re.sub(r"\S", lambda letter: _WINGDINGS.get(letter[0], ""), text)
        if not self.verbatim:
            self._piece(_SPACES.sub(" ", text))
            return
        # Every end of a line is one here already, as the depth of quotation is noted with each.
        first, *others = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._piece(first)
        for line in others:
            self._end_line()
            self._piece(line)

    def _piece(self, text: str) -> None:
        # Struck words are kept beside: the text part of the letter shows them like any other.
        self.whole.append(text)
        if not self.struck:
            self.pieces.append(text)

    def close(self) -> None:
        while self.stack:
            self.end(self.stack[-1].tag)
        self._end_line()

    def text(self) -> str:
        marked: list[str] = []
        more = 0
        for at, (line, depth) in enumerate(zip(self.lines, self.depths, strict=True)):
            more += self.more.get(at, 0)
            # Deeper marks mean the same to every reader and would make hostile nesting expensive.
            marks = "> " * min(depth + more, _DEEPEST_MARKS)
            marked.append(marks + line if line else "")
        return "\n".join(marked)[: self.cap]

    def _count(self, opened: _Open, by: int) -> None:
        self.dropped += by * opened.dropped
        self.struck += by * opened.struck
        self.depth += by * opened.quoted
        self.verbatim += by * (opened.tag in _VERBATIM)

    def _end_line(self) -> None:
        line = "".join(self.pieces).strip(" ")
        # Some of the line was struck out; the plain text part shows it without any mark.
        if len(self.whole) > len(self.pieces):
            self.struck_lines.append(plain_line("".join(self.whole)))
        self.pieces, self.whole = [], []
        # Empty blocks are layout; several blank lines mean no more than one.
        if not line and (not self.lines or not self.lines[-1]):
            return
        self.lines.append(line)
        self.depths.append(self.depth)

    def _line(self, text: str) -> None:
        """Write a line of its own, unless the surrounding element is hidden."""
        self._end_line()
        if not self.dropped:
            self._piece(text)
            self._end_line()
