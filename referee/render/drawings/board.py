"""Boards drawn from scenes as text."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from typing import Final

from referee.games.game import Area, Cell, Face, Ground, Mark, Scene, Seat
from referee.render.drawings.changes import NOTHING, Changes
from referee.render.drawings.pieces import FILLING, SUIT_SIGNS, fill_space, shape_of
from referee.render.layout import WIDTH, capital, clean, wrap_all, wrap_whole
from referee.render.words.wording import Wording
from referee.value import replace

LARGE: Final = 8
"""Rows or columns from which on their names stand at both ends."""

CHANGED: Final = "!"
"""Marks a changed space in the table; games never use it."""

LEAST_NARROW: Final = 3
"""Columns of a cell on a phone: ground, piece, and the sign of a change."""

_NAME: Final = re.compile(r"([A-Za-z]*)(\d*)")

AFLOAT: Final = "~"
"""Stands before a piece at sea, where the ground itself is a dot."""

NOBODY: Final = "-"
"""Stands before a number where no letter does."""

_MORE: Final = "+"
"""Stands for whatever a cell has no room for."""


def lettered(scene: Scene, wording: Wording) -> Scene:
    """Return a scene as letters show it.

    A piece that fills its space, or stands on a ground that is a pattern alone, hides its sign. A
    table for cards has in every place its seat, and what lies there: of a playing card its rank and
    the sign of its suit.
    """
    cells = []
    for cell in scene.cells:
        if scene.lattice == "table":
            lying = " ".join(
                f"{wording.face(mark.shape).rank}{SUIT_SIGNS[mark.shape.suit]}"
                if isinstance(mark.shape, Face)
                else mark.letter
                for mark in cell.marks
            )
            sign = f"{wording.seat(cell.space)} {lying or wording.value(None)}"
            cells.append(replace(cell, sign=sign, marks=()))
        else:
            patterned = bool(cell.marks) and not ground_of(scene, cell.ground).told
            hidden = patterned or fill_space(cell.marks)
            cells.append(replace(cell, sign="") if hidden else cell)
    lattice = "spaces" if scene.lattice == "table" else scene.lattice
    return replace(scene, cells=tuple(cells), lattice=lattice)


def phone_board(
    scene: Scene, wording: Wording, width: int, changes: Changes = NOTHING
) -> tuple[str, ...]:
    """Return the board in few columns, its empty margin cut away.

    Below it stands whatever its small cells do not show.
    """
    scene = lettered(scene, wording)
    shown, ground = _cropped(scene, changes)
    known = told_beside(scene)
    states = {(space, area.state) for area in scene.areas for space in area.spaces}
    margin = max(map(len, axis_names(shown)[0]), default=0) + 1
    room = max(_cell_size(shown, width - margin), LEAST_NARROW) - 1
    items = []
    for cell in scene.cells if scene.tall == 1 else ():
        marks = [mark for mark in visible_marks(cell) if (cell.space, mark.word) not in states]
        # The letters that a cell has no room for.
        hidden = [mark for mark in marks if mark.count is not None]
        if not hidden and len(cell.sign) + sum(len(mark.letter) for mark in marks) > room:
            plain = [mark for mark in marks if not mark.corner]
            hidden = [mark for mark in marks if mark.corner or len(plain) > 1]
        if hidden and cell.space not in known:
            signs = (f"{mark.letter}{'' if mark.count is None else mark.count}" for mark in hidden)
            items.append(f"{cell.space} {' '.join(signs)};")
    lines = list(text_board(shown, wording, width, changes, least=LEAST_NARROW))
    if items:
        items[-1] = items[-1].rstrip(";")
        also = f"{wording.catalogue.say('board.also')} "
        lines += wrap_whole(items, also, columns=width).split("\n")
    beside = []
    for state in dict.fromkeys(area.state for area in scene.areas if area.state):
        areas = ", ".join(area.code or area.key for area in scene.areas if area.state == state)
        beside.append(f"{capital(wording.word('mark', state))}: {areas}")
    if ground:
        beside.append(wording.catalogue.say("board.around", ground=wording.word("ground", ground)))
    return (*lines, *wrap_all(beside, columns=width))


def _cropped(scene: Scene, changes: Changes) -> tuple[Scene, str]:
    """Return a scene without empty edges, and the ground that was cut away, empty if none."""
    grounds = [cell.ground for cell in scene.cells]
    common = max(grounds, key=grounds.count, default="")
    kept = [
        cell
        for cell in scene.cells
        if cell.ground != common or cell.marks or cell.space in changes.numbers
    ]
    if scene.areas or scene.column_names or not kept:
        return scene, ""
    rows, columns = {cell.row for cell in kept}, {cell.column for cell in kept}
    top, left = min(rows), min(columns)
    high, wide = max(rows) - top + 1, max(columns) - left + 1
    cells = tuple(
        replace(cell, row=cell.row - top, column=cell.column - left)
        for cell in scene.cells
        if 0 <= cell.row - top < high and 0 <= cell.column - left < wide
    )
    cut = common if len(cells) < len(scene.cells) else ""
    return replace(scene, rows=high, columns=wide, cells=cells), cut


def state_mark(scene: Scene, area: Area) -> Mark | None:
    """Return the mark that shows the state of an area, if any."""
    spaces = set(area.spaces) if area.state else set()
    marks = (mark for cell in scene.cells if cell.space in spaces for mark in cell.marks)
    return next((mark for mark in marks if mark.word == area.state), None)


def told_beside(scene: Scene) -> set[str | None]:
    """Return the spaces that tables beside the board tell of.

    A scene without a legend is for somebody who waits, and gets no such tables.
    """
    rows = (row for table in scene.tables for row in table.rows)
    return {row.place for row in rows} if scene.legend else set()


def text_board(
    scene: Scene,
    wording: Wording,
    width: int = WIDTH,
    changes: Changes = NOTHING,
    *,
    least: int = 2,
) -> tuple[str, ...]:
    """Return the board as text, the legend below.

    Lines have at most ``width`` columns. A cell shows its ground's sign and the letters of its
    marks, in the widest of 4, 3 or 2 columns that fits, though not under ``least``; a board too
    broad for that is drawn in bands one below the other. Where the game names rows and columns a
    cell is as wide as its letters, and columns are named below. Large boards bear the names of rows
    and columns at both ends. A changed cell ends with :data:`CHANGED`; the letter of whoever left
    it is small, unless small letters are those of a seat or pieces are stacked.
    """
    scene = lettered(scene, wording)
    rows, columns = axis_names(scene)
    margin = max(map(len, rows), default=0) + 1
    if scene.row_names:
        rows = [name.rjust(margin - 1) for name in rows]
    # The widest cells that fit, so that small boards stay easy to read.
    size = _cell_size(scene, width - margin)
    size = size if scene.column_names else max(size, least)
    if scene.tall > 1 or small_seats(scene, changes):
        changes = replace(changes, gone={})
    # Rows of hexagons are shifted by half a cell each, and named before their first space.
    shift = (size + 1) // 2 if scene.lattice == "hexes" else 0
    size = max(size, 2 * shift)
    cells = {(cell.row, cell.column): cell for cell in scene.cells}
    most = max((width - margin - shift * scene.rows) // size, 1)
    # Spaces need not fill the parallelogram of their rows and columns.
    shifts = [cell.row * shift + size * cell.column for cell in scene.cells]
    if shift and margin + max(shifts, default=0) - min(shifts, default=0) + size <= width + 1:
        most = scene.columns
    lines: list[str] = []
    for left in range(0, scene.columns, most):
        band = range(left, min(left + most, scene.columns))
        inside = [band if not shift else stretch(cells, n, band) for n in range(len(rows))]
        starts = [n * shift + size * (row[0] - left) if row else 0 for n, row in enumerate(inside)]
        edge = min((start for start, row in zip(starts, inside, strict=True) if row), default=0)
        widths = (size * len(row) for row in inside)
        last = max(map(sum, zip(starts, widths, strict=True)), default=0) - edge
        headers = []
        for row, before in ((0, -shift), (-1, shift)):
            # Those of the lower edge come behind those of the upper one.
            beside = columns[-scene.columns :] if row else columns
            names = [beside[n] for n in (inside[row] if inside else ()) or band]
            heads = [names]
            if max(map(len, names)) >= max(size, 2):
                # Where two digits leave no gap, tens stand above units.
                tens = [
                    name[:-1] if scene.tall > 1 or name[-1:] == "0" or n == 0 else ""
                    for n, name in enumerate(names)
                ]
                heads = [tens, [name[-1:] for name in names]]
            blank = " " * (margin + (starts[row] - edge + before if starts else 0))
            named = ("".join(f"{name:<{size}}" for name in head).rstrip() for head in heads)
            headers.append([blank + head for head in named if head])
        # The last cell's blank may hang over the edge, for it is stripped.
        ends = size > 1 and len(band) > LARGE and 2 * margin + last <= width + 1
        large = len(rows) > LARGE or shift > 0 or scene.tall > 1
        above = large or not scene.column_names or len(columns) > scene.columns
        lines.extend(headers[0] if above else ())
        for n, name in enumerate(rows):
            blank = " " * (starts[n] - edge)
            if scene.tall > 1 and 0 < n == (len(rows) + 1) // 2:
                lines.append("")
            for down in range(scene.tall):
                here = [cells.get((n, column)) for column in inside[n]]
                here = [cell and _level(cell, scene, down) for cell in here]
                drawn = "".join(_cell(cell, size, changes) for cell in here)
                lines.append(
                    f"{blank}{name:<{margin}}{drawn}{name.strip() if ends else ''}".rstrip()
                )
        lines.extend([*headers[-1], ""] if large or scene.column_names else [""])
    own = (*piece_signs(scene, wording, changes), *text_signs(lines, scene, wording))
    return (*lines, *legend(scene, wording, width, own))


def piece_signs(scene: Scene, wording: Wording, changes: Changes) -> tuple[str, ...]:
    """Return the meanings of signs beside pieces that text and table share.

    A scene without a legend has none.
    """
    if not scene.legend:
        return ()
    say = wording.catalogue.say
    marks = [mark for cell in scene.cells for mark in cell.marks]
    counted = dict.fromkeys(mark.word for mark in marks if mark.count is not None)
    words = [wording.word("mark", word) for word in counted]
    signs = [say("board.number", what=", ".join(words))] if words else []
    if seats := small_seats(scene, changes):
        known = {letter for sign, _, _ in scene.legend for letter in sign.split("/")}
        if all(mark.letter in known for mark in marks if mark.letter.islower()):
            return tuple(signs)
        named = wording.catalogue.joined(map(wording.seat, seats))
        return (*signs, say("board.small", seats=named))
    if scene.tall > 1:
        return tuple(signs)
    left = [marks[0].letter for marks in changes.gone.values() if marks]
    # A letter that is small anyway looks like that of a piece that stands there.
    small = sorted({letter.lower() for letter in left if letter.lower() != letter})
    return (*signs, f"{'/'.join(small)} {say('board.gone')}") if small else tuple(signs)


def small_seats(scene: Scene, changes: Changes) -> tuple[Seat, ...]:
    """Return the seats whose figures have small letters: no such letter is of who has left."""
    shown = (cell.marks for cell in scene.cells)
    marks = (mark for marks in (*shown, *changes.gone.values()) for mark in marks)
    small = (mark for mark in marks if mark.letter.islower() and fill_space((mark,)))
    return tuple(dict.fromkeys(mark.seat for mark in small if mark.seat))


def text_signs(lines: Iterable[str], scene: Scene, wording: Wording) -> tuple[str, ...]:
    """Return the meanings of signs that only text has.

    ``lines`` are the board as it was drawn.
    """
    drawn, say = "\n".join(lines), wording.catalogue.say
    # Within a sign of the legend, too: the "+R" of shogi is a dragon.
    known = "".join([sign for sign, _, _ in scene.legend] + [cell.sign for cell in scene.cells])
    signs = {AFLOAT: "afloat", NOBODY: "nobody", _MORE: "more"}
    return tuple(
        f"{sign} {say(f'board.{key}')}"
        for sign, key in signs.items()
        if sign in drawn and sign not in known
    )


def legend(
    scene: Scene, wording: Wording, columns: int = WIDTH, own: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the wrapped meanings of the board's signs and letters.

    ``own`` are those of the renderer's signs, which come last.
    """
    if not scene.legend:
        return ()
    entries = []
    for sign, section, key in scene.legend:
        word = wording.seat(key) if section == "seat" else wording.word(section, key)
        entries.append(f"{clean(sign)} {word}")
    entries += own
    items = [f"{entry};" for entry in entries[:-1]] + entries[-1:]
    first = f"{wording.catalogue.say('board.legend')} "
    return tuple(wrap_whole(items, first, columns=columns).split("\n"))


def picture_key(scene: Scene, wording: Wording, changes: Changes = NOTHING) -> str:
    """Return the meaning of a picture's marks and shapes; those of shapes only with a legend."""
    say = wording.catalogue.say
    marked = say("board.marked", numbered=changes.numbered, gone=bool(changes.gone))
    told = [marked] if any(cell.space in changes.numbers for cell in scene.cells) else []
    if not scene.legend:
        return "".join(told)
    words: dict[str, dict[str, None]] = {}
    marks = dict.fromkeys(mark for cell in scene.cells for mark in cell.marks)
    for mark in marks:
        shape = "hidden" if mark.hidden else shape_of(mark)
        if shape in FILLING:
            continue
        words.setdefault(shape, {})[wording.word("mark", mark.word)] = None
    for shape, meant in words.items():
        name = say(f"shape.{shape}")
        if [word.casefold() for word in meant] != [name.casefold()]:
            told.append(f"{name}: {', '.join(meant)}.")
    # Pieces that fill their space bear no letter, not even before there are any.
    bare = {mark.seat for mark in marks if fill_space((mark,))}
    any_letter = any(not fill_space((mark,)) for mark in marks)
    seats = (
        (sign, wording.seat(key))
        for sign, kind, key in scene.legend
        if kind == "seat" and key not in bare and any_letter
    )
    # A letter that its seat's name begins with tells itself.
    letters = [f"{sign} {name}" for sign, name in seats if name[:1].upper() != sign]
    return " ".join([*told, f"{', '.join(letters)}."] if letters else told)


def axis_names(scene: Scene) -> tuple[list[str], list[str]]:
    """Return the names of rows and columns, as in spaces' names unless the game has others."""
    rows = [chr(ord("A") + n % 26) for n in range(scene.rows)]
    columns = [str(n + 1) for n in range(scene.columns)]
    # One space of each row and column tells its name.
    for row, space in {cell.row: cell.space for cell in scene.cells}.items():
        if (name := _NAME.fullmatch(space)) and name[1]:
            rows[row] = name[1]
    for column, space in {cell.column: cell.space for cell in scene.cells}.items():
        if (name := _NAME.fullmatch(space)) and name[2]:
            columns[column] = name[2]
    return list(scene.row_names or rows), list(scene.column_names or columns)


def ground_word(scene: Scene, ground: str, wording: Wording) -> str:
    """Return a ground in words; empty for a mere pattern."""
    return wording.word("ground", ground) if ground_of(scene, ground).told else ""


def ground_of(scene: Scene, ground: str) -> Ground:
    """Return how a ground is drawn: as its game says, or else in a colour of the palette alone."""
    return scene.grounds.get(ground) or Ground(fill=scene.palette.get(ground))


def stretch(cells: Container[tuple[int, int]], row: int, columns: Iterable[int]) -> Sequence[int]:
    """Return the columns from the first to the last that have a space in a row."""
    there = [column for column in columns if (row, column) in cells]
    return range(there[0], there[-1] + 1) if there else ()


def _cell_size(scene: Scene, room: int) -> int:
    if scene.column_names:
        shown = (f"{cell.name or cell.sign}{_letters(cell)}" for cell in scene.cells)
        widest = max(map(len, shown), default=1)
        if scene.tall > 1:
            names = max(map(len, scene.column_names))
            widest = names if (names + 1) * scene.columns <= room else 1
        # Where there is no room for blanks, spaces stand close.
        return widest + (widest > 1 or 2 * scene.columns <= room)
    return next((size for size in (4, 3) if size * scene.columns <= room), 2)


def _cell(cell: Cell | None, size: int, changes: Changes) -> str:
    if cell is None:
        return " " * size
    if not cell.marks and cell.space not in changes.numbers:
        return (cell.name or cell.sign).ljust(size)
    # Where no sign of a change may follow, the blank is there for what is shown.
    room, letters = max(size - 1, 1) if cell.space else size, _letters(cell)
    if len(cell.sign) + len(letters) > room:
        # Small marks at the edge of a space tell of its area, which the legend or a table does too.
        letters = _letters(replace(cell, marks=tuple(m for m in cell.marks if not m.corner)))
    gone = changes.gone.get(cell.space, ())
    letters += "".join(mark.letter.lower() for mark in gone[:1])
    sign = AFLOAT if any(mark.afloat for mark in cell.marks) else cell.sign
    # In one column a piece tells more than the ground below it.
    shown = f"{cell.name or sign}{letters}" if room > 1 else (letters or sign)
    if len(shown) > room == len(letters) and any(mark.count is not None for mark in cell.marks):
        # Counts tell the ground, which is that of their kind of space.
        shown = letters
    if len(shown) > room:
        # The plus sign says that more stands there than could be shown.
        shown = {1: letters[:1], 2: f"{letters[:1]}{_MORE}"}.get(
            room, f"{shown[: room - 1]}{_MORE}"
        )
    # The blank between two cells may hold the sign of a change.
    return f"{shown}{CHANGED if size > 1 and cell.space in changes.numbers else ''}".ljust(size)


def _level(cell: Cell, scene: Scene, down: int) -> Cell:
    """Return a space with what one of its lines shows: of a stack a piece a line.

    The lowest piece stands nearest to the edge, and with it the ground; where more are on top of
    each other than there are lines, the last one shows how many.
    """
    if scene.tall == 1:
        return cell
    height = scene.tall - 1 - down if scene.is_low(cell.row) else down
    marks = cell.marks[height : height + 1]
    if height == scene.tall - 1 and len(cell.marks) > scene.tall:
        marks = (replace(marks[0], letter=str(len(cell.marks))),)
    # The sign of an empty space stands at the board's edge, and so does that of a change.
    return replace(cell, space="", sign="", marks=marks) if height else replace(cell, marks=marks)


def _letters(cell: Cell) -> str:
    """Return the letters of a cell's marks; counted ones as the sum of them."""
    marks = visible_marks(cell)
    counted = [mark.count for mark in marks if mark.count is not None]
    letters = "".join(mark.letter for mark in marks if mark.count is None)
    return f"{letters or NOBODY}{sum(counted)}" if counted else letters


def visible_marks(cell: Cell) -> list[Mark]:
    """Return the marks to draw beside the ground's sign, without one that looks like it."""
    # Drawn twice, a letter that the ground already shows would look like two marks.
    return [mark for mark in cell.marks if mark.letter != cell.sign]


def mark_words(cell: Cell, wording: Wording) -> tuple[str, ...]:
    """Return a cell's marks in words, with owners and numbers."""
    counts = ((mark, cell.marks.count(mark)) for mark in dict.fromkeys(cell.marks))
    return tuple(
        wording.value(replace(mark, count=count) if mark.count is None and count > 1 else mark)
        for mark, count in counts
    )
