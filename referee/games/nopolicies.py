"""What a game says of standing orders that has none of its own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from referee.games.game import Order, Refusal, Seat, Unreadable
from referee.games.policies import Expired, Policy


class NoPolicies:
    """What a game inherits that knows no standing orders of its own and interrupts no turn."""

    policies: Mapping[str, type[Policy]] = MappingProxyType({})

    def parse_policy(self, line: str, language: str) -> Policy:  # noqa: ARG002 - there is none to read
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
