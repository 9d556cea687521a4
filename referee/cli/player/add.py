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

COLUMNS: Final = 4
"""Cells of a row: address, name, language, time zone."""


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
    rows = [("", [address]) for address in addresses or ()]
    if file is not None:
        rows += _rows_of(file)
    if not rows or (name and len(rows) > 1):
        raise RefereeError("give one address or more, or --file; --name is for one address")
    documents, faults = [], []
    with opened_desk(session.settings()) as desk, desk.writing() as change:
        for place, cells in rows:
            address, called, reads, lives = (*cells, "", "", "")[:COLUMNS]
            more = {"name": called or name, "language": reads or language, "zone": lives or zone}
            if len(cells) > COLUMNS:
                wrong = f"{len(cells)} cells: write address, name, language and time zone"
                faults.append(f"{place}{wrong}")
                continue
            try:
                player = add_player(change, address, **more, format=format)
            except RefereeError as fault:
                # In a file a language or zone is a column, no option.
                wrong = str(fault).removeprefix("--") if reads or lives else str(fault)
                faults.append(f"{place}{wrong}")
                continue
            documents.append(describe_player(change.connection, player.id))
        if len(faults) > 1:
            raise RefereeError("\n".join([*faults, "nobody was added"]))
        if faults:
            alone = "" if len(rows) == 1 else "; nobody was added"
            raise RefereeError(f"{faults[0]}{alone}")
    said = [f"{player['name']} is player {player['player']}." for player in documents]
    output.result(documents if file or len(rows) > 1 else documents[0], *said)


def _rows_of(file: Path) -> list[tuple[str, list[str]]]:
    """Return the rows of a CSV file, each with its place. Raises RefereeError."""
    lines = options.text_of(file).splitlines()
    # Where a comma stands in numbers, spreadsheets put semicolons between cells.
    delimiter = ";" if lines and ";" in lines[0] else ","
    rows: list[tuple[str, list[str]]] = []
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for row in reader:
            cells, place = [cell.strip() for cell in row], f"{file}, line {reader.line_num}: "
            # The first row may name the columns.
            titled = not rows and cells[:1] and cells[0].lower() == "address"
            if not any(cells) or titled:
                continue
            if not rows and "@" not in "".join(cells):
                raise RefereeError(
                    f"{place}{cells[0]!r} is no mail address; a first line that names the columns "
                    "reads address, name, language, zone, in this order"
                )
            rows.append((place, cells))
    except csv.Error as fault:
        raise RefereeError(f"{file}, line {reader.line_num}: {fault}") from None
    return rows
