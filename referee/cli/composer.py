"""``referee composer``: the page on which players click their orders together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import output, session
from referee.cli.options import Language, argument
from referee.desk.archive import files as archive_files
from referee.desk.archive.site.pages import write_composer


def composer(
    directory: Annotated[Path, argument("DIR", "The folder of the page.")],
    *,
    language: Annotated[
        Language | None, typer.Option(help="Default: the language in referee.toml.")
    ] = None,
) -> None:
    """Write the page on which orders are clicked.

    The page is play.html; put it on a web server, and its address into referee.toml as `composer`
    under [mail]. Mails then link to it, and bring the turn in the link behind #, which no server
    sees. Write it again after an upgrade.

    Example: referee composer public
    """
    settings = session.settings()
    folder = archive_files.make_folder(directory)
    file = write_composer(folder, language or settings.language, settings.address)
    told = [f"{file} written"]
    if settings.composer is None:
        told.append('to have mails link to it: composer = "https://…/play.html" under [mail]')
    output.result({"file": file, "linked": settings.composer}, *told)
