"""The board of the composer's page: a picture small enough to travel in a link."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.game import Cell, Scene
from referee.render.drawings.motifs import MOTIFS
from referee.render.drawings.picture import Picture
from referee.render.words.wording import Wording
from referee.value import replace


class BoardSheet(Picture):
    """A picture without motifs, tracks and waves; the page holds the motifs."""

    any_font = True
    joined = True

    def __init__(self, scene: Scene, wording: Wording) -> None:
        """Begin a picture of a scene."""
        super().__init__(replace(scene, tracks=()), wording)

    def symbols(self) -> Iterator[str]:
        # The page holds every motif already.
        return iter(())

    def _waves(self, _cell: Cell) -> bool:
        return False


def motif_symbols() -> str:
    """Return every motif as a symbol, for the page that shows sheets."""
    return "".join(
        f'<symbol id="m-{name}" viewBox="0 0 100 100">{motif.strokes}</symbol>'
        for name, motif in sorted(MOTIFS.items())
        if motif.strokes
    )
