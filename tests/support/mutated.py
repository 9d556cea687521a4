"""JSON documents with one value changed to what a stranger might have typed there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

WRONG: Final[tuple[Any, ...]] = (
    None, True, 0, 1, -1, 2**31, 2**63, -(2**70), 1.5, "", "x", "nobody", "red", "chance", "0",
    "a\x00b", "a\nBcc: evil@evil.test", "\x1b[31mred", "\u202eder", "../../evil-1", "/etc/passwd",
    "evil-1", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2026-13-45T99:99:99Z", "9999-12-31",
    "x" * 5000, [], {}, [[]], [None], {"": None}, {"to": "x"}, ["red", "red"],
)  # fmt: skip
"""What takes the place of a value: other types, sizes, characters, paths, moments, seats."""


@dataclass(frozen=True, slots=True)
class Mutated:
    """A document with one place changed: where, to what, and the whole."""

    place: str
    value: str
    document: Any


def places(document: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a document."""
    if at:
        yield at
    if isinstance(document, dict):
        for name, each in document.items():
            yield from places(each, (*at, name))
    elif isinstance(document, list):
        # What follows in a list is as its first, its second and its last are.
        for number in sorted({0, 1, len(document) - 1} & set(range(len(document)))):
            yield from places(document[number], (*at, number))


def put(document: Any, path: Sequence[Any], value: Any) -> Any:
    """Return a document with the value at a path changed, or taken away for an ellipsis."""
    changed = document.copy()
    if len(path) > 1:
        changed[path[0]] = put(document[path[0]], path[1:], value)
    elif value is ...:
        del changed[path[0]]
    else:
        changed[path[0]] = deepcopy(value)
    return changed


def mutations(document: Any) -> Iterator[Mutated]:
    """Yield the document with each of its values missing, or changed to each wrong one."""
    for path in places(document):
        place = "".join(f".{step}" for step in path)
        for value in (..., *WRONG):
            yield Mutated(place, f"{value!r:.40}", put(document, path, value))
