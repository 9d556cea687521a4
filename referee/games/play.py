"""Operations on any game: play, judge, replay, play at random, count.

Written once for all games; chance comes from a given generator or from the orders in the log.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import Any, Final, TypeVar

from referee.games.game import (
    CHANCE,
    MOST_SUGGESTIONS,
    AnyGame,
    Board,
    Fact,
    Game,
    Options,
    Order,
    Refusal,
    Seat,
)
from referee.text import likeness
from referee.value import Value

P = TypeVar("P")
K = TypeVar("K", bound=Hashable)

SCALARS: Final = frozenset({str, int, bool, type(None)})
"""The scalars of canonical JSON, beside lists and objects."""

ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_json(document: object) -> str:
    """Return the canonical text of a JSON document.

    Keys are sorted, there are no spaces, characters are unescaped. Raises ValueError for documents
    without a single text: fractions, NaN, keys that are no strings, characters that UTF-8 cannot
    hold, and anything that is not JSON at all.
    """
    check_json(document)
    text = ENCODER.encode(document)
    # Lone surrogates pass the encoder of JSON and fail only here.
    text.encode("utf-8")
    return text


def check_json(value: object) -> None:
    """Raise ValueError for values that canonical JSON cannot hold."""
    kind = type(value)
    if kind in SCALARS:
        return
    # By exact type: True is an int to Python, and a tuple would be read back as a list.
    if kind is not dict and kind is not list:
        raise ValueError(f"canonical JSON has no {kind.__name__}: {value!r}")
    if isinstance(value, dict):
        for key in value:
            if type(key) is not str:
                raise ValueError(f"keys of canonical JSON are strings: {list(value)!r}")
        value = value.values()
    for part in value:  # type: ignore[attr-defined]
        # Most values are scalars; a call for each would take longer than all the rest.
        if type(part) not in SCALARS:
            check_json(part)


def position_digest(game: Game[P], position: P) -> str:
    """Return the SHA-256 of a position's canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical_json(game.dump(position)).encode("utf-8")).hexdigest()


class Step(Value):
    """An order played: its seat, the facts, the positions around it."""

    position: Any
    seat: Seat
    order: Order
    facts: tuple[Fact, ...]
    after: Any


class Judged(Value):
    """The outcome of a list of orders, or of the first group of a submission.

    The orders are in canonical form. ``refusal`` belongs to the order at the index ``at``, and
    ``rest`` is to be judged afterwards.
    """

    position: Any
    orders: tuple[Order, ...]
    facts: tuple[Fact, ...]
    refusal: Refusal | None = None
    at: int | None = None
    rest: tuple[Order, ...] = ()


def refusal(game: Game[P], position: P, order: Order) -> Refusal | None:
    """Return why an order may not be played now, also while chance acts or the game is over."""
    actor = game.to_act(position)
    if actor is None:
        return Refusal("game-over", "")
    if actor != CHANCE:
        return game.refusal(position, order)
    if any(order == outcome and weight > 0 for outcome, weight in game.chance(position)):
        return None
    return Refusal("not-an-outcome", "")


def play(game: Game[P], position: P, orders: Sequence[Order]) -> Judged:
    """Play orders, also for chance, while they are valid."""
    played: list[Order] = []
    facts: list[Fact] = []
    for at, order in enumerate(orders):
        if refused := refusal(game, position, order):
            return Judged(position, tuple(played), tuple(facts), refused, at)
        canonical = game.canonical(position, order)
        position, happened = game.apply(position, canonical)
        played.append(canonical)
        facts += happened
    return Judged(position, tuple(played), tuple(facts))


def judge(game: Game[P], position: P, seat: Seat, orders: Sequence[Order]) -> Judged:
    """Judge the orders of a submission that stand or fall together.

    The group ends after an order after which chance or another seat acts or the game is over, or
    that told the seat news; and before one that waits. A refusal within the group: nothing of it
    happens.
    """
    reached, facts, played = position, list[Fact](), list[Order]()
    for index, order in enumerate(orders):
        # The first order is judged in any case, so that a letter always gets an answer.
        if index and waits(game, reached, seat, order):
            break
        actor = game.to_act(reached)
        if actor != seat or seat == CHANCE:
            refused: Refusal | None = Refusal("not-your-turn", "", {"seat": actor})
        else:
            refused = game.refusal(reached, order)
        if refused is not None:
            return Judged(position, (), (), refused, index)
        canonical = game.canonical(reached, order)
        reached, happened = game.apply(reached, canonical)
        played.append(canonical)
        facts += happened
        told = any(fact.news and fact.known_to(seat) for fact in happened)
        # News may change the writer's mind, so later orders are judged apart from these.
        if told or game.to_act(reached) != seat:
            break
    rest = tuple(orders[len(played) :])
    return Judged(reached, tuple(played), tuple(facts), rest=rest)


def waits(game: Game[P], position: P, seat: Seat, order: Order) -> bool:
    """Whether an order waits until the seat's interrupted turn goes on.

    What the seat may itself answer with during the interruption does not, by its kind.
    """
    if game.interrupted(position) != seat:
        return False
    if game.to_act(position) != seat:
        return True
    return type(order) not in {type(legal) for legal in game.orders(position)}


def replay(game: Game[P], position: P, orders: Sequence[Order]) -> P:
    """Return the position after orders known to be valid; checks nothing."""
    for order in orders:
        position, _ = game.apply(position, order)
    return position


def merits(game: Game[P], position: P) -> Mapping[Seat, int]:
    """Return everybody's points, negative in a game that the fewest win: more is better."""
    sign = -1 if game.fewest else 1
    return {seat: sign * points for seat, points in game.points(position).items()}


def places(worths: Mapping[K, Any]) -> dict[K, int]:
    """Return the place of each, 1 for the highest; equals share one, and the next are left out."""
    return {one: 1 + sum(other > own for other in worths.values()) for one, own in worths.items()}


def nearest(wanted: Order, orders: Sequence[Order]) -> tuple[Order, ...]:
    """Return the orders most like the wanted one, ten at most.

    Those of the same kind come first, then those with fewest differing words, and of these those
    whose words are most alike.
    """
    words = _words(wanted)
    plain = Counter(word for _, word in words.elements())
    text = " ".join(plain)

    def distance(order: Order) -> tuple[bool, int, float]:
        others = _words(order)
        bare = Counter(word for _, word in others.elements())
        alike = likeness(text, " ".join(bare))
        if type(order) is type(wanted):
            return False, _difference(words, others), -alike
        # Fields of different kinds do not correspond; only their words can be compared.
        return True, _difference(plain, bare), -alike

    return tuple(sorted(orders, key=distance)[:MOST_SUGGESTIONS])


def _words(order: Order) -> Counter[tuple[str, str]]:
    """Return the words of an order's fields, each with its field."""
    words: Counter[tuple[str, str]] = Counter()
    for name in order.__struct_fields__:
        value = getattr(order, name)
        values = value if isinstance(value, tuple) else () if value is None else (value,)
        words.update((name, str(word)) for word in values)
    return words


def _difference(one: Counter[Any], other: Counter[Any]) -> int:
    return (one - other).total() + (other - one).total()


def complete_options(game: AnyGame, given: Mapping[str, str | int | bool] | None = None) -> Options:
    """Return all options of a game, with defaults for those not given.

    Raises ValueError for an unknown option or a value the option does not allow.
    """
    chosen = dict(given or {})
    if unknown := sorted(set(chosen) - set(game.options)):
        known = ", ".join(sorted(game.options)) or "none"
        raise ValueError(f"{game.name} has no option {unknown[0]!r}; there are: {known}")
    for name, value in chosen.items():
        option = game.options[name]
        # By exact type, since True would pass for 1.
        if type(value) is not type(option.default):
            raise ValueError(f"option {name} takes a value like {option.default!r}, not {value!r}")
        if option.choices is not None and value not in option.choices:
            raise ValueError(f"option {name} is one of {', '.join(option.choices)}, not {value!r}")
        least = value if option.least is None else option.least
        most = value if option.most is None else option.most
        if isinstance(value, int) and not int(least) <= value <= int(most):
            raise ValueError(f"option {name} is from {option.least} to {option.most}, not {value}")
    return {name: chosen.get(name, option.default) for name, option in game.options.items()}


def opening_order(
    game: AnyGame, seats: Sequence[Seat], options: Options, board: Board | None = None
) -> Order:
    """Return an order that may begin a match, as an example: any chance before it is made up.

    ``board`` is that of the match; without one it is made up as well.
    """
    made = game.board(seats, options, None, Random(0)) if board is None else board
    position = game.start(seats, options, made)
    while game.to_act(position) == CHANCE:
        position, _ = game.apply(position, game.chance(position)[0][0])
    return game.orders(position)[0]


def random_play(game: Game[P], position: P, rng: Random) -> Iterator[Step]:
    """Play at random to the end, chance by its weights.

    Only ``Random.random`` is used, whose sequence no version of Python changes.
    """
    for _ in range(game.max_orders):
        seat = game.to_act(position)
        if seat is None:
            return
        if seat == CHANCE:
            outcomes = game.chance(position)
            bounds = list(accumulate(weight for _, weight in outcomes))
            point = int(rng.random() * bounds[-1])
            order = next(o for (o, _), bound in zip(outcomes, bounds, strict=True) if point < bound)
        else:
            # Not rng.choice: its use of the generator has changed between versions of Python.
            orders = game.orders(position)
            order = orders[int(rng.random() * len(orders))]
        after, facts = game.apply(position, order)
        yield Step(position, seat, order, facts, after)
        position = after


def perft(game: Game[P], position: P, depth: int) -> int:
    """Count the sequences of ``depth`` orders, outcomes of chance included."""
    if depth == 0:
        return 1
    actor = game.to_act(position)
    if actor is None:
        return 0
    chance = actor == CHANCE
    orders = [order for order, _ in game.chance(position)] if chance else game.orders(position)
    # The last level need not be played, only counted.
    if depth == 1:
        return len(orders)
    return sum(perft(game, game.apply(position, order)[0], depth - 1) for order in orders)
