"""Scorings as tables: settlements or symbols in rows, seats in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.games.game import Fact, Move, Scoresheet, Word

SCORED = frozenset({"scored-resources", "scored-warriors", "treasures-scored"})

DETAILS = frozenset({"starved", "cave-in", "storm", "boat-emptied"})
"""Facts of a scoring that stand below its table."""


def scoresheets(facts: Sequence[Fact]) -> Iterator[Fact | Scoresheet]:
    """Yield facts, those of each scoring replaced by its sheet."""
    found = list(facts)
    while found:
        first = found[0].fact
        if first not in {"scoring", "treasures-scored"}:
            yield found.pop(0)
            continue
        known = {first} if first == "treasures-scored" else (SCORED | DETAILS) - {first}
        title = None if first == "treasures-scored" else found.pop(0)
        number = next((n for n, each in enumerate(found) if each.fact not in known), len(found))
        number = min(number, _end(found, title))
        part, found = found[:number], found[number:]
        yield from _sheet(title, part)


def _end(facts: Sequence[Fact], title: Fact | None) -> int:
    """Return where a scoring ends: treasures follow the last one as a sheet of their own."""
    if title is None:
        return len(facts)
    ends = (n for n, each in enumerate(facts) if each.fact == "treasures-scored")
    return next(ends, len(facts))


def _sheet(title: Fact | None, facts: Sequence[Fact]) -> Iterator[Fact | Scoresheet]:
    scored = [each for each in facts if each.fact in SCORED]
    if not scored:
        yield from ((title, *facts) if title else facts)
        return
    told: list[dict[str, Any]] = [dict(each.fields) for each in scored]
    yield Scoresheet(
        title=title or Word("panel", "treasures"),
        seats=tuple(each["seat"] for each in told),
        rows=tuple(_treasures(told) if title is None else _settlements(told)),
        sums=((Word("column", "points"), tuple(each["points"] for each in told)),),
        notes=tuple(each for each in facts if each.fact in DETAILS),
    )


def _settlements(told: list[dict[str, Any]]) -> Iterator[tuple[str, tuple[int | None, ...]]]:
    by_seat = [{part["space"]: part["points"] for part in each["parts"]} for each in told]
    spaces = dict.fromkeys(space for points in by_seat for space in points)
    for space in sorted(spaces):
        yield space, tuple(points.get(space) for points in by_seat)


def _treasures(told: list[dict[str, Any]]) -> Iterator[tuple[Word, tuple[int | None, ...]]]:
    symbols = dict.fromkeys(symbol for each in told for symbol in each["tiles"])
    for symbol in symbols:
        yield Word("mark", symbol), tuple(each["tiles"].get(symbol) for each in told)


def moves(facts: Sequence[Fact]) -> Iterator[Move]:
    """Yield the ways of attacks and of warriors that moved."""
    for each in facts:
        told: Any = each.fields
        if each.fact == "attacked":
            yield Move(told["seat"], (told["start"], *told["path"], told["goal"]))
        elif each.fact == "moved":
            yield Move(told["seat"], (told["start"], told["goal"]))
