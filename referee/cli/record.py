"""`referee record …`: export and verify the records of matches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import context, show

app = typer.Typer()


@app.command()
def export(
    name: Annotated[str, typer.Argument(metavar="MATCH", help="A finished match.")],
    file: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="Where to; default: print it.")
    ] = None,
) -> None:
    """Write the record of a finished match: JSON lines anybody can verify.

    Example: referee record export nord-1 --to nord-1.jsonl
    """
    from referee.daemon import opened_desk
    from referee.desk.archive import record_bytes
    from referee.errors import RefereeError
    from referee.store import matches as tables

    with opened_desk(context.settings()) as desk, desk.store.reading() as connection:
        row = tables.get(connection, name)
        if row is None:
            raise RefereeError(f"there is no match {name}: see referee match list")
        data = record_bytes(connection, row)
    if file is None:
        typer.echo(data.decode(), nl=False)
        return
    try:
        file.write_bytes(data)
    except OSError as fault:
        raise RefereeError(f"--to {file}: {fault.strerror}") from None
    typer.echo(f"{file}: {len(data)} bytes")


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, JSON lines.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Replay a record and recompute every draw, digest and hash. Exit status 1: it does not hold.

    Example: referee record verify nord-1.jsonl
    """
    from referee.errors import RefereeError
    from referee.games import registry
    from referee.matches import record

    try:
        data = file.read_bytes()
    except OSError as fault:
        raise RefereeError(f"{file}: {fault.strerror}") from None
    verdict = record.verify(data.split(b"\n")[:-1] or [data], registry.find)
    if as_json:
        found = ("ok", "message", "line", "seq", "match", "orders", "draws")
        show.print_json({key: getattr(verdict, key) for key in found})
    elif verdict.ok:
        typer.echo(
            f"{verdict.match}: consistent in itself: {verdict.orders} orders, "
            f"{verdict.draws} draws recomputed"
        )
    else:
        typer.echo(f"line {verdict.line}: {verdict.message}")
    if not verdict.ok:
        raise typer.Exit(1)
