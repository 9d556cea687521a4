"""``referee player add``: new players."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Annotated

import typer

from referee.cli import options, output, session
from referee.cli.options import argument, option
from referee.desk.desk import opened_desk
from referee.desk.overview.players import describe_player
from referee.desk.players import add_player
from referee.errors import RefereeError
from referee.store.states import MailFormat


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
        try:
            text = options.content_of(file).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise RefereeError(f"{file}: save it in UTF-8") from None
        # Where a comma stands in numbers, spreadsheets put semicolons between cells.
        parted_by = ";" if ";" in text.partition("\n")[0] else ","
        reader = csv.reader(text.splitlines(), delimiter=parted_by)
        # The first line may name the columns.
        rows += [
            (f"{file}, line {reader.line_num}: ", [cell.strip() for cell in cells])
            for cells in reader
            if any(cells) and cells[0].strip().lower() != "address"
        ]
    if not rows or (name and len(rows) > 1):
        raise RefereeError("give one address or more, or --file; --name is for one address")
    documents = []
    with opened_desk(session.settings()) as desk, desk.writing() as change:
        for place, cells in rows:
            address, called, reads, lives = (*cells, "", "", "", "")[:4]
            more = {"name": called or name, "language": reads or language, "zone": lives or zone}
            try:
                player = add_player(change, address, **more, format=format)
            except RefereeError as fault:
                alone = "" if len(rows) == 1 else "; nobody was added"
                raise RefereeError(f"{place}{fault}{alone}") from None
            documents.append(describe_player(change.connection, player.id))
    said = [f"{player['name']} is player {player['player']}." for player in documents]
    output.result(documents if file or len(rows) > 1 else documents[0], *said)
