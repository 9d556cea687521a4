"""How commands print: JSON for programs, tables for people."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import typer


def print_json(value: Any) -> None:
    """Print a value as indented JSON; moments as RFC 3339 in UTC."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False, default=_plain))


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return moment(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def moment(value: datetime | None) -> str:
    """Return a moment as commands show it: RFC 3339, UTC, whole seconds; a dash for none."""
    return value.strftime("%Y-%m-%dT%H:%M:%SZ") if value else "–"


def print_table(titles: Sequence[str], rows: Sequence[Sequence[object]], empty: str) -> None:
    """Print rows under their titles, as wide as their longest cell; ``empty`` when there are none.

    Plain text, so that it can be piped: cells are never cut.
    """
    if not rows:
        typer.echo(empty)
        return
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(len(row[n]) for row in [list(titles), *cells]) for n in range(len(titles))]
    for row in [list(titles), *cells]:
        line = "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))
        typer.echo(line.rstrip())


def print_fields(described: Mapping[str, object]) -> None:
    """Print what is known of one thing, a line each."""
    width = max(len(key) for key in described)
    for key, value in described.items():
        typer.echo(f"{key.ljust(width)}  {_plain_text(value)}")


def _cell(value: object) -> str:
    text = _plain_text(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _plain_text(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, datetime):
        return moment(value)
    return "".join(c if c.isprintable() else "·" for c in str(value))
