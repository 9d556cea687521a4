"""``referee match new|open|start``: setting up matches, for named players or open to all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from referee.bots import BOTS
from referee.cli import options, output, session
from referee.cli.files import json_of
from referee.cli.match import pace
from referee.cli.match.find import find_match
from referee.desk.desk import opened_desk
from referee.desk.players import OPEN, parse_holder
from referee.desk.seats import setup
from referee.desk.seats.setup import Plan, read_options
from referee.desk.seats.vacancies import Seating
from referee.errors import RefereeError
from referee.games import registry
from referee.games.game import AnyGame, Board
from referee.matches.time.pace import Pace
from referee.store.play.matches import MatchRow

Game: TypeAlias = Annotated[str, typer.Argument(metavar="GAME", help="The game, such as nord.")]

Seed: TypeAlias = Annotated[
    str | None, typer.Option(metavar="HEX", help="A known seed of 32 bytes, for practice only.")
]


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
    option: options.Variant = None,
    board: options.BoardFile = None,
    seed: Seed = None,
    time: pace.Time = None,
    bank: pace.Bank = None,
    increment: pace.Increment = None,
    reminder: pace.Reminder = None,
    grace: pace.Grace = None,
    days_off: pace.DaysOff = None,
    late: pace.Late = None,
    start: Annotated[bool, typer.Option("--start", help="Begin at once.")] = False,
) -> None:
    """Set up a match and invite its players.

    Example: referee match new nord --seat red=alice@example.test --seat green=bot:greedy --start
    """
    with opened_desk(session.settings()) as desk:
        agreed = pace.read(desk.pace, time, bank, increment, reminder, grace, days_off, late)
        plan = read_plan(game, seat, option or [], board, seed, agreed, begins=start)
        with desk.writing() as change:
            row = setup.set_up(change, plan)
    bots = all(each.bot for each in plan.holders)
    if not output.printed({"match": row.name, "bots_alone": bots}):
        typer.echo(row.name)
        if bots:
            typer.echo(_alone(row), err=True)


def start_match(name: options.Match) -> None:
    """Begin a match before everybody has agreed.

    Example: referee match start nord-1
    """
    with opened_desk(session.settings()) as desk, desk.writing() as change:
        row = setup.begin(change, find_match(change.connection, name))
    said = f"{row.name} has begun; its players get their first report."
    if row.state == "invited":
        until = output.moment(row.due) if row.due else ""
        said = f"{row.name} begins when the words promised for chance are told, or at {until}."
    output.result({"match": row.name, "state": row.state}, said)


def _alone(row: MatchRow) -> str:
    """Return the warning that only bots play a match."""
    if row.header is not None:
        return f"bots alone play {row.name}: nobody gets mail of it"
    return f"bots alone are to play {row.name}: referee match start {row.name} begins it"


def find_game(name: str) -> AnyGame:
    """Return a game by its name. Raises RefereeError."""
    try:
        return registry.find(name)
    except LookupError as fault:
        raise RefereeError(str(fault.args[0])) from None


def read_plan(
    game_name: str,
    seats: list[str],
    variants: list[str],
    board: Path | None,
    seed: str | None,
    agreed: Pace,
    *,
    begins: bool,
) -> Plan:
    """Return the match that the options describe. Raises RefereeError."""
    game = find_game(game_name)
    return Plan(
        game=game,
        holders=tuple(parse_holder(each, game) for each in seats),
        options=read_options(game, variants),
        board=_read_board(board),
        seed=_read_seed(seed),
        pace=agreed,
        begins=begins,
    )


def _read_seed(text: str | None) -> bytes | None:
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
    if file is None:
        return None
    document = json_of(file, "--board")
    if not isinstance(document, dict):
        raise RefereeError(f"--board {file}: a board is a JSON object")
    return document


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
    option: options.Variant = None,
    board: options.BoardFile = None,
    seed: Seed = None,
    time: pace.Time = None,
    bank: pace.Bank = None,
    increment: pace.Increment = None,
    reminder: pace.Reminder = None,
    grace: pace.Grace = None,
    days_off: pace.DaysOff = None,
    late: pace.Late = None,
) -> None:
    """Open a match that players join by mail.

    It begins when it has all its players.

    Example: referee match open nord --seats 4

    Example: referee match open nord --seats 3 --drawn --players 2 --fill greedy
    """
    found = find_game(game)
    holders = _holders(found, seats, seat or [])
    _check(found, holders, players, fill)
    with opened_desk(session.settings()) as desk:
        agreed = pace.read(desk.pace, time, bank, increment, reminder, grace, days_off, late)
        plan = read_plan(game, holders, option or [], board, seed, agreed, begins=False)
        plan = replace(plan, seating=Seating(drawn=drawn, players=players, fill=fill))
        with desk.writing() as change:
            row = setup.set_up(change, plan)
    if output.printed({"match": row.name, "commitment": row.commitment}):
        return
    typer.echo(f"{row.name} is open: players write join {row.name}")


def _holders(game: AnyGame, seats: int | None, given: list[str]) -> list[str]:
    """Return a holder for every seat, in the game's order."""
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
    """Refuse an open match that could never begin. Raises RefereeError."""
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
