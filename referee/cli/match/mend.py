"""`referee match pause|resume|…`: what mends a running match; first a plan, then the deed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import output, session
from referee.cli.options import Match, Why, Yes
from referee.cli.plan import decide

if TYPE_CHECKING:
    from datetime import date

    from referee.desk.plans.act import Act
    from referee.games.game import Json


def add_to(app: typer.Typer) -> None:
    """Add the commands to those of matches."""
    for each in (pause, resume, extend, remind, resend, note, seat, end):
        app.command()(each)


def pause(name: Match, *, why: Why = "", yes: Yes = False) -> None:
    """Stop a match: no orders, no bots, no deadlines until it is resumed.

    Example: referee match pause nord-1 --why "holidays"
    """
    from referee.desk.plans.pause import Pause

    decide(Pause(name), why, yes=yes)


def resume(name: Match, *, why: Why = "", yes: Yes = False) -> None:
    """Let a paused match go on; everybody has the time that was left.

    Example: referee match resume nord-1 --why "back again" --yes
    """
    from referee.desk.plans.pause import Resume

    decide(Resume(name), why, yes=yes)


def extend(
    name: Match,
    span: Annotated[str, typer.Argument(metavar="SPAN", help="How much, such as 3d or 12h.")],
    *,
    seat: Annotated[str | None, typer.Option(help="Whose; default: to act.")] = None,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Give the seat to act more time for its turn; where seats have banks, any seat.

    Example: referee match extend nord-1 3d --why "Alice has the flu"

    Example: referee match extend nord-1 5d --seat blue --why "Bob was without mail for a week"
    """
    from referee.desk.plans.nudge import Extend
    from referee.errors import RefereeError
    from referee.matches.time.moments import parse_duration

    try:
        length = parse_duration(span)
    except ValueError as fault:
        raise RefereeError(f"SPAN: {fault}") from None
    decide(Extend(name, length, _colour(seat)), why, yes=yes)


def remind(name: Match, *, why: Why = "", yes: Yes = False) -> None:
    """Remind the player to act that it is his turn.

    Example: referee match remind nord-1 --why "the others wait"
    """
    from referee.desk.plans.nudge import Remind

    decide(Remind(name), why, yes=yes)


def resend(
    name: Match,
    *,
    seat: Annotated[str | None, typer.Option(help="To this seat only.")] = None,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Send the last report again, made anew for the present state, with the reply code of now.

    Example: referee match resend nord-1 --seat red --why "lost in a spam folder" --yes
    """
    from referee.desk.plans.nudge import Resend

    decide(Resend(name, _colour(seat)), why, yes=yes)


def note(
    name: Match,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What all players are told.")],
    *,
    why: Annotated[str, typer.Option(help="Why, if the text does not say it.")] = "",
    yes: Yes = False,
) -> None:
    """Write a word to all players of a match.

    Example: referee match note nord-1 "We meet on Sunday at Bob's."
    """
    from referee.desk.plans.act import LONGEST_WHY
    from referee.desk.plans.nudge import Note
    from referee.errors import RefereeError

    if not text.strip():
        raise RefereeError("TEXT is empty: write what the players are to be told")
    decide(Note(name, text), why or text.strip()[:LONGEST_WHY], yes=yes)


def seat(
    name: Match,
    colour: Annotated[str, typer.Argument(metavar="SEAT", help="The seat, such as red.")],
    holder: Annotated[
        str, typer.Argument(metavar="HOLDER", help="An address, bot:greedy, or nobody.")
    ],
    *,
    first: Annotated[
        str | None, typer.Option("--from", metavar="DAY", help="Only from this day on.")
    ] = None,
    last: Annotated[
        str | None, typer.Option("--to", metavar="DAY", help="Up to this day, then it returns.")
    ] = None,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Give a seat to another player, a bot, or nobody; or let somebody sit for some days.

    Example: referee match seat nord-1 red carol@example.test --why "Alice is moving house"

    Example: referee match seat nord-1 red bot:greedy --from 2026-12-20 --to 2026-12-27 --why "ill"
    """
    from referee.desk.plans.seat import HandOver, SitIn
    from referee.errors import RefereeError

    address, bot = _holder(holder)
    if first is None and last is None:
        act: Act = HandOver(name, colour.strip().lower(), address, bot)
    elif first is None or last is None:
        raise RefereeError("somebody sits from a day to a day: give both --from and --to")
    else:
        days = _day("--from", first), _day("--to", last)
        act = SitIn(name, colour.strip().lower(), *days, address, bot)
    decide(act, why, yes=yes)


def end(
    name: Match,
    *,
    abandon: Annotated[
        bool, typer.Option("--abandon", help="Break it off: nobody has won or lost.")
    ] = False,
    result: Annotated[
        list[str] | None, typer.Option(metavar="SEAT=PLACE", help="Every seat's place, red=1.")
    ] = None,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """End a match that its rules do not end: break it off, or declare its result.

    Example: referee match end nord-1 --abandon --why "Bob does not answer any more"

    Example: referee match end nord-1 --result red=1 --result green=2 --result blue=2 --why agreed
    """
    from referee.desk.plans.end import End, parse_places
    from referee.errors import RefereeError

    if abandon == bool(result):
        raise RefereeError("how does it end? give either --abandon or a --result for every seat")
    decide(End(name, parse_places(result) if result else None), why, yes=yes)


def _colour(seat: str | None) -> str | None:
    return None if seat is None else seat.strip().lower()


def _holder(text: str) -> tuple[str | None, str | None]:
    """Return the address or the bot that a text names; neither: nobody."""
    from referee.bots import BOTS
    from referee.errors import RefereeError
    from referee.mail import addressing

    if text.strip().lower() == "nobody":
        return None, None
    if text.startswith("bot:"):
        bot = text.removeprefix("bot:")
        if bot not in BOTS:
            raise RefereeError(f"HOLDER {text}: the bots are {', '.join(sorted(BOTS))}")
        return None, bot
    address = addressing.valid_address(text.strip())
    if address is None:
        raise RefereeError(f"HOLDER {text}: an address, bot:greedy, or nobody")
    return address, None


def _day(option: str, text: str) -> date:
    from datetime import date

    from referee.errors import RefereeError

    try:
        return date.fromisoformat(text)
    except ValueError:
        raise RefereeError(f"{option} {text}: write the day like 2026-12-20") from None


def add_board_to(app: typer.Typer) -> None:
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
    from referee.desk.plans.board import Undo

    decide(Undo(name, to, revealed), why, yes=yes)


def redo(name: Match, *, why: Why = "", yes: Yes = False) -> None:
    """Let stand again what was taken back, if nothing has happened since.

    Example: referee match redo nord-1 --why "it was right after all" --yes
    """
    from referee.desk.plans.board import Redo

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
    from referee.desk.plans.board import Fix

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
    from referee.desk.plans.act_for import Acting

    sees = None if eyes is None else eyes.strip().lower()
    decide(Acting(name, seat.strip().lower(), tuple(orders), sees), why, yes=yes)


def show_full(name: str, why: str) -> None:
    """Print the whole position of a match as JSON; the players of one that runs are told."""
    from referee.desk.desk import opened_desk
    from referee.desk.matches import ledger
    from referee.desk.plans import plan
    from referee.desk.plans.act_for import Looking
    from referee.errors import RefereeError
    from referee.games.play import digest
    from referee.store.play import matches

    with opened_desk(session.settings()) as desk:
        with desk.store.reading() as connection:
            row = matches.get(connection, name)
            if row is None or row.header is None:
                raise RefereeError(f"there is no begun match {name}: see referee match list")
        if row.state in {"running", "paused"}:
            plan.carry_out(desk, Looking(name), why)
        with desk.store.reading() as connection:
            live = ledger.load(desk, connection, matches.by_id(connection, row.id)).live
    position = live.game.dump(live.position)
    made_from = digest(live.game, live.position)
    output.print_json(
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
