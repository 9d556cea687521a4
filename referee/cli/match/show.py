"""`referee match …`: start, list and show matches."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args

import typer

from referee.cli import options, output, session
from referee.cli.match import mend
from referee.cli.match.new import find_match
from referee.cli.options import Match
from referee.games.game import ABANDONED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy import Connection

    from referee.desk.desk import Desk
    from referee.desk.matches.history import Passage
    from referee.desk.matches.ledger import Sitting
    from referee.games.game import Json
    from referee.store.play.listing import Listed
    from referee.store.play.matches import MatchRow
    from referee.store.play.seats import SeatRow


BY_HAND: Final = frozenset({ABANDONED, "declared", "resigned", "damaged"})
"""Endings that no game's rules know."""

MOST_LEGAL: Final = 200
"""Legal orders listed by ``show --json``."""


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
    from referee.store.play.listing import declined, listed
    from referee.store.states import MatchState

    if state is not None and state not in get_args(MatchState):
        raise RefereeError(f"--state {state}: one of {', '.join(get_args(MatchState))}")
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
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
    if output.printed(rows):
        return
    titles = ("match", "game", "state", "turn", "to act", "who", "since", "until", "late")
    output.print_table(titles, [_cells(each) for each in rows], "There are no matches.")


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

    from referee.desk.desk import opened_desk
    from referee.desk.matches import ledger
    from referee.desk.seats.standins import arranged
    from referee.errors import RefereeError
    from referee.store.play import matches

    if full:
        mend.show_full(name, why)
        return
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        row = find_match(connection, name)
        seats = matches.seats(connection, row.id)
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
        if not output.printed(document):
            _print_board(desk, connection, sitting, as_seat, [str(one) for one in sitters])


def _at_turn(connection: Connection, sitting: Sitting, turn: int) -> Sitting:
    """Return a match as it stood when a turn began; it is not due then any more."""
    from dataclasses import replace

    from referee.desk.matches import ledger
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
    from referee.desk.players import names_of

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
    """Return what is known of a match's chance: its seed's hash, and who gives what for it."""
    from referee.matches.luck import Luck

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
    from referee.desk.matches import ledger
    from referee.desk.players import names_of
    from referee.render.sheets import draw
    from referee.render.wording import Wording

    row, live, game = sitting.row, sitting.live, sitting.game
    wording = Wording(game, desk.language)
    names = names_of(connection, sitting.seats)
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


def show_history(name: Match) -> None:
    """Show what happened in a match: turns, events, and who mended what and why.

    What was taken back is marked. Hidden things are shown once the record is released.

    Example: referee match history nord-1
    """
    from referee.desk.desk import opened_desk
    from referee.desk.matches import broken, history, ledger
    from referee.errors import RefereeError
    from referee.store.play import matches

    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        row = matches.get(connection, name)
        if row is None:
            raise RefereeError(f"there is no match {name}: see referee match list")
        if ledger.was_pruned(connection, row):
            raise RefereeError(f"{name} was pruned: import its record to see it")
        with broken.known(row):
            found = history.history(desk, connection, row)
    if output.printed([asdict(each) for each in found]):
        return
    if not found:
        typer.echo(f"{name} is {row.state}: nothing has happened yet.")
    for line in _lines(found):
        typer.echo(line)


def _lines(found: list[Passage]) -> Iterator[str]:
    turn = None
    for each in found:
        if each.turn != turn:
            turn = each.turn
            yield f"Turn {turn}" if turn else "Set-up"
        yield _headline(each)
        yield from (f"      {fact}" for fact in each.facts)


def _headline(each: Passage) -> str:
    said = [f"{each.seq:>4}", output.moment(each.at), each.kind]
    seat = None if each.seat == each.kind else each.seat
    said += [part for part in (seat, each.order, each.what) if part]
    if each.undone:
        said.append("(taken back)")
    line = " ".join(said)
    if each.by is None or (each.why and each.what.endswith(each.why)):
        return line
    why = " ".join(each.why.split()) if each.why else "the reason was erased"
    whom = f"the {each.by}" if each.by in {"organiser", "referee"} else each.by
    return f"{line}, by {whom}: {why}"
