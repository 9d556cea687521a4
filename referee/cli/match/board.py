"""``referee match undo|redo|fix|act``: corrections of the position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.options import Match, Why, Yes, argument, json_of, option
from referee.cli.plan import decide
from referee.desk.plans.board import Acting, Fix, Redo, Undo
from referee.errors import RefereeError


def undo(
    name: Match,
    *,
    to: Annotated[
        int | None, option("TURN", "To the start of this turn; default: the last one.")
    ] = None,
    revealed: Annotated[
        bool, typer.Option("--reveal-known", help="Even if somebody has learnt something since.")
    ] = False,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Take back orders, to the start of a turn.

    By default that is the last turn in which a player gave orders. Once the record of a match is
    released, chance goes on with a new seed.

    Example: referee match undo nord-1 --to 12 --why "a typing error"
    """
    decide(Undo(name, to, revealed), why, yes=yes)


def redo(name: Match, *, why: Why = "", yes: Yes = False) -> None:
    """Restore the orders an undo took back.

    It is refused if anything has happened since.

    Example: referee match redo nord-1 --why "it was right after all" --yes
    """
    decide(Redo(name), why, yes=yes)


def fix(
    name: Match,
    file: Annotated[Path, argument("FILE", "A JSON Patch or a whole position; - reads input.")],
    *,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Correct the position by a file.

    The file holds a JSON Patch, or an edited position from match show --full. The game must find
    the position complete, with no piece lost or added.

    Example: referee match fix nord-1 patch.json --why "a worker stood on the wrong space"
    """
    document, made_from = json_of(file), None
    if isinstance(document, dict) and isinstance(document.get("position"), dict):
        if document.get("match", name) != name:
            raise RefereeError(f"{file}: this is the position of {document['match']}, not {name}")
        # The digest of the position that ``match show --full`` printed.
        digest = document.get("made_from")
        document, made_from = document["position"], digest if isinstance(digest, str) else None
    decide(Fix(name, document, made_from), why, yes=yes)


def act(
    name: Match,
    seat: Annotated[str, argument("SEAT", "The seat to act.", offered=True)],
    orders: Annotated[list[str], argument("ORDER", "As players write it, in quotes.")],
    *,
    eyes: Annotated[
        str | None, option("SEAT", "Explain refusals as to this seat.", "--as", offered=True)
    ] = None,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Give orders for a seat.

    All of them are played, or none, and its player is told. A refusal for a reason in the seat's
    hand is explained only with --as.

    Example: referee match act nord-1 red "place D6 D7" --why "asked for by telephone"
    """
    sees = None if eyes is None else eyes.strip().lower()
    decide(Acting(name, seat.strip().lower(), orders, sees), why, yes=yes)
