"""Differences between two scenes, for pictures, tables and text alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import field

from referee.games.game import Cell, Mark, Move, Scene, Track
from referee.value import Value


class Changes(Value):
    """The things to point out: changed spaces, marks that left, moves.

    ``numbers``: by changed space, the numbers of the lines that tell of it. ``places``: those of
    tracks where a piece has come, by the track's title and their index.
    """

    numbers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    gone: Mapping[str, tuple[Mark, ...]] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    places: frozenset[tuple[str, int]] = frozenset()

    def by_place(self, scene: Scene) -> dict[str, tuple[int, ...]]:
        """Return the numbers of changed spaces, and of areas with such."""
        found = dict(self.numbers)
        for area in scene.areas:
            told = {each for space in area.spaces for each in self.numbers.get(space, ())}
            if told:
                found[area.key] = tuple(sorted(told))
        return {place: tuple(numbers) for place, numbers in found.items()}


NOTHING: Final = Changes()
"""No change to point out."""


def between(
    before: Iterable[Cell], after: Iterable[Cell], told: Mapping[str, Sequence[int]]
) -> Changes:
    """Return how two boards of a match differ.

    ``told``: by space, the numbers of the lines that name it. A space no line names is changed
    all the same; a space that looks as before is not, whatever is told of it.
    """
    old = {cell.space: cell for cell in before}
    changed = [(old[cell.space], cell) for cell in after if _differ(old.get(cell.space), cell)]
    numbers = {cell.space: tuple(told.get(cell.space, ())) for _, cell in changed}
    gone = {now.space: left for then, now in changed if (left := _gone(then, now))}
    return Changes(numbers, gone)


def arrived(before: Sequence[Track], after: Sequence[Track]) -> frozenset[tuple[str, int]]:
    """Return the places of tracks where a piece has come."""
    old = {each.title: each.places for each in before}
    return frozenset(
        (track.title, at)
        for track in after
        for at, (then, now) in enumerate(zip(old.get(track.title, ()), track.places, strict=False))
        if now.marks and now.marks != then.marks
    )


def _differ(then: Cell | None, now: Cell) -> bool:
    return then is not None and (then.marks != now.marks or then.ground != now.ground)


def _gone(then: Cell, now: Cell) -> tuple[Mark, ...]:
    """Return the marks that left a space, unless others took their place."""
    return () if now.marks else then.marks
