"""Boards as HTML tables for mails, readable where no picture is shown."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from referee.games.game import Cell, Ground, Mark, Scene
from referee.render.drawings.board import CHANGED, axis_names, mark_words
from referee.render.drawings.changes import Changes
from referee.render.drawings.motifs import MOTIFS
from referee.render.drawings.pieces import ink_of, shape_of
from referee.render.wording import Wording

COAST: Final = "#2e5b73"
BORDER: Final = "#4a3520"
LINE: Final = "#d5d0c5"

FRAME: Final = "3px solid #7a4b00"
"""The frame of a changed space."""

TABLE: Final = (
    '<table role="table" aria-label="{label}" cellpadding="0" cellspacing="0" width="100%" '
    'bgcolor="#ffffff" style="table-layout:fixed;border-collapse:collapse;color:#1c2126;'
    'background-color:#ffffff;font-size:12px;line-height:16px;text-align:center">'
)

CHIP: Final = (
    '<b style="background-color:{fill};color:{ink};border:1px solid {line};border-radius:7px">'
    "&nbsp;{text}&nbsp;</b>"
)
FRAMED: Final = '<b style="color:{ink};border:1px solid {ink}">&nbsp;{text}&nbsp;</b>'


class Table:
    """A table of a scene while it is drawn."""

    def __init__(self, scene: Scene, wording: Wording, changes: Changes) -> None:
        """Begin a table."""
        self.scene = scene
        self.wording = wording
        self.changes = changes
        self.cells = {(each.row, each.column): each for each in scene.cells}
        self.area = {space: area.key for area in scene.areas for space in area.spaces}

    def drawn(self) -> str:
        """Return the whole table."""
        rows, columns = axis_names(self.scene)
        head = "".join(f'<th scope="col">{escape(each)}</th>' for each in columns)
        lines = [
            TABLE.format(label=escape(self.wording.catalogue.say("board.title"))),
            f"<tr><th></th>{head}</tr>",
        ]
        for row, name in enumerate(rows):
            drawn = "".join(self._cell(row, column) for column in range(self.scene.columns))
            lines.append(f'<tr><th scope="row">{escape(name)}</th>{drawn}</tr>')
        return "\n".join([*lines, "</table>"])

    def _cell(self, row: int, column: int) -> str:
        cell = self.cells.get((row, column))
        if cell is None:
            return "<td></td>"
        ground = self._ground(cell)
        fill = ground.fill or MOTIFS[ground.motif].pale
        look = ";".join(self._borders(cell))
        title = f' title="{escape(self._title(cell))}"' if self._tells(cell) else ""
        return (
            f'<td bgcolor="{escape(fill)}" height="25"{title} style="{look}">'
            f"{''.join(self._content(cell))}</td>"
        )

    def _ground(self, cell: Cell) -> Ground:
        return self.scene.grounds.get(cell.ground) or Ground(
            fill=self.scene.palette.get(cell.ground)
        )

    def _tells(self, cell: Cell) -> bool:
        return bool(cell.marks) or cell.space in self.changes.numbers

    def _title(self, cell: Cell) -> str:
        title = f"{cell.space} {self.wording.word('ground', cell.ground)}"
        if cell.marks:
            title += ": " + self.wording.catalogue.joined(mark_words(cell, self.wording))
        if cell.space in self.changes.numbers:
            title += ", " + self.wording.catalogue.say("board.changed")
        return title

    def _borders(self, cell: Cell) -> Iterator[str]:
        """Yield the borders of a cell: top and left only, as collapsed ones are shared."""
        if cell.space in self.changes.numbers:
            yield f"border:{FRAME}"
            return
        sides = (("top", cell.row - 1, cell.column), ("left", cell.row, cell.column - 1))
        for side, row, column in sides:
            other = self.cells.get((row, column))
            if other is None or other.space not in self.changes.numbers:
                yield f"border-{side}:{self._border(cell, other)}"

    def _border(self, cell: Cell, other: Cell | None) -> str:
        if other is None:
            return f"1px solid {LINE}"
        sea = [self._ground(each).motif == "sea" for each in (cell, other)]
        if sea[0] != sea[1]:
            return f"2px solid {COAST}"
        if self._part(cell) != self._part(other):
            return f"1px dashed {COAST}" if all(sea) else f"2px solid {BORDER}"
        return f"1px solid {LINE}"

    def _part(self, cell: Cell) -> str:
        return self.area.get(cell.space, cell.ground)

    def _content(self, cell: Cell) -> Iterator[str]:
        ground = self._ground(cell)
        sign = cell.sign if self._ground(cell).motif != "sea" else MOTIFS[ground.motif].sign
        letters = [self._mark(each) for each in cell.marks]
        # Left by whoever stood here, small and struck out.
        gone = self.changes.gone.get(cell.space, ())
        yield from (f"<small><s>{escape(each.letter.lower())}</s></small> " for each in gone[:1])
        yield (
            " ".join([*letters, *([f"<small>{escape(sign)}</small>"] if sign else [])]) or "&nbsp;"
        )
        if cell.space in self.changes.numbers:
            # As text as well as by its frame: some programs and all screen readers show no frame.
            yield f"<small>{CHANGED}</small>"

    def _mark(self, mark: Mark) -> str:
        ink, text = ink_of(mark.seat), escape(mark.letter)
        if shape_of(mark) == "banner":
            return FRAMED.format(ink=ink.paper, text=text)
        if mark.seat is None:
            return f"<b>{text}</b>"
        count = "" if mark.count is None else mark.count
        line = ink.fill if ink.fill != "#ffffff" else ink.ink
        return CHIP.format(fill=ink.fill, ink=ink.ink, line=line, text=f"{text}{count}")


def html_board(scene: Scene, wording: Wording, changes: Changes | None = None) -> str:
    """Return the board as a table for mail programs.

    Styles are inline, and every cell has letters: no meaning hangs on colour alone.
    """
    return Table(scene, wording, changes or Changes()).drawn()
