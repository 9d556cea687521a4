"""Policies: standing orders that only their game understands.

Lists of ordinary orders kept for later need nothing from a game but the seat whose turn is
interrupted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Policy:
    """An order given in advance. Every kind of a game is a frozen, slotted subclass.

    Fields hold what those of an order hold.
    """

    word: ClassVar[str]

    @property
    def topic(self) -> str:
        """The policy's topic. A later policy of the seat on the same topic takes its place."""
        return self.word

    @property
    def rank(self) -> int:
        """The policy's rank.

        The lowest is asked first, so that the special goes before the general.
        """
        return 0


@dataclass(frozen=True, slots=True)
class Expired:
    """The reason why a policy can no longer apply.

    Worded by the game's sentences under ``expired``.
    """

    code: str
    fields: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
