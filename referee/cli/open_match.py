"""`referee match open`: a match that players join by mail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import context, options, pace, show

if TYPE_CHECKING:
    from referee.games.game import AnyGame


def open_match(
    game: options.Game,
    *,
    seats: Annotated[int | None, typer.Option(help="How many seats; the fewest it allows.")] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(help="A seat that is given or named: red=alice@example.test, green=open."),
    ] = None,
    drawn: Annotated[
        bool, typer.Option("--drawn/--chosen", help="Seats by lot, or as who joins chooses.")
    ] = False,
    players: Annotated[
        int | None, typer.Option(help="Begin with so many players; --fill takes the other seats.")
    ] = None,
    fill: Annotated[
        str | None, typer.Option(metavar="BOT", help="The bot for seats nobody joined.")
    ] = None,
    option: options.Variant = None,
    board: options.BoardFile = None,
    seed: options.Seed = None,
    time: pace.Time = None,
    bank: pace.Bank = None,
    increment: pace.Increment = None,
    reminder: pace.Reminder = None,
    grace: pace.Grace = None,
    days_off: pace.DaysOff = None,
    late: pace.Late = None,
) -> None:
    """Open a match that players join by mail; it begins when it has all its players.

    Example: referee match open nord --seats 4

    Example: referee match open nord --seats 3 --drawn --players 2 --fill greedy
    """
    from dataclasses import replace

    from referee.cli.match import find_game, read_plan
    from referee.desk import opening
    from referee.desk.desk import opened_desk
    from referee.desk.seating import Seating

    found = find_game(game)
    holders = _holders(found, seats, seat or [])
    _check(found, holders, players, fill)
    with opened_desk(context.settings()) as desk:
        agreed = pace.read(desk.pace, time, bank, increment, reminder, grace, days_off, late)
        plan = read_plan(game, holders, option or [], board, seed, agreed, begins=False)
        plan = replace(plan, seating=Seating(drawn=drawn, players=players, fill=fill))
        with desk.store.writing() as connection:
            row = opening.set_up(desk, connection, plan)
    if show.printed({"match": row.name, "commitment": row.commitment}):
        return
    typer.echo(f"{row.name} is open: players write join {row.name}")


def _holders(game: AnyGame, seats: int | None, given: list[str]) -> list[str]:
    """Return all seats of the match in the game's order, those not given open."""
    from referee.errors import RefereeError

    named = {each.partition("=")[0].strip().lower(): each for each in given}
    count = seats if seats is not None else max(game.seats[0], len(named))
    least, most = game.seats[0], game.seats[-1]
    if count not in game.seats or len(named) > count:
        raise RefereeError(f"--seats {count}: {game.name} is for {least} to {most} seats")
    free = [colour for colour in game.colours if colour not in named]
    chosen = {*named, *free[: count - len(named)]}
    ordered = [colour for colour in game.colours if colour in chosen]
    strange = [each for colour, each in named.items() if colour not in game.colours]
    return [named.get(colour, f"{colour}=open") for colour in ordered] + strange


def _check(game: AnyGame, holders: list[str], players: int | None, fill: str | None) -> None:
    """Refuse what can never begin. Raises RefereeError."""
    from referee.bots import BOTS
    from referee.desk.people import OPEN, parse_holder
    from referee.errors import RefereeError

    if fill is not None and fill not in BOTS:
        raise RefereeError(f"--fill {fill}: the bots are {', '.join(sorted(BOTS))}")
    read = [parse_holder(each, game) for each in holders]
    free = sum(each.address is None and each.bot is None for each in read)
    people = free + sum(each.address is not None for each in read)
    if not free:
        raise RefereeError(f"no seat is {OPEN}: referee match new sets up a match without")
    if players is not None and not people - free < players <= people:
        raise RefereeError(f"--players {players}: more than are given a seat, at most {people}")
    if players is not None and players < people and fill is None:
        raise RefereeError("--players: with --fill BOT, which takes the seats that are left")
