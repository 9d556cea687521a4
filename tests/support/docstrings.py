"""Rules of docstrings: plain words, and persons called *they*."""

import ast
import re
from collections.abc import Iterator

RELATIVE = re.compile(
    r"\A(?:\w+ (?:that |whether |if )?)?(?:what|who|whom|whose|which)(?:ever)?\b", re.IGNORECASE
)
PERSON = re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE)

MODULE = "<module>"

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def faults(text: str) -> Iterator[str]:
    """Yield what is wrong with a docstring."""
    if not text.strip():
        yield "says nothing"
    if RELATIVE.match(text):
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
