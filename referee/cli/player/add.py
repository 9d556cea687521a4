"""``referee player add``: new players."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.cli import options, output, session
from referee.cli.options import argument, option
from referee.desk.desk import opened_desk
from referee.desk.overview.players import describe_player
from referee.desk.players import add_player
from referee.errors import RefereeError
from referee.store.states import MailFormat

COLUMNS: Final[tuple[str, ...]] = ("address", "name", "language", "zone")
"""Cells of a row, in this order unless the first one names them."""

_CALLED: Final = {"zone": "time zone"}


def add(
    addresses: Annotated[list[str] | None, argument("ADDRESS", "Mail addresses.")] = None,
    *,
    file: Annotated[
        Path | None,
        option("FILE", "A CSV file, a player a line: address, and if wanted name, language, zone."),
    ] = None,
    name: Annotated[str | None, option("NAME", "The name others see, of one player.")] = None,
    language: Annotated[
        options.Language | None, typer.Option(help="The language of their mails.")
    ] = None,
    zone: Annotated[str | None, option("ZONE", "A time zone, such as Europe/Berlin.")] = None,
    format: Annotated[MailFormat, typer.Option(help="The form of their mails.")] = "html",
) -> None:
    """Add players: all, or none if one cannot be added.

    Players named in match new are added automatically.

    Example: referee player add alice@example.test --name Alice --language en

    Example: referee player add alice@example.test bob@example.test

    Example: referee player add --file club.csv
    """
    rows = [("", COLUMNS, [address]) for address in addresses or ()]
    if file is not None:
        rows += _rows_of(file)
    if not rows or (name and len(rows) > 1):
        raise RefereeError("give one address or more, or --file; --name is for one address")
    documents, faults, seen = [], [], set[str]()
    with opened_desk(session.settings()) as desk, desk.writing() as change:
        for place, columns, cells in rows:
            if len(cells) > len(columns):
                *others, last = (_CALLED.get(column, column) for column in columns)
                wanted = f"{', '.join(others)} and {last}" if others else last
                faults.append(f"{place}{len(cells)} cells: write {wanted}")
                continue
            given = {column: cell for column, cell in zip(columns, cells, strict=False) if cell}
            address = given.pop("address", "")
            more = {"name": name, "language": language, "zone": zone, **given}
            if address.casefold() in seen:
                faults.append(f"{place}{address} stands twice")
                continue
            try:
                player = add_player(change, address, **more, format=format)
            except RefereeError as fault:
                # In a file a language or zone is a column, no option.
                file_says = given.keys() & {"language", "zone"}
                faults.append(f"{place}{str(fault).removeprefix('--') if file_says else fault}")
                continue
            seen.add(address.casefold())
            documents.append(describe_player(change.connection, player.id))
        if len(faults) > 1:
            raise RefereeError("\n".join([*faults, "nobody was added"]))
        if faults:
            alone = "" if len(rows) == 1 else "; nobody was added"
            raise RefereeError(f"{faults[0]}{alone}")
    said = [f"{player['name']} is player {player['player']}." for player in documents]
    output.result(documents if file or len(rows) > 1 else documents[0], *said)


def _rows_of(file: Path) -> list[tuple[str, tuple[str, ...], list[str]]]:
    """Return the rows of a CSV file, each with its place and columns. Raises RefereeError."""
    lines = options.text_of(file).splitlines()
    # Where a comma stands in numbers, spreadsheets put semicolons between cells.
    delimiter = ";" if lines and ";" in lines[0] else ","
    rows: list[tuple[str, tuple[str, ...], list[str]]] = []
    columns, first, line = COLUMNS, True, 1
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for row in reader:
            cells, place = [cell.strip() for cell in row], f"{file}, line {line}: "
            line = reader.line_num + 1
            while cells and not cells[-1]:
                cells.pop()
            if not cells:
                continue
            if first and "@" not in "".join(cells):
                columns = _columns_of(cells, place)
            else:
                rows.append((place, columns, cells))
            first = False
    except csv.Error as fault:
        open_ = "unexpected end" in str(fault)
        wrong = "a quotation mark has no other end" if open_ else fault
        raise RefereeError(f"{file}, line {line}: {wrong}") from None
    if not rows:
        raise RefereeError(f"{file}: there is no player in it")
    return rows


def _columns_of(cells: list[str], place: str) -> tuple[str, ...]:
    """Return the columns that a first row names. Raises RefereeError."""
    columns = tuple(cell.lower() for cell in cells)
    advice = f"a first line that names the columns reads {', '.join(COLUMNS)}, in any order"
    for cell, column in zip(cells, columns, strict=True):
        if column not in COLUMNS:
            thing = "mail address" if cell is cells[0] else "column"
            raise RefereeError(f"{place}{cell!r} is no {thing}; {advice}")
        if columns.count(column) > 1:
            raise RefereeError(f"{place}{cell!r} stands twice; {advice}")
    if "address" not in columns:
        raise RefereeError(f"{place}no column is the address; {advice}")
    return columns
