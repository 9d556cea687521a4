"""Docstrings of the code: short first sentences, plain words, and persons called *they*."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.fast

ROOT = Path(__file__).parents[2]
ALLOWED = Path(__file__).with_name("docstrings_allowed.txt")
WORDS = 12
"""Words a first sentence may have: what the eye takes in without going back."""

SENTENCE = re.compile(r".*?[.;:!?](?=\s|\Z)|.+", re.DOTALL)
RELATIVE = re.compile(r"\A(?:[A-Z][a-z]+ )?(?:what|who|whom|whose|which)(?:ever)?\b", re.IGNORECASE)
SOURCE = re.compile(r"\([^()]*\)")
"""Where a rule or a protocol comes from, which is no part of the sentence."""

PERSON = re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE)

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def faults(text: str) -> Iterator[str]:
    """Yield what is wrong with a docstring."""
    found = SENTENCE.match(" ".join(text.split()))
    first = "" if found is None else found.group()
    if not first:
        yield "says nothing"
    if len(SOURCE.sub("", first).split()) > WORDS:
        yield f"first sentence over {WORDS} words"
    if RELATIVE.match(first):
        yield "free relative as subject or object"
    if PERSON.search(text):
        yield "a person is they"


def documented(node: ast.AST, name: str = "") -> Iterator[tuple[str, Documented]]:
    """Yield a module and every class and function in it, with the name it has there."""
    if isinstance(node, Documented):
        yield name or "<module>", node
    for child in ast.iter_child_nodes(node):
        own = getattr(child, "name", "") if isinstance(child, Documented) else ""
        yield from documented(child, f"{name}.{own}".strip("."))


def names_a_room(path: Path) -> bool:
    """Return whether a file is the first of a room of the desk, and so has to say what it is."""
    return path.name == "__init__.py" and path.is_relative_to(ROOT / "referee" / "desk")


def sentences(text: str) -> int:
    """Return how many sentences a text has."""
    return len(re.findall(r"[.!?](?=\s|\Z)", text))


@cache
def found() -> dict[str, tuple[str, ...]]:
    """Return the faults of every docstring of the code, by ``path:name``."""
    wrong: dict[str, tuple[str, ...]] = {}
    for path in sorted((ROOT / "referee").rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        for name, node in documented(ast.parse(path.read_bytes())):
            text = ast.get_docstring(node)
            named = [] if text is None else list(faults(text))
            if name == "<module>" and names_a_room(path) and sentences(text or "") < 2:
                named.append("a room says in two sentences or more what lives there, and why")
            if named:
                wrong[f"{place}:{name}"] = tuple(named)
    return wrong


def allowed() -> list[str]:
    """Return the places whose docstrings are still to be mended."""
    return ALLOWED.read_text(encoding="utf-8").splitlines()


def test_docstrings_are_plain() -> None:
    """No docstring breaks the rules but those on the list of what is still to be mended."""
    listed = frozenset(allowed())
    new = {place: wrong for place, wrong in found().items() if place not in listed}
    assert not new, "\n".join(f"{place}: {', '.join(wrong)}" for place, wrong in new.items())


def test_the_list_shrinks() -> None:
    """What has been mended leaves the list, which is sorted and names no place twice."""
    listed = allowed()
    assert not set(listed) - set(found()), "mended or gone: take these off the list"
    assert listed == sorted(set(listed))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Return what is due.", "free relative as subject or object"),
        ("Who plays, and where.", "free relative as subject or object"),
        ("Return one two three four five six seven eight nine ten eleven twelve.", "first"),
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
        "Return one two three four five six seven eight nine ten eleven.",
        "The state of the match. What follows may be as long as it has to be, within reason.",
    ],
)
def test_a_plain_docstring_passes(text: str) -> None:
    """A short first sentence without a free relative passes."""
    assert list(faults(text)) == []
