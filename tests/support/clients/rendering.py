"""How mail programs make a text of HTML, each in its own manner, before they quote it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

_BLOCKS: Final = {"p", "div", "h1", "h2", "h3", "table", "tr", "blockquote", "ul", "li", "hr"}
_SPACED: Final = {"p", "h1", "h2", "h3", "table", "blockquote"}
_SKIPPED: Final = {"style", "script", "head", "title"}

MANNERS: Final = ("gmail", "outlook", "mozilla", "plain", "lynx")
"""Gmail stars what is bold, Outlook puts tabs between cells, Mozilla does both by spaces, and so
on."""


class _Renderer(HTMLParser):
    def __init__(self, manner: str) -> None:
        super().__init__()
        self.manner = manner
        self.out: list[str] = []
        self.skipped = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED:
            self.skipped += 1
        elif tag == "br":
            self.out.append("\n")
        elif tag in {"td", "th"}:
            self.out.append(self._between())
        elif tag in _BLOCKS:
            self.out.append("\n\n" if tag in _SPACED and self.manner != "outlook" else "\n")
        self._bold(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _SKIPPED:
            self.skipped -= 1
        elif tag in _BLOCKS:
            self.out.append("\n\n" if tag in _SPACED else "\n")
        self._bold(tag)

    def handle_data(self, data: str) -> None:
        if not self.skipped:
            self.out.append(re.sub(r"[ \t\r\n]+", " ", data))

    def _between(self) -> str:
        return {"gmail": "\n", "outlook": "\t", "mozilla": "   ", "lynx": " "}.get(self.manner, " ")

    def _bold(self, tag: str) -> None:
        if tag in {"b", "strong", "th"} and self.manner in {"gmail", "mozilla"}:
            self.out.append("*")


def rendered(html: str, manner: str) -> str:
    """Return the text a program makes of HTML."""
    renderer = _Renderer(manner)
    renderer.feed(html)
    lines = [each.strip(" ") for each in "".join(renderer.out).split("\n")]
    if manner != "lynx":
        lines = [each.replace("\xa0", " ") for each in lines]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
