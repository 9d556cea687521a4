"""The setup of a match: its conditions read, written, its players invited, and begun."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final

from referee.bots import BOTS
from referee.desk.desk import Change, Desk, game_named, stamp
from referee.desk.mails.invitation import invite_player
from referee.desk.matches import ledger
from referee.desk.matches.time import outages
from referee.desk.players import player_at
from referee.desk.seats import vacancies
from referee.desk.seats.vacancies import Seating
from referee.desk.work import ANOTHER, Refused, hindrance
from referee.errors import RefereeError
from referee.games.game import AnyGame, BadDocument, Board, Options, Seat
from referee.games.play import canonical_json, complete_options
from referee.mail import addressing
from referee.matches import croupier, match
from referee.matches.croupier import SeededRandom
from referee.matches.terms import Terms
from referee.matches.time.calendar import parse_days_off
from referee.matches.time.moments import format_duration, parse_duration
from referee.matches.time.pace import BadPace, Pace, is_nothing, read_late, split_reminders
from referee.store.people import players
from referee.store.play import matches
from referee.store.tables.play import MatchRow
from referee.value import Value, asdict, replace

OPEN: Final = "open"
"""The word in place of an address for a seat anybody may join."""


class Holder(Value):
    """The holder of a seat: an address, or a bot by name; neither if open."""

    seat: Seat
    address: str | None = None
    bot: str | None = None


def parse_holder(text: str, game: AnyGame) -> Holder:
    """Return the holder in ``red=alice@example.test`` or ``green=bot:greedy``. Raises Refused."""
    seat, equals, who = text.partition("=")
    seat, who = seat.strip().lower(), who.strip()
    if not equals or not who:
        raise Refused(f"--seat {text}: write it like red=alice@example.test or red=bot:greedy")
    if seat not in game.colours:
        raise Refused(f"--seat {text}: {game.name} has the seats {', '.join(game.colours)}")
    if who == OPEN:
        return Holder(seat)
    if who.startswith("bot:"):
        return Holder(seat, bot=known_bot(who.removeprefix("bot:"), f"--seat {text}"))
    address = addressing.valid_address(who)
    if address is None:
        raise Refused(
            f"--seat {text}: {who!r} is no mail address: write an address such as "
            "bert@club.test, or bot:NAME, or open"
        )
    return Holder(seat, address=address)


def known_bot(bot: str, given: str) -> str:
    """Return a bot's name; ``given`` is how it was asked for. Raises Refused."""
    if bot not in BOTS:
        raise Refused(f"{given}: the bots are {', '.join(sorted(BOTS))}")
    return bot


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


class Conditions(Value):
    """The conditions given, as texts; None: as the installation has them.

    ``options`` are variants of the game. ``seed`` is for practice. All others are about time, each
    named like the option that gives it.
    """

    options: Sequence[str] = ()
    board: Board | None = None
    seed: str | None = None
    time: str | None = None
    bank: str | None = None
    increment: str | None = None
    reminders: Sequence[str] | None = None
    leeway: str | None = None
    grace: str | None = None
    talk: str | None = None
    days_off: Sequence[str] | None = None
    late: str | None = None


def read_setup(
    desk: Desk, game: str, seats: Sequence[str], given: Conditions, *, begins: bool
) -> MatchSetup:
    """Return a match for the holders of its seats. Raises RefereeError."""
    found = game_named(game)
    if not seats:
        colours = ", ".join(found.colours)
        needed = f"{found.name} has the seats {colours}: give --seat for {_many(found)} of them"
        for name, option in found.options.items():
            value = option.default
            default = ("yes" if value else "no") if isinstance(value, bool) else value
            range_ = f"{option.least} to {option.most}" if option.most is not None else ""
            values = ", ".join(option.choices) if option.choices else range_
            needed += f"\n  --option {name}={default}  {option.about}{values and f': {values}'}"
        raise RefereeError(needed)
    pace = _pace(desk.settings.pace, given)
    holders = tuple(parse_holder(holder, found) for holder in seats)
    options, seed = read_options(found, given.options), None
    if given.seed is not None:
        try:
            seed = bytes.fromhex(given.seed)
        except ValueError:
            seed = b""
        if len(seed) != 32:
            raise RefereeError("--seed: 64 hexadecimal digits, which are 32 bytes")
    return MatchSetup(found, holders, options, given.board, seed, pace, begins=begins)


def _many(game: AnyGame) -> str:
    """Return how many seats a match of a game has."""
    least, most = game.seats[0], game.seats[-1]
    return f"{least}" if least == most else f"{least} to {most}"


def read_open_setup(
    desk: Desk,
    game: str,
    count: int | None,
    seats: Sequence[str],
    seating: Seating,
    given: Conditions,
) -> MatchSetup:
    """Return a match of ``count`` seats that players join, some held. Raises RefereeError."""
    found = game_named(game)
    named: dict[str, str] = {}
    for text in seats:
        seat = text.partition("=")[0].strip().lower()
        if seat in named:
            raise RefereeError(f"--seat {seat} is given twice")
        named[seat] = text
    count = count if count is not None else max(found.seats[0], len(named))
    if count not in found.seats or len(named) > count:
        raise RefereeError(f"--seats {count}: {found.name} is for {_many(found)} seats")
    # Every seat in the game's order, those not given in its first colours; strange ones come last.
    left = [colour for colour in found.colours if colour not in named]
    chosen = {*named, *left[: count - len(named)]}
    ordered = [colour for colour in found.colours if colour in chosen]
    strange = [text for colour, text in named.items() if colour not in found.colours]
    holders = [named.get(colour, f"{colour}=open") for colour in ordered] + strange
    # A match that could never begin is refused.
    if seating.fill is not None:
        known_bot(seating.fill, f"--fill {seating.fill}")
    plan = replace(read_setup(desk, game, holders, given, begins=False), seating=seating)
    free = len(_open_seats(plan))
    players, least = sum(holder.bot is None for holder in plan.holders), seating.players
    if not free:
        raise RefereeError(f"no seat is {OPEN}: referee match new sets up a match without")
    if least is not None and not players - free < least <= players:
        raise RefereeError(f"--players {least}: more than are given a seat, at most {players}")
    if least is not None and least < players and seating.fill is None:
        raise RefereeError("--players: with --fill BOT, which takes the seats that are left")
    return plan


def read_options(game: AnyGame, given: Sequence[str]) -> dict[str, str | int | bool]:
    """Return a game's options from ``name=value`` texts, complete. Raises Refused."""
    values = dict(complete_options(game))
    for text in given:
        name, _, value = (part.strip() for part in text.partition("="))
        option = game.options.get(name)
        if option is None:
            known = ", ".join(sorted(game.options)) or "none"
            raise Refused(f"--option {text}: the options of {game.name} are {known}")
        if isinstance(option.default, bool):
            if value.lower() not in {"yes", "no", "true", "false"}:
                raise Refused(f"--option {text}: yes or no")
            values[name] = value.lower() in {"yes", "true"}
        elif isinstance(option.default, int):
            least, most = option.least, option.most
            if not re.fullmatch(r"-?[0-9]{1,9}", value) or not (
                (least is None or int(value) >= least) and (most is None or int(value) <= most)
            ):
                raise Refused(f"--option {text}: a whole number from {least} to {most}")
            values[name] = int(value)
        elif option.choices is not None and value not in option.choices:
            raise Refused(f"--option {text}: one of {', '.join(option.choices)}")
        else:
            values[name] = value
    return values


def _pace(default: Pace, given: Conditions) -> Pace:
    """Return the terms of time given, else the default's. Raises RefereeError, with the option."""
    if given.time is not None and given.bank is not None:
        raise RefereeError("--time is for each turn, --bank for the whole match: give one of them")
    terms: dict[str, Any] = {}
    if given.time is not None:
        per_turn = None if is_nothing(given.time) else _span("time", given.time)
        terms = {"per_turn": per_turn, "bank": None, "increment": timedelta(0)}
    if given.bank is not None:
        terms = {"per_turn": None, "bank": _span("bank", given.bank)}
    for option in ("increment", "leeway", "grace", "talk"):
        text = getattr(given, option)
        if text is not None:
            terms[option] = _span(option, text)
    if given.reminders is not None:
        try:
            named = [span for text in given.reminders for span in split_reminders(text)]
        except ValueError as fault:
            raise RefereeError(f"--reminder: {fault}") from None
        terms["reminders"] = tuple(_span("reminder", span.strip()) for span in named)
    if given.days_off is not None:
        try:
            days = parse_days_off(" ".join(given.days_off))
        except ValueError as fault:
            raise RefereeError(f"--days-off: {fault}") from None
        terms["days_off"] = days
    if given.late is not None:
        try:
            rule, bot = read_late(given.late)
        except ValueError as fault:
            raise RefereeError(f"--late {fault}") from None
        terms |= {"late": rule, "bot": bot and known_bot(bot, f"--late bot:{bot}")}
    try:
        pace = replace(default, **terms)
    except BadPace as fault:
        term = f"--{fault.term} {getattr(given, fault.term)}: " if fault.term else ""
        raise RefereeError(f"{term}{fault}") from None
    # One of the installation's own may be too long for a short match, and then sends nothing.
    late = [left for left in pace.reminders if pace.per_turn and left >= pace.per_turn]
    if late and given.reminders and pace.per_turn:
        turn = format_duration(pace.per_turn)
        raise RefereeError(f"--reminder {', '.join(given.reminders)}: a turn has only {turn}")
    if not pace.limited and given.late not in {None, "wait"}:
        raise RefereeError(f"--late {given.late}: without a limit of time nobody is ever late")
    return pace


def _span(option: str, text: str) -> timedelta:
    """Return the length of time that an option gives. Raises RefereeError."""
    if option in {"grace", "talk"} and is_nothing(text):
        return timedelta(0)
    try:
        span = parse_duration(text)
    except ValueError:
        span = None
    if span is None or (not span and option in {"time", "bank", "reminder"}):
        more = {
            "time": ", or none for no limit",
            "reminder": ", or none for no reminder",
            "grace": ", or like 10m, or none",
            "talk": ", or like 10m, or none",
        }.get(option, "")
        # In reminders a space would part two.
        weeks = "1w2d" if option == "reminder" else "1w 2d"
        raise RefereeError(f"--{option} {text}: write it like 7d, 36h or {weeks}{more}") from None
    return span


def set_up_match(change: Change, plan: MatchSetup) -> MatchRow:
    """Write a new match, invite its players, perhaps begin it. Raises RefereeError."""
    outages.refuse_behind(change)
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
            player_id=player.id if player else None,
            bot=holder.bot,
        )
    row = matches.get_match(change.connection, match_id)
    for seat in matches.seats(change.connection, match_id):
        if seat.player_id is not None:
            invite_player(change, row, seat, at_once=plan.begins)
    return begin_match(change, row) if plan.begins else row


def begin_match(change: Change, row: MatchRow) -> MatchRow:
    """Begin an invited match: its board, header and log. Raises Refused if it cannot begin."""
    row = matches.lock_match(change.connection, row.id)
    if row.header is None and row.state != "invited":
        raise Refused(f"{row.name} was called off: {ANOTHER}")
    if row.state != "invited":
        raise Refused(f"{row.name} has begun already: referee match show {row.name}")
    game = change.desk.find_game(row.game, row.edition)
    if why := hindrance(row, matches.seats(change.connection, row.id)):
        raise Refused(f"{row.name} cannot begin: {why}")
    vacancies.fill_with_bots(change.connection, row)
    seats = matches.seats(change.connection, row.id)
    now, colours = change.desk.now(), tuple(seat.seat for seat in seats)
    # Board and chance follow from the seed and the players' words, so neither side can choose them.
    rng = SeededRandom(croupier.chance_key(row.seed, row.words))
    with _faults_of_board(game, row.options, row.board, f"{row.name}: "):
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
def _faults_of_board(
    game: AnyGame, options: Options, board: Board | None, match: str = ""
) -> Iterator[None]:
    """Raise Refused where a game refuses a board, or the options that describe one."""
    try:
        yield
    except BadDocument as fault:
        chosen = [
            f"--option {name}={'yes' if value is True else value}"
            for name, value in options.items()
            if value != game.options[name].default
        ]
        if board is None and chosen:
            raise Refused(f"{match}{', '.join(chosen)}: {fault.message}") from fault
        raise Refused(f"{match}the board: {fault}") from fault
    except ValueError as fault:
        raise Refused(f"{match}{fault}") from fault


def _open_seats(plan: MatchSetup) -> list[str]:
    return [holder.seat for holder in plan.holders if holder.address is None and holder.bot is None]


def _check(change: Change, plan: MatchSetup) -> None:
    """Refuse a plan whose match cannot begin, before anything is written or anybody invited."""
    own_address = change.desk.settings.address
    if any(holder.address == own_address for holder in plan.holders):
        raise Refused(f"{own_address} is the referee's own address; it cannot play")
    colours = [holder.seat for holder in plan.holders]
    if len(colours) not in plan.game.seats:
        raise Refused(
            f"{plan.game.name} is for {_many(plan.game)} seats, not {len(colours)}: give one "
            "--seat for each"
        )
    if twice := [colour for colour in colours if colours.count(colour) > 1]:
        raise Refused(f"--seat {twice[0]} is given twice")
    if plan.begins and (left := _open_seats(plan)):
        raise Refused(f"--start: {', '.join(left)} is open; without --start players can join")
    # A player on two seats would see both hands, and any of their addresses may give it away.
    held: dict[int | str, Seat] = {}
    for holder in plan.holders:
        if holder.address is None:
            continue
        player = players.by_address(change.connection, holder.address)
        first = held.setdefault(player.id if player else holder.address, holder.seat)
        if first != holder.seat:
            who = player.name if player else holder.address
            raise Refused(f"{who} is given {first} and {holder.seat}, and would see both hands")
    with _faults_of_board(plan.game, plan.options, plan.board):
        # Any seed will do: whether a match can begin does not depend on chance.
        seats, rng = tuple(colours), SeededRandom(bytes(32))
        board = plan.game.board(seats, plan.options, plan.board, rng)
        plan.game.start(seats, plan.options, board)
