"""Printing on a terminal that knows colours: tables, marked lines, a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

STYLES: Final = {
    "ok": "green", "fine": "green", "warning": "yellow", "failure": "bold red",
    "trouble": "bold red", "skipped": "dim",
}  # fmt: skip
"""The colour of each grade; the words say it too."""

DAY_WIDTH: Final = 10
"""Columns of a day, the first half of a folded moment."""


def print_rich_table(
    titles: Sequence[str], rows: Sequence[Sequence[str]], days: Sequence[bool], cut: str = ""
) -> None:
    """Print rows under their titles; ``days`` marks the columns that hold moments.

    The cells of the column ``cut`` are cut to a line.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for title, day in zip(titles, days, strict=True):
        table.add_column(Text(title), overflow="fold", min_width=DAY_WIDTH if day else None)
    for row in rows:
        # A cell may hold brackets, which Rich would take for markup.
        cells = [Text(cell) for cell in row]
        for title, cell in zip(titles, cells, strict=True):
            if title == cut:
                cell.no_wrap, cell.overflow = True, "ellipsis"
        table.add_row(*cells)
    _console().print(table)


def print_rich_marked(sign: str, text: str, grade: str) -> None:
    """Print a line that begins with a sign in its colour."""
    _console().print(Text(sign, STYLES[grade]), Text(text), soft_wrap=True)


@contextmanager
def bar(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar on standard error; yield its step function."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)


def _console() -> Console:
    return Console(file=sys.stdout, highlight=False)
