"""`referee match …`: start, list and show matches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args

import typer

from referee.cli import context, history, mending, mending_board, open_match, options, pace, show
from referee.games.game import ABANDONED

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from referee.desk.desk import Desk
    from referee.desk.ledger import Sitting
    from referee.desk.opening import Plan
    from referee.games.game import AnyGame, Board, Json
    from referee.matches.pace import Pace
    from referee.store.listing import Listed
    from referee.store.matches import MatchRow, SeatRow

app = typer.Typer()

app.command("open")(open_match.open_match)

BY_HAND: Final = frozenset({ABANDONED, "declared", "resigned", "damaged"})
"""Endings that no game's rules know."""

MOST_LEGAL: Final = 200
"""Legal orders listed by ``show --json``."""


@app.command()
def new(
    game: options.Game,
    *,
    seat: Annotated[
        list[str], typer.Option(help="red=alice@example.test, green=bot:greedy or blue=open")
    ],
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
    start: Annotated[bool, typer.Option("--start", help="Begin without waiting.")] = False,
) -> None:
    """Set up a match and invite its players; seats in turn order.

    Example: referee match new nord --seat red=alice@example.test --seat green=bot:greedy --start
    """
    from referee.desk import opening
    from referee.desk.desk import opened_desk

    with opened_desk(context.settings()) as desk:
        agreed = pace.read(desk.pace, time, bank, increment, reminder, grace, days_off, late)
        plan = read_plan(game, seat, option or [], board, seed, agreed, begins=start)
        with desk.store.writing() as connection:
            row = opening.set_up(desk, connection, plan)
    bots = all(each.bot for each in plan.holders)
    if not show.printed({"match": row.name, "bots_alone": bots}):
        typer.echo(row.name)
        if bots:
            typer.echo(_alone(row), err=True)


@app.command("start")
def start_match(name: options.Match) -> None:
    """Begin a match whose players have not all agreed yet.

    Example: referee match start nord-1
    """
    from referee.desk import opening
    from referee.desk.desk import opened_desk

    with opened_desk(context.settings()) as desk, desk.store.writing() as connection:
        row = opening.begin(desk, connection, _match(connection, name))
    said = f"{row.name} has begun; its players get their first report."
    if row.state == "invited":
        until = show.moment(row.due) if row.due else ""
        said = f"{row.name} begins when the words promised for chance are told, or at {until}."
    show.result({"match": row.name, "state": row.state}, said)


@app.command("list")
def list_matches(
    *,
    state: Annotated[
        str | None, typer.Option(help="Only those invited, running, paused, over, …")
    ] = None,
    late: Annotated[bool, typer.Option("--late", help="Only those out of time.")] = False,
) -> None:
    """List matches: whose turn it is, since when, until when, and what is late.

    Example: referee match list --state running

    Example: referee match list --late
    """
    from referee.desk.desk import opened_desk
    from referee.errors import RefereeError
    from referee.store.listing import declined, listed
    from referee.store.states import MatchState

    if state is not None and state not in get_args(MatchState):
        raise RefereeError(f"--state {state}: one of {', '.join(get_args(MatchState))}")
    with opened_desk(context.settings()) as desk, desk.store.reading() as connection:
        found = listed(connection, None if state == ABANDONED else state)
        gone: dict[str, list[str]] = {}
        for no in declined(connection):
            gone.setdefault(no.match, []).append(no.name)
        rows = [{**_listed(each, desk.now()), "declined": gone.get(each.name, [])}
                for each in found]  # fmt: skip
    if state == ABANDONED:
        rows = [each for each in rows if ABANDONED in {each["state"], each["ending"]}]
    if late:
        rows = [each for each in rows if each["late"]]
    if show.printed(rows):
        return
    titles = ("match", "game", "state", "turn", "to act", "who", "since", "until", "late")
    show.print_table(titles, [_cells(each) for each in rows], "There are no matches.")


def _cells(listed: dict[str, Any]) -> list[object]:
    """Return a match as a row; what was broken off or declared is not just over."""
    ending = listed["ending"]
    state = f"{listed['state']}: {ending}" if ending in BY_HAND else listed["state"]
    names = ", ".join(listed["declined"])
    who = f"declined: {names}" if names else listed["who"]
    shown = {**listed, "state": state, "who": who, "late": "late" if listed["late"] else ""}
    if listed["state"] == "moved":
        # Whose turn it is now only the other installation knows.
        shown |= {"to_act": None, "who": None}
    del shown["ending"], shown["declined"]
    return list(shown.values())


@app.command("show")
def show_match(
    name: options.Match,
    *,
    as_seat: Annotated[
        str | None, typer.Option("--as", metavar="SEAT", help="What this seat sees.")
    ] = None,
    turn: Annotated[int | None, typer.Option(help="As it stood when this turn began.")] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Hidden things too, as JSON: the players are told.")
    ] = False,
    why: Annotated[str, typer.Option(help="With --full: why, for the players.")] = "",
) -> None:
    """Show a match as a spectator sees it, or as one of its seats.

    With --full the whole position as JSON, for match fix; the players are told who looked and why.

    Example: referee match show nord-1 --as red
    Example: referee match show nord-1 --turn 12
    """
    from dataclasses import asdict

    from referee.desk import ledger
    from referee.desk.desk import opened_desk
    from referee.desk.mending.sitting_in import arranged
    from referee.errors import RefereeError
    from referee.store import matches as tables

    if full:
        mending_board.show_full(name, why)
        return
    with opened_desk(context.settings()) as desk, desk.store.reading() as connection:
        row = _match(connection, name)
        seats = tables.seats(connection, row.id)
        colours = [each.seat for each in seats]
        if as_seat is not None and as_seat not in colours:
            raise RefereeError(f"--as {as_seat}: {name} has the seats {', '.join(colours)}")
        if row.header is None:
            _show_invited(connection, row, seats)
            return
        sitting = ledger.load(desk, connection, row)
        if turn is not None:
            sitting = _at_turn(connection, sitting, turn)
        sitters = arranged(connection, row) if turn is None else []
        document = _described(sitting, as_seat) | {"stand_ins": [asdict(one) for one in sitters]}
        if not show.printed(document):
            _print_board(desk, connection, sitting, as_seat, [str(one) for one in sitters])


def _at_turn(connection: Connection, sitting: Sitting, turn: int) -> Sitting:
    """Return a match as it stood when a turn began; it is not due then any more."""
    from dataclasses import replace

    from referee.desk import ledger
    from referee.errors import RefereeError

    now = sitting.live.turn.number
    if not 1 <= turn <= now:
        raise RefereeError(f"--turn {turn}: {sitting.row.name} is at turn {now}: from 1 to {now}")
    if turn == now and not sitting.live.turn.over:
        return sitting
    if ledger.was_pruned(connection, sitting.row):
        raise RefereeError(f"{sitting.row.name} was pruned: import its record to see it")
    live = ledger.at_turn(connection, sitting, turn)
    return replace(sitting, row=replace(sitting.row, due=None, result=None), live=live)


def _alone(row: MatchRow) -> str:
    """Return what becomes of a match that nobody but bots plays."""
    if row.header is not None:
        return f"bots alone play {row.name}: nobody gets mail of it"
    return f"bots alone are to play {row.name}: referee match start {row.name} begins it"


def _listed(each: Listed, now: datetime) -> dict[str, Any]:
    running = each.state == "running"
    return {
        "match": each.name,
        "game": each.game,
        "state": each.state,
        "turn": each.turn,
        "to_act": each.to_act,
        "who": each.who,
        "since": each.since,
        "until": each.due if running else None,
        "late": running and each.due is not None and each.due < now,
        "ending": _ending(each.result),
    }


def _ending(result: str | None) -> str | None:
    """Return how a match ended; what is damaged keeps no other from being listed."""
    if result is None:
        return None
    try:
        return str(json.loads(result)["ending"])
    except (ValueError, LookupError, TypeError):
        return "damaged"


def _match(connection: Connection, name: str) -> MatchRow:
    from referee.desk.naming import no_match
    from referee.errors import RefereeError
    from referee.store import matches as tables

    row = tables.get(connection, name)
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
    from referee.desk.opening import Plan, read_options
    from referee.desk.people import parse_holder

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


def _described(sitting: Sitting, seat: str | None) -> dict[str, Json]:
    row, live, game = sitting.row, sitting.live, sitting.game
    document: dict[str, Json] = {
        "match": row.name,
        "game": row.game,
        "edition": row.edition,
        "state": row.state,
        "turn": live.turn.number,
        "to_act": live.turn.seat,
        "due": show.moment(row.due) if row.due else None,
        "head": live.head,
        **_chance(row),
        "points": dict(game.points(live.position)),
        "view": game.view(live.position, seat).document,
        "result": None if row.result is None else json.loads(row.result),
    }
    if seat is not None and seat == live.turn.seat:
        legal = list(game.orders(live.position))
        document["legal"] = [game.format(order, "en") for order in legal[:MOST_LEGAL]]
        document["legal_count"] = len(legal)
    return document


def _show_invited(
    connection: Connection, row: MatchRow, seats: tuple[SeatRow, ...]
) -> None:
    from referee.desk.posting import names_of

    names = {
        each.seat: "open" if each.holder == "nobody" else name
        for each, name in zip(seats, names_of(connection, seats).values(), strict=True)
    }
    holders: dict[str, Json] = {each.seat: each.agreed for each in seats}
    document: dict[str, Json] = {"match": row.name, "state": row.state, "turn": 0}
    if show.printed({**document, "agreed": holders, **_chance(row)}):
        return
    typer.echo(_how_invited(row, [each.seat for each in seats if each.holder == "nobody"]))
    rows = [(each.seat, names[each.seat], each.agreed) for each in seats]
    show.print_table(("seat", "who", "agreed"), rows, "")
    typer.echo(f"\n{_chance_told(row)}")


def _chance(row: MatchRow) -> dict[str, Json]:
    """Return what is known of a match's chance: its seed's hash, and who gives what for it."""
    from referee.matches.luck import Luck

    luck = Luck.from_text(row.words)
    seats: dict[str, Json] = dict.fromkeys(luck.words, "words")
    seats |= {each: "told" if each in luck.words else "promised" for each in luck.promised}
    until = row.due if row.state == "invited" else None
    return {
        "commitment": row.commitment,
        "luck": seats,
        "words_until": show.moment(until) if until else None,
        "forfeited": list(luck.pending) if row.header is not None else [],
    }


def _chance_told(row: MatchRow) -> str:
    """Return in lines what is known of a match's chance."""
    found: Any = _chance(row)
    lines = [f"SHA-256 of the seed: {found['commitment']}"]
    lines += [f"words of luck: {seat}: {how}" for seat, how in found["luck"].items()]
    if found["words_until"]:
        lines.append(f"Promised words are awaited until {found['words_until']}.")
    if found["forfeited"]:
        lines.append(f"Not told in time, so not mixed in: {', '.join(found['forfeited'])}")
    return "\n".join(lines)


def _how_invited(row: MatchRow, free: list[str]) -> str:
    """Return how a match stands that has no board yet."""
    if row.state != "invited":
        return f"{row.name} was called off before it began."
    if free:
        return f"{row.name} waits for somebody to join as {', '.join(free)}."
    return f"{row.name} waits for its players; referee match start {row.name} begins it."


def _print_board(
    desk: Desk, connection: Connection, sitting: Sitting, seat: str | None, notes: list[str]
) -> None:
    from referee.desk import ledger
    from referee.desk.posting import names_of
    from referee.render.sheets import draw
    from referee.render.wording import Wording

    row, live, game = sitting.row, sitting.live, sitting.game
    wording = Wording(game, desk.language)
    names = names_of(connection, sitting.seats)
    whose = f"{live.turn.seat} ({names[live.turn.seat]}) to act" if live.turn.seat else row.state
    until = f" · until {show.moment(row.due)}" if row.due else ""
    typer.echo(f"{row.name} · turn {live.turn.number} · {whose}{until}")
    typer.echo(_chance_told(row))
    if result := ledger.result_of(row):
        typer.echo(f"It ended ({result.ending}): {wording.ending(result.ending)}")
    for note in notes:
        typer.echo(note)
    typer.echo("")
    drawing = draw(live.scene(seat), wording)
    for line in drawing.text:
        typer.echo(line)
    for title, sentences in drawing.panels:
        typer.echo(f"\n{title}:")
        for sentence in sentences:
            typer.echo(f"  {sentence}")


app.command("history")(history.history)
mending.add_to(app)
mending_board.add_to(app)
