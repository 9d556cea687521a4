"""How commands that take long show how far they are: a bar on a terminal, else nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer


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
