"""Boards as they are seen from above, what stands beside them, and what hangs together on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from referee.games.game import Cell, Ground, Mark, Panel, Place, Scene, Sentence, Track, replace

T = TypeVar("T")

Marks: TypeAlias = tuple[Mark, ...]

Grounds: TypeAlias = Mapping[str, Ground | str]
"""The grounds of a board by name; one may be no more than its fill."""

WOOD: Final = "#e3c088"

LIT: Final = "#ffd633"

SHADES: Final[Mapping[str, str]] = {"light": "#f2ead9", "dark": "#c8b08a"}

CHEQUERED: Final[Mapping[str, Ground]] = {
    "light": Ground("light", told=False), "dark": Ground("dark", told=False)
}  # fmt: skip


def panels_of(**told: Sequence[Sentence]) -> tuple[Panel, ...]:
    """Return those panels of sentences, by their titles, that tell anything."""
    return tuple(Panel(title, tuple(sentences)) for title, sentences in told.items() if sentences)


def aside(title: str, marks: Iterable[Mark]) -> tuple[Track]:
    """Return the row of pieces beside a board, those alike in one place.

    It is there without pieces too, so that a picture keeps its size.
    """
    counted = Counter(marks).items()
    places = (Place(f"×{count}" if count > 1 else "", (mark,)) for mark, count in counted)
    return (Track("pieces", title, tuple(places)),)


def connected(first: Iterable[T], near: Callable[[T], Iterable[T]]) -> set[T]:
    """Return the places that some hang together with by steps to those that are near."""
    reached, edge = {*first}, [*first]
    while edge:
        beyond = {*near(edge.pop())} - reached
        reached |= beyond
        edge += beyond
    return reached


def from_above(
    files: Sequence[str], ranks: Sequence[str], grounds: Grounds, marks: Callable[[str], Marks]
) -> Scene:
    """Return the scene of a board, with the marks of each space by its name.

    A name is one of the ``files`` from left to right and one of the ``ranks`` from above. Two
    grounds take turns.
    """
    names = [*grounds]
    cells = tuple(
        Cell(space, row, column, names[(row + column) % len(names)], ".", marks(space))
        for row, rank in enumerate(ranks)
        for column, file in enumerate(files)
        for space in [f"{file}{rank}"]
    )
    return plain_scene(cells, grounds, row_names=tuple(ranks), column_names=tuple(files))


def lit(scene: Scene, spaces: Collection[str]) -> Scene:
    """Return a scene whose ground is light on some spaces."""
    cells = (replace(cell, ground="lit") if cell.space in spaces else cell for cell in scene.cells)
    return replace(
        scene,
        cells=tuple(cells),
        palette={**scene.palette, "lit": LIT},
        grounds={**scene.grounds, "lit": Ground(fill=LIT, told=False)},
    )


def plain_scene(cells: Iterable[Cell], grounds: Grounds, **more: Any) -> Scene:
    """Return the scene of a board, and of what it has more."""
    drawn = tuple(cells)
    rows, columns = max(cell.row for cell in drawn) + 1, max(cell.column for cell in drawn) + 1
    known = {
        name: Ground(fill=ground, told=False) if isinstance(ground, str) else ground
        for name, ground in grounds.items()
    }
    palette = {name: ground.fill or SHADES[name] for name, ground in known.items()}
    return replace(Scene(rows, columns, drawn, (), palette, (), grounds=known), **more)
