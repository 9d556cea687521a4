"""``referee run``: the daemon, and how it logs."""

from __future__ import annotations

import copy
import logging
import traceback
from pathlib import Path
from types import TracebackType
from typing import Annotated, Final, TypeAlias

import typer

from referee.cli import output, session
from referee.daemon import Daemon
from referee.desk.desk import opened_desk

MOST_CAUSES: Final = 10
"""Exceptions of a chain that are logged."""

ExcInfo: TypeAlias = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


class Discreet(logging.Formatter):
    """A log formatter that leaves out the messages of exceptions.

    It writes type and place. A message may quote a letter, a card or a code, and a log is read by
    many.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a line, its exception formatted anew."""
        record = copy.copy(record)
        record.exc_text = None
        return super().format(record)

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802
        """Return type and place of an exception, after those that caused it."""
        told: list[str] = []
        fault = ei[1]
        while fault is not None and len(told) < MOST_CAUSES:
            frames = traceback.extract_tb(fault.__traceback__)
            way = " > ".join(f"{Path(each.filename).name}:{each.lineno}" for each in frames)
            told.append(f"{type(fault).__name__} at {way}")
            fault = fault.__cause__ or fault.__context__
        return "\n".join(reversed(told))


def run(
    *,
    once: Annotated[bool, typer.Option("--once", help="Do one pass, then stop.")] = False,
    take_over: Annotated[
        bool,
        typer.Option("--take-over", help="Read a mailbox of another installation."),
    ] = False,
    reread: Annotated[
        bool,
        typer.Option("--reread", help="First handle letters the database has lost."),
    ] = False,
) -> None:
    """Read mail, play, and send mail until stopped.

    SIGTERM or SIGINT stops it. A database that was not restored by referee restore needs
    --reread once.

    Example: referee run --once
    """
    settings = session.settings()
    handler = logging.StreamHandler()
    handler.setFormatter(Discreet("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler])
    for chatty in ("imapclient", "aiosmtplib", "alembic", "gnupg"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    for server in (settings.imap, settings.smtp):
        if server.exposed:
            logging.getLogger(__name__).warning(
                "%s is not encrypted: others on the way read its password and mails", server
            )
    with opened_desk(settings) as desk:
        daemon = Daemon(desk, settings, take_over=take_over, reread=reread)
        daemon.stop_on_signals()
        if once:
            daemon.once()
        else:
            daemon.run()
    output.printed({"once": once})
