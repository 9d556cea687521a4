"""Rules of docstrings: short first sentences, plain words, and persons called *they*."""

import ast
import re
from collections.abc import Iterator

WORDS = 12
"""Words a first sentence may have: what the eye takes in without going back."""

SENTENCE = re.compile(r".*?[.;:!?](?=\s|\Z)|.+", re.DOTALL)
RELATIVE = re.compile(
    r"\A(?:\w+ (?:that |whether |if )?)?(?:what|who|whom|whose|which)(?:ever)?\b", re.IGNORECASE
)
SOURCE = re.compile(r"\([^()]*\)")
"""Where a rule or a protocol comes from, which is no part of the sentence."""

PERSON = re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE)

MODULE = "<module>"

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
        yield name or MODULE, node
    for child in within(node):
        own = getattr(child, "name", "") if isinstance(child, Documented) else ""
        yield from documented(child, f"{name}.{own}".strip("."))


def within(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a node, one level down."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        yield from getattr(node, name, ())


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements of a node, those within others too."""
    for each in within(node):
        yield each
        yield from statements(each)
