"""Defaults for games: no standing orders of their own, and nothing beside what every game has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.games.game import (
    Fact,
    FileFormat,
    Move,
    Options,
    Order,
    Refusal,
    Scoresheet,
    Seat,
    Unreadable,
    View,
)
from referee.games.policies import Expired, Policy


class Defaults:
    """A base for games. Without it a game says all of :class:`referee.games.game.Game` itself."""

    policies: Mapping[str, type[Policy]] = {}
    scored: bool = True
    fewest: bool = False
    draws: bool = False
    annotated: bool = False
    joins: bool = False
    partners: int = 1

    @property
    def files(self) -> Mapping[str, FileFormat]:
        return {}

    def uses_chance(self, options: Options) -> bool:  # noqa: ARG002 - most games draw in any case
        return True

    def parts(self, line: str) -> Sequence[str]:
        return [line]

    def consent(self, position: Any) -> Order | None:  # noqa: ARG002
        return None

    def dissent(self, position: Any) -> Order | None:  # noqa: ARG002
        return None

    def scoresheets(self, facts: Sequence[Fact]) -> Iterable[Fact | Scoresheet]:
        return facts

    def moves(self, facts: Sequence[Fact]) -> Iterable[Move]:  # noqa: ARG002
        return ()

    def clicks(self, view: View, order: Order) -> tuple[str, ...]:  # noqa: ARG002
        return ()

    def parse_policy(self, line: str, language: str) -> Policy:  # noqa: ARG002
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
