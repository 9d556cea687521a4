"""Answers how a JSON document is read strictly, each fault with its place and what is right."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NoReturn

from referee.games.game import BadDocument, Json

MOST: Final = 1_000_000
"""No number in a document is larger."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a document and its path; reading what it is not raises BadDocument."""

    value: Json
    path: str = "$"

    def fail(self, message: str) -> NoReturn:
        """Raise BadDocument for this place."""
        raise BadDocument(self.path, message)

    def items(self) -> dict[str, Node]:
        """Return the members of an object."""
        if not isinstance(self.value, dict):
            self.fail("must be an object")
        return {key: Node(each, f"{self.path}.{key}") for key, each in self.value.items()}

    def fields(self, required: Collection[str], optional: Collection[str] = ()) -> dict[str, Node]:
        """Return the members of an object that has these fields and no others."""
        found = self.items()
        for key in required:
            if key not in found:
                self.fail(f"the field {key!r} is missing")
        for key, node in found.items():
            if key not in required and key not in optional:
                known = ", ".join(sorted({*required, *optional}))
                node.fail(f"unknown field; known are {known}")
        return found

    def elements(self) -> list[Node]:
        """Return the elements of a list."""
        if not isinstance(self.value, list):
            self.fail("must be a list")
        return [Node(each, f"{self.path}[{i}]") for i, each in enumerate(self.value)]

    def text(self) -> str:
        """Return a text."""
        if not isinstance(self.value, str):
            self.fail("must be a text")
        return self.value

    def one_of(self, choices: Collection[str]) -> str:
        """Return one of some texts."""
        if not isinstance(self.value, str) or self.value not in choices:
            self.fail(f"must be one of {', '.join(choices)}")
        return self.value

    def whole(self, least: int = 0, most: int = MOST) -> int:
        """Return a whole number within bounds."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self.fail("must be a whole number")
        if not least <= self.value <= most:
            self.fail(f"must be from {least} to {most}")
        return self.value
