"""Policies: standing orders that only their game understands.

Lists of ordinary orders kept for later need nothing from a game but the seat whose turn is
interrupted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import field

from referee.value import Value


class Policy(Value):
    """An order given in advance. Every kind of a game is a subclass, with fields as orders have."""

    word: ClassVar[str]

    @property
    def topic(self) -> str:
        """The policy's topic. A later policy of the seat on the same topic takes its place."""
        return self.word

    @property
    def rank(self) -> int:
        """The policy's rank: the lowest is asked first, so the special goes before the general."""
        return 0


class Expired(Value):
    """The reason why a policy can no longer apply, worded by the game under ``expired``."""

    code: str
    fields: Mapping[str, Any] = field(default_factory=dict)
