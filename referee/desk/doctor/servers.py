"""Whether both mail servers let the referee in, and whether the mailbox is as it needs it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from referee.desk import mark
from referee.desk.desk import Desk
from referee.desk.doctor.finding import Finding, failure, ok, warning
from referee.errors import RefereeError
from referee.mail.mailbox import Folders, LoginRefused, Mailbox, MailboxError, MailboxLost
from referee.mail.postman import Outcome, Postman
from referee.mail.seeking import Seeker
from referee.mail.servers import Server, ServerError

LOG_IN: Final = "check user and password in referee.toml (some providers want a password made "
LOG_IN_2: Final = "for programs, or referee auth)"
REACH: Final = "check host, port and kind of connection in referee.toml, and the network"


@contextmanager
def seeker(server: Server) -> Iterator[tuple[Finding, Seeker | None]]:
    """Judge the log-in to the IMAP server; give what looks into the mailbox if it succeeded."""
    try:
        found = Seeker(server)
    except (MailboxError, ServerError) as fault:
        yield failure("IMAP", str(fault), _advice(fault)), None
        return
    with found:
        yield _judged("IMAP", server, f"logged in to {server}"), found


def _judged(check: str, server: Server, found: str) -> Finding:
    """Judge a server that can be used: whether others on the way read along."""
    if not server.exposed:
        return ok(check, found)
    kind = check.lower()
    advice = f"begin its address with {kind}s:// or {kind}+starttls:// in referee.toml"
    return warning(check, f"{found}, without encryption", advice)


def _advice(fault: RefereeError) -> str:
    if isinstance(fault, LoginRefused):
        return LOG_IN + LOG_IN_2
    if isinstance(fault, ServerError):
        return "give it, or say where it stands: see referee.toml"
    return REACH if isinstance(fault, MailboxLost) else "do as it says"


def folders(server: Server, looking: Seeker) -> Finding:
    """Judge whether the referee's folders are there, making those that are not."""
    advice = "make the folders Handled, Ignored and Quarantine in a mail program"
    try:
        before = looking.folders()
        with Mailbox(server, Folders()) as mailbox:
            mailbox.ensure_folders()
            mailbox.select()
        made = [each for each in looking.folders() if each not in before]
    except MailboxError as fault:
        return failure("folders", str(fault), advice)
    if made:
        return ok("folders", f"made {', '.join(made)}; now all are there")
    return ok("folders", "all are there")


def owner(desk: Desk, server: Server) -> Finding:
    """Judge whether the mailbox belongs to no other installation."""
    try:
        with Mailbox(server, Folders()) as mailbox:
            mark.look(desk, mailbox, mailbox.folders)
    except mark.MailboxTaken as fault:
        what, _, advice = str(fault).partition("; ")
        return failure("mailbox", what, advice)
    except RefereeError as fault:
        return failure("mailbox", str(fault), REACH)
    return ok("mailbox", "no other installation reads it")


def smtp(server: Server, hostname: str) -> Finding:
    """Judge the log-in to the SMTP server, sending nothing."""

    async def knock() -> Outcome | None:
        async with Postman(server, hostname=hostname) as postman:
            return await postman.log_in()

    outcome = asyncio.run(knock())
    if outcome is None:
        way = f"logged in to {server}" if server.user else f"{server} answers, without a log-in"
        return _judged("SMTP", server, way)
    found = f"{server}: {outcome.code or ''} {outcome.text}".replace(":  ", ": ")
    if server.lacking:
        return failure("SMTP", server.lacking, "give it, or say where it stands: see referee.toml")
    refused = outcome.text.startswith("login refused")
    return failure("SMTP", found, LOG_IN + LOG_IN_2 if refused else REACH)
