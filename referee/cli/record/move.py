"""``referee record move``: a running match that goes on at another installation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import options
from referee.cli.plan import decide
from referee.desk.plans.move import Move


def move(
    name: options.Match,
    file: Annotated[
        Path, typer.Option("--to", metavar="FILE", help="The file the match goes on from.")
    ],
    *,
    why: options.Why = "",
    yes: options.Yes = False,
) -> None:
    """Move a running match to another referee.

    This makes a plan, which closes the match here and writes the file that record import takes
    there.

    Example: referee record move nord-1 --to nord-1.move --why "The club has a new server"
    """
    decide(Move(name, str(file.absolute())), why, yes=yes)
