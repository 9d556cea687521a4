"""Boards as HTML tables for mails, legible where no picture is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from typing import Final

from referee.games.game import Area, Cell, Mark, Move, Scene, Seat
from referee.render.drawings.board import (
    CHANGED,
    axis_names,
    ground_of,
    ground_word,
    lettered,
    mark_words,
    small_seats,
    stretch,
    visible_marks,
)
from referee.render.drawings.changes import NOTHING, Changes
from referee.render.drawings.motifs import MOTIFS
from referee.render.drawings.pieces import ink_of, shape_of
from referee.render.layout import NO_BREAK
from referee.render.words.wording import Wording

FRAME: Final = "3px solid #7a4b00"
"""The frame of a changed space."""

TABLE: Final = (
    '<table role="table" aria-label="{label}" width="100%" border="1" bordercolor="#d5d0c5" '
    'cellpadding="0" cellspacing="0" bgcolor="#ffffff" style="table-layout:fixed;'
    "border-collapse:collapse;color:#1c2126;background-color:#ffffff;font-size:12px;"
    'line-height:16px;text-align:center;overflow-wrap:normal">'
)

WHITE: Final = ' bgcolor="#ffffff"'
"""The ground of what is no part of the board, in a row that has another."""

CHIP: Final = '<b style="background:{fill};color:{ink}{line}">{gap}{text}{gap}</b>'
FRAMED: Final = (
    '<b style="background:#fbefdc;color:{ink};border:1px solid {ink};border-radius:0">'
    "{gap}{text}{gap}</b>"
)


class BoardTable:
    """A table of a scene while it is drawn."""

    def __init__(self, scene: Scene, wording: Wording, changes: Changes) -> None:
        """Begin a table."""
        self.label = wording.catalogue.say("board.title", lattice=scene.lattice)
        scene = self.scene = lettered(scene, wording)
        self.wording = wording
        self.changes = changes
        self.cells = {(cell.row, cell.column): cell for cell in scene.cells}
        self.coded = {space: area for area in scene.areas if area.code for space in area.spaces}
        areas = {space: area.key for area in scene.areas for space in area.spaces}
        grounds = {key: ground_of(scene, key) for key in {cell.ground for cell in scene.cells}}
        self.fills = {
            key: ground.fill or MOTIFS[ground.motif].pale for key, ground in grounds.items()
        }
        self.parts = {
            spot: areas.get(cell.space, cell.ground if grounds[cell.ground].told else "")
            for spot, cell in self.cells.items()
        }
        # The seats of the board's sides, by the row or column that runs along each.
        at = {cell.space: spot for spot, cell in self.cells.items()}
        self.sides: dict[tuple[str, int], Seat] = {}
        for line in scene.lines if scene.lattice == "hexes" else ():
            if isinstance(line, Move):
                ends = zip(*(at[space] for space in line.spaces), strict=True)
                for axis, numbers in zip(("row", "column"), ends, strict=True):
                    if len({*numbers}) == 1:
                        self.sides[axis, numbers[0]] = line.seat
        self.small = small_seats(scene, changes)
        self.seas = {key for key, ground in grounds.items() if ground.motif == "sea"}

    def drawn(self) -> str:
        """Return the whole table."""
        rows, columns = axis_names(self.scene)
        slanted, every = self.scene.lattice == "hexes", range(self.scene.columns)
        # Hexagons take two columns each, so that a row can be shifted by half of one.
        span = ' colspan="2"' if slanted else ""
        inside = [stretch(self.cells, row, every) if slanted else every for row in range(len(rows))]
        starts = [2 * row[0] + n if slanted and row else 0 for n, row in enumerate(inside)]
        leads = [n - min(starts) if row else 0 for n, row in zip(starts, inside, strict=True)]
        ends = [lead + 2 * len(row) for lead, row in zip(leads, inside, strict=True)]
        # What stands before and behind a shifted row is no part of the board.
        before = [_blank(lead) for lead in leads]
        behind = [_blank(max(ends) - end) if slanted else "" for end in ends]

        def named(names: Sequence[str], row: int) -> str:
            """Return a line of names above or below a row; of each a line, as a mail's is short."""
            told = "\n".join(
                f'<th{span} scope="col"{self._side(row=row)}>{escape(names[n])}</th>'
                for n in inside[row]
            )
            return f"{before[row]}{told}{behind[row]}"

        lines = [
            TABLE.format(label=escape(self.label)),
            f'<tr><td width="20"></td>{named(columns, 0) if inside else ""}</tr>',
        ]
        for row, name in enumerate(rows):
            cells = [self.cells.get((row, column)) for column in inside[row]]
            fills = ["#ffffff" if cell is None else self.fills[cell.ground] for cell in cells]
            # Most cells need no attribute: their ground is the row's, their border the table's.
            common = max(dict.fromkeys(fills), key=fills.count, default="#ffffff")
            drawn = "\n".join(
                self._cell(cell, span + ("" if fill == common else f' bgcolor="{escape(fill)}"'))
                for cell, fill in zip(cells, fills, strict=True)
            )
            look = self._side(column=inside[row][0]) if inside[row] else ""
            head = f'<th scope="row"{look or WHITE}>{escape(name)}</th>'
            edge = ""
            if self.scene.tall > 1:
                edge = f' valign="{"bottom" if self.scene.is_low(row) else "top"}"'
            lines.append(
                f'<tr height="25"{edge} bgcolor="{escape(common)}">'
                f"{head}{before[row]}{drawn}{behind[row]}</tr>"
            )
        if inside and (slanted or len(columns) > self.scene.columns):
            lines.append(
                f"<tr><td></td>{named(columns[-self.scene.columns :], len(rows) - 1)}</tr>"
            )
        return "\n".join([*lines, "</table>"])

    def _side(self, *, row: int = 0, column: int | None = None) -> str:
        """Return the look of a name beside a row's or column's side of the board that is a seat's.

        Such sides are known of hexagons alone.
        """
        side = ("row", row) if column is None else ("column", column)
        if (seat := self.sides.get(side)) is None:
            return ""
        ink, name = ink_of(seat), escape(self.wording.seat(seat))
        return f' title="{name}" bgcolor="{ink.fill}" style="color:{ink.ink}"'

    def _cell(self, cell: Cell | None, fill: str) -> str:
        if cell is None:
            return f"<td{fill}></td>"
        changed = cell.space in self.changes.numbers
        # Borders that the table does not draw, by the mail's classes: of an unchanged cell, and
        # top and left only, as collapsed ones are shared.
        row, column, sea = cell.row, cell.column, cell.ground in self.seas
        borders = []
        for side, spot in (("t", (row - 1, column)), ("l", (row, column - 1))):
            other = self.cells.get(spot)
            if changed or other is None or other.space in self.changes.numbers:
                continue
            if sea != (other.ground in self.seas):
                borders.append(f"rf-c{side}")
            elif self.parts[row, column] != self.parts[spot]:
                borders.append(f"rf-{'s' if sea else 'b'}{side}")
        style = f' class="{" ".join(borders)}"' if borders else ""
        if changed:
            style = f' style="border:{FRAME}"'
        if not cell.marks and not changed and cell.space not in self.coded:
            return f"<td{fill}{style}>{self._sign(cell)}</td>"
        title = ""
        if cell.marks or changed:
            ground = ground_word(self.scene, cell.ground, self.wording)
            title = f' title="{_title(cell, ground, self.wording, changed=changed)}"'
        return f"<td{fill}{title}{style}>{''.join(self._content(cell))}</td>"

    def _sign(self, cell: Cell) -> str:
        """Return the name on a space, or the sign of its ground.

        Water needs none: its colour and the coast say enough.
        """
        if cell.name:
            return f"<small>{escape(cell.name)}</small>"
        return "" if cell.ground in self.seas else escape(cell.sign)

    def _content(self, cell: Cell) -> Iterator[str]:
        # Left by whoever stood here, small and struck out; not where pieces are stacked.
        gone = self.changes.gone.get(cell.space, ()) if self.scene.tall == 1 else ()
        letters = (mark.letter if self.small else mark.letter.lower() for mark in gone[:1])
        yield from (f"<s>{escape(letter)}</s> " for letter in letters)
        sign, marks = self._sign(cell), visible_marks(cell)
        area = self.coded.get(cell.space)
        if area is not None:
            # As orders and tables name the area; a line of its own keeps a narrow cell whole.
            states = [mark for mark in marks if mark.word == area.state]
            code = area_code(area) + "".join(mark.letter for mark in states)
            yield f"<small>{escape(code)}</small><br>"
            marks, sign = [mark for mark in marks if mark not in states], ""
        signs = [sign] if sign else []
        parts = [*map(chip, marks), *signs]
        if self.scene.tall > 1 and marks:
            more = [f"×{len(marks)}"] if len(marks) > self.scene.tall else []
            parts = ["<br>".join([*map(chip, marks[: self.scene.tall]), *more])]
        # A settlement begins with its sign, so that banner and counts take two lines and not four.
        if any(mark.count is not None or mark.shape == "banner" for mark in marks):
            parts = [*signs, *map(chip, marks)]
        yield " ".join(parts)
        if cell.space in self.changes.numbers:
            # As text as well as by its frame: some programs and all screen readers show no frame.
            yield CHANGED


def _blank(columns: int) -> str:
    """Return a cell that is no part of the board, so many columns wide."""
    return f'<td colspan="{columns}"{WHITE} style="border:0"></td>' if columns else ""


@lru_cache(maxsize=4096)
def _title(cell: Cell, ground: str, wording: Wording, *, changed: bool) -> str:
    """Return a cell in words, escaped; cached, since most look alike in mail after mail."""
    title = f"{wording.space(cell)} {ground}".rstrip()
    if cell.marks:
        title += ": " + wording.catalogue.joined(mark_words(cell, wording))
    if changed:
        title += ", " + wording.catalogue.say("board.changed")
    return escape(title)


def area_code(area: Area) -> str:
    """Return an area's code; that of a sea in small letters."""
    return area.code.lower() if area.sea else area.code


@lru_cache(maxsize=1024)
def chip(mark: Mark) -> str:
    """Return a piece as HTML: filled, a banner framed, nobody's as a bare letter."""
    ink, text = ink_of(mark.seat), escape(mark.letter)
    if shape_of(mark) == "banner":
        return FRAMED.format(ink=ink.paper, text=text, gap=NO_BREAK)
    if mark.seat is None:
        return f"<b>{text}</b>"
    count, gap = ("", NO_BREAK) if mark.count is None else (mark.count, "")
    line = f";border:1px solid {ink.edge}" if ink.edge else ""
    # The mail rounds chips; without a gap beside them, letters would lie on the corners.
    line += "" if gap else ";border-radius:3px"
    text = f"{text}{count}"
    # A crowded board has a thousand pieces, so white is written short.
    white = "#fff" if ink.ink == "#ffffff" else ink.ink
    return CHIP.format(fill=ink.fill, ink=white, line=line, text=text, gap=gap)


def html_board(scene: Scene, wording: Wording, changes: Changes = NOTHING) -> str:
    """Return the board as a table for mail programs.

    Colours are inline, and every cell has letters: no meaning hangs on a border or colour alone.
    """
    return BoardTable(scene, wording, changes).drawn()
