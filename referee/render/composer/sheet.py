"""The board of the composer's page: a picture small enough to travel in a link."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.game import Cell, Face, Mark, Scene
from referee.render.drawings.columns import CARDS_BESIDE
from referee.render.drawings.motifs import MOTIFS
from referee.render.drawings.picture import EDGE, FILLED, Extent, Picture, Stamp
from referee.render.drawings.pieces import piece
from referee.render.words.wording import Wording
from referee.value import replace


class BoardSheet(Picture):
    """A picture without motifs, tracks and waves; the page holds the motifs.

    Below a table lie the playing cards of the hand, for the page to click. ``hand`` has a cell for
    each, called as orders call the card.
    """

    any_font = True
    joined = True

    def __init__(self, scene: Scene, wording: Wording) -> None:
        """Begin a picture of a scene."""
        cards = [card for hand in scene.secrets for card in hand.cards if card.mark]
        wide, self.hand = max(scene.columns, min(len(cards), CARDS_BESIDE)), list[Cell]()
        for number, card in enumerate(cards):
            down, right = divmod(number, CARDS_BESIDE)
            name, marks = wording.sentence(card.name).rstrip("."), (card.mark,) if card.mark else ()
            self.hand.append(Cell(name, scene.rows + down, right, "", " ", marks))
        if cards:
            # The table stands above the middle of its hand.
            left = (wide - scene.columns) // 2
            cells = (replace(cell, column=cell.column + left) for cell in scene.cells)
            scene = replace(scene, columns=wide, column_names=("",) * wide, cells=tuple(cells))
        super().__init__(replace(scene, tracks=()), wording)
        self.high += self.unit * len({cell.row for cell in self.hand}) + EDGE * bool(cards)

    def spots(self) -> Iterator[tuple[Cell, float, float]]:
        """Yield every space and card with the left and the top of its place, from the board's."""
        for cell in (*self.scene.cells, *self.hand):
            x, y = self.corner((cell.row, cell.column))
            yield cell, x, y + (EDGE if cell in self.hand else 0)

    def stamps(self) -> Iterator[Stamp]:
        yield from super().stamps()
        # A little to the left, where the sign of what can be chosen hides no suit.
        box, left, middle = Extent(0, 0, self.unit, self.unit), 0.37 * self.unit, 0.5 * self.unit
        for cell, x, y in self.spots():
            shapes = [mark.shape for mark in cell.marks if cell in self.hand]
            for face in (self.wording.face(shape) for shape in shapes if isinstance(shape, Face)):
                drawn = piece(Mark(face.rank, "", shape=face), left, middle, FILLED * self.unit)
                yield Stamp(drawn, box, EDGE + x, EDGE + y)

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
