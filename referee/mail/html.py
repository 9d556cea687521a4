"""What the text of an HTML letter is, and which of it the mail program quoted.

Quoted lines come out with ``> `` before them, so that one reader of quotes serves both kinds of
text. The tree is walked without recursion; depth, size and output are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

MOST_TAGS: Final = 50_000
"""Tags read from one letter."""

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
_CONTAINERS: Final = ("gmail_quote", "gmail_quote_container", "protonmail_quote", "yahoo_quoted")
_ATTRIBUTIONS: Final = ("gmail_attr", "moz-cite-prefix", "yahoo-quoted-begin")
_REST: Final = frozenset({"appendonsend", "divrplyfwdmsg", "zwchr", "stopspelling"})
_REFERENCES: Final = frozenset({"mail-editor-reference-message-container", "oriMsgHtmlSeperator"})
_OUTLOOK_RULE: Final = re.compile(
    r"border(?:-top)?\s*:\s*(?:none;\s*border-top\s*:\s*)?solid\s+#(?:e1e1e1|b5c4df|ccc)\b"
)
_HIDDEN: Final = re.compile(r"display\s*:\s*none|mso-hide\s*:\s*all")
_TAG: Final = re.compile("<[!/?a-zA-Z]")


def html_to_text(html: str, cap: int) -> str:
    """Return the text of an HTML document, at most ``cap`` characters, quoted parts marked."""
    tags = list(_bounded(html))
    source = "".join(tags).encode("utf-8", "replace")
    parser = etree.HTMLParser(
        encoding="utf-8", recover=True, no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(source, parser)
    except (etree.LxmlError, ValueError):
        return ""
    return "" if root is None else _Writer(cap).write(root)


def _bounded(html: str) -> Iterator[str]:
    """Yield the document up to a number of tags, without the control characters lxml refuses."""
    found = list(zip(range(MOST_TAGS + 1), _TAG.finditer(html), strict=False))
    end = found[-1][1].start() if len(found) > MOST_TAGS else len(html)
    yield re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", html[:end])


class _Writer:
    """Collects lines; each remembers how deep it was quoted when it began."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self.lines: list[str] = []
        self.pieces: list[str] = []
        self.depth = 0
        self.rest = 0
        self.preformatted = 0
        self.dropped = 0
        self.size = 0

    def write(self, root: etree._Element) -> str:
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if self.size > self.cap:
                break
            tag = element.tag if isinstance(element.tag, str) else ""
            if event == "start":
                self._open(element, tag)
            else:
                self._close(element, tag)
        self._end_line()
        return "\n".join(self.lines)[: self.cap]

    def _open(self, element: etree._Element, tag: str) -> None:
        self.dropped += _drops(element, tag)
        if self.dropped:
            return
        if tag in _BLOCKS or tag == "br" or _quotes(element, tag):
            self._end_line()
        if tag in _CELLS:
            self.pieces.append(" ")
        if _begins_rest(element):
            self.rest = 1
        self.depth += _quotes(element, tag)
        self.preformatted += tag in {"pre", "textarea"}
        self._text(element.text)

    def _close(self, element: etree._Element, tag: str) -> None:
        if not self.dropped:
            if tag in _BLOCKS or _quotes(element, tag):
                self._end_line()
            self.depth -= _quotes(element, tag)
            self.preformatted -= tag in {"pre", "textarea"}
        self.dropped -= _drops(element, tag)
        if not self.dropped:
            self._text(element.tail)

    def _text(self, text: str | None) -> None:
        if not text:
            return
        if not self.preformatted:
            self.pieces.append(re.sub(r"[ \t\r\n\f]+", " ", text))
            return
        first, *others = text.split("\n")
        self.pieces.append(first)
        for each in others:
            self._end_line()
            self.pieces.append(each)

    def _end_line(self) -> None:
        line = "".join(self.pieces).strip(" ")
        self.pieces = []
        if not line and (not self.lines or not self.lines[-1]):
            return
        marks = "> " * min(self.depth + self.rest, 3)
        self.lines.append((marks + line).rstrip() if line else "")
        self.size += len(marks) + len(line) + 1


def _drops(element: etree._Element, tag: str) -> bool:
    return tag in _DROPPED or bool(_HIDDEN.search((element.get("style") or "")[:300].lower()))


def _quotes(element: etree._Element, tag: str) -> bool:
    """Tell whether a mail program put this element around what it quoted."""
    if tag == "blockquote":
        return True
    classes = _classes(element)
    if any(each in _ATTRIBUTIONS for each in classes):
        return True
    holds = any(each in _CONTAINERS for each in classes)
    named = tag == "div" and element.get("name") == "quote"
    if holds or named:
        # Who answers between the quotes writes inside the container but outside its blockquotes.
        return next(element.iterchildren("blockquote"), None) is None
    return _identity(element) in _REFERENCES


def _begins_rest(element: etree._Element) -> bool:
    """Tell whether from here to the end everything is the original message (Outlook, Zimbra)."""
    if _identity(element).lower() in _REST:
        return True
    style = (element.get("style") or "")[:300].lower()
    return element.tag == "div" and bool(_OUTLOOK_RULE.search(style))


def _identity(element: etree._Element) -> str:
    return (element.get("id") or "")[:80].removeprefix("x_").removeprefix("x_")


def _classes(element: etree._Element) -> list[str]:
    return [each.removeprefix("x_") for each in (element.get("class") or "")[:200].split()]
