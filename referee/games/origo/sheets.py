"""Tribe scorings as tables: clans, sea power and lands in rows, seats in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.games.game import Fact, Json, Move, Scoresheet, Sentence, Word

PARTS = ("clans", "sea", "lands")

DETAILS = frozenset({"scored-clans", "scored-sea", "scored-land"})
"""Facts that tell the sums of a scoring step by step."""


def scoresheets(facts: Sequence[Fact]) -> Iterator[Fact | Scoresheet]:
    """Yield facts, those of each scoring replaced by its sheet."""
    title: Fact | None = None
    details: list[Fact] = []
    sums: list[Fact] = []
    for each in facts:
        if each.fact in DETAILS and title is not None:
            details.append(each)
        elif each.fact == "scored" and title is not None:
            sums.append(each)
        else:
            yield from _sheet(title, details, sums)
            title, details, sums = None, [], []
            if each.fact in {"scoring", "final-scoring"}:
                title = each
            else:
                yield each
    yield from _sheet(title, details, sums)


def _sheet(
    title: Fact | None, details: Sequence[Fact], sums: Sequence[Fact]
) -> Iterator[Fact | Scoresheet]:
    if title is None:
        return
    # A scoring told in part, as to somebody who came to it late, stays as it is.
    if not sums:
        yield from (title, *details)
        return
    told: list[dict[str, Any]] = [dict(each.fields) for each in sums]
    yield Scoresheet(
        title=title,
        seats=tuple(each["seat"] for each in told),
        rows=tuple((Word("column", key), _numbers(told, key)) for key in PARTS),
        sums=tuple((Word("column", key), _numbers(told, key)) for key in ("points", "total")),
        notes=tuple(_notes(details)),
    )


def _numbers(told: list[dict[str, Any]], key: str) -> tuple[int | None, ...]:
    return tuple(each[key] for each in told)


def _notes(details: Sequence[Fact]) -> Iterator[Sentence]:
    """Yield the details of clans, sea and lands, each as one sentence."""
    for kind in ("scored-clans", "scored-sea", "scored-land"):
        parts: list[Json] = [dict(each.fields) for each in details if each.fact == kind]
        if parts:
            yield Sentence(f"{kind}-together", {"parts": parts})


def moves(facts: Sequence[Fact]) -> Iterator[Move]:
    """Yield the ways of shields that migrated or sailed."""
    for each in facts:
        if each.fact in {"migrated", "sailed"}:
            told: Any = each.fields
            yield Move(told["seat"], (told["start"], told["goal"]))
