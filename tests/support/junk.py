"""Orders, lines and documents that nobody sensible writes, made from those somebody does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from referee.games.game import Order
from referee.value import replace

STRAY = ("", "Z99", "A0", "nowhere", "chance", "C5", "ä")
LETTERS = "abcdefgz1279 :/.-,;äß\u200b\u00a0\u2013|>·"

Pool = Mapping[tuple[type[Order], str], Sequence[Any]]
"""The values seen in each field of each kind of order."""


def pool_of(orders: Iterable[Order]) -> Pool:
    """Return what stands in the fields of orders."""
    found: dict[tuple[type[Order], str], dict[Any, None]] = {}
    for order in orders:
        for name in order.__struct_fields__:
            found.setdefault((type(order), name), {})[getattr(order, name)] = None
    return {key: list(values) for key, values in found.items()}


def mutated(order: Order, pool: Pool, rng: Random) -> Order:
    """Return the order with one field changed, in the kind of value it may hold."""
    names = order.__struct_fields__
    if not names:
        return order
    name = rng.choice(names)
    if rng.random() < 0.4:
        others = pool.get((type(order), name), [])
        return replace(order, **{name: rng.choice(others)}) if others else order
    return replace(order, **{name: _changed(getattr(order, name), rng)})


def _changed(value: Any, rng: Random) -> Any:
    if isinstance(value, int):
        return rng.choice([0, -1, value + 1, value - 1, 10**6])
    if isinstance(value, tuple):
        return _changed_tuple(value, rng)
    return rng.choice(STRAY)


def _changed_tuple(value: tuple[str, ...], rng: Random) -> tuple[str, ...]:
    stray = rng.choice([*STRAY, *value])
    place = rng.randrange(len(value) + 1)
    choices = [
        (*value[:place], stray, *value[place:]),
        value[: max(place - 1, 0)] + value[place:],
        value[::-1],
        value * 2,
        (),
    ]
    return rng.choice(choices)


def mangled(line: str, rng: Random) -> str:
    """Return a line with a few characters lost, added or swapped."""
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(line) + 1)
        letter = rng.choice(LETTERS)
        line = rng.choice(
            [
                line[:place] + letter + line[place:],
                line[:place] + line[place + 1 :],
                line.swapcase(),
            ]
        )
    return line


def mangled_documents(document: Mapping[str, Any]) -> Iterator[Any]:
    """Yield documents with one part missing, strange, or of another kind."""
    yield from (None, 7, "text", [], {"unknown": 1})
    for key, value in document.items():
        yield {name: each for name, each in document.items() if name != key}
        for stray in (None, -1, "Z99", [], {}, ["Z99"], {"Z99": "Z99"}, [[1]], True):
            yield {**document, key: stray}
        if isinstance(value, dict):
            yield from ({**document, key: {**value, each: None}} for each in value)
