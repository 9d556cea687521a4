"""Boards drawn from scenes, as text and as HTML tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from referee.games.game import Cell, Mark, Scene
from referee.render.layout import WIDTH, clean, wrap_whole
from referee.render.wording import Wording

LARGE: Final = 8
"""Rows or columns from which on their names stand at both ends."""

CHANGED: Final = "!"
"""Marks a changed space in the table; games never use it."""

_NAME: Final = re.compile(r"([A-Za-z]*)(\d*)")

INK: Final = {
    "red": "#a00000",
    "green": "#005a00",
    "blue": "#0000b0",
    "yellow": "#6a4a00",
    "orange": "#8a3c00",
}
"""The ink of marks by owner, dark enough on every ground. Black for all others."""

_TABLE: Final = (
    '<table role="table" aria-label="{label}" cellpadding="2" cellspacing="0" border="1"'
    ' bordercolor="#bbbbbb" bgcolor="#ffffff" style="border-collapse:collapse;color:#000000;'
    'background-color:#ffffff;font:13px/20px Menlo,Consolas,monospace">'
)


def text_board(scene: Scene, wording: Wording, width: int = WIDTH) -> tuple[str, ...]:
    """Return the board as text, the legend below.

    Lines have at most ``width`` columns. A cell shows its ground's sign and the letters of its
    marks, in the widest of 4, 3 or 2 columns that fits; a board too broad for that is drawn in
    bands one below the other. Large boards bear the names of rows and columns at both ends.
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
            drawn = "".join(_cell(cells.get((n, column)), size) for column in band)
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
    for cell in scene.cells:
        found = _NAME.fullmatch(cell.space)
        if found and found[1]:
            rows[cell.row] = found[1]
        if found and found[2]:
            columns[cell.column] = found[2]
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


def _cell(cell: Cell | None, size: int) -> str:
    if cell is None:
        return " " * size
    room = size - 1
    letters = "".join(mark.letter for mark in visible_marks(cell))
    if len(letters) > room:
        # The plus sign says that more stands there than could be shown.
        letters = letters[: room - 1] + "+" if room > 1 else letters[:1]
    return f"{cell.sign}{letters}".ljust(size)[:size]


def html_board(scene: Scene, wording: Wording, changed: frozenset[str] = frozenset()) -> str:
    """Return the board as a table for mail programs.

    Styles are inline, and every cell has letters. Cells named in ``changed`` bear :data:`CHANGED`
    and say so in their title. Grounds lie in colours, but no meaning hangs on colour alone.
    """
    rows, columns = axis_names(scene)
    cells = {(each.row, each.column): each for each in scene.cells}
    words = {cell.ground: wording.word("ground", cell.ground) for cell in scene.cells}
    head = "".join(f'<th width="26">{escape(each)}</th>' for each in columns)
    parts = [
        _TABLE.format(label=escape(wording.catalogue.say("board.title"))),
        f'<tr align="center"><th></th>{head}</tr>',
    ]
    for n, name in enumerate(rows):
        drawn = "".join(
            _html_cell(cells.get((n, column)), scene.palette, words, wording, changed)
            for column in range(scene.columns)
        )
        parts.append(f'<tr align="center"><th scope="row">{escape(name)}</th>{drawn}</tr>')
    return "\n".join([*parts, "</table>"])


def _html_cell(
    cell: Cell | None,
    palette: Mapping[str, str],
    words: Mapping[str, str],
    wording: Wording,
    changed: frozenset[str],
) -> str:
    if cell is None:
        return "<td></td>"
    title = f"{cell.space} {words[cell.ground]}"
    text = escape(cell.sign) + "".join(_html_mark(mark) for mark in visible_marks(cell))
    if cell.marks:
        title += ": " + wording.catalogue.joined(mark_words(cell, wording))
    if cell.space in changed:
        title += ", " + wording.catalogue.say("board.changed")
        # As text as well as in the title: screen readers and phones show no titles.
        text += CHANGED
    colour = palette.get(cell.ground, "#ffffff")
    return f'<td bgcolor="{escape(colour)}" title="{escape(title)}">{text}</td>'


def _html_mark(mark: Mark) -> str:
    ink = INK.get(mark.seat or "")
    style = f' style="color:{ink}"' if ink else ""
    return f"<b{style}>{escape(mark.letter)}</b>"


def visible_marks(cell: Cell) -> list[Mark]:
    """Return the marks to draw beside the ground's sign. One that looks like it is left out."""
    # Drawn twice, a letter that the ground already shows would look like two marks.
    return [mark for mark in cell.marks if mark.letter != cell.sign]


def mark_words(cell: Cell, wording: Wording) -> tuple[str, ...]:
    """Return a cell's marks in words, with their owners' colours."""
    return tuple(
        f"{wording.word('mark', mark.word)} ({wording.seat(mark.seat)})"
        if mark.seat
        else wording.word("mark", mark.word)
        for mark in cell.marks
    )
