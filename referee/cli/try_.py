"""``referee try``: orders played on a position file, without a match."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.cli import output
from referee.cli.options import Language, argument, flag, json_of, option, seat_named, text_of
from referee.desk.overview import trial
from referee.errors import RefereeError
from referee.resources import FALLBACK

_REFUSED: Final = 1
"""Exit status for a refused order, or an incomplete document."""


def try_position(
    path: Annotated[Path, argument("FILE", "A position as JSON; - reads input.")],
    *,
    seat: Annotated[str | None, option("SEAT", "Default: the seat to act.")] = None,
    order: Annotated[list[str] | None, option("ORDER", "An order, in quotes; repeatable.")] = None,
    orders: Annotated[Path | None, option("FILE", "Orders, one a line, played first.")] = None,
    seed: Annotated[int, option("NUMBER", "The seed of chance.")] = 0,
    view: Annotated[str | None, option("SEAT|spectator", "As this seat, or all, see it.")] = None,
    check: Annotated[bool, flag("Check whether the document is complete.", "--check")] = False,
    language: Annotated[Language, typer.Option(help="The language of the texts.")] = FALLBACK,
) -> None:
    """Play orders on a position file.

    It tells what happens, or why an order is refused, and which orders are legal. Exit status 1:
    refused, or not complete; 2: something cannot be read.

    Example: referee try position.json --order "place B3 B4"
    """
    document = json_of(path)
    if not isinstance(document, dict):
        raise RefereeError(f"{path}: $: a position is an object, {{…}}")
    start = trial.read_start(str(path), document)
    seat, view = seat and seat_named(seat), view and seat_named(view)
    start.check_seats(seat, view)
    lines = [start.read_line(place, text.strip()) for place, text in given_orders(orders, order)]
    faults = [*start.game.check(start.document)] if check else []
    if check and (faults or not lines):
        told = [{"path": fault.path, "message": fault.message} for fault in faults]
        said = [f"{fault.path}: {fault.message}" for fault in faults]
        output.result({"ok": not faults, "faults": told}, *(said or ["complete"]))
        raise typer.Exit(_REFUSED if faults else 0)
    account = start.play(lines, seat, seed, view, language)
    output.result(account.document(), *account.text())
    raise typer.Exit(_REFUSED if account.trial.refusal else 0)


def given_orders(file: Path | None, lines: Sequence[str] | None) -> list[tuple[str, str]]:
    """Return the orders of a file, then single ones, with their places."""
    given = [(f"--order {number}", text) for number, text in enumerate(lines or (), start=1)]
    if file is None:
        return given
    numbered = enumerate(text_of(file).splitlines(), start=1)
    return [(f"{file}:{number}", text) for number, text in numbered if text.strip()] + given
