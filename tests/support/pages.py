"""The pages of the documentation taken apart: fenced blocks, command lines, links, headings."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee import resources

TREE = resources.path("schemas").parent
PAGES = sorted([*TREE.glob("*.md"), *(TREE / "docs").rglob("*.md")])

_FENCE = re.compile(
    r"(?:<!-- schema: (?P<schema>\S+) -->\n)?^ *```(?P<language>\w*)\n(?P<text>.*?)^ *```$",
    re.MULTILINE | re.DOTALL,
)
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_NO_ANCHOR = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block: its page, its language, the schema named before it, its text."""

    page: Path
    language: str
    schema: str | None
    text: str


def name(page: Path) -> str:
    """Return the path of a page within the project."""
    return str(page.relative_to(TREE))


def read(page: str) -> str:
    """Return the text of a page, named within the project."""
    return (TREE / page).read_text(encoding="utf-8")


def table(file: str) -> dict[str, Any]:
    """Return a TOML file, named within the project."""
    return tomllib.loads(read(file))


def rows(page: str) -> list[tuple[str, str]]:
    """Return the first and the last cell of each row of a page that has code in both."""
    found = re.findall(r"^\| `([^`]+)` \| .* \| `([^`]+)` \|$", read(page), re.MULTILINE)
    return [(first, last) for first, last in found]


def fences(page: Path) -> Iterator[Fence]:
    """Yield the fenced blocks of a page."""
    for found in _FENCE.finditer(page.read_text(encoding="utf-8")):
        yield Fence(page, found["language"], found["schema"], found["text"])


def prose(page: Path) -> str:
    """Return the text of a page without its fenced blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def commands() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every command line of the program in the pages: its page, and its words."""
    for page in PAGES:
        for fence in fences(page):
            for line in fence.text.splitlines():
                if line.startswith("referee "):
                    yield name(page), words(line)


def words(line: str) -> tuple[str, ...]:
    """Return what a command line gives the program, without where its output goes."""
    given = shlex.split(line)[1:]
    return tuple(given[: given.index(">")] if ">" in given else given)


def links() -> Iterator[tuple[Path, str]]:
    """Yield every link that leads to another place of the project."""
    for page in PAGES:
        for target in _LINK.findall(prose(page)):
            if "://" not in target:
                yield page, target


def anchors(page: Path) -> set[str]:
    """Return what a link can name after ``#``: the headings, as they are written in links."""
    titles = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {_NO_ANCHOR.sub("", title.lower()).strip().replace(" ", "-") for title in titles}
