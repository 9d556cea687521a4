"""The board of the composer's page: a picture small enough to travel in a link."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.game import Cell, Scene
from referee.render.drawings.changes import NOTHING
from referee.render.drawings.motifs import MOTIFS
from referee.render.drawings.picture import EDGE, Picture
from referee.render.words.wording import Wording
from referee.value import replace

SYMBOL = '<symbol id="m-'


class BoardSheet(Picture):
    """A picture without motifs, tracks and waves; the page holds the motifs."""

    any_font = True
    calmed = False

    def __init__(self, scene: Scene, wording: Wording) -> None:
        """Begin a picture of a scene."""
        super().__init__(replace(scene, tracks=()), wording, NOTHING)
        self.by_spot = {(each.row, each.column): each for each in self.scene.cells}

    @property
    def measures(self) -> tuple[float, float, float, float]:
        """Width, height, side of a space, and edge around the board."""
        wide, high = (n * self.unit + 2 * EDGE for n in (self.scene.columns, self.scene.rows))
        return wide, high, self.unit, EDGE

    def _symbols(self) -> Iterator[str]:
        return (each for each in super()._symbols() if not each.startswith(SYMBOL))

    def _space(self, cell: Cell) -> str:
        """Return a space; the ground is drawn once for a run of spaces that share it."""
        ground, unit = self.ground(cell), self.unit
        motif = MOTIFS[ground.motif]
        x, y = cell.column * unit, cell.row * unit
        drawn = ""
        if not self._shares(cell, -1):
            count = 1
            while self._shares(cell, count):
                count += 1
            drawn = (
                f'<rect x="{x:g}" y="{y:g}" width="{count * unit + 0.5:g}" '
                f'height="{unit + 0.5:g}" fill="{ground.fill or motif.fill}"/>'
            )
        if not motif.strokes or ground.motif == "sea":
            return drawn
        side = f'width="{unit:g}" height="{unit:g}"'
        return f'{drawn}<use href="#m-{ground.motif}" x="{x:g}" y="{y:g}" {side}/>'

    def _shares(self, cell: Cell, right: int) -> bool:
        """Whether the space so far to the right has the same ground."""
        other = self.by_spot.get((cell.row, cell.column + right))
        return other is not None and other.ground == cell.ground


def motif_symbols() -> str:
    """Return every motif as a symbol, for the page that shows sheets."""
    return "".join(
        f'{SYMBOL}{name}" viewBox="0 0 100 100">{motif.strokes}</symbol>'
        for name, motif in sorted(MOTIFS.items())
        if motif.strokes
    )
