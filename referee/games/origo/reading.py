"""Answers how a JSON document is read strictly: every fault names its place and what is right."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NoReturn

from referee.games.game import BadDocument, Json

LARGEST: Final = 1_000_000
"""No number in a document exceeds it."""


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value with its path. Whoever reads from it what it does not hold gets BadDocument."""

    value: Json
    path: str = "$"

    def fail(self, message: str) -> NoReturn:
        """Raise BadDocument for this place."""
        raise BadDocument(self.path, message)

    def members(self) -> dict[str, Node]:
        """Return what an object holds, by key."""
        if not isinstance(self.value, dict):
            self.fail("must be an object")
        return {key: Node(each, f"{self.path}.{key}") for key, each in self.value.items()}

    def fields(self, required: Collection[str], optional: Collection[str] = ()) -> dict[str, Node]:
        """Return the fields of an object that has all of the required ones and no unknown one."""
        found = self.members()
        if missing := [key for key in required if key not in found]:
            self.fail(f"the field {missing[0]!r} is missing")
        for key, node in found.items():
            if key not in required and key not in optional:
                node.fail(f"is unknown; the fields are {', '.join([*required, *optional])}")
        return found

    def elements(self) -> list[Node]:
        """Return what a list holds."""
        if not isinstance(self.value, list):
            self.fail("must be a list")
        return [Node(each, f"{self.path}[{i}]") for i, each in enumerate(self.value)]

    def text(self) -> str:
        """Return a text."""
        if not isinstance(self.value, str):
            self.fail("must be a text")
        return self.value

    def one_of(self, choices: Collection[str]) -> str:
        """Return a text that is one of the choices."""
        if not isinstance(self.value, str) or self.value not in choices:
            self.fail(f"must be one of {', '.join(choices)}")
        return self.value

    def one_each(self, choices: Collection[str]) -> list[str]:
        """Return a list of different texts, each of the choices."""
        found: list[str] = []
        for each in self.elements():
            found.append(each.one_of(choices))
            if found[-1] in found[:-1]:
                each.fail(f"{found[-1]} is named twice")
        return found

    def whole(self, least: int = 0, most: int = LARGEST) -> int:
        """Return a whole number within bounds."""
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
