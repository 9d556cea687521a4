"""Arguments and options that several commands take, with their help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import typer

LARGEST: Final = 2**63 - 1
"""The largest number a row of the database can have."""

Language: TypeAlias = Literal["en", "de"]
"""The languages of mails and pages."""

Match: TypeAlias = Annotated[str, typer.Argument(metavar="MATCH", help="Its name, such as nord-1.")]

Player: TypeAlias = Annotated[
    str, typer.Argument(metavar="PLAYER", help="An address, or a player's number.")
]

Letter: TypeAlias = Annotated[
    int, typer.Argument(metavar="LETTER", help="Its number.", min=1, max=LARGEST)
]

Mail: TypeAlias = Annotated[
    int, typer.Argument(metavar="MAIL", help="Its number.", min=1, max=LARGEST)
]

Plan: TypeAlias = Annotated[
    int, typer.Argument(metavar="PLAN", help="Its number.", min=1, max=LARGEST)
]

Limit: TypeAlias = Annotated[
    int, typer.Option(metavar="NUMBER", help="How many of the newest.", min=1, max=LARGEST)
]

Variant: TypeAlias = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="A variant of the game; repeatable.")
]

BoardFile: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A board file to play on.")
]

Why: TypeAlias = Annotated[
    str,
    typer.Option(metavar="TEXT", help="Why; the players read it. Required if a match changes."),
]

Yes: TypeAlias = Annotated[bool, typer.Option("--yes", "-y", help="Carry it out at once.")]
