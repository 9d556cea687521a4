"""What a game says about orders given in advance: its own kinds of them, and what each does when.

A policy is a standing order that only its game understands; lists of ordinary orders kept for
later need nothing from a game but to know whose turn is interrupted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

if TYPE_CHECKING:
    from referee.games.game import Order, Refusal, Seat

P_contra = TypeVar("P_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Policy:
    """An order given in advance. Every kind of a game is a frozen, slotted subclass.

    Fields hold what those of an order hold.
    """

    word: ClassVar[str]

    @property
    def topic(self) -> str:
        """What it is about: a later policy of the seat on the same topic takes its place."""
        return self.word

    @property
    def rank(self) -> int:
        """When it is asked: the lowest rank first, so that the special goes before the general."""
        return 0


@dataclass(frozen=True, slots=True)
class Expired:
    """Why a policy can no longer apply; worded by the game's sentences under ``expired``."""

    code: str
    fields: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


class Policies(Protocol[P_contra]):
    """What the core asks a game about standing orders. Every method is pure.

    ``policies`` maps words to kinds of policy. Examples of them stand in the game's words as
    ``policies`` under ``help``, beside those of its orders.
    """

    policies: Mapping[str, type[Policy]]

    def parse_policy(self, line: str, language: str) -> Policy:
        """Return the policy a line holds; keywords of every language are understood.

        Raises Unreadable, with ``chatter`` when the line is no policy at all, an order included.
        """
        ...

    def format_policy(self, policy: Policy, language: str) -> str:
        """Return a policy as a line; parses back to the same policy."""
        ...

    def opening(self, policy: Policy) -> Order | None:
        """Return the order that a policy's line also gives, played like any order of a letter.

        The policy stands from then on. None: it gives no order at once.
        """
        ...

    def follow(self, position: P_contra, seat: Seat, policy: Policy) -> Order | Expired | None:
        """Return what a seat's policy does now, judged only on what the seat may see.

        An order, canonical and legal: only when the seat is to act. Expired: it can never apply
        again, whoever is to act. None: it is not concerned now.
        """
        ...

    def interrupted(self, position: P_contra) -> Seat | None:
        """Return the seat whose turn must wait until answers have been given, its own included.

        While it does, orders of that seat's letter that are of no legal kind wait, and no seat's
        queue is played. None: whoever is to act has its own turn. Everybody can see it.
        """
        ...

    def never(self, position: P_contra, order: Order) -> Refusal | None:
        """Return why an order cannot be played any more in the interrupted turn.

        None if it may turn out legal when the turn goes on. Everybody can see it.
        """
        ...
