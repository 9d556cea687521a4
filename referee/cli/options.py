"""Arguments and options that many commands take, each with its one line of help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

LARGEST: Final = 2**63 - 1
"""The largest number that rows of the database can have."""

Match: TypeAlias = Annotated[
    str, typer.Argument(metavar="MATCH", help="Its name, such as nord-1.")
]
Player: TypeAlias = Annotated[
    str, typer.Argument(metavar="PLAYER", help="An address or a number.")
]
Game: TypeAlias = Annotated[str, typer.Argument(help="The game, such as nord.")]

Variant: TypeAlias = Annotated[list[str] | None, typer.Option(help="A variant, name=value.")]
BoardFile: TypeAlias = Annotated[Path | None, typer.Option(help="A board file to play on.")]
Seed: TypeAlias = Annotated[
    str | None, typer.Option(metavar="HEX", help="A known seed of 32 bytes: practice only.")
]

Why: TypeAlias = Annotated[
    str,
    typer.Option(help="Why, in a few words: the players are told. Required if a match changes."),
]
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", help="Carry it out at once.")]
