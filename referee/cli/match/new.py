"""`referee match new|start|open`: matches are set up, by name or open to whoever joins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import options as cli_options
from referee.cli import output, session

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from referee.desk.seats.setup import Plan
    from referee.games.game import AnyGame, Board
    from referee.matches.time.pace import Pace
    from referee.store.play.matches import MatchRow


def new(
    game: cli_options.Game,
    *,
    seat: Annotated[
        list[str], typer.Option(help="red=alice@example.test, green=bot:greedy or blue=open")
    ],
    option: cli_options.Variant = None,
    board: cli_options.BoardFile = None,
    seed: cli_options.Seed = None,
    time: cli_options.Time = None,
    bank: cli_options.Bank = None,
    increment: cli_options.Increment = None,
    reminder: cli_options.Reminder = None,
    grace: cli_options.Grace = None,
    days_off: cli_options.DaysOff = None,
    late: cli_options.Late = None,
    start: Annotated[bool, typer.Option("--start", help="Begin without waiting.")] = False,
) -> None:
    """Set up a match and invite its players; seats in turn order.

    Example: referee match new nord --seat red=alice@example.test --seat green=bot:greedy --start
    """
    from referee.desk.desk import opened_desk
    from referee.desk.seats import setup

    with opened_desk(session.settings()) as desk:
        agreed = cli_options.read(desk.pace, time, bank, increment, reminder, grace, days_off, late)
        plan = read_plan(game, seat, option or [], board, seed, agreed, begins=start)
        with desk.store.writing() as connection:
            row = setup.set_up(desk, connection, plan)
    bots = all(each.bot for each in plan.holders)
    if not output.printed({"match": row.name, "bots_alone": bots}):
        typer.echo(row.name)
        if bots:
            typer.echo(_alone(row), err=True)


def start_match(name: cli_options.Match) -> None:
    """Begin a match whose players have not all agreed yet.

    Example: referee match start nord-1
    """
    from referee.desk.desk import opened_desk
    from referee.desk.seats import setup

    with opened_desk(session.settings()) as desk, desk.store.writing() as connection:
        row = setup.begin(desk, connection, find_match(connection, name))
    said = f"{row.name} has begun; its players get their first report."
    if row.state == "invited":
        until = output.moment(row.due) if row.due else ""
        said = f"{row.name} begins when the words promised for chance are told, or at {until}."
    output.result({"match": row.name, "state": row.state}, said)


def _alone(row: MatchRow) -> str:
    """Return what becomes of a match that nobody but bots plays."""
    if row.header is not None:
        return f"bots alone play {row.name}: nobody gets mail of it"
    return f"bots alone are to play {row.name}: referee match start {row.name} begins it"


def find_match(connection: Connection, name: str) -> MatchRow:
    """Return the match of a name. Raises RefereeError, naming the nearest."""
    from referee.desk.names import no_match
    from referee.errors import RefereeError
    from referee.store.play import matches

    row = matches.get(connection, name)
    if row is None:
        raise RefereeError(no_match(connection, name))
    return row


def find_game(name: str) -> AnyGame:
    """Return a game by its name. Raises RefereeError."""
    from referee.errors import RefereeError
    from referee.games import registry

    try:
        return registry.find(name)
    except LookupError as fault:
        raise RefereeError(str(fault.args[0])) from None


def read_plan(
    game_name: str,
    seats: list[str],
    options: list[str],
    board: Path | None,
    seed: str | None,
    agreed: Pace,
    *,
    begins: bool,
) -> Plan:
    """Return a match as it was asked for on the command line. Raises RefereeError."""
    from referee.desk.players import parse_holder
    from referee.desk.seats.setup import Plan, read_options

    game = find_game(game_name)
    return Plan(
        game=game,
        holders=tuple(parse_holder(each, game) for each in seats),
        options=read_options(game, options),
        board=_read_board(board),
        seed=_read_seed(seed),
        pace=agreed,
        begins=begins,
    )


def _read_seed(text: str | None) -> bytes | None:
    from referee.errors import RefereeError

    if text is None:
        return None
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise RefereeError("--seed: 64 hexadecimal digits, which are 32 bytes")
    return seed


def _read_board(file: Path | None) -> Board | None:
    from referee.cli.files import content_of
    from referee.errors import RefereeError

    if file is None:
        return None
    text = content_of(file)
    try:
        document = json.loads(text.decode())
        # JSON may spell half a character, which nothing can be written with.
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as fault:
        raise RefereeError(f"--board {file}: no JSON: {fault}") from None
    if not isinstance(document, dict):
        raise RefereeError(f"--board {file}: a board is a JSON object")
    return document


def open_match(
    game: cli_options.Game,
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
    option: cli_options.Variant = None,
    board: cli_options.BoardFile = None,
    seed: cli_options.Seed = None,
    time: cli_options.Time = None,
    bank: cli_options.Bank = None,
    increment: cli_options.Increment = None,
    reminder: cli_options.Reminder = None,
    grace: cli_options.Grace = None,
    days_off: cli_options.DaysOff = None,
    late: cli_options.Late = None,
) -> None:
    """Open a match that players join by mail; it begins when it has all its players.

    Example: referee match open nord --seats 4

    Example: referee match open nord --seats 3 --drawn --players 2 --fill greedy
    """
    from dataclasses import replace

    from referee.desk.desk import opened_desk
    from referee.desk.seats import setup
    from referee.desk.seats.vacancies import Seating

    found = find_game(game)
    holders = _holders(found, seats, seat or [])
    _check(found, holders, players, fill)
    with opened_desk(session.settings()) as desk:
        agreed = cli_options.read(desk.pace, time, bank, increment, reminder, grace, days_off, late)
        plan = read_plan(game, holders, option or [], board, seed, agreed, begins=False)
        plan = replace(plan, seating=Seating(drawn=drawn, players=players, fill=fill))
        with desk.store.writing() as connection:
            row = setup.set_up(desk, connection, plan)
    if output.printed({"match": row.name, "commitment": row.commitment}):
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
    from referee.desk.players import OPEN, parse_holder
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
