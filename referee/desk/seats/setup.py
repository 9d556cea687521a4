"""The setup of a match: written, its players invited, and begun."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from referee.desk.desk import Change, stamp
from referee.desk.mails.invitation import invite_all
from referee.desk.matches import ledger
from referee.desk.players import BadSeat, Holder, player_at
from referee.desk.seats import vacancies
from referee.desk.seats.vacancies import Seating
from referee.errors import RefereeError
from referee.games.game import AnyGame, BadDocument, Board, Seat
from referee.games.play import canonical_json
from referee.matches import croupier, match
from referee.matches.croupier import SeededRandom
from referee.matches.match import Terms
from referee.matches.time.pace import Pace
from referee.store.people import players
from referee.store.play import matches
from referee.store.tables.play import MatchRow
from referee.value import Value, asdict


class BadMatch(RefereeError):
    """A match cannot be set up or begun as asked."""


class MatchSetup(Value):
    """A match as an organiser asks for it.

    ``seed`` None: secret and fresh; a given one marks the match as practice. ``pace`` None: the
    installation's default. ``seating`` matters where a seat is open. ``begins``: without waiting
    for anybody's yes.
    """

    game: AnyGame
    holders: tuple[Holder, ...]
    options: Mapping[str, str | int | bool]
    board: Board | None = None
    seed: bytes | None = None
    pace: Pace | None = None
    seating: Seating = Seating()
    begins: bool = False


def read_options(game: AnyGame, given: Sequence[str]) -> dict[str, str | int | bool]:
    """Return a game's options from ``name=value`` texts, complete. Raises BadMatch."""
    values: dict[str, str | int | bool] = {
        name: option.default for name, option in game.options.items()
    }
    for text in given:
        name, _, value = text.partition("=")
        option = game.options.get(name.strip())
        if option is None:
            known = ", ".join(sorted(game.options)) or "none"
            raise BadMatch(f"--option {text}: the options of {game.name} are {known}")
        name, value = name.strip(), value.strip()
        if isinstance(option.default, bool):
            if value.lower() not in {"yes", "no", "true", "false"}:
                raise BadMatch(f"--option {text}: yes or no")
            values[name] = value.lower() in {"yes", "true"}
        elif isinstance(option.default, int):
            least, most = option.least, option.most
            if not re.fullmatch(r"-?[0-9]{1,9}", value) or not (
                (least is None or int(value) >= least) and (most is None or int(value) <= most)
            ):
                raise BadMatch(f"--option {text}: a whole number from {least} to {most}")
            values[name] = int(value)
        elif option.choices is not None and value not in option.choices:
            raise BadMatch(f"--option {text}: one of {', '.join(option.choices)}")
        else:
            values[name] = value
    return values


def set_up_match(change: Change, plan: MatchSetup) -> MatchRow:
    """Write a new match, invite its players, perhaps begin it. Raises BadSeat, BadMatch."""
    _check(change, plan)
    seed, pace = plan.seed or croupier.new_seed(), plan.pace or change.desk.settings.pace
    match_id = matches.add_match(
        change.connection,
        name=matches.new_name(change.connection, plan.game.name),
        game=plan.game.name,
        edition=plan.game.edition,
        options=plan.options,
        board=plan.board,
        seed=seed,
        commitment=croupier.commitment(seed),
        practice=plan.seed is not None,
        time_per_turn=pace.turn_seconds,
        clock=pace.document(),
        created=change.desk.now(),
        seating=asdict(plan.seating) if _open_seats(plan) else None,
    )
    for number, holder in enumerate(plan.holders):
        player = player_at(change, holder.address) if holder.address else None
        matches.add_seat(
            change.connection,
            match_id,
            holder.seat,
            number,
            holder="player" if player else "bot" if holder.bot else "nobody",
            player_id=player.id if player else None,
            bot=holder.bot,
        )
    row = matches.get_match(change.connection, match_id)
    invite_all(change, row, at_once=plan.begins)
    return begin_match(change, row) if plan.begins else row


def begin_match(change: Change, row: MatchRow) -> MatchRow:
    """Begin an invited match: build its board, fix its header, set up.

    Raises BadMatch if it has begun before, somebody is missing, or its board breaks a rule.
    """
    if row.header is None and row.state != "invited":
        raise BadMatch(f"{row.name} was called off: set up another with referee match new")
    if row.state != "invited":
        raise BadMatch(f"{row.name} has begun already: referee match show {row.name}")
    game = change.desk.find_game(row.game, row.edition)
    seats = matches.seats(change.connection, row.id)
    if declined := [seat.seat for seat in seats if seat.agreed == "no"]:
        raise BadMatch(
            f"{row.name} cannot begin: {', '.join(declined)} declined; give the seat to somebody: "
            f"referee match seat {row.name} {declined[0]} …"
        )
    if left := vacancies.fill_with_bots(change.connection, row):
        raise BadMatch(
            f"{row.name} cannot begin: {', '.join(left)} still open; "
            "wait until somebody joins, or open a match with --fill"
        )
    seats = matches.seats(change.connection, row.id)
    now, colours = change.desk.now(), tuple(seat.seat for seat in seats)
    # Board and chance follow from the seed and the players' words, so neither side can choose them.
    rng = SeededRandom(croupier.chance_key(row.seed, row.words))
    with _faults_of_board(f"{row.name}: "):
        board = game.board(colours, row.options, row.board, rng)
    terms = Terms(
        match=row.name,
        game=row.game,
        edition=row.edition,
        board=board,
        seats=colours,
        options=row.options,
        commitment=row.commitment,
        practice=row.practice,
        words=row.words,
        given=row.board is not None,
        started=stamp(now),
    )
    live, logged = match.new_match(game, terms, row.seed)
    matches.change_match(
        change.connection,
        row.id,
        board=terms.board,
        header=canonical_json(terms.document()),
        header_hash=terms.header_hash(),
        state="running",
        started=now,
        due=None,
    )
    loaded = ledger.LoadedMatch(matches.get_match(change.connection, row.id), seats, live)
    return ledger.save_match(change, loaded, live, logged).row


@contextmanager
def _faults_of_board(match: str = "") -> Iterator[None]:
    """Raise BadMatch where a game refuses a board."""
    try:
        yield
    except BadDocument as fault:
        raise BadMatch(f"{match}the board: {fault}") from fault
    except ValueError as fault:
        raise BadMatch(f"{match}{fault}") from fault


def _open_seats(plan: MatchSetup) -> list[str]:
    return [holder.seat for holder in plan.holders if holder.address is None and holder.bot is None]


def _check(change: Change, plan: MatchSetup) -> None:
    """Refuse a plan whose match cannot begin, before anything is written or anybody invited."""
    own_address = change.desk.settings.address
    if any(holder.address == own_address for holder in plan.holders):
        raise BadSeat(f"{own_address} is the referee's own address; it cannot play")
    colours = [holder.seat for holder in plan.holders]
    if len(colours) not in plan.game.seats:
        least, most = plan.game.seats[0], plan.game.seats[-1]
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise BadSeat(
            f"{plan.game.name} is for {wanted} seats, not {len(colours)}: give one --seat for each"
        )
    twice = [colour for colour in colours if colours.count(colour) > 1]
    if twice:
        raise BadSeat(f"--seat {twice[0]} is given twice")
    if plan.begins and (left := _open_seats(plan)):
        raise BadSeat(f"--start: {', '.join(left)} is open; without --start players can join")
    # A player on two seats would see both hands, and any of their addresses may give it away.
    held: dict[int | str, Seat] = {}
    for holder in plan.holders:
        if holder.address is None:
            continue
        player = players.by_address(change.connection, holder.address)
        first = held.setdefault(player.id if player else holder.address, holder.seat)
        if first != holder.seat:
            who = player.name if player else holder.address
            raise BadSeat(f"{who} is given {first} and {holder.seat}, and would see both hands")
    with _faults_of_board():
        # Any seed will do: whether a match can begin does not depend on chance.
        seats, rng = tuple(colours), SeededRandom(bytes(32))
        board = plan.game.board(seats, plan.options, plan.board, rng)
        plan.game.start(seats, plan.options, board)
