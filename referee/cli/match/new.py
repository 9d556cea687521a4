"""``referee match new|open|start``: setting up matches, for named players or open to all."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from referee.cli import options, output, session
from referee.cli.completion import offering
from referee.cli.match.conditions import with_conditions
from referee.desk.desk import opened_desk
from referee.desk.directory import require_match
from referee.desk.seats import setup
from referee.desk.seats.conditions import Conditions, read_open_setup, read_setup
from referee.desk.seats.vacancies import Seating

Game: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="GAME", help="The game, such as nord.", autocompletion=offering("GAME")),
]


@with_conditions
def new(
    game: Game,
    *,
    seat: Annotated[
        list[str],
        typer.Option(
            metavar="SEAT=HOLDER",
            help="A seat in turn order: red=alice@example.test, green=bot:greedy or blue=open; "
            "repeatable.",
        ),
    ],
    given: Conditions,
    start: Annotated[bool, typer.Option("--start", help="Begin at once.")] = False,
) -> None:
    """Set up a match and invite its players.

    Example: referee match new nord --seat red=alice@example.test --seat green=bot:greedy --start
    """
    with opened_desk(session.settings()) as desk:
        plan = read_setup(desk, game, seat, given, begins=start)
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


def start_match(name: options.Match) -> None:
    """Begin a match before everybody has agreed.

    Example: referee match start nord-1
    """
    with opened_desk(session.settings()) as desk, desk.writing() as change:
        row = setup.begin_match(change, require_match(change.connection, name))
    said = f"{row.name} has begun; its players get their first report."
    output.result({"match": row.name, "state": row.state}, said)


@with_conditions
def open_match(
    game: Game,
    *,
    seats: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Seats; default: the fewest.")
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT=HOLDER",
            help="A seat given to a player, or named: red=alice@example.test, green=open.",
        ),
    ] = None,
    drawn: Annotated[
        bool, typer.Option("--drawn/--chosen", help="Draw seats by lot, or let players choose.")
    ] = False,
    players: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Begin with fewer players; --fill takes the rest."),
    ] = None,
    fill: Annotated[
        str | None, typer.Option(metavar="BOT", help="The bot for seats left open, such as greedy.")
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
    if not output.printed({"match": row.name, "commitment": row.commitment}):
        typer.echo(f"{row.name} is open: players write join {row.name}")
