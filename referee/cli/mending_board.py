"""`referee match undo|redo|fix|act`: what changes the board itself; first a plan, then the deed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import context, show
from referee.cli.mending import decide
from referee.cli.options import Match, Why, Yes

if TYPE_CHECKING:
    from referee.games.game import Json


def add_to(app: typer.Typer) -> None:
    """Add the commands to those of matches."""
    for each in (undo, redo, fix, act):
        app.command()(each)


def undo(
    name: Match,
    *,
    to: Annotated[
        int | None,
        typer.Option(metavar="TURN", help="To the beginning of this turn; default: the last one."),
    ] = None,
    revealed: Annotated[
        bool, typer.Option("--reveal-known", help="Even past what somebody learnt meanwhile.")
    ] = False,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Take back what was played since a turn began; by default the last turn a player played in.

    Once the record of a match is out, chance goes on with a new seed.

    Example: referee match undo nord-1 --to 12 --why "a typing error"
    """
    from referee.desk.mending.undo import Undo

    decide(Undo(name, to, revealed), why, yes=yes)


def redo(name: Match, *, why: Why = "", yes: Yes = False) -> None:
    """Let stand again what was taken back, if nothing has happened since.

    Example: referee match redo nord-1 --why "it was right after all" --yes
    """
    from referee.desk.mending.redo import Redo

    decide(Redo(name), why, yes=yes)


def fix(
    name: Match,
    file: Annotated[Path, typer.Argument(help="A JSON Patch, or a whole position; - reads it.")],
    *,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Set the position by a JSON Patch, or to an edited document from show --full.

    The game must find it complete: no piece may be lost or added.

    Example: referee match fix nord-1 patch.json --why "a worker stood on the wrong space"
    """
    from referee.desk.mending.fix import Fix

    decide(Fix(name, *_read(file, name)), why, yes=yes)


def act(
    name: Match,
    seat: Annotated[str, typer.Argument(help="The seat to act.")],
    orders: Annotated[list[str], typer.Argument(metavar="ORDER...", help="As players write them.")],
    *,
    eyes: Annotated[
        str | None,
        typer.Option("--as", metavar="SEAT", help="With whose eyes a refusal is told."),
    ] = None,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Give orders for a seat, each in quotes; all of them are played or none. Its player is told.

    What is refused for something in its hand is told in full with --as and the seat alone.

    Example: referee match act nord-1 red "place D6 D7" --why "he asked me by telephone"
    """
    from referee.desk.mending.acting import Acting

    sees = None if eyes is None else eyes.strip().lower()
    decide(Acting(name, seat.strip().lower(), tuple(orders), sees), why, yes=yes)


def show_full(name: str, why: str) -> None:
    """Print the whole position of a match as JSON; the players of one that runs are told."""
    from referee.desk import ledger
    from referee.desk.desk import opened_desk
    from referee.desk.mending import planning
    from referee.desk.mending.acting import Looking
    from referee.errors import RefereeError
    from referee.games.play import digest
    from referee.store import matches as tables

    with opened_desk(context.settings()) as desk:
        with desk.store.reading() as connection:
            row = tables.get(connection, name)
            if row is None or row.header is None:
                raise RefereeError(f"there is no begun match {name}: see referee match list")
        if row.state in {"running", "paused"}:
            planning.carry_out(desk, Looking(name), why)
        with desk.store.reading() as connection:
            live = ledger.load(desk, connection, tables.by_id(connection, row.id)).live
    position = live.game.dump(live.position)
    made_from = digest(live.game, live.position)
    show.print_json(
        {
            "match": name,
            "turn": live.turn.number,
            "made_from": made_from,
            "position": position,
        }
    )


def _read(file: Path, name: str) -> tuple[Json, str | None]:
    """Return a file's JSON, and the digest of the position it was made from, if it names one.

    What ``show --full`` prints counts by its position.
    """
    import json

    from referee.cli.files import content_of
    from referee.errors import RefereeError

    text = content_of(file)
    try:
        document: Json = json.loads(text.decode())
        # JSON may spell half a character, which nothing can be written with.
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as fault:
        raise RefereeError(f"{file}: no JSON: {fault}") from None
    if isinstance(document, dict) and isinstance(document.get("position"), dict):
        if document.get("match", name) != name:
            raise RefereeError(f"{file}: this is the position of {document['match']}, not {name}")
        made_from = document.get("made_from")
        return document["position"], made_from if isinstance(made_from, str) else None
    return document, None
