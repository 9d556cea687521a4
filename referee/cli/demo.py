"""``referee demo``: a match by mail on this machine, or servers to play on by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from referee.cli import output, session
from referee.cli.options import flag, option
from referee.demo import play


def demo(
    *,
    folder: Annotated[
        Path | None, option("DIR", "A new folder for all that the demo keeps.", "--dir")
    ] = None,
    game: Annotated[str | None, option("GAME", "The game to play.")] = None,
    seed: Annotated[int | None, option("NUMBER", "Repeat a match by its seed.", min=0)] = None,
    serve: Annotated[bool, flag("Run servers and daemon until stopped.", "--serve")] = False,
) -> None:
    """Show a match by mail on this machine.

    It needs no account, and sends nothing to other machines.

    Example: referee demo --dir demo --seed 1
    """
    if serve:
        play.serve(folder, as_json=session.JSON.get(), game=game)
    else:
        output.printed(play.play_demo(folder, game=game, seed=seed, say=output.meanwhile))
