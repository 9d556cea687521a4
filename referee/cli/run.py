"""``referee run``: the daemon."""

from __future__ import annotations

import logging
from typing import Annotated

import typer

from referee.cli import output, session
from referee.cli.options import flag
from referee.cli.output.logs import LogForm, set_up_log
from referee.daemon.daemon import Daemon
from referee.desk.desk import opened_desk


def run(
    *,
    once: Annotated[bool, flag("Do one pass, then stop.", "--once")] = False,
    take_over: Annotated[
        bool, flag("Read a mailbox of another installation.", "--take-over")
    ] = False,
    reread: Annotated[
        bool, flag("First handle letters the database has lost.", "--reread")
    ] = False,
    read: Annotated[bool, flag("Only read the mailbox (PostgreSQL).", "--read")] = False,
    work: Annotated[
        bool, flag("Only play and send, beside others (PostgreSQL).", "--work")
    ] = False,
    log: Annotated[LogForm, typer.Option("--log", help="The form of the log.")] = "text",
) -> None:
    """Read mail, play, and send mail until stopped.

    SIGTERM or SIGINT stops it. A database that was not restored by referee restore needs
    --reread once. On PostgreSQL several may run at once, on one host or many: one reads the
    mailbox, all play and send. With --read or --work one does only that part.

    Example: referee run --once
    """
    settings = session.settings()
    set_up_log(settings.log_level, log)
    for server in (settings.imap, settings.smtp):
        if server.exposed:
            logging.getLogger(__name__).warning(
                "%s is not encrypted: others on the way read its password and mails", server
            )
    with opened_desk(settings) as desk:
        both = read == work
        daemon = Daemon(
            desk, take_over=take_over, reread=reread, reads=read or both, works=work or both
        )
        daemon.stop_on_signals()
        if once:
            daemon.once()
        else:
            daemon.run()
    output.printed({"once": once})
