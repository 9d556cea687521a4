"""The order of the checks, and what each of them needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from referee.config import ConfigError, Settings, find_config, load_settings
from referee.desk.desk import Desk, opened_desk, stamp
from referee.desk.letters import sender
from referee.desk.matches.time import outages
from referee.desk.service.doctor import Finding, domain, failure, machine, mail, ok, skipped
from referee.errors import PackageMissing, RefereeError
from referee.games import registry
from referee.mail.transport.postman import Postman, own_hostname
from referee.store import leases
from referee.store.database.engine import database_file, parse_url
from referee.store.database.errors import StoreError

OFFLINE: Final = "asks other machines, and --offline was said"

_AHEAD: Final = timedelta(minutes=1)


def examine(
    config: Path | None, environ: Mapping[str, str], *, offline: bool, patience: float
) -> Iterator[Finding]:
    """Make every check that can be made; the others are yielded as skipped."""
    made: set[str] = set()
    for finding in _made(config, environ, offline=offline, patience=patience):
        made.add(finding.check)
        yield finding
    yield from skipped_checks(made, offline=offline)


def _made(
    config: Path | None, environ: Mapping[str, str], *, offline: bool, patience: float
) -> Iterator[Finding]:
    path = None
    try:
        path = find_config(config, environ)
        settings = load_settings(path, environ)
    except ConfigError as fault:
        usual = f"correct {path}" if path else "go to the installation's folder, or referee init"
        for line in str(fault).splitlines():
            # Where another file is at fault, the line ends with what to do about that.
            found, *remedy = re.split(r"; (?=run |put )", line, maxsplit=1)
            yield failure("config", found, *(remedy or [usual]))
        return
    yield ok("config", f"{settings.path} is understood")
    file = database_file(parse_url(settings.database))
    kept = [*machine.database_files(file)] if file else []
    yield mail.check_log_in(settings)
    folder = file.parent if file else settings.path.absolute().parent
    yield machine.check_modes([*settings.private, *kept], [folder, *kept] if file else [])
    yield machine.check_space(folder)
    yield machine.check_boards(registry.installed_games())
    yield machine.check_schema(settings.database)
    with ExitStack() as stack:
        desk = None
        # The checks before have found a database that cannot be opened.
        with suppress(StoreError):
            desk = stack.enter_context(opened_desk(settings))
        if desk is not None:
            yield machine.check_integrity(settings.database)
            for name, check in OF_DATABASE.items():
                try:
                    yield check(desk)
                # One damaged table must not hide the other findings.
                except StoreError as fault:
                    yield failure(name, str(fault), machine.RESTORE)
        if not offline:
            yield from mail_checks(settings, desk, patience)


def check_packages(desk: Desk) -> Finding:
    """Look for the packages that the level of trust needs."""
    try:
        sender.check_trust(desk)
    except PackageMissing as fault:
        what, _, advice = str(fault).rpartition(": ")
        return failure("packages", what, advice)
    return ok("packages", "there is all that trust needs")


def remembered_clock(desk: Desk) -> Finding:
    """Judge this machine's clock by the moments the database remembers."""
    advice = "set the clock right, then: referee clock --is-right"
    with desk.store.reading() as connection:
        jumped = outages.lasting_outage(connection)
        lease = leases.find_lease(connection)
    if jumped is not None:
        return failure("clock alarm", outages.jump_line(jumped), advice)
    moments: dict[str, datetime | None] = {}
    if lease is not None:
        moments = {"the last sign of life": lease.heartbeat, "the last poll": lease.polled_at}
    for name, moment in moments.items():
        if moment is not None and moment > desk.now() + _AHEAD:
            found = f"{name} lies in the future, {stamp(moment)}"
            return failure("clock alarm", found, "see which of the two was wrong; set the clock")
    return ok("clock alarm", "none; nothing remembered lies in the future")


def mail_checks(settings: Settings, desk: Desk | None, patience: float) -> Iterator[Finding]:
    """Make the checks that ask other machines."""
    yield from domain.domain_checks(settings.domain)
    sending = mail.check_smtp(settings.smtp, settings.domain)
    yield sending
    with mail.open_seeker(settings.imap) as (entry, looking):
        yield entry
        if looking is None:
            return
        yield mail.check_folders(looking)
        if desk is None:
            return
        yield mail.check_filing(desk, looking)
        yield mail.check_owner(desk)
        # Without a server that takes mail there is no letter to wait for.
        if sending.grade != "ok":
            return
        try:
            postman = Postman(settings.smtp, hostname=own_hostname(settings.domain))
            yield from mail.go_round(desk, postman, looking, patience)
        except RefereeError as fault:
            yield failure("delivery", str(fault), "try again")


OF_DATABASE: Final[Mapping[str, Callable[[Desk], Finding]]] = {
    "writing": machine.check_writing,
    "packages": check_packages,
    "games": machine.check_games,
    "matches": machine.check_matches,
    "daemon": machine.check_daemon,
    "clock alarm": remembered_clock,
}
"""The checks that need the database, and find nothing where a table of it is damaged."""

ASKING: Final = (
    "DNS MX", "DNS SPF", "DNS DKIM", "DNS DMARC", "SMTP", "IMAP", "folders", "filing", "mailbox",
    "delivery", "plus-addressing", "clock",
)  # fmt: skip
"""The checks that ask other machines."""

NAMES: Final = (
    "config", "log-in", "file modes", "disk space", "boards", "schema version", "database",
    *OF_DATABASE, *ASKING,
)  # fmt: skip
"""Every check, in order."""


def skipped_checks(made: Collection[str], *, offline: bool) -> Iterator[Finding]:
    """Yield the checks that were skipped, each with the reason."""
    for name in NAMES:
        if name not in made:
            off = offline and name in ASKING
            yield skipped(name, OFFLINE if off else "needs what failed above")
