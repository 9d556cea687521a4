"""JSON of any game: documents read strictly, and orders as objects.

Every fault names its place and what would be right, because an organiser writes boards and
positions by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import repeat
from typing import Any, Final, NoReturn, TypeVar, cast

from referee.games.game import BadDocument, Document, Fault, Json, Order, Unreadable
from referee.value import Value

S = TypeVar("S", bound=str)
T = TypeVar("T")

LARGEST: Final = 1_000_000
"""The highest number allowed in a document."""


class Node(Value):
    """A JSON value with its path. Methods raise BadDocument for other kinds of value."""

    value: Json
    path: str = "$"

    def fail(self, message: str) -> NoReturn:
        """Raise BadDocument for this place."""
        raise BadDocument(self.path, message)

    def members(self) -> dict[str, Node]:
        """Return the members of an object, by key."""
        if not isinstance(self.value, dict):
            self.fail("must be an object")
        return {key: Node(member, f"{self.path}.{key}") for key, member in self.value.items()}

    def fields(self, required: Collection[str], optional: Collection[str] = ()) -> dict[str, Node]:
        """Return the fields of an object: all required ones, no unknown ones."""
        members = self.members()
        for key in required:
            if key not in members:
                self.fail(f"the field {key!r} is missing")
        for key, node in members.items():
            if key not in required and key not in optional:
                node.fail(f"is unknown; the fields are {', '.join([*required, *optional])}")
        return members

    def field(self, key: str, default: Json) -> Node:
        """Return a field of an object, or its default at the path it would have."""
        given = self.value if isinstance(self.value, dict) else {}
        return Node(given.get(key, default), f"{self.path}.{key}")

    def each(
        self, names: Collection[str], read: Callable[[Node], T], missing: Iterable[T]
    ) -> tuple[T, ...]:
        """Return a value for each name, read from its field or the one for a missing field."""
        given = self.members()
        for key, node in given.items():
            if key not in names:
                node.fail(f"is none of {', '.join(names)}")
        values = zip(names, missing, strict=False)
        return tuple(read(given[name]) if name in given else value for name, value in values)

    def counts(self, names: Collection[str]) -> tuple[int, ...]:
        """Return a whole number for each name, 0 for a missing field."""
        return self.each(names, Node.whole, repeat(0))

    def elements(self) -> list[Node]:
        """Return the elements of a list."""
        if not isinstance(self.value, list):
            self.fail("must be a list")
        return [Node(element, f"{self.path}[{i}]") for i, element in enumerate(self.value)]

    def text(self) -> str:
        """Return a text."""
        if not isinstance(self.value, str):
            self.fail("must be a text")
        return self.value

    def one_of(self, choices: Collection[S]) -> S:
        """Return a text that is one of the choices."""
        if not isinstance(self.value, str) or self.value not in choices:
            self.fail(f"must be one of {', '.join(choices)}")
        return cast("S", self.value)

    def index(self, choices: Sequence[str]) -> int:
        """Return the place among the choices of a text that is one of them."""
        return choices.index(self.one_of(choices))

    def one_each(self, choices: Collection[str]) -> list[str]:
        """Return a list of different texts, all among the choices."""
        texts: list[str] = []
        for element in self.elements():
            texts.append(element.one_of(choices))
            if texts[-1] in texts[:-1]:
                element.fail(f"{texts[-1]} is named twice")
        return texts

    def whole(self, least: int = 0, most: int = LARGEST) -> int:
        """Return a whole number within bounds."""
        # True is an int to Python, but not in JSON.
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self.fail("must be a whole number")
        if not least <= self.value <= most:
            self.fail(f"must be from {least} to {most}")
        return self.value

    def flag(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            self.fail("must be true or false")
        return self.value

    def null(self, message: str) -> None:
        """Refuse with a message whatever is not null."""
        if self.value is not None:
            self.fail(message)


def shipped(package: str, name: str) -> Any:
    """Return the JSON of a file that comes with a game's package."""
    return json.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def missing(document: Json, keys: Iterable[str], parts: Mapping[str, Iterable[str]]) -> list[Fault]:
    """Return a fault for each field that a complete document lacks, and each part of a field."""
    given = document if isinstance(document, dict) else {}
    lacking = [f"$.{key}" for key in keys if key not in given]
    for key, names in parts.items():
        part = given.get(key)
        if isinstance(part, dict):
            lacking += [f"$.{key}.{name}" for name in names if name not in part]
    return [Fault(path, "is missing in a complete document") for path in lacking]


def order_from_json(types: Mapping[str, type[Order]], document: Document) -> Order:
    """Return the order a schema-valid document holds; ``types`` maps words to kinds of order.

    Raises Unreadable when the word or a field is unknown or missing.
    """
    word = document.get("order")
    kind = types.get(word) if isinstance(word, str) else None
    if kind is None:
        raise Unreadable("unknown-order", word=str(word))
    names = kind.__struct_fields__
    given = {name: value for name, value in document.items() if name != "order"}
    if unknown := sorted(given.keys() - names):
        raise Unreadable("unknown-field", word=word, field=unknown[0])
    values = {n: tuple(v) if isinstance(v, list) else v for n, v in given.items()}
    try:
        return kind(**values)
    except TypeError:
        raise Unreadable("missing-field", word=word) from None
