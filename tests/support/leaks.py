"""Games that leak on purpose: a registered game with one method that tells what is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from referee.games.game import CHANCE, AnyGame, Fact, Order, Refusal, Seat, View
from referee.games.play import position_digest
from referee.games.policies import Expired, Policy
from referee.value import replace


class Leaky:
    """A game that passes everything on to another."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def _secret(self, position: Any) -> str:
        return position_digest(self._game, position)

    def _odd(self, position: Any) -> bool:
        return int(self._secret(position), 16) % 2 == 1


class InView(Leaky):
    def view(self, position: Any, seat: Seat | None) -> View:
        view = self._game.view(position, seat)
        return replace(view, document={**view.document, "hint": self._secret(position)})


class InOrders(Leaky):
    def orders(self, position: Any) -> Sequence[Order]:
        orders = list(self._game.orders(position))
        return orders[::-1] if self._odd(position) else orders


class InRefusal(Leaky):
    def refusal(self, position: Any, order: Order) -> Refusal | None:
        refusal = self._game.refusal(position, order)
        return refusal and replace(refusal, fields={"hint": self._secret(position)})


class InForced(Leaky):
    def forced(self, position: Any) -> Order | None:
        if self._game.to_act(position) in (None, CHANCE) or self._odd(position):
            return None
        return self._game.orders(position)[0]


class InIdle(Leaky):
    def idle(self, position: Any) -> Order | None:
        if self._game.to_act(position) in (None, CHANCE) or self._odd(position):
            return None
        return self._game.orders(position)[0]


class InCanonical(Leaky):
    def canonical(self, position: Any, order: Order) -> Order:
        orders = self._game.orders(position)
        return orders[0] if self._odd(position) else self._game.canonical(position, order)


class InFacts(Leaky):
    def apply(self, position: Any, order: Order) -> tuple[Any, tuple[Fact, ...]]:
        after, facts = self._game.apply(position, order)
        return after, (*facts, Fact("hint", {"hint": self._secret(position)}))


class InEverybodysFacts(Leaky):
    def apply(self, position: Any, order: Order) -> tuple[Any, tuple[Fact, ...]]:
        after, facts = self._game.apply(position, order)
        return after, tuple(replace(fact, audience=None) for fact in facts)


class WithoutNews(Leaky):
    def apply(self, position: Any, order: Order) -> tuple[Any, tuple[Fact, ...]]:
        after, facts = self._game.apply(position, order)
        return after, tuple(replace(fact, news=False) for fact in facts)


class InReceipts(Leaky):
    """How much of a submission is judged together depends on what is hidden."""

    def apply(self, position: Any, order: Order) -> tuple[Any, tuple[Fact, ...]]:
        after, facts = self._game.apply(position, order)
        return after, tuple(replace(fact, news=fact.news or self._odd(position)) for fact in facts)


class InWhoActs(Leaky):
    def to_act(self, position: Any) -> Seat | None:
        return None if self._odd(position) else self._game.to_act(position)


class InFollow(Leaky):
    def follow(self, position: Any, seat: Seat, policy: Policy) -> Order | Expired | None:
        if not self._odd(position) or self._game.to_act(position) != seat:
            return None
        return self._game.orders(position)[0]


class NothingRedealt(Leaky):
    def redeal(self, position: Any, seat: Seat | None, rng: Random) -> Any:
        return position


LEAKS = (
    InView,
    InOrders,
    InRefusal,
    InForced,
    InIdle,
    InCanonical,
    InFacts,
    InEverybodysFacts,
    InReceipts,
    InWhoActs,
    WithoutNews,
)
"""Each tells something hidden in another way."""
