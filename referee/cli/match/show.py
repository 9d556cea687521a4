"""``referee match show``: the board of a match, or its whole position."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Annotated, Any, Final

import typer
from sqlalchemy import Connection

from referee.cli import options, output, session
from referee.cli.match.find import find_match
from referee.desk.desk import Change, opened_desk
from referee.desk.matches import ledger
from referee.desk.matches.ledger import Sitting
from referee.desk.players import names_of
from referee.desk.seats.standins import arranged
from referee.errors import RefereeError
from referee.games.game import Json
from referee.matches.luck import Luck
from referee.render.content import draw
from referee.render.wording import Wording
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.play.seats import SeatRow

MOST_LEGAL: Final = 200
"""Legal orders listed by ``show --json``."""


def show_match(
    name: options.Match,
    *,
    as_seat: Annotated[
        str | None, typer.Option("--as", metavar="SEAT", help="As this seat sees it.")
    ] = None,
    turn: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="As it was when this turn began.")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="The whole position as JSON; the players are told.")
    ] = False,
    why: Annotated[
        str, typer.Option(metavar="TEXT", help="With --full: why; the players read it.")
    ] = "",
) -> None:
    """Show a match as a spectator or a seat sees it.

    With --full it prints the whole position as JSON, hidden parts included, for match fix; the
    players are told who looked and why.

    Example: referee match show nord-1 --as red

    Example: referee match show nord-1 --turn 12
    """
    if full:
        # Only this needs plans, whose import would slow down every look at a match.
        from referee.cli.match.full import show_full  # noqa: PLC0415

        show_full(name, why)
        return
    with opened_desk(session.settings()) as desk, desk.reading() as change:
        row = find_match(change.connection, name)
        seats = matches.seats(change.connection, row.id)
        colours = [each.seat for each in seats]
        if as_seat is not None and as_seat not in colours:
            raise RefereeError(f"--as {as_seat}: {name} has the seats {', '.join(colours)}")
        if row.header is None:
            _show_invited(change.connection, row, seats)
            return
        sitting = ledger.load(change, row)
        if turn is not None:
            sitting = _at_turn(change.connection, sitting, turn)
        sitters = arranged(change.connection, row) if turn is None else []
        document = _described(sitting, as_seat) | {"stand_ins": [asdict(one) for one in sitters]}
        if not output.printed(document):
            _print_board(change, sitting, as_seat, [str(one) for one in sitters])


def _at_turn(connection: Connection, sitting: Sitting, turn: int) -> Sitting:
    """Return a match as it was when a turn began, without deadline."""
    now = sitting.live.turn.number
    if not 1 <= turn <= now:
        raise RefereeError(f"--turn {turn}: {sitting.row.name} is at turn {now}: from 1 to {now}")
    if turn == now and not sitting.live.turn.over:
        return sitting
    if ledger.was_pruned(connection, sitting.row):
        raise RefereeError(f"{sitting.row.name} was pruned: import its record to see it")
    live = ledger.at_turn(connection, sitting, turn)
    return replace(sitting, row=replace(sitting.row, due=None, result=None), live=live)


def _described(sitting: Sitting, seat: str | None) -> dict[str, Json]:
    row, live, game = sitting.row, sitting.live, sitting.game
    document: dict[str, Json] = {
        "match": row.name,
        "game": row.game,
        "edition": row.edition,
        "state": row.state,
        "turn": live.turn.number,
        "to_act": live.turn.seat,
        "due": output.moment(row.due) if row.due else None,
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


def _show_invited(connection: Connection, row: MatchRow, seats: tuple[SeatRow, ...]) -> None:
    names = {
        each.seat: "open" if each.holder == "nobody" else name
        for each, name in zip(seats, names_of(connection, seats).values(), strict=True)
    }
    holders: dict[str, Json] = {each.seat: each.agreed for each in seats}
    document: dict[str, Json] = {"match": row.name, "state": row.state, "turn": 0}
    if output.printed({**document, "agreed": holders, **_chance(row)}):
        return
    typer.echo(_how_invited(row, [each.seat for each in seats if each.holder == "nobody"]))
    rows = [(each.seat, names[each.seat], each.agreed) for each in seats]
    output.print_table(("seat", "who", "agreed"), rows, "")
    typer.echo(f"\n{_chance_told(row)}")


def _chance(row: MatchRow) -> dict[str, Json]:
    """Return the public facts about chance: the commitment, and the seats' words of luck."""
    luck = Luck.from_text(row.words)
    seats: dict[str, Json] = dict.fromkeys(luck.words, "words")
    seats |= {each: "told" if each in luck.words else "promised" for each in luck.promised}
    until = row.due if row.state == "invited" else None
    return {
        "commitment": row.commitment,
        "luck": seats,
        "words_until": output.moment(until) if until else None,
        "forfeited": list(luck.pending) if row.header is not None else [],
    }


def _chance_told(row: MatchRow) -> str:
    """Return the public facts about chance in words."""
    found: Any = _chance(row)
    lines = [f"SHA-256 of the seed: {found['commitment']}"]
    lines += [f"words of luck: {seat}: {how}" for seat, how in found["luck"].items()]
    if found["words_until"]:
        lines.append(f"Promised words are awaited until {found['words_until']}.")
    if found["forfeited"]:
        lines.append(f"Not told in time, so not mixed in: {', '.join(found['forfeited'])}")
    return "\n".join(lines)


def _how_invited(row: MatchRow, free: list[str]) -> str:
    """Return the state of a match that has not begun, in words."""
    if row.state != "invited":
        return f"{row.name} was called off before it began."
    if free:
        return f"{row.name} waits for somebody to join as {', '.join(free)}."
    return f"{row.name} waits for its players; referee match start {row.name} begins it."


def _print_board(change: Change, sitting: Sitting, seat: str | None, notes: list[str]) -> None:
    row, live, game = sitting.row, sitting.live, sitting.game
    wording = Wording(game, change.desk.language)
    names = names_of(change.connection, sitting.seats)
    whose = f"{live.turn.seat} ({names[live.turn.seat]}) to act" if live.turn.seat else row.state
    until = f" · until {output.moment(row.due)}" if row.due else ""
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
