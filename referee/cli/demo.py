"""`referee demo`: a whole match by mail on this machine, or servers to play on by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli import output, session


def demo(
    *,
    folder: Annotated[
        Path | None, typer.Option("--dir", metavar="DIR", help="Where record and mails are left.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="Which game is played.")] = None,
    seed: Annotated[int | None, typer.Option(help="Play the same match again.", min=0)] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Keep servers and daemon up until a signal.")
    ] = False,
) -> None:
    """Show a match by mail on this machine, without any account.

    Example: referee demo --dir demo --seed 1
    """
    from referee.demo import play, site

    if serve:
        site.serve(folder, as_json=session.JSON.get(), game=game)
    else:
        output.printed(play.play(folder, game=game, seed=seed, say=output.meanwhile))
