"""The conditions of a new match, as an organiser writes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from referee.desk.desk import Desk, game_named
from referee.desk.players import OPEN, known_bot, parse_holder
from referee.desk.seats.setup import MatchSetup, read_options
from referee.desk.seats.vacancies import Seating
from referee.errors import RefereeError
from referee.games.game import Board
from referee.matches.time.calendar import parse_days_off
from referee.matches.time.moments import parse_duration
from referee.matches.time.pace import BadPace, Pace, read_late
from referee.value import Value, replace

NOTHING = "none"


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
    return MatchSetup(
        pace=pace,
        game=found,
        holders=holders,
        options=options,
        board=given.board,
        seed=seed,
        begins=begins,
    )


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
        fewest, most = found.seats[0], found.seats[-1]
        raise RefereeError(f"--seats {count}: {found.name} is for {fewest} to {most} seats")
    # Every seat in the game's order, those not given in its first colours; strange ones come last.
    left = [colour for colour in found.colours if colour not in named]
    chosen = {*named, *left[: count - len(named)]}
    ordered = [colour for colour in found.colours if colour in chosen]
    strange = [text for colour, text in named.items() if colour not in found.colours]
    holders = [named.get(colour, f"{colour}=open") for colour in ordered] + strange
    # A match that could never begin is refused.
    if seating.fill is not None:
        known_bot(seating.fill, f"--fill {seating.fill}")
    read = [parse_holder(holder, found) for holder in holders]
    free = sum(holder.address is None and holder.bot is None for holder in read)
    players = free + sum(holder.address is not None for holder in read)
    least = seating.players
    if not free:
        raise RefereeError(f"no seat is {OPEN}: referee match new sets up a match without")
    if least is not None and not players - free < least <= players:
        raise RefereeError(f"--players {least}: more than are given a seat, at most {players}")
    if least is not None and least < players and seating.fill is None:
        raise RefereeError("--players: with --fill BOT, which takes the seats that are left")
    return replace(read_setup(desk, game, holders, given, begins=False), seating=seating)


def _pace(default: Pace, given: Conditions) -> Pace:
    """Return the terms of time given, else the default's. Raises RefereeError, with the option."""
    if given.time is not None and given.bank is not None:
        raise RefereeError("--time is for each turn, --bank for the whole match: give one of them")
    try:
        pace = default
        if given.time is not None:
            per_turn = None if _is_nothing(given.time) else _positive("time", given.time)
            pace = replace(pace, per_turn=per_turn, bank=None, increment=timedelta(0))
        if given.bank is not None:
            pace = replace(pace, per_turn=None, bank=_positive("bank", given.bank))
        if given.increment is not None:
            pace = replace(pace, increment=_span("increment", given.increment))
        if given.reminders is not None:
            named = (text for text in given.reminders if not _is_nothing(text))
            pace = replace(pace, reminders=tuple(_positive("reminder", text) for text in named))
        if given.leeway is not None:
            pace = replace(pace, leeway=_span("leeway", given.leeway))
        if given.grace is not None:
            grace = timedelta(0) if _is_nothing(given.grace) else _span("grace", given.grace)
            pace = replace(pace, grace=grace)
        if given.talk is not None:
            talk = timedelta(0) if _is_nothing(given.talk) else _span("talk", given.talk)
            pace = replace(pace, talk=talk)
        if given.days_off is not None:
            try:
                days = parse_days_off(" ".join(d for d in given.days_off if not _is_nothing(d)))
            except ValueError as fault:
                raise RefereeError(f"--days-off: {fault}") from None
            pace = replace(pace, days_off=days)
        if given.late is not None:
            try:
                rule, bot = read_late(given.late)
            except ValueError as fault:
                raise RefereeError(f"--late {fault}") from None
            pace = replace(pace, late=rule, bot=bot and known_bot(bot, f"--late bot:{bot}"))
    except BadPace as fault:
        raise RefereeError(str(fault)) from None
    if not pace.limited and (given.late or NOTHING) not in {NOTHING, "wait"}:
        raise RefereeError(f"--late {given.late}: without a limit of time nobody is ever late")
    return pace


def _positive(option: str, text: str) -> timedelta:
    span = _span(option, text)
    if span <= timedelta(0):
        raise RefereeError(f"--{option} {text}: {_how(option)}")
    return span


def _span(option: str, text: str) -> timedelta:
    try:
        return parse_duration(text)
    except ValueError:
        raise RefereeError(f"--{option} {text}: {_how(option)}") from None


def _how(option: str) -> str:
    more = {
        "time": ", or none for no limit",
        "reminder": ", or none for no reminder",
        "grace": ", or like 10m, or none",
        "talk": ", or like 10m, or none",
    }
    return f"write it like 7d, 36h or 1w 2d{more.get(option, '')}"


def _is_nothing(text: str) -> bool:
    return text.strip().lower() == NOTHING
