"""Whether the database is there, of this version, undamaged, and served by a daemon."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from referee.counting import counted
from referee.desk import broken, ledger
from referee.desk.desk import Desk
from referee.desk.doctor.finding import Finding, failure, ok, skipped, warning
from referee.desk.lease import alive
from referee.store import checking, leases, matches
from referee.store.errors import NewerSchema, NotInitialised, OlderSchema, StoreError
from referee.store.store import open_store

SHOWN: Final = 3
"""Faults told in words; of the others only their number."""

RESTORE: Final = "stop the daemon and restore a backup: referee restore FILE --replace"


def schema(url: str) -> Finding:
    """Judge whether the database can be opened and has the tables of this version."""
    try:
        with open_store(url) as store, store.reading() as connection:
            found = checking.revision(connection)
    except StoreError as fault:
        return failure("schema version", str(fault), _advice(fault))
    return ok("schema version", f"{found}, as this version wants it")


def _advice(fault: StoreError) -> str:
    if isinstance(fault, NewerSchema):
        return "install the version of the referee that made it, or restore an older backup"
    if isinstance(fault, OlderSchema):
        return "make a copy of the database, then: referee run --upgrade"
    if isinstance(fault, NotInitialised):
        return "referee init makes one; referee restore puts a backup in its place"
    return "see that its file or server is there and may be used; else referee restore"


def integrity(url: str) -> Finding:
    """Judge whether the database is undamaged, with every reference leading somewhere."""
    try:
        faults = checking.faults(url)
    except (NewerSchema, NotInitialised, OlderSchema):
        return skipped("database", "only one of this version is looked into")
    except StoreError as fault:
        faults = (str(fault),)
    if faults:
        more = f" (and {len(faults) - SHOWN} more)" if len(faults) > SHOWN else ""
        return failure("database", "; ".join(faults[:SHOWN]) + more, RESTORE)
    return ok("database", "undamaged, every reference leads somewhere")


def daemon(desk: Desk) -> Finding:
    """Judge whether a daemon serves the mailbox."""
    with desk.store.reading() as connection:
        holder = alive(leases.lease(connection, desk.address), desk.now())
    if holder is None:
        return warning("daemon", "none serves the mailbox", "start it: referee run")
    return ok("daemon", str(holder))


def games(desk: Desk) -> Finding:
    """Judge whether the game of every match that runs is installed, in its edition."""
    with desk.store.reading() as connection:
        rows = matches.list_matches(connection, "running")
    missing: dict[str, list[str]] = {}
    for row in rows:
        try:
            desk.find_game(row.game, row.edition)
        except LookupError:
            missing.setdefault(f"{row.game} edition {row.edition}", []).append(row.name)
    if missing:
        lost = "; ".join(f"{game} for {', '.join(names)}" for game, names in missing.items())
        advice = "install the package of the game again, in that version"
        return failure("games", f"not installed: {lost}", advice)
    return ok("games", f"those of {counted(len(rows), 'running match')} are installed")


def playable(desk: Desk) -> Finding:
    """Judge whether every match that runs can be loaded, and none was set aside."""
    faults: dict[str, None] = {}
    with desk.store.reading() as connection:
        faults |= dict.fromkeys(broken.lines(desk, connection))
        rows = matches.list_matches(connection, "running")
        for row in rows:
            try:
                ledger.load(desk, connection, row)
            except broken.BrokenMatch as fault:
                faults[str(fault)] = None
    if faults:
        more = f" (and {len(faults) - SHOWN} more)" if len(faults) > SHOWN else ""
        found = "; ".join([*faults][:SHOWN]) + more
        return failure("matches", found, "the others go on; these do when they are mended")
    return ok("matches", f"{counted(len(rows), 'running match')} can be loaded")


def stamps(desk: Desk) -> dict[str, datetime]:
    """Return the moments the database remembers that cannot lie in the future."""
    with desk.store.reading() as connection:
        row = leases.lease(connection, desk.address)
    named = {
        "the last sign of life": row.heartbeat if row else None,
        "the last poll": row.polled_at if row else None,
    }
    return {name: moment for name, moment in named.items() if moment is not None}
