"""Tables, hands and questions of a scene, worded for text and HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.games.game import (
    Card,
    Question,
    Result,
    Scene,
    Scoresheet,
    Seat,
    Secret,
    Table,
    Value,
    Word,
)
from referee.render.drawings.pieces import Ink, ink_of
from referee.render.layout import DOT, WIDTH, capital, width, wrap
from referee.render.parts import seat_and_player
from referee.render.wording import NOTHING, Wording

GAP: Final = 2
"""Blanks between two columns of a table in text."""


@dataclass(frozen=True, slots=True)
class DataCell:
    """A cell of a table: its text, and the seat whose chip stands before it.

    ``numbers`` are those of the news that changed it.
    """

    text: str
    seat: Seat | None = None
    is_number: bool = False
    numbers: tuple[int, ...] = ()

    @property
    def plain(self) -> str:
        """The cell in text."""
        return f"{self.text} ({', '.join(map(str, self.numbers))})" if self.numbers else self.text


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table in words: caption, heads of columns, rows, notes below it."""

    caption: str
    columns: tuple[DataCell, ...]
    rows: tuple[tuple[DataCell, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card in words: its name, small print, and the kind that says how it is drawn."""

    name: str
    small: str
    kind: str


@dataclass(frozen=True, slots=True)
class Hand:
    """Things that only one seat sees."""

    title: str
    cards: tuple[ShownCard, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side of a question: its seat, name, points, and where they come from."""

    seat: Seat
    name: str
    points: int
    parts: str


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question in words: its sides, and what each answer leads to."""

    title: str
    sides: tuple[ShownSide, ...]
    choices: tuple[tuple[str, str], ...]


def scene_tables(
    scene: Scene,
    names: Mapping[Seat, str],
    numbers: Mapping[str, tuple[int, ...]],
    wording: Wording,
) -> tuple[DataTable, ...]:
    """Return a scene's tables in words; ``numbers`` are those of the news, by space."""
    return tuple(_table(each, names, numbers, wording) for each in scene.tables)


def _table(
    table: Table,
    names: Mapping[Seat, str],
    numbers: Mapping[str, tuple[int, ...]],
    wording: Wording,
) -> DataTable:
    rows = []
    for row in table.rows:
        cells = [_cell(each, wording) for each in row.cells]
        head = cells[0]
        if head.seat is not None:
            head = replace(head, text=capital(seat_and_player(head.seat, names, wording)))
        found = numbers.get(row.place or "", ())
        rows.append((replace(head, numbers=found), *cells[1:]))
    return DataTable(
        wording.word("panel", table.title),
        tuple(_cell(each, wording) for each in table.columns),
        tuple(rows),
        tuple(wording.sentence(each) for each in table.notes),
    )


def _cell(value: Value, wording: Wording) -> DataCell:
    seat = value.key if isinstance(value, Word) and value.section == "seat" else None
    text = wording.value(value)
    return DataCell(capital(text), seat, isinstance(value, int) or text == NOTHING)


def sheet_table(sheet: Scoresheet, wording: Wording) -> DataTable:
    """Return a scoring as a table, its sums last."""
    columns = (DataCell(""), *(_cell(Word("seat", each), wording) for each in sheet.seats))
    rows = tuple(
        (_cell(head, wording), *(_cell(each, wording) for each in numbers))
        for head, numbers in (*sheet.rows, *sheet.sums)
    )
    notes = tuple(wording.told(each) for each in sheet.notes)
    return DataTable(wording.told(sheet.title).rstrip("."), columns, rows, notes)


def placings(result: Result, names: Mapping[Seat, str], wording: Wording) -> DataTable:
    """Return the final places, best first. Ties keep the order of points."""
    say = wording.catalogue.say
    heads = tuple(DataCell(say(f"report.{each}")) for each in ("player", "rank", "score"))
    rows = tuple(
        (
            DataCell(capital(seat_and_player(seat, names, wording)), seat),
            DataCell(f"{place}.", is_number=True),
            DataCell(str(result.points.get(seat, 0)), is_number=True),
        )
        for seat, place in sorted(result.places.items(), key=lambda pair: pair[1])
    )
    return DataTable(say("report.places"), heads, rows)


def hands(scene: Scene, wording: Wording) -> tuple[Hand, ...]:
    """Return the secrets of a scene's seat in words."""
    return tuple(_hand(each, wording) for each in scene.secrets)


def _hand(secret: Secret, wording: Wording) -> Hand:
    return Hand(
        wording.word("panel", secret.title),
        tuple(_card(each, wording) for each in secret.cards),
        tuple(wording.sentence(each) for each in secret.notes),
    )


def _card(card: Card, wording: Wording) -> ShownCard:
    name = wording.sentence(card.name).rstrip(".")
    if card.count > 1:
        name = f"{name} ×{card.count}"
    notes = [wording.sentence(card.note).rstrip(".")] if card.note else []
    if card.spaces is not None:
        spaces = " ".join(card.spaces)
        notes.append(spaces or wording.catalogue.say("report.no_space"))
    return ShownCard(name, "; ".join(notes), card.kind)


def question(
    value: Question | None, names: Mapping[Seat, str], wording: Wording
) -> ShownQuestion | None:
    """Return a question in words."""
    if value is None:
        return None
    sides = tuple(
        ShownSide(
            each.seat,
            capital(seat_and_player(each.seat, names, wording)),
            each.points,
            " · ".join(wording.sentence(part).rstrip(".") for part in each.parts),
        )
        for each in value.sides
    )
    choices = tuple(
        (wording.order(each.order), wording.sentence(each.outcome)) for each in value.choices
    )
    return ShownQuestion(wording.word("panel", value.title), sides, choices)


def text_table(table: DataTable, columns: int = WIDTH) -> str:
    """Return a table as text in columns.

    One that is too wide has a line for each row.
    """
    lines = [table.columns, *table.rows] if any(each.text for each in table.columns) else table.rows
    sizes = [max(width(line[n].plain) for line in lines) for n in range(len(lines[0]))]
    if sum(sizes) + GAP * (len(sizes) - 1) > columns:
        return _listed(table)
    right = [n > 0 and all(line[n].is_number for line in table.rows) for n in range(len(sizes))]
    return "\n".join(_line(line, sizes, right) for line in lines)


def _line(cells: Sequence[DataCell], sizes: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, size, is_right in zip(cells, sizes, right, strict=True):
        blanks = " " * (size - width(cell.plain))
        padded.append(blanks + cell.plain if is_right else cell.plain + blanks)
    return (" " * GAP).join(padded).rstrip()


def _listed(table: DataTable) -> str:
    found = []
    for head, *rest in table.rows:
        told = (
            f"{name.text} {cell.plain}" for name, cell in zip(table.columns[1:], rest, strict=True)
        )
        found.append(wrap(f"{head.plain}: {', '.join(told)}", DOT, "  "))
    return "\n".join(found)


@dataclass(frozen=True, slots=True)
class Chip:
    """A seat's letter on its colour."""

    letter: str
    ink: Ink


def chips_of(scene: Scene, seats: Sequence[Seat], wording: Wording) -> dict[Seat, Chip]:
    """Return the chip of each seat, with the letter of its pieces."""
    letters = {mark.seat: mark.letter for cell in scene.cells for mark in cell.marks if mark.seat}
    return {
        each: Chip(letters.get(each, wording.seat(each))[:1].upper(), ink_of(each))
        for each in seats
    }
