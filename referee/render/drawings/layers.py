"""Pictures in layers: the ground of a match, and stamps that lie upon it."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from referee.games.game import Scene
from referee.render.drawings import labels, tracks
from referee.render.drawings.changes import Changes
from referee.render.drawings.outline import Spot
from referee.render.drawings.picture import EDGE, PAPER, Picture
from referee.render.words.wording import Wording

CORNER: Final = (0, 0)
"""The spot at which drawings are made that are then moved to their own."""

MARGIN: Final = 0.4
"""Room around the spots of a drawing, in parts of a space."""


class Extent(NamedTuple):
    """A part of a drawing, in its units."""

    left: float
    top: float
    wide: float
    high: float


class Stamp(NamedTuple):
    """A drawing within a box, moved to its place."""

    svg: str
    box: Extent
    right: float = EDGE
    down: float = EDGE


class Layers(NamedTuple):
    """A picture in units of its drawing: size, ground, and the stamps upon it in order.

    ``space`` is the side of a board's spaces.
    """

    wide: float
    high: float
    ground: str
    stamps: tuple[Stamp, ...] = ()
    space: float = 0


class LayeredPicture(Picture):
    """A picture whose parts are drawn once, wherever they stand."""

    calmed = False
    """A piece covers the wave below it, so that the ground stays the same."""

    def layers(self) -> Layers:
        """Return the whole picture."""
        wide, board = (n * self.unit + 2 * EDGE for n in (self.scene.columns, self.scene.rows))
        high = board + tracks.height(self.scene.tracks, wide)
        symbols, lines, names = self.ground_parts()
        ground = "".join(
            [
                f"<defs>{symbols}</defs>",
                f'<rect width="{wide:g}" height="{high:g}" fill="{PAPER}"/>',
                f'<g transform="translate({EDGE} {EDGE})">',
                lines,
                self.edge(),
                "</g>",
                names,
            ]
        )
        stamps, top = [*self._stamps()], board
        for track in self.scene.tracks:
            part = Extent(0, 0, wide, tracks.height((track,), wide))
            drawn = tracks.drawn((track,), self.wording, wide, 0, self.changes.places)
            stamps.append(Stamp(drawn, part, 0, top))
            top += part.high
        return Layers(wide, high, ground, tuple(stamps), self.unit)

    def _stamps(self) -> Iterator[Stamp]:
        """Yield the parts on the board, from the lowest to the highest."""
        for spots, drawn in self.states():
            yield Stamp(drawn, self._around(spots))
        for space in self.changes.numbers:
            yield from self._moved(self.frame_at(CORNER), space)
        for space, marks in self.changes.gone.items():
            yield from self._moved(self.ghost_at(CORNER, marks), space)
        for spots, drawn in self._ways():
            yield Stamp(drawn, self._around(spots))
        for cell in self.scene.cells:
            if cell.marks:
                yield from self._moved("".join(self.pieces_on(cell, CORNER)), cell.space)
        for space, numbers in self.changes.numbers.items():
            if numbers:
                yield from self._moved(self.pill_at(CORNER, numbers), space)
        for label, drawn in self.area_labels():
            # The width of letters is an estimate, so there is room to spare.
            wide = (1.3 * labels.width(label.text) + 1) * label.size
            box = (label.column - 0.05, label.row - 0.1, wide, 0.5)
            yield Stamp(drawn, Extent(*(length * self.unit for length in box)))

    def _moved(self, drawn: str, space: str) -> Iterator[Stamp]:
        """Yield a drawing moved from the corner to a space."""
        if space in self.at:
            row, column = self.at[space]
            box = self._around({CORNER})
            yield Stamp(drawn, box, EDGE + column * self.unit, EDGE + row * self.unit)

    def _around(self, spots: AbstractSet[Spot]) -> Extent:
        top, left = (min(spot[n] for spot in spots) - MARGIN for n in (0, 1))
        down, right = (max(spot[n] for spot in spots) + 1 + MARGIN for n in (0, 1))
        return Extent(*(length * self.unit for length in (left, top, right - left, down - top)))


def layers(scene: Scene, wording: Wording, changes: Changes) -> Layers:
    """Return the board of a scene, its tracks below, in layers."""
    return LayeredPicture(scene, wording, changes).layers()
