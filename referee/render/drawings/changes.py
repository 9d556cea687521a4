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

    @property
    def numbered(self) -> bool:
        """Whether lines tell of the changes; beside a receipt's board none has a number."""
        return any(self.numbers.values())

    def by_place(self, scene: Scene) -> dict[str, tuple[int, ...]]:
        """Return the numbers of changed spaces, and of areas with such."""
        by_place = {space: tuple(numbers) for space, numbers in self.numbers.items()}
        for area in scene.areas:
            told = {number for space in area.spaces for number in self.numbers.get(space, ())}
            if told:
                by_place[area.key] = tuple(sorted(told))
        return by_place


NOTHING: Final = Changes()
"""No change to point out."""


def changes_between(
    before: Iterable[Cell], after: Iterable[Cell], told: Mapping[str, Sequence[int]]
) -> Changes:
    """Return how two boards of a match differ.

    ``told``: by space, the numbers of the lines that name it. A space no line names is changed
    all the same; a space that looks as before is not, whatever is told of it.
    """
    old = {cell.space: cell for cell in before}
    pairs = [(old[cell.space], cell) for cell in after if cell.space in old]
    changed = [
        (then, now) for then, now in pairs if (then.marks, then.ground) != (now.marks, now.ground)
    ]
    numbers = {now.space: tuple(told.get(now.space, ())) for _, now in changed}
    # Marks that others took the place of are not pointed out.
    gone = {now.space: then.marks for then, now in changed if then.marks and not now.marks}
    return Changes(numbers, gone)


def arrived(before: Sequence[Track], after: Sequence[Track]) -> frozenset[tuple[str, int]]:
    """Return the places of tracks where a piece has come."""
    old = {track.title: track.places for track in before}
    return frozenset(
        (track.title, at)
        for track in after
        for at, (then, now) in enumerate(zip(old.get(track.title, ()), track.places, strict=False))
        if now.marks and now.marks != then.marks
    )
