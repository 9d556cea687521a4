"""`referee record …`: records out and verified; the rest of the archive is added here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from referee.cli import output
from referee.cli.files import content_of
from referee.cli.options import Why, Yes
from referee.cli.record import archive
from referee.errors import RefereeError
from referee.games.game import ABANDONED
from referee.text import counted

if TYPE_CHECKING:
    from referee.desk.archive.record import Proof
    from referee.matches.record import Verdict


LONGEST: Final = 64 << 20
"""Bytes of a file that are read; the record of a year's match has a hundredth of them."""

app = typer.Typer()

archive.add_to(app)


@app.command()
def export(
    name: Annotated[
        str | None, typer.Argument(metavar="MATCH", help="A finished match, or one that moves.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="Where to; default: print it.")
    ] = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Every finished match, into --dir.")
    ] = False,
    directory: Annotated[
        Path | None,
        typer.Option("--dir", metavar="DIR", help="A folder; each record is named MATCH.jsonl."),
    ] = None,
    move: Annotated[
        bool, typer.Option("--move", help="Close a running match here, to go on elsewhere.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Write the record of a finished match: JSON lines anybody can verify. Or move a running one.

    Example: referee record export nord-1 --to nord-1.jsonl
    """
    # By their names: the package's own ``export`` is this command, not the module.
    from referee.cli.record.export import into, move_out, one

    if move:
        move_out(name, file, why, yes=yes)
    elif everything or directory:
        into(directory, name, everything=everything, force=force)
    else:
        one(name, file, force=force)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, JSON lines.")],
    more: Annotated[
        list[Path] | None,
        typer.Argument(metavar="MAIL", help="More mails, so that --mail *.eml works."),
    ] = None,
    *,
    mail: Annotated[
        list[Path] | None,
        typer.Option(metavar="MAIL", help="A mail you got (.eml) or a folder of them; repeatable."),
    ] = None,
) -> None:
    """Replay a record and recompute every draw, digest and hash; compare it with your mails.

    Exit status 1: it does not hold, or is not the match your mails are about.

    Example: referee record verify nord-1.jsonl --mail ~/mails
    """
    from referee.desk.archive import record as archive_record
    from referee.games import registry
    from referee.matches import record

    lines = lines_of(file)
    found = mails_found([*(mail or ()), *(more or ())])
    verdict = record.verify(lines, registry.find)
    shown = archive_record.compare(lines, read(found)) if verdict.ok and found else None
    if not output.printed(_document(verdict, shown)):
        _print(verdict, shown)
    if not verdict.ok or (shown and shown.fault):
        raise typer.Exit(1)
    if (mail or more) and not (shown and shown.compared):
        name, count = verdict.match, counted(len(found), "mail")
        raise RefereeError(f"nothing of {name} was shown in {count}: nothing was compared")


def lines_of(file: Path) -> list[bytes]:
    """Return the lines of a record; what follows the last line end is a line of its own."""
    data = content_of(file, LONGEST)
    *lines, rest = data.split(b"\n")
    return [*lines, rest] if rest or not lines else lines


def _document(verdict: Verdict, shown: Proof | None) -> dict[str, Any]:
    names = ("ok", "message", "line", "seq", "match", "orders", "draws", "ending")
    document = {name: getattr(verdict, name) for name in names}
    if shown is not None:
        document["mails"] = asdict(shown)
        document["ok"] = verdict.ok and not shown.fault
    return document


def _print(verdict: Verdict, shown: Proof | None) -> None:
    if not verdict.ok:
        typer.echo(f"line {verdict.line}: {verdict.message}")
        return
    typer.echo(
        f"{verdict.match}: consistent in itself: "
        f"{counted(verdict.orders, 'order')}, {counted(verdict.draws, 'draw')} recomputed"
    )
    if verdict.ending == ABANDONED:
        typer.echo("it was broken off (abandoned): nobody has won or lost")
    if shown is None:
        return
    typer.echo(
        f"mails compared: {shown.compared} (heads: {shown.heads}, in full: {shown.full}, "
        f"commitments: {shown.commitments}); not about {verdict.match}: {shown.others}"
    )
    if shown.fault:
        typer.echo(f"{shown.mail}: {shown.fault}: it is not the match this mail was about")
    elif shown.reach is not None:
        typer.echo(f"all are in this record: nobody rewrote it up to event {shown.reach}")
    elif shown.compared:
        typer.echo("all are in this record; no head was shown, so its events are not proved")


LARGEST: Final = 20_000_000
"""Bytes of a mail that are read; what matters stands far in front of that."""

MAILDIR: Final = frozenset({"cur", "new"})
"""Folders of a Maildir, where mails have no ending."""


def mails_found(paths: Sequence[Path]) -> list[Path]:
    """Return the mails named and those in the folders named, by name within each.

    In a folder mails are the files that end in ``.eml``, and those of a Maildir. Raises
    RefereeError when there is nothing under a path.
    """
    mails: list[Path] = []
    for path in paths:
        if path.is_dir():
            mails += sorted(each for each in path.rglob("*") if each.is_file() and _is_mail(each))
        elif path.is_file():
            mails.append(path)
        else:
            raise RefereeError(f"--mail {path}: there is no such file or folder")
    return list(dict.fromkeys(mails))


def read(mails: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """Yield each mail's name and bytes. Raises RefereeError when one cannot be read."""
    for path in mails:
        try:
            with path.open("rb") as file:
                yield str(path), file.read(LARGEST)
        except OSError as fault:
            raise RefereeError(f"--mail {path}: {fault.strerror}") from None


def _is_mail(path: Path) -> bool:
    return path.suffix.lower() == ".eml" or path.parent.name in MAILDIR
