"""`referee run`: the daemon."""

from __future__ import annotations

import copy
import logging
import traceback
from pathlib import Path
from types import TracebackType
from typing import Annotated, Final, TypeAlias

import typer

from referee.cli import output, session

MOST_CAUSES: Final = 10

ExcInfo: TypeAlias = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


class Discreet(logging.Formatter):
    """Writes of an exception where it came from and its type, not its words.

    A fault of ours may quote a letter, a card or a code, and a log is read by many.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a line, whatever another handler made of its exception."""
        record = copy.copy(record)
        record.exc_text = None
        return super().format(record)

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802
        """Return the way of an exception, innermost last, and those it came from before it."""
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
    once: Annotated[bool, typer.Option("--once", help="One pass, then stop.")] = False,
    take_over: Annotated[
        bool,
        typer.Option("--take-over", help="Read a mailbox that another installation used to read."),
    ] = False,
    upgrade: Annotated[
        bool, typer.Option("--upgrade", help="First bring the database to this version.")
    ] = False,
    reread: Annotated[
        bool,
        typer.Option("--reread", help="First handle what the folders hold and the database lost."),
    ] = False,
) -> None:
    """Read mail, play, and write mail until stopped by SIGTERM or SIGINT.

    A database that was put back by other means than `referee restore` needs --reread once.

    Example: referee run --once

    Example: referee run --upgrade
    """
    from referee.daemon import Daemon
    from referee.desk.desk import opened_desk

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
    changed, kept = _upgrade(settings.database) if upgrade else (False, None)
    with opened_desk(settings) as desk:
        daemon = Daemon(desk, settings, take_over=take_over, reread=reread)
        daemon.stop_on_signals()
        if once:
            daemon.once()
        else:
            daemon.run()
    output.printed({"once": once, "upgraded": changed, "before": kept})


def _upgrade(url: str) -> tuple[bool, Path | None]:
    from referee.desk.desk import utc_now
    from referee.desk.service.backup import bring_up

    changed, copy = bring_up(url, utc_now())
    kept = f"; the one before is kept as {copy}" if copy else ""
    said = f"The database is of this version now{kept}." if changed else "Nothing to upgrade."
    output.meanwhile(said)
    return changed, copy
