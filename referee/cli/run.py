"""`referee run`: the daemon."""

from __future__ import annotations

import logging
from typing import Annotated

import typer

from referee.cli import context


def run(
    *,
    once: Annotated[bool, typer.Option("--once", help="One pass, then stop.")] = False,
    take_over: Annotated[
        bool,
        typer.Option("--take-over", help="Read a mailbox that another installation used to read."),
    ] = False,
) -> None:
    """Read mail, play, and write mail until stopped by SIGTERM or SIGINT.

    Example: referee run --once
    """
    from referee.daemon import Daemon, opened_desk

    settings = context.settings()
    logging.basicConfig(
        level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(message)s"
    )
    for chatty in ("imapclient", "aiosmtplib", "alembic"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    with opened_desk(settings) as desk:
        daemon = Daemon(desk, settings, take_over=take_over)
        daemon.stop_on_signals()
        if once:
            daemon.once()
        else:
            daemon.run()
