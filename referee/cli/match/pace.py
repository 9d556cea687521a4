"""Options about time, and the pace they mean."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Annotated, TypeAlias

import typer

from referee.bots import BOTS
from referee.errors import RefereeError
from referee.matches.time.calendar import parse_days_off
from referee.matches.time.moments import parse_duration
from referee.matches.time.pace import BadPace, Pace, read_late

Time: TypeAlias = Annotated[
    str | None, typer.Option(metavar="TIME", help="Time for each turn, such as 7d, or none.")
]

Bank: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="Instead: each seat's time for the match, such as 30d."),
]

Increment: TypeAlias = Annotated[
    str | None, typer.Option(metavar="TIME", help="Added to the bank each turn, such as 12h.")
]

Reminder: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="TIME", help="Remind when this is left, such as 1d, or none; repeatable."),
]

Grace: TypeAlias = Annotated[
    str | None, typer.Option(metavar="TIME", help="Wait this long before --late takes effect.")
]

DaysOff: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="DAYS",
        help="No clock runs on these: weekends, fri, 2026-12-25, 12-25 each year, or none.",
    ),
]

Late: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="wait|idle|bot|bot:NAME|resign",
        help="When time is up: wait; play idle, as the rules say; let a bot play; resign.",
    ),
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
    """Return the pace of a match: the options given, and the default for the others.

    Raises RefereeError with the option that is wrong.
    """
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
    try:
        return parse_days_off(" ".join(each for each in given if not _is_nothing(each)))
    except ValueError as fault:
        raise RefereeError(f"--days-off: {fault}") from None


def _late(text: str) -> tuple[str, str | None]:
    """Return the rule of ``--late``, and the bot it names."""
    try:
        late, bot = read_late(text)
    except ValueError as fault:
        raise RefereeError(f"--late {fault}") from None
    _known_bot(bot)
    return late, bot


def _known_bot(bot: str | None) -> None:
    if bot is not None and bot not in BOTS:
        raise RefereeError(f"--late bot:{bot}: the bots are {', '.join(sorted(BOTS))}")


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
    more = {"time": ", or none for no limit", "reminder": ", or none for no reminder"}
    return f"write it like 7d, 36h or 1w 2d{more.get(option, '')}"


def _is_nothing(text: str) -> bool:
    return text.strip().lower() == NOTHING
