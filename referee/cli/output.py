"""How commands print: JSON for programs, tables for people, in plain text when piped."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from referee.cli.session import JSON

if TYPE_CHECKING:
    from rich.console import Console


STYLES: Final = {
    "ok": "green", "fine": "green", "warning": "yellow", "failure": "bold red",
    "trouble": "bold red", "skipped": "dim",
}  # fmt: skip
"""How bad something is, in a terminal's colours; the words say it too."""


def result(document: Any, *lines: str) -> None:
    """Print what came of a command: a document with ``--json``, and lines for people without."""
    if not printed(document):
        for line in lines:
            typer.echo(line)


def meanwhile(text: str) -> None:
    """Tell a person something while a command works; with ``--json`` beside its output."""
    typer.echo(text, err=JSON.get())


def printed(document: Any) -> bool:
    """Print a document if ``--json`` wants one; tell whether it does."""
    if JSON.get():
        print_json(document)
    return JSON.get()


def print_json(value: Any) -> None:
    """Print a value as indented JSON; moments as RFC 3339 in UTC."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False, default=_plain))


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def moment(value: datetime | None) -> str:
    """Return a moment as commands show it: RFC 3339, UTC, whole seconds; a dash for none."""
    return value.strftime("%Y-%m-%dT%H:%M:%SZ") if value else "–"


def print_table(titles: Sequence[str], rows: Sequence[Sequence[object]], empty: str) -> None:
    """Print rows under their titles; ``empty`` when there are none.

    In a terminal moments are short and long cells folded; piped, a row is a line and nothing cut.
    """
    if not rows:
        typer.echo(empty)
        return
    if on_terminal():
        _print_rich(titles, rows)
        return
    cells = [[_plain_text(value) for value in row] for row in rows]
    lines = [list(titles), *cells]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    typer.echo("\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in lines))


def print_fields(described: Mapping[str, object]) -> None:
    """Print what is known of one thing, a line each."""
    width = max(len(key) for key in described)
    for key, value in described.items():
        name = typer.style(key.ljust(width), bold=True) if on_terminal() else key.ljust(width)
        typer.echo(f"{name}  {_plain_text(value)}")


def print_marked(sign: str, text: str, style: str) -> None:
    """Print a line that begins with a sign, which a terminal shows in the colour of a style."""
    if on_terminal():
        from rich.text import Text

        _console().print(Text(sign, STYLES[style]), Text(_plain_text(text)), soft_wrap=True)
    else:
        typer.echo(f"{sign} {_plain_text(text)}")


def on_terminal() -> bool:
    """Tell whether a person is likely to look at the output in a terminal that knows colours."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def _console() -> Console:
    # Rich costs a tenth of a second of start-up, which a pipe should not.
    from rich.console import Console

    return Console(file=sys.stdout, highlight=False)


def _print_rich(titles: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for title, *column in zip(titles, *rows, strict=True):
        # A day stays in one piece.
        least = 10 if any(isinstance(value, datetime) for value in column) else None
        table.add_column(Text(str(title)), overflow="fold", min_width=least)
    for row in rows:
        # What is shown may hold brackets, which are no markup of ours.
        table.add_row(*(Text(_short(cell)) for cell in row))
    _console().print(table)


def _short(value: object) -> str:
    """Return a cell whose moment may be folded between day and minute."""
    return f"{value:%Y-%m-%d %H:%M}" if isinstance(value, datetime) else _plain_text(value)


def _plain_text(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain_text, value)) or "–"
    text = str(value)
    return text if text.isprintable() else "".join(c if c.isprintable() else "·" for c in text)


@contextmanager
def shown(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Give a function to call after each of ``total`` steps; a bar stands on standard error."""
    if not sys.stderr.isatty():
        yield _nothing
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)


def _nothing() -> None:
    """Show nothing."""


def stopped(said: str) -> typer.Exit:
    """Say how far interrupted work came; return what ends the program as Ctrl-C does."""
    typer.echo(said, err=True)
    return typer.Exit(130)
