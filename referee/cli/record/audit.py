"""``referee record audit``: every stored match replayed and checked."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final

import typer

from referee.cli import output, session
from referee.cli.options import flag
from referee.desk.archive import audit as archive_audit
from referee.desk.desk import Desk, opened_desk
from referee.text import counted
from referee.value import asdict

KEEP_EVERY: Final = 2.0
"""Seconds between two notes of an audit's progress."""


def audit(
    *,
    anew: Annotated[bool, flag("Begin again at the first match.", "--anew")] = False,
) -> None:
    """Replay every match and check its data.

    It changes nothing. Interrupted, it notes how far it came, and the same command goes on from
    there. Exit status 1: some data is wrong.

    Example: referee record audit
    """
    with opened_desk(session.settings()) as desk:
        document, lines = run_audit(desk, anew=anew)
    output.result(document, *lines)
    if document["faults"]:
        raise typer.Exit(1)


def run_audit(desk: Desk, *, anew: bool) -> tuple[dict[str, Any], list[str]]:
    """Audit all matches; go on where an interrupted audit was, unless ``anew``.

    Return what came of it as a document, and in lines: each fault, then the whole in one.
    """
    before = None if anew else archive_audit.interrupted_audit(desk)
    if before is not None:
        seen = counted(before.matches, "match")
        output.meanwhile(f"going on after {seen} seen before it was interrupted")
    done = before or archive_audit.Progress()
    orders, began = done.orders, time.process_time()
    total = sum(match_id > done.last for match_id in archive_audit.begun_matches(desk))
    last = time.monotonic()

    def kept() -> str:
        archive_audit.keep_progress(desk, done)
        return f"{counted(done.matches, 'match')}; referee record audit goes on from there"

    with output.stoppable(kept), output.progress("audit", total) as step:
        for now, _ in archive_audit.audit_matches(desk, done):
            done = now
            step()
            if time.monotonic() - last > KEEP_EVERY:
                archive_audit.keep_progress(desk, done)
                last = time.monotonic()
    seconds = max(time.process_time() - began, 1e-9)
    archive_audit.keep_progress(desk, None)
    rate = round((done.orders - orders) / seconds)
    faults = [{"match": match, "fault": fault} for match, fault in done.faults]
    pruned = f", {done.pruned} of them pruned and not replayed" if done.pruned else ""
    verb = "does" if len(faults) == 1 else "do"
    fit = f"{len(faults)} {verb} not fit" if faults else "all fit"
    lines = [f"{match}: {fault}" for match, fault in done.faults]
    lines.append(
        f"{counted(done.matches, 'match')}{pruned}, "
        f"{counted(done.orders, 'order')} replayed and recomputed, {rate} a second: {fit}"
    )
    return {**asdict(done), "faults": faults, "orders_per_second": rate}, lines
