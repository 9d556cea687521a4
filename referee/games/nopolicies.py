"""Defaults for games without policies."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from referee.games.game import Order, Refusal, Seat, Unreadable
from referee.games.policies import Expired, Policy


class NoPolicies:
    """A base for games without policies and interrupted turns."""

    policies: Mapping[str, type[Policy]] = MappingProxyType({})

    def parse_policy(self, line: str, language: str) -> Policy:  # noqa: ARG002 - there is none to read
        # As chatter, so that the line is then read as an order of the game.
        raise Unreadable("unknown-order", chatter=True, word=line[:40])

    def format_policy(self, policy: Policy, language: str) -> str:
        raise TypeError(f"no policy to write in {language!r}: {policy!r}")

    def opening(self, policy: Policy) -> Order | None:  # noqa: ARG002
        return None

    def follow(self, position: Any, seat: Seat, policy: Policy) -> Order | Expired | None:  # noqa: ARG002
        return None

    def interrupted(self, position: Any) -> Seat | None:  # noqa: ARG002
        return None

    def never(self, position: Any, order: Order) -> Refusal | None:  # noqa: ARG002
        return None
