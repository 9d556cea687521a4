"""`referee record import|audit|prune`: records in, everything replayed, what may go."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli import output, session
from referee.errors import RefereeError
from referee.text import counted

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from referee.desk.archive.audit import Progress
    from referee.desk.archive.prune import Candidate
    from referee.desk.desk import Desk


KEEP_EVERY = 2.0
"""Seconds after which an audit notes how far it is."""


def add_to(app: typer.Typer) -> None:
    """Add the commands to those of records."""
    app.command("import")(import_records)
    for each in (audit, prune, site):
        app.command()(each)


def import_records(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records, or a move.")],
    *,
    seat: Annotated[
        list[str] | None,
        typer.Option(metavar="SEAT=WHO", help="Who sat there: a player here, by address."),
    ] = None,
) -> None:
    """Take in records of finished matches, each verified first; or a match that moves here.

    Exit status 1: one of them was refused. The others are in.

    Example: referee record import nord-1.jsonl
    """
    from referee.desk.desk import opened_desk

    if seat and len(files) > 1:
        raise RefereeError("--seat tells who sat in one match: import its record alone")
    found: list[dict[str, Any]] = []
    try:
        with (
            opened_desk(session.settings()) as desk,
            output.shown("import", len(files)) as step,
        ):
            for file in files:
                found.append(_import(desk, file, seat or ()))
                step()
                if not session.JSON.get():
                    typer.echo(_imported(found[-1]))
    except KeyboardInterrupt:
        said = f"stopped after {len(found)} of {len(files)}; the same command takes in the rest"
        raise output.stopped(said) from None
    output.result(found)
    if any(each["outcome"] == "refused" for each in found):
        raise typer.Exit(1)


def _import(desk: Desk, file: Path, seats: Sequence[str]) -> dict[str, Any]:
    """Take in one file, and return what came of it."""
    from referee.cli.record import lines_of
    from referee.desk.archive import take_in
    from referee.desk.plans import move

    said: dict[str, Any] = {"file": str(file), "outcome": "refused", "match": None}
    try:
        lines = lines_of(file)
        if move.is_move(lines):
            with desk.store.writing() as connection:
                name = move.take(desk, connection, lines)
            return {**said, "outcome": "moved", "match": name}
        found = take_in.read(desk, lines)
        with desk.store.writing() as connection:
            holders = _holders(connection, seats, found.terms.seats)
            done = take_in.take(desk, connection, found, holders)
    except RefereeError as fault:
        return {**said, "why": str(fault)}
    return {**said, "outcome": done.outcome, "match": done.name, "record": done.match}


def _holders(
    connection: Connection, seats: Sequence[str], colours: Sequence[str]
) -> dict[str, int]:
    """Return the players named for the seats of a record, by number."""
    from referee.store.people import players

    found = {}
    for text in seats:
        colour, _, who = text.partition("=")
        if colour not in colours:
            raise RefereeError(f"--seat {text}: the seats of this record are {', '.join(colours)}")
        player = players.by_address(connection, who)
        if player is None:
            raise RefereeError(f"--seat {text}: no player here has this address: player add")
        found[colour] = player.id
    return found


def _imported(done: dict[str, Any]) -> str:
    """Return a line about one file."""
    file, name = done["file"], done["match"]
    if done["outcome"] == "refused":
        return f"{file}: refused: {done['why']}"
    if done["outcome"] == "moved":
        return f"{file}: {name} goes on here; its players get a report"
    called = f", which its record calls {done['record']}" if done["record"] != name else ""
    said = {
        "taken": f"{name} is in{called}",
        "there": f"{name} is here already{called}; nothing was changed",
        "completed": f"{name}, which had moved away, is here again with its end{called}",
        "restored": f"{name} has its events again{called}",
    }
    return f"{file}: {said[done['outcome']]}"


def audit(
    *,
    anew: Annotated[
        bool, typer.Option("--anew", help="Begin at the first match, whatever was interrupted.")
    ] = False,
) -> None:
    """Replay every match stored here, running or over, and compare all that is kept of it.

    It changes nothing but a note of how far it came when it is interrupted; then the same
    command goes on from there. Exit status 1: something does not fit.

    Example: referee record audit
    """
    from referee.desk.archive import audit as archive_audit
    from referee.desk.desk import opened_desk

    with opened_desk(session.settings()) as desk:
        done = None if anew else archive_audit.stopped(desk)
        if done is not None and not session.JSON.get():
            seen = counted(done.matches, "match")
            typer.echo(f"going on after {seen} seen before it was interrupted")
        done = done or archive_audit.Progress()
        orders, began = done.orders, time.process_time()
        done = _audited(desk, done)
        seconds = max(time.process_time() - began, 1e-9)
        archive_audit.keep(desk, None)
    rate = round((done.orders - orders) / seconds)
    faults = [{"match": match, "fault": fault} for match, fault in done.faults]
    if not output.printed({**asdict(done), "faults": faults, "orders_per_second": rate}):
        _print_audit(done, rate)
    if done.faults:
        raise typer.Exit(1)


def _audited(desk: Desk, done: Progress) -> Progress:
    """Return how an audit ended; interrupted, it is noted how far it came."""
    from referee.desk.archive import audit as archive_audit

    total = sum(match_id > done.last for match_id, _ in archive_audit.begun(desk))
    last = time.monotonic()
    try:
        with output.shown("audit", total) as step:
            for now, _ in archive_audit.audit(desk, done):
                done = now
                step()
                if time.monotonic() - last > KEEP_EVERY:
                    archive_audit.keep(desk, done)
                    last = time.monotonic()
    except KeyboardInterrupt:
        archive_audit.keep(desk, done)
        seen = counted(done.matches, "match")
        said = f"stopped after {seen}; the same command goes on from there"
        raise output.stopped(said) from None
    return done


def _print_audit(done: Progress, rate: int) -> None:
    for match, fault in done.faults:
        typer.echo(f"{match}: {fault}")
    pruned = f", {done.pruned} of them pruned and not replayed" if done.pruned else ""
    verb = "does" if len(done.faults) == 1 else "do"
    faults = f"{len(done.faults)} {verb} not fit" if done.faults else "all fit"
    typer.echo(
        f"{counted(done.matches, 'match')}{pruned}, "
        f"{counted(done.orders, 'order')} replayed and recomputed, "
        f"{rate} a second: {faults}"
    )


def prune(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where the records were exported to.")
    ],
    *,
    events: Annotated[
        bool,
        typer.Option("--events", help="The events too, as the record holds them."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Let it go; else it is only told.")] = False,
) -> None:
    """Let go the bytes of letters and mails of matches whose record lies in DIR and verifies.

    A record counts if it is byte for byte what would be exported now. Nothing else is touched.

    Example: referee record prune records
    """
    from referee.desk.archive import prune as archive_prune
    from referee.desk.desk import opened_desk

    if not directory.is_dir():
        raise RefereeError(f"{directory}: no such folder: referee record export --all --dir")
    found: list[Candidate] = []
    try:
        with opened_desk(session.settings()) as desk:
            looked = archive_prune.candidates(desk, directory)
            for each in looked:
                gone = yes and not each.why
                found.append(
                    archive_prune.prune(desk, directory, each.match, events=events)
                    if gone
                    else each
                )
    except KeyboardInterrupt:
        seen = counted(len(found), "match")
        said = f"stopped after {seen}; the same command goes on with the rest"
        raise output.stopped(said) from None
    listed = [asdict(each) for each in found]
    if not output.printed({"pruned": yes, "events": events, "matches": listed}):
        _print_pruned(found, events=events, yes=yes)


def _print_pruned(found: list[Candidate], *, events: bool, yes: bool) -> None:
    going = [each.weight for each in found if each.weight is not None]
    rows = []
    for each in found:
        weight = each.weight
        counts = [weight.letters, weight.mails, weight.events] if weight else []
        sizes = [f"{one.count} ({counted(one.bytes, 'byte')})" for one in counts] or ["–", "–", "–"]
        rows.append((each.match, *sizes[:2], sizes[2] if events else "stay", each.why or "goes"))
    output.print_table(
        ("match", "letters", "mails", "events", ""), rows, "No match is over: nothing can go."
    )
    if not going:
        return
    freed = sum(each.letters.bytes + each.mails.bytes for each in going)
    freed += sum(each.events.bytes for each in going) if events else 0
    done = "gone" if yes else "would go; --yes lets them go. Letters and mails never come back"
    typer.echo(f"\n{counted(freed, 'byte')} of {counted(len(going), 'match')} {done}.")


def site(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Where the pages are written.")],
    *,
    language: Annotated[
        str | None, typer.Option(help="en or de; default: that of referee.toml.")
    ] = None,
) -> None:
    """Write the archive as static pages: all matches, each with its course, and ratings.

    Running matches are shown as spectators see them. What did not change is not written again.

    Example: referee record site public
    """
    from referee.desk.archive import files as archive_files
    from referee.desk.archive.site.pages import Site, Written
    from referee.desk.desk import opened_desk
    from referee.games.game import LANGUAGES

    if language is not None and language not in LANGUAGES:
        raise RefereeError(f"--language {language}: one of {', '.join(LANGUAGES)}")
    done, seen, total = Written(), 0, 0
    try:
        with opened_desk(session.settings()) as desk:
            pages = Site(desk, archive_files.folder(directory), language or desk.language)
            numbers = pages.matches()
            total = len(numbers)
            with output.shown("pages", total) as step:
                for _ in pages.write_matches(numbers, done):
                    seen += 1
                    step()
            pages.write_lists(done)
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
