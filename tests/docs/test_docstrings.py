"""Docstrings of the code keep the rules, and the rules find those that break them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.docstrings import MODULE, documented, faults

pytestmark = pytest.mark.fast

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path
    for pattern in (
        "referee/**/*.py", "classics/referee_classics/**/*.py", "benchmarks/*.py", "docs/*.py",
        "examples/**/*.py",
    )
    for path in ROOT.glob(pattern)
)  # fmt: skip


def names_a_room(path: Path) -> bool:
    """Return whether a file is the first of a room of the desk, and so has to say what it is."""
    return path.name == "__init__.py" and path.is_relative_to(ROOT / "referee" / "desk")


def sentences(text: str) -> int:
    """Return how many sentences a text has."""
    return len(re.findall(r"[.!?](?=\s|\Z)", text))


def found() -> Iterator[str]:
    """Yield the faults of every docstring, each with its place."""
    for path in FILES:
        place = path.relative_to(ROOT).as_posix()
        for name, node in documented(ast.parse(path.read_bytes())):
            text = ast.get_docstring(node)
            for fault in () if text is None else faults(text):
                yield f"{place}:{name}: {fault}"
            if name == MODULE and names_a_room(path) and sentences(text or "") < 2:
                yield f"{place}: a room says in two sentences or more what lives there, and why"


def test_docstrings_are_plain() -> None:
    assert len(FILES) > 300
    wrong = list(found())
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Return what is due.", "free relative as subject or object"),
        ("Return whether what is due was told.", "free relative as subject or object"),
        ("Who plays, and where.", "free relative as subject or object"),
        ("Return a name.\n\n    It is his own.", "a person is they"),
        (" ", "says nothing"),
    ],
)
def test_a_faulty_docstring_is_found(text: str, wrong: str) -> None:
    """Each rule finds the docstring that breaks it."""
    (fault,) = faults(text)
    assert fault.startswith(wrong)


@pytest.mark.parametrize(
    "text",
    [
        "Return whether it is due; it says when, to whoever asks, in which zone and on what day.",
        "Return as many words as it takes to tell a colleague when it is of use, in one sentence.",
        "The state of the match. What follows may be as long as it has to be, within reason.",
    ],
)
def test_a_plain_docstring_passes(text: str) -> None:
    """A first sentence without a free relative passes, however long it is."""
    assert list(faults(text)) == []
