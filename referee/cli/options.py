"""Arguments and options that many commands take, each with its one line of help."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

if TYPE_CHECKING:
    from datetime import timedelta

    from referee.matches.time.pace import Pace


LARGEST: Final = 2**63 - 1
"""The largest number that rows of the database can have."""

Match: TypeAlias = Annotated[str, typer.Argument(metavar="MATCH", help="Its name, such as nord-1.")]

Player: TypeAlias = Annotated[str, typer.Argument(metavar="PLAYER", help="An address or a number.")]

Game: TypeAlias = Annotated[str, typer.Argument(help="The game, such as nord.")]

Variant: TypeAlias = Annotated[list[str] | None, typer.Option(help="A variant, name=value.")]

BoardFile: TypeAlias = Annotated[Path | None, typer.Option(help="A board file to play on.")]

Seed: TypeAlias = Annotated[
    str | None, typer.Option(metavar="HEX", help="A known seed of 32 bytes: practice only.")
]

Why: TypeAlias = Annotated[
    str,
    typer.Option(help="Why, in a few words: the players are told. Required if a match changes."),
]

Yes: TypeAlias = Annotated[bool, typer.Option("--yes", help="Carry it out at once.")]

Time: TypeAlias = Annotated[
    str | None, typer.Option(help="Time per turn, such as 7d; none: no limit.")
]

Bank: TypeAlias = Annotated[
    str | None, typer.Option(help="In place of it: each seat's time for the match, such as 30d.")
]

Increment: TypeAlias = Annotated[
    str | None, typer.Option(help="What each turn adds to the bank, such as 12h.")
]

Reminder: TypeAlias = Annotated[
    list[str] | None, typer.Option(help="Remind when so much is left, such as 1d; none: never.")
]

Grace: TypeAlias = Annotated[
    str | None, typer.Option(help="What passes after the end of time before --late happens.")
]

DaysOff: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(help="Days no clock runs: weekends, fri, 2026-12-25, 12-25 each year; none."),
]

Late: TypeAlias = Annotated[
    str | None,
    typer.Option(help="Out of time: wait, idle (as the rules say), bot or bot:NAME, resign."),
]

NOTHING = "none"


def read(
    default: Pace,
    time: str | None,
    bank: str | None,
    increment: str | None,
    reminders: list[str] | None,
    grace: str | None,
    days_off: list[str] | None,
    late: str | None,
) -> Pace:
    """Return what a match agrees about time; what is not said is as usual here.

    Raises RefereeError with the option that is wrong.
    """
    from referee.errors import RefereeError
    from referee.matches.time.pace import BadPace

    if time is not None and bank is not None:
        raise RefereeError("--time is for each turn, --bank for the whole match: give one of them")
    try:
        pace = _lengths(default, time, bank, increment)
        if reminders is not None:
            pace = replace(pace, reminders=_reminders(reminders))
        if grace is not None:
            pace = replace(pace, grace=_span("grace", grace))
        if days_off is not None:
            pace = replace(pace, days_off=_days_off(days_off))
        if late is not None:
            rule, bot = _late(late)
            pace = replace(pace, late=rule, bot=bot)
    except BadPace as fault:
        raise RefereeError(str(fault)) from None
    if not pace.limited and (late or NOTHING) not in {NOTHING, "wait"}:
        raise RefereeError(f"--late {late}: without a limit of time nobody is ever late")
    return pace


def _lengths(default: Pace, time: str | None, bank: str | None, increment: str | None) -> Pace:
    from datetime import timedelta

    pace = default
    if time is not None:
        per_turn = None if _is_nothing(time) else _positive("time", time)
        pace = replace(pace, per_turn=per_turn, bank=None, increment=timedelta(0))
    if bank is not None:
        pace = replace(pace, per_turn=None, bank=_positive("bank", bank))
    if increment is not None:
        pace = replace(pace, increment=_span("increment", increment))
    return pace


def _reminders(given: list[str]) -> tuple[timedelta, ...]:
    return tuple(_positive("reminder", each) for each in given if not _is_nothing(each))


def _days_off(given: list[str]) -> frozenset[str]:
    from referee.errors import RefereeError
    from referee.matches.time.calendar import parse_days_off

    try:
        return parse_days_off(" ".join(each for each in given if not _is_nothing(each)))
    except ValueError as fault:
        raise RefereeError(f"--days-off: {fault}") from None


def _late(text: str) -> tuple[str, str | None]:
    """Return what ``wait``, ``idle``, ``bot``, ``bot:greedy`` or ``resign`` mean, and the bot."""
    from referee.errors import RefereeError
    from referee.matches.time.pace import read_late

    try:
        late, bot = read_late(text)
    except ValueError as fault:
        raise RefereeError(f"--late {fault}") from None
    _known_bot(bot)
    return late, bot


def _known_bot(bot: str | None) -> None:
    from referee.bots import BOTS
    from referee.errors import RefereeError

    if bot is not None and bot not in BOTS:
        raise RefereeError(f"--late bot:{bot}: the bots are {', '.join(sorted(BOTS))}")


def _positive(option: str, text: str) -> timedelta:
    from datetime import timedelta

    from referee.errors import RefereeError

    span = _span(option, text)
    if span <= timedelta(0):
        raise RefereeError(f"--{option} {text}: {_how(option)}")
    return span


def _span(option: str, text: str) -> timedelta:
    from referee.errors import RefereeError
    from referee.matches.time.moments import parse_duration

    try:
        return parse_duration(text)
    except ValueError:
        raise RefereeError(f"--{option} {text}: {_how(option)}") from None


def _how(option: str) -> str:
    more = {"time": ", or none for no limit", "reminder": ", or none for no reminder"}
    return f"write it like 7d, 36h or 1w 2d{more.get(option, '')}"


def _is_nothing(text: str) -> bool:
    return text.strip().lower() == NOTHING
