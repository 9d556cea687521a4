"""Printing: JSON for programs, tables for people, plain text into a pipe."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import typer

from referee.cli.session import JSON
from referee.text import width


def result(document: Any, *lines: str) -> None:
    """Print the result of a command: lines for people, or a document with ``--json``."""
    if not printed(document):
        for line in lines:
            typer.echo(line)


def result_list(
    documents: Sequence[Mapping[str, Any]], titles: Sequence[str], empty: str, *, cut: str = ""
) -> None:
    """Print documents: a table of the columns named, or all of them with ``--json``.

    On a terminal the cells of the column ``cut`` have one line each.
    """
    if not printed(documents):
        rows = [[document[title] for title in titles] for document in documents]
        print_table(titles, rows, empty, cut=cut)


def meanwhile(text: str) -> None:
    """Print progress; with ``--json`` on standard error."""
    typer.echo(text, err=JSON.get())


def printed(document: Any) -> bool:
    """Print a document if ``--json`` was given; return whether it was."""
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


def moment(value: datetime) -> str:
    """Return a moment in RFC 3339, in UTC."""
    return value.strftime("%Y-%m-%dT%H:%M:%SZ")


def print_table(
    titles: Sequence[str], rows: Sequence[Sequence[object]], empty: str, *, cut: str = ""
) -> None:
    """Print rows under their titles, or the sentence ``empty``.

    A terminal gets short moments and folded cells, those of the column ``cut`` cut to a line; a
    pipe gets one whole line for each row.
    """
    if not rows:
        typer.echo(empty)
        return
    if on_terminal():
        # Rich takes a tenth of a second to import, which a pipe should not pay.
        from referee.cli.output.terminal import print_rich_table  # noqa: PLC0415

        columns = zip(*rows, strict=True)
        days = [any(isinstance(value, datetime) for value in column) for column in columns]
        # A moment may be folded between day and minute.
        short = [
            [f"{v:%Y-%m-%d %H:%M}" if isinstance(v, datetime) else _plain_text(v) for v in row]
            for row in rows
        ]
        print_rich_table(titles, short, days, cut)
        return
    cells = [[_plain_text(value) for value in row] for row in rows]
    lines = [list(titles), *cells]
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    typer.echo("\n".join("  ".join(map(_padded, row, widths)).rstrip() for row in lines))


def none_of(one: str, several: str, state: str | None) -> str:
    """Return the sentence that a list is empty, or that nothing is in the state asked for."""
    return f"No {one} is {state}." if state else f"There are no {several}."


def print_fields(described: Mapping[str, object]) -> None:
    """Print the fields of one thing, a line each."""
    widest = max(map(width, described))
    for key, value in described.items():
        name = _padded(key, widest)
        name = typer.style(name, bold=True) if on_terminal() else name
        typer.echo(f"{name}  {_plain_text(value)}")


def _padded(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))


def print_marked(sign: str, text: str, grade: str) -> None:
    """Print a line that begins with a sign, coloured by its grade."""
    if on_terminal():
        from referee.cli.output.terminal import print_rich_marked  # noqa: PLC0415 - as above

        print_rich_marked(sign, _plain_text(text), grade)
    else:
        typer.echo(f"{sign} {_plain_text(text)}")


def on_terminal() -> bool:
    """Return whether the output goes to a terminal that knows colours."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


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
def progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar on standard error; the function yielded counts one of ``total`` steps."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from referee.cli.output.terminal import bar  # noqa: PLC0415 - as above

    with bar(what, total) as step:
        yield step


@contextmanager
def stoppable(told: Callable[[], str]) -> Iterator[None]:
    """Say how far the work came that Ctrl-C interrupts, and how it goes on, and exit."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"stopped after {told()}", err=True)
        raise typer.Exit(130) from None
