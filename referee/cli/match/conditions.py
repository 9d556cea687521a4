"""Options about the conditions of a new match, which several commands take."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from referee.cli.options import json_of
from referee.desk.seats.conditions import Conditions
from referee.errors import RefereeError


def conditions(
    *,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A variant of the game; repeatable."),
    ] = None,
    board: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A board file to play on.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="HEX", help="A known seed of 32 bytes, for practice only.")
    ] = None,
    time: Annotated[
        str | None, typer.Option(metavar="TIME", help="Time for each turn, such as 7d, or none.")
    ] = None,
    bank: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Instead: each seat's time for the match, such as 30d."),
    ] = None,
    increment: Annotated[
        str | None, typer.Option(metavar="TIME", help="Added to the bank each turn, such as 12h.")
    ] = None,
    reminder: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TIME", help="Remind when this is left, such as 1d, or none; repeatable."
        ),
    ] = None,
    leeway: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Wait this long before --late takes effect."),
    ] = None,
    grace: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Hold orders this long, such as 10m: withdraw undoes."),
    ] = None,
    talk: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Hold orders in a mail that says more, such as 1h."),
    ] = None,
    days_off: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DAYS",
            help="No clock runs on these: weekends, fri, 2026-12-25, 12-25 each year, or none.",
        ),
    ] = None,
    late: Annotated[
        str | None,
        typer.Option(
            metavar="wait|idle|bot|bot:NAME|resign",
            help="When time is up: wait; play idle, as the rules say; let a bot play; resign.",
        ),
    ] = None,
) -> Conditions:
    """Return the conditions that these options give. Raises RefereeError."""
    document = None if board is None else json_of(board, "--board")
    if board is not None and not isinstance(document, dict):
        raise RefereeError(f"--board {board}: a board is a JSON object")
    times = (time, bank, increment, reminder, leeway, grace, talk, days_off, late)
    return Conditions(option or (), document, seed, *times)


def with_conditions(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of ``conditions``, in place of ``given``."""
    options = signature(conditions, eval_str=True).parameters

    @wraps(command)
    def called(**values: Any) -> None:
        texts = {name: values.pop(name) for name in options}
        command(**values, given=conditions(**texts))

    own = signature(command, eval_str=True).parameters.values()
    whole: list[Parameter] = []
    for parameter in own:
        whole += options.values() if parameter.name == "given" else [parameter]
    # Typer reads both: the signature, and the annotations in it.
    cast("Any", called).__signature__ = Signature(whole)
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in whole}
    return called
