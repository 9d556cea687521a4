"""Boards drawn from scenes as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from referee.games.game import Cell, Mark, Scene
from referee.render.drawings.changes import NOTHING, Changes
from referee.render.layout import WIDTH, clean, wrap_whole
from referee.render.words.wording import Wording

LARGE: Final = 8
"""Rows or columns from which on their names stand at both ends."""

CHANGED: Final = "!"
"""Marks a changed space in the table; games never use it."""

_NAME: Final = re.compile(r"([A-Za-z]*)(\d*)")

AFLOAT: Final = "~"
"""Stands before a piece at sea, where the ground itself is a dot."""


def text_board(
    scene: Scene, wording: Wording, width: int = WIDTH, changes: Changes = NOTHING
) -> tuple[str, ...]:
    """Return the board as text, the legend below.

    Lines have at most ``width`` columns. A cell shows its ground's sign and the letters of its
    marks, in the widest of 4, 3 or 2 columns that fits; a board too broad for that is drawn in
    bands one below the other. Large boards bear the names of rows and columns at both ends. A
    changed cell ends with :data:`CHANGED`; the letter of whoever left it is small.
    """
    rows, columns = axis_names(scene)
    margin = max(map(len, rows), default=0) + 1
    # The widest cells that fit, so that small boards stay easy to read.
    size = _cell_size(scene, width - margin)
    most = max((width - margin) // size, 1)
    cells = {(each.row, each.column): each for each in scene.cells}
    lines: list[str] = []
    for left in range(0, scene.columns, most):
        band = range(left, min(left + most, scene.columns))
        header = list(_header([columns[n] for n in band], margin, size))
        # The last cell's blank may hang over the edge, for it is stripped.
        ends = len(band) > LARGE and 2 * margin + size * len(band) <= width + 1
        lines.extend(header)
        for n, name in enumerate(rows):
            drawn = "".join(_cell(cells.get((n, column)), size, changes) for column in band)
            lines.append(f"{name:<{margin}}{drawn}{name if ends else ''}".rstrip())
        lines.extend([*header, ""] if len(rows) > LARGE else [""])
    return (*lines, *legend(scene, wording, width))


def legend(scene: Scene, wording: Wording, columns: int = WIDTH) -> tuple[str, ...]:
    """Return the wrapped meanings of the board's signs and letters."""
    if not scene.legend:
        return ()
    entries = [_legend_entry(wording, *each) for each in scene.legend]
    items = [f"{each};" for each in entries[:-1]] + entries[-1:]
    first = f"{wording.catalogue.say('board.legend')} "
    return tuple(wrap_whole(items, first, "", columns).split("\n"))


def _legend_entry(wording: Wording, sign: str, section: str, key: str) -> str:
    word = wording.seat(key) if section == "seat" else wording.word(section, key)
    return f"{clean(sign)} {word}"


def axis_names(scene: Scene) -> tuple[list[str], list[str]]:
    """Return the names of rows and columns, as in spaces' names."""
    rows = [chr(ord("A") + n % 26) for n in range(scene.rows)]
    columns = [str(n + 1) for n in range(scene.columns)]
    # One space of each row and column tells its name.
    for row, space in {each.row: each.space for each in scene.cells}.items():
        if (found := _NAME.fullmatch(space)) and found[1]:
            rows[row] = found[1]
    for column, space in {each.column: each.space for each in scene.cells}.items():
        if (found := _NAME.fullmatch(space)) and found[2]:
            columns[column] = found[2]
    return rows, columns


def _cell_size(scene: Scene, room: int) -> int:
    return next((size for size in (4, 3) if size * scene.columns <= room), 2)


def _header(names: list[str], margin: int, size: int) -> Iterator[str]:
    """Yield the numbers of columns. Where two digits leave no gap, tens stand above units."""
    if max(map(len, names), default=0) < size:
        yield (" " * margin + "".join(f"{name:<{size}}" for name in names)).rstrip()
        return
    tens = [name[:-1] if name[-1:] == "0" or n == 0 else "" for n, name in enumerate(names)]
    yield (" " * margin + "".join(f"{ten:<{size}}" for ten in tens)).rstrip()
    yield (" " * margin + "".join(f"{name[-1:]:<{size}}" for name in names)).rstrip()


def _cell(cell: Cell | None, size: int, changes: Changes) -> str:
    if cell is None:
        return " " * size
    if not cell.marks and cell.space not in changes.numbers:
        return cell.sign.ljust(size)
    room, letters = size - 1, _letters(cell)
    if len(cell.sign) + len(letters) > room:
        # Small marks at the edge of a space tell of its area, which the legend or a table does too.
        letters = _letters(replace(cell, marks=tuple(m for m in cell.marks if not m.corner)))
    gone = changes.gone.get(cell.space, ())
    letters += "".join(mark.letter.lower() for mark in gone[:1])
    sign = AFLOAT if any(mark.afloat for mark in cell.marks) else cell.sign
    # In one column a piece tells more than the ground below it.
    shown = f"{sign}{letters}" if room > 1 else (letters or sign)
    if len(shown) > room:
        # The plus sign says that more stands there than could be shown.
        shown = {1: letters[:1], 2: f"{letters[:1]}+"}.get(room, f"{shown[: room - 1]}+")
    # The blank between two cells may hold the sign of a change.
    return f"{shown}{CHANGED if cell.space in changes.numbers else ''}".ljust(size)


def _letters(cell: Cell) -> str:
    """Return the letters of a cell's marks; counted ones as the sum of them."""
    marks = visible_marks(cell)
    counted = [mark.count for mark in marks if mark.count is not None]
    letters = "".join(mark.letter for mark in marks if mark.count is None)
    return f"{letters or '-'}{sum(counted)}" if counted else letters


def visible_marks(cell: Cell) -> list[Mark]:
    """Return the marks to draw beside the ground's sign. One that looks like it is left out."""
    # Drawn twice, a letter that the ground already shows would look like two marks.
    return [mark for mark in cell.marks if mark.letter != cell.sign]


def mark_words(cell: Cell, wording: Wording) -> tuple[str, ...]:
    """Return a cell's marks in words, with owners and numbers."""
    return tuple(wording.value(mark) for mark in cell.marks)
