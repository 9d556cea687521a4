"""``referee record site``: the archive as static pages."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from referee.cli import output, session
from referee.cli.options import Language
from referee.desk.archive import files as archive_files
from referee.desk.archive.site.pages import Site, WritingProgress, write_composer
from referee.desk.desk import opened_desk
from referee.text import counted


def site(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the pages.")],
    *,
    language: Annotated[
        Language | None, typer.Option(help="Default: the language in referee.toml.")
    ] = None,
) -> None:
    """Write the archive as static pages.

    They show all matches, the course of each, and ratings; running matches as spectators see
    them. Pages that have not changed are not written again. With `composer` in referee.toml the
    page on which orders are clicked together is written beside them, as play.html.

    Example: referee record site public
    """
    done, seen, total = WritingProgress(), 0, 0
    try:
        with opened_desk(session.settings()) as desk:
            pages = Site(desk, archive_files.make_folder(directory), language or desk.language)
            numbers = pages.matches()
            total = len(numbers)
            with output.progress("pages", total) as step:
                for _ in pages.write_matches(numbers, done):
                    seen += 1
                    step()
            pages.write_lists(done)
            if desk.composer is not None:
                write_composer(pages.folder, pages.language, desk.address)
    except KeyboardInterrupt:
        of = counted(total, "match")
        said = f"stopped after {seen} of {of}; the same command goes on with the rest"
        raise output.stopped(said) from None
    told = [f"{directory}: {counted(done.written, 'page')} written, {done.unchanged} unchanged"]
    if done.without:
        told.append(f"without a page, because their events were pruned: {', '.join(done.without)}")
    told += done.broken.values()
    output.result({"folder": directory, "matches": total, **asdict(done)}, *told)
    if done.broken:
        raise typer.Exit(1)
