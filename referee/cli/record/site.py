"""``referee record site`` and ``referee composer``: the pages of the archive, and one to play."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from referee.cli import output, session
from referee.cli.options import Language, argument
from referee.config import load_settings
from referee.desk.archive import files as archive_files
from referee.desk.archive.audit import begun_matches
from referee.desk.archive.site.pages import Site, WritingProgress, write_composer
from referee.desk.desk import opened_desk
from referee.text import counted

MANY: Final = 100
"""Matches whose pages are worth other processes: each takes a second to begin."""

_SIZE: Final = 20
"""Matches that another process writes at a time."""


PageLanguage: TypeAlias = Annotated[
    Language | None, typer.Option(help="Default: the language in referee.toml.")
]


def site(
    directory: Annotated[Path, argument("DIR", "The folder of the pages.")],
    *,
    language: PageLanguage = None,
) -> None:
    """Write the archive as static pages.

    They show all matches, the course of each, and ratings; running matches as spectators see
    them. Pages that have not changed are not written again. With `composer` in referee.toml the
    page on which orders are clicked together is written beside them, as play.html.

    Example: referee record site public
    """
    done, seen, total, settings = WritingProgress(), 0, 0, session.settings()
    # As many as there are cores, none with another's connections; Ctrl-C is for this one alone.
    spawn, ignored = multiprocessing.get_context("spawn"), (signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(None, spawn, signal.signal, ignored)
    more = "the same command goes on with the rest"
    with (
        output.stoppable(lambda: f"{seen} of {counted(total, 'match')}; {more}"),
        pool,
        opened_desk(settings) as desk,
    ):
        folder = archive_files.make_folder(directory)
        pages = Site(desk, folder, language or settings.language)
        numbers = begun_matches(desk)
        total = len(numbers)
        with output.progress("pages", total) as step:
            here, elsewhere = (numbers, []) if total <= MANY else ([], numbers)
            for _ in pages.write_matches(here, done):
                seen += 1
                step()
            write = partial(_write_some, settings.path, pages.folder, pages.language)
            parts = [elsewhere[first : first + _SIZE] for first in range(0, len(elsewhere), _SIZE)]
            for part in pool.map(write, parts):
                done.written += part.written
                done.unchanged += part.unchanged
                done.without += part.without
                done.broken |= part.broken
                for _ in range(min(_SIZE, total - seen)):
                    seen += 1
                    step()
        pages.write_lists(done)
        if settings.composer is not None:
            write_composer(pages.folder, pages.language, settings.address)
    told = [f"{directory}: {counted(done.written, 'page')} written, {done.unchanged} unchanged"]
    if done.without:
        told.append(f"without a page, because their events were pruned: {', '.join(done.without)}")
    told += done.broken.values()
    output.result({"folder": directory, "matches": total, **asdict(done)}, *told)
    if done.broken:
        raise typer.Exit(1)


def _write_some(
    config: Path, folder: Path, language: str, numbers: Sequence[int]
) -> WritingProgress:
    done = WritingProgress()
    with opened_desk(load_settings(config, os.environ)) as desk:
        deque(Site(desk, folder, language).write_matches(numbers, done), maxlen=0)
    return done


def composer(
    directory: Annotated[Path, argument("DIR", "The folder of the page.")],
    *,
    language: PageLanguage = None,
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
