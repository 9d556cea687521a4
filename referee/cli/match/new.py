"""``referee match new|open|start``: setting up matches, for named players or open to all."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, TypeAlias, cast

import typer

from referee.cli import options, output, session
from referee.cli.options import argument, flag, json_of, option
from referee.desk.desk import opened_desk
from referee.desk.directory import require_match
from referee.desk.matches.time import outages
from referee.desk.seats import setup
from referee.desk.seats.setup import Conditions, read_open_setup, read_setup
from referee.desk.seats.vacancies import Seating
from referee.errors import RefereeError

GameName: TypeAlias = Annotated[str, argument("GAME", "The game, such as nord.", offered=True)]


def conditions(
    *,
    option: Annotated[
        list[str] | None, option("NAME=VALUE", "A variant of the game; repeatable.")
    ] = None,
    board: Annotated[Path | None, option("FILE", "A board file to play on.")] = None,
    seed: Annotated[
        str | None, option("HEX", "A known seed of 32 bytes, for practice only.")
    ] = None,
    time: Annotated[str | None, option("TIME", "Time for each turn, such as 7d, or none.")] = None,
    bank: Annotated[
        str | None, option("TIME", "Instead: each seat's time for the match, such as 30d.")
    ] = None,
    increment: Annotated[
        str | None, option("TIME", "Added to the bank each turn, such as 12h.")
    ] = None,
    reminder: Annotated[
        list[str] | None,
        option("TIME", "Remind when this is left, such as 1d, or none; repeatable."),
    ] = None,
    leeway: Annotated[
        str | None, option("TIME", "Wait this long before --late takes effect.")
    ] = None,
    grace: Annotated[
        str | None, option("TIME", "Hold orders this long, such as 10m: withdraw undoes.")
    ] = None,
    talk: Annotated[
        str | None, option("TIME", "Hold orders in a mail that says more, such as 1h.")
    ] = None,
    days_off: Annotated[
        list[str] | None,
        option(
            "DAYS", "No clock runs on these: weekends, fri, 2026-12-25, 12-25 each year, or none."
        ),
    ] = None,
    late: Annotated[
        str | None,
        option(
            "wait|idle|bot|bot:NAME|resign",
            "When time is up: wait; play idle, as the rules say; let a bot play; resign.",
        ),
    ] = None,
) -> Conditions:
    """Return the conditions that these options give. Raises RefereeError."""
    document = None if board is None else json_of(board, "--board")
    if board is not None and not isinstance(document, dict):
        raise RefereeError(f"--board {board}: a board is a JSON object")
    return Conditions(
        option or (), document, seed, time=time, bank=bank, increment=increment, reminders=reminder,
        leeway=leeway, grace=grace, talk=talk, days_off=days_off, late=late,
    )  # fmt: skip


def with_conditions(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of ``conditions``, in place of ``given``."""
    offered = signature(conditions, eval_str=True).parameters

    @wraps(command)
    def called(**values: Any) -> None:
        texts = {name: values.pop(name) for name in offered}
        command(**values, given=conditions(**texts))

    own = signature(command, eval_str=True).parameters.values()
    whole: list[Parameter] = []
    for parameter in own:
        whole += offered.values() if parameter.name == "given" else [parameter]
    # Typer reads both: the signature, and the annotations in it.
    cast("Any", called).__signature__ = Signature(whole)
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in whole}
    return called


@with_conditions
def new(
    game: GameName,
    *,
    seat: Annotated[
        list[str] | None,
        option(
            "SEAT=HOLDER",
            "A seat in turn order: red=alice@example.test, green=bot:greedy or blue=open; "
            "repeatable. Without any the game's seats and options are told.",
        ),
    ] = None,
    given: Conditions,
    start: Annotated[bool, flag("Begin at once.", "--start")] = False,
) -> None:
    """Set up a match and invite its players.

    Example: referee match new nord --seat red=alice@example.test --seat green=bot:greedy --start
    """
    with opened_desk(session.settings()) as desk:
        plan = read_setup(desk, game, seat or (), given, begins=start)
        with desk.writing() as change:
            row = setup.set_up_match(change, plan)
    bots = all(holder.bot for holder in plan.holders)
    if output.printed({"match": row.name, "bots_alone": bots}):
        return
    typer.echo(row.name)
    if bots and row.header is not None:
        typer.echo(f"bots alone play {row.name}: nobody gets mail of it", err=True)
    elif bots:
        begins = f"referee match start {row.name} begins it"
        typer.echo(f"bots alone are to play {row.name}: {begins}", err=True)


def start_match(name: options.MatchName) -> None:
    """Begin a match before everybody has agreed.

    Example: referee match start nord-1
    """
    with opened_desk(session.settings()) as desk, desk.writing() as change:
        outages.refuse_behind(change)
        row = setup.begin_match(change, require_match(change.connection, name))
    said = f"{row.name} has begun; its players get their first report."
    output.result({"match": row.name, "state": row.state}, said)


@with_conditions
def open_match(
    game: GameName,
    *,
    seats: Annotated[int | None, option("NUMBER", "Seats; default: the fewest.")] = None,
    seat: Annotated[
        list[str] | None,
        option(
            "SEAT=HOLDER", "A seat given to a player, or named: red=alice@example.test, green=open."
        ),
    ] = None,
    drawn: Annotated[
        bool, typer.Option("--drawn/--chosen", help="Draw seats by lot, or let players choose.")
    ] = False,
    players: Annotated[
        int | None, option("NUMBER", "Begin with fewer players; --fill takes the rest.")
    ] = None,
    fill: Annotated[
        str | None, option("BOT", "The bot for seats left open, such as greedy.")
    ] = None,
    given: Conditions,
) -> None:
    """Open a match that players join by mail.

    It begins when it has all its players.

    Example: referee match open nord --seats 4

    Example: referee match open nord --seats 3 --drawn --players 2 --fill greedy
    """
    seating = Seating(drawn=drawn, players=players, fill=fill)
    with opened_desk(session.settings()) as desk:
        plan = read_open_setup(desk, game, seats, seat or [], seating, given)
        with desk.writing() as change:
            row = setup.set_up_match(change, plan)
    document = {"match": row.name, "commitment": row.commitment}
    output.result(document, f"{row.name} is open: players write join {row.name}")
