"""The values that rules, scenes and mails share: JSON, seats, orders, facts, sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, TypeAlias

from msgspec import field

from referee.value import Value

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
"""A JSON value; numbers are whole, because canonical JSON knows no fractions."""

Document: TypeAlias = dict[str, Json]
"""A JSON object."""

Seat: TypeAlias = str
"""A colour of the game, or :data:`CHANCE`."""

CHANCE: Final = "chance"
"""The seat that deals, draws and shuffles."""


class Order(Value):
    """One step of a turn. Every kind of order of a game is a subclass.

    Fields hold only strings, whole numbers, None, or tuples of strings, so that the JSON notation
    follows from the class; a field with a default may be left out in JSON.
    """

    word: ClassVar[str]


class Fact(Value):
    """A fact of the board, and the seats that may learn it.

    ``audience`` None: everybody. ``news``: it tells its audience more than could be foreseen from
    their view before (a hidden symbol seen for the first time), so it ends a group of orders judged
    together. ``fields`` are plain JSON values, worded by the game's sentences under ``fact``.
    """

    fact: str
    fields: Mapping[str, Json] = field(default_factory=dict)
    audience: frozenset[Seat] | None = None
    news: bool = False

    def known_to(self, seat: Seat | None) -> bool:
        """Whether a seat (None: a spectator) may learn the fact."""
        return self.audience is None or (seat is not None and seat in self.audience)


def private_fact(fact: str, seat: Seat, **fields: Json) -> Fact:
    """Return a fact that is news for one seat, and that no other may learn."""
    return Fact(fact, {"seat": seat, **fields}, audience=frozenset({seat}), news=True)


class Sentence(Value):
    """A sentence not yet worded: its key under ``sentence``, its fields.

    ``pending``: it announces a next act, and is left out when a match has been ended by hand.
    """

    key: str
    fields: Mapping[str, Json] = field(default_factory=dict)
    pending: bool = False
