"""Tables, cards and scorings beside the board, as text and HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import ceil
from typing import Final, TypeGuard

from msgspec import field

from referee.games.game import (
    Card,
    CardKind,
    CellValue,
    Face,
    Mark,
    Question,
    Scene,
    Scoresheet,
    Seat,
    Secret,
    Table,
    Word,
)
from referee.render.drawings.pieces import SUIT_SIGNS, ink_of_suit, piece
from referee.render.drawings.table import chip
from referee.render.layout import NARROW, NO_BREAK, WIDTH, capital, wrap_all
from referee.render.words.wording import Wording
from referee.text import width as columns_of
from referee.value import Value

GAPS: Final = ("  ", " ")
"""Blanks between two columns of text: two, or one where the table is too wide."""

CARDS_BESIDE: Final = 7
"""Playing cards in a row of their picture."""

MOST_SPACES: Final = 12
"""Spaces a card names; of more it tells the number."""

_HTML: Final = (
    '<table class="rf-table" width="100%" cellpadding="4" cellspacing="0" '
    'style="overflow-wrap:normal;border-collapse:collapse;font-size:14px;line-height:20px">'
)
_CAPTION: Final = (
    '<caption align="left" style="text-align:left;font-size:16px;line-height:22px;'
    'font-weight:bold">'
)
_PILL: Final = '<b style="background:#ffc21a;color:#2b2100;border-radius:9px;font-size:12px">'
_SHADE: Final = ' class="rf-panel" bgcolor="#f6f3ec"'

_EDGES: Final[Mapping[CardKind, str]] = {
    "card": "1px solid #55606a",
    "tile": "1px solid #4a3f73",
    "row": "1px solid #55606a;border-left:5px solid #1c2126",
    "column": "1px solid #55606a;border-top:5px solid #1c2126",
    "land": "2px solid #8a5a33",
    "people": "2px solid #a8201a",
    "ship": "2px solid #2e5b73",
}
"""The edge of each kind of card; its name tells the kind as well."""


class Line(Value):
    """A line of cells in words; a ``strong`` one is a sum.

    ``numbers`` are those of the rows of news that tell of its place.
    """

    cells: tuple[CellValue, ...]
    strong: bool = False
    numbers: tuple[int, ...] = ()


class Sheet(Value):
    """A table in words: caption, headings, lines, and notes below.

    Where there is little room ``letters`` head the columns of seats.
    """

    caption: str
    head: tuple[CellValue, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    letters: Mapping[Seat, str] = field(default_factory=dict)


Numbers = Mapping[str, tuple[int, ...]]
"""By space or area, the numbers of the rows of news that tell of it."""

NO_NUMBERS: Final[Numbers] = {}


def sheet_of(told: Table | Scoresheet, wording: Wording, numbers: Numbers = NO_NUMBERS) -> Sheet:
    """Return a table or a scoring, ready to be set in columns."""
    if isinstance(told, Table):
        lines = tuple(
            Line(row.cells, numbers=tuple(numbers.get(row.place or "", ()))) for row in told.rows
        )
        notes = tuple(wording.sentence(note) for note in told.notes)
        return Sheet(wording.word("panel", told.title), told.columns, lines, notes)
    title = told.title
    caption = wording.value(title) if isinstance(title, Word) else wording.fact(title)
    lines = (
        *(Line((head, *points)) for head, points in told.rows),
        *(Line((head, *points), strong=True) for head, points in told.sums),
    )
    head: tuple[CellValue, ...] = ("", *(Word("seat", seat) for seat in told.seats))
    return Sheet(caption, head, lines, tuple(wording.told(note) for note in told.notes))


def text_table(sheet: Sheet, wording: Wording, width: int = WIDTH) -> tuple[str, ...]:
    """Return a table in columns, its notes below, without its caption.

    Lines have at most ``width`` columns. A table too wide for that is told line by line.
    """
    head = sheet.head
    if width < WIDTH:
        letters = {Word("seat", seat): letter for seat, letter in sheet.letters.items()}
        head = tuple(letters.get(cell, cell) if isinstance(cell, Word) else cell for cell in head)
    rows = [[_said(cell, wording) for cell in head]]
    for line in sheet.lines:
        first, *rest = (_said(cell, wording) for cell in line.cells)
        rows.append([_numbered(first, line), *rest])
    notes = wrap_all(sheet.notes, columns=width)
    sizes = [max(map(columns_of, column)) for column in zip(*rows, strict=True)]
    for gap in GAPS:
        if sum(sizes) + len(gap) * (len(sizes) - 1) > width:
            continue
        lines = []
        for row in rows:
            # The head of a line stands at the left, numbers at the right of their columns.
            blanks = [
                " " * (size - columns_of(word)) for word, size in zip(row, sizes, strict=True)
            ]
            cells = [blank + word for word, blank in zip(row[1:], blanks[1:], strict=True)]
            lines.append(gap.join([row[0] + blanks[0], *cells]).rstrip())
        return (*lines, *notes)
    return (*wrap_all(spoken_table(sheet, wording), columns=width), *notes)


def _numbered(head: str, line: Line) -> str:
    """Return the head of a line, the numbers of its news behind."""
    told = ", ".join(map(str, line.numbers))
    return f"{head} ({told})" if told else head


def _said(value: CellValue, wording: Wording) -> str:
    """Return a cell as text: pieces as letters, a banner behind a sharp as on the board."""
    if isinstance(value, Mark):
        return f"#{value.letter}" if value.shape == "banner" else value.letter
    return wording.value(value)


def spoken_table(sheet: Sheet, wording: Wording) -> tuple[str, ...]:
    """Return each line of a table as a sentence: ``Red: points 18.``."""
    heads = [wording.value(head) for head in sheet.head]
    return tuple(
        f"{_numbered(wording.value(line.cells[0]), line)}: "
        + ", ".join(
            f"{head} {wording.value(cell)}"
            for head, cell in zip(heads[1:], line.cells[1:], strict=True)
            if cell is not None
        )
        + "."
        for line in sheet.lines
    )


def html_table(sheet: Sheet, wording: Wording) -> str:
    """Return a table for mail programs; the letters of seats stand as chips."""
    letters, left = sheet.letters, ' align="left"'
    head = "".join(
        f'<th scope="col"{"" if n else left}>{_cell(cell, wording, letters)}</th>'
        if cell != ""
        else "<td></td>"
        for n, cell in enumerate(sheet.head)
    )
    # The characters that each column takes if every blank is a line break.
    widths = []
    columns = zip(sheet.head, *(line.cells for line in sheet.lines), strict=True)
    for at, column in enumerate(columns):
        told = (
            letters[cell.key] if at and _is_seat(cell, letters) else _said(cell, wording)
            for cell in column
        )
        widths.append(
            1 + max((columns_of(word) for cell in told for word in cell.split()), default=0)
        )
    # Numbers stay whole, and so do words as long as a phone has room for them: where it has
    # none, names give way, and the words above the numbers only if no room is left for names.
    wraps, above = (
        ";overflow-wrap:anywhere" if sum(parts) > NARROW else "" for parts in (widths, widths[1:])
    )
    rows = []
    for n, line in enumerate(sheet.lines):
        name, *numbers = line.cells
        weight = "bold" if line.strong else "normal"
        pills = "".join(f" {_PILL}&nbsp;{number}&nbsp;</b>" for number in line.numbers)
        text = _cell(name, wording, letters, named=True)
        style = f"font-weight:{weight}{wraps}"
        cells = [f'<th scope="row"{left} style="{style}">{text}{pills}</th>']
        for number in numbers:
            text = _cell(number, wording, letters)
            cells.append(f"<td>{f'<b>{text}</b>' if line.strong else text}</td>")
        rows.append(f'<tr align="center"{"" if n % 2 else _SHADE}>{"".join(cells)}</tr>')
    notes = [
        f'<p style="margin:4px 0 0;font-size:13px;line-height:19px">{escape(note)}</p>'
        for note in sheet.notes
    ]
    caption = f"{_CAPTION}{escape(sheet.caption)}</caption>"
    start = f'{_HTML}{caption}<tr style="font-size:12px{above}">{head}</tr>'
    return "\n".join([start, *rows, "</table>", *notes])


def _is_seat(value: CellValue, letters: Mapping[Seat, str]) -> TypeGuard[Word]:
    """Tell whether a cell is a seat that has a letter."""
    return isinstance(value, Word) and value.section == "seat" and value.key in letters


def _cell(
    value: CellValue, wording: Wording, letters: Mapping[Seat, str], *, named: bool = False
) -> str:
    """Return a cell as HTML; a seat is its letter, with its name where it heads a line."""
    if isinstance(value, Mark):
        return chip(value)
    if _is_seat(value, letters):
        drawn = chip(Mark(letters[value.key], "", value.key))
        return f"{drawn} {escape(wording.value(value))}" if named else drawn
    return escape(wording.value(value))


def letters_of(scene: Scene) -> dict[Seat, str]:
    """Return the letter of each seat in a scene's legend."""
    return {key: sign for sign, section, key in scene.legend if section == "seat"}


def seat_letters(
    seats: Iterable[Seat], letters: Mapping[Seat, str], wording: Wording
) -> dict[Seat, str]:
    """Return the letter each seat is told by on a chip: that of its pieces, or of its name.

    ``letters`` are those of pieces. Where two names begin alike the later one has two letters, as
    green and yellow do in German.
    """
    known = {seat: letter[:1].upper() for seat, letter in letters.items()}
    told: dict[Seat, str] = {}
    for seat in seats:
        name, taken = capital(wording.seat(seat)), {*known.values(), *told.values()}
        beginnings = (name[:length] for length in range(1, len(name) + 1))
        free = (beginning for beginning in beginnings if beginning not in taken)
        told[seat] = known.get(seat) or next(free, name)
    return told


def text_secret(
    secret: Secret, wording: Wording, width: int = WIDTH, *, heard: bool = False
) -> tuple[str, ...]:
    """Return a hand as lines, without its title: one a card, or one for all if only named.

    Playing cards stand suit by suit: ``♠ Q 10 4  ♥ K 2``; those that are heard one by one.
    """
    told = [card_text(card, wording) for card in secret.cards]
    if not heard and secret.cards and all(card.face for card in secret.cards):
        suits: dict[str, list[str]] = {}
        for card, name in zip(secret.cards, told, strict=True):
            sign = SUIT_SIGNS[card.face.suit] if card.face else ""
            suits.setdefault(sign, []).append(name.rstrip(".").replace(sign, ""))
        # Two blanks between suits, and no break within one.
        told = [f"{NO_BREAK} ".join(NO_BREAK.join((sign, *suits[sign])) for sign in suits)]
    elif not any(_about(card, wording) for card in secret.cards):
        told = [", ".join(text.rstrip(".") for text in told) + "."] if told else []
    told += [wording.sentence(note) for note in secret.notes]
    return wrap_all(told, "", "  ", columns=width)


def card_text(card: Card, wording: Wording) -> str:
    """Return a card in words: ``Row G (2 times): G4.``."""
    name = wording.sentence(card.name)
    if card.count > 1:
        name = wording.catalogue.say("cards.several", name=name, n=card.count)
    about = _about(card, wording)
    return f"{name}: {about}." if about else f"{name}."


def _about(card: Card, wording: Wording) -> str:
    """Return the words about a card: its note, the spaces it opens."""
    told = [] if card.note is None else [wording.sentence(card.note)]
    if card.spaces is not None:
        number = len(card.spaces)
        listed = wording.catalogue.joined(card.spaces)
        many = wording.catalogue.say("cards.spaces", n=number)
        told.append(listed if 0 < number <= MOST_SPACES else many)
    return "; ".join(told)


def faces_svg(faces: Sequence[Face]) -> str:
    """Return playing cards in rows of seven."""
    wide, high = 72 * min(len(faces), CARDS_BESIDE), 104 * ceil(len(faces) / CARDS_BESIDE)
    drawn = (
        piece(Mark("", "", shape=face), 72 * right + 36, 104 * down + 52, 100)
        for number, face in enumerate(faces)
        for down, right in [divmod(number, CARDS_BESIDE)]
    )
    ground = f'<rect width="{wide}" height="{high}" fill="#fff6da"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}">'
    return f"{head}{ground}{''.join(drawn)}</svg>"


def html_secret(secret: Secret, wording: Wording, *, pictured: bool = False) -> str:
    """Return a hand as cards beside each other, where there is room; none that a picture shows."""
    cards = []
    for card in secret.cards if not pictured else ():
        name = escape(wording.sentence(card.name)) + (f" ×{card.count}" if card.count > 1 else "")
        about = escape(_about(card, wording))
        cards.append(
            '<div style="display:inline-block;vertical-align:top;'
            f"width:{34 if card.face else 124}px;margin:0 8px 8px 0;padding:4px 8px;"
            f"background:#ffffff;color:{ink_of_suit(card.face) if card.face else '#1c2126'};"
            f"border:{_EDGES[card.kind]};"
            f'border-radius:6px;font-size:13px;line-height:18px"><b>{name}</b>'
            f"{f'<br>{about}' if about else ''}</div>"
        )
    notes = (f"<p>{escape(wording.sentence(note))}</p>" for note in secret.notes)
    return "\n".join(cards) + "".join(notes)


def text_question(question: Question, wording: Wording) -> tuple[str, ...]:
    """Return both sides of a question in words."""
    catalogue = wording.catalogue
    return tuple(
        catalogue.say(
            "cards.side",
            seat=wording.seat(side.seat),
            points=side.points,
            parts=catalogue.joined(wording.sentence(part) for part in side.parts),
        )
        for side in question.sides
    )
