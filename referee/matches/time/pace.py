"""What a match agreed about time: how much there is, what stops it, and what its end brings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from referee.games.game import Document
from referee.matches.time.calendar import NONE
from referee.matches.time.moments import format_duration

LATE: Final = ("wait", "idle", "bot", "resign")
"""What may happen to a seat out of time."""

LONGEST: Final = timedelta(days=3650)
"""More time than this for a turn, in a bank or as grace is a slip of the pen."""

DEFAULT_BOT: Final = "random"
"""Who plays for a seat out of time when nobody is named."""


class BadPace(ValueError):
    """Terms of time that contradict each other; says what would be right."""


@dataclass(frozen=True, slots=True)
class Pace:
    """What a match agreed about time.

    Either ``per_turn`` is what each turn has, or ``bank`` what each seat has for the whole match,
    which grows by ``increment`` with every turn that begins; with neither there is no limit.
    ``reminders``: the player is reminded when so much is left. ``grace`` passes after the end
    before ``late`` happens; ``bot`` is the one that then plays. ``days_off`` are words of
    ``calendar.parse_days_off``.
    """

    per_turn: timedelta | None = None
    bank: timedelta | None = None
    increment: timedelta = NONE
    reminders: tuple[timedelta, ...] = ()
    grace: timedelta = NONE
    days_off: frozenset[str] = frozenset()
    late: str = "wait"
    bot: str | None = None

    def __post_init__(self) -> None:
        if self.per_turn is not None and self.bank is not None:
            raise BadPace("a match has a time per turn or a bank, not both")
        if self.increment and self.bank is None:
            raise BadPace("an increment goes into a bank; give the bank too")
        if self.late not in LATE or (self.bot is not None) is not (self.late == "bot"):
            raise BadPace(f"what happens to a seat out of time is one of {', '.join(LATE)}")
        spans = (self.per_turn, self.bank, self.increment, self.grace, *self.reminders)
        if too_long := [each for each in spans if each is not None and each > LONGEST]:
            raise BadPace(f"{format_duration(max(too_long))} is longer than ten years")

    @property
    def limited(self) -> bool:
        """Whether turns run out at all."""
        return self.per_turn is not None or self.bank is not None

    @property
    def turn_seconds(self) -> int | None:
        """The time per turn in seconds."""
        return _seconds(self.per_turn)

    def document(self) -> Document:
        """Return it as JSON, without the time per turn and what is not agreed."""
        values: Document = {
            "bank": _seconds(self.bank),
            "increment": _seconds(self.increment),
            "reminders": [_seconds(each) for each in sorted(self.reminders, reverse=True)],
            "grace": _seconds(self.grace),
            "days_off": [*sorted(self.days_off)],
            "late": self.late,
            "bot": self.bot,
        }
        return {key: value for key, value in values.items() if value not in (None, 0, [])}

    @staticmethod
    def from_document(per_turn: int | None, document: Mapping[str, Any]) -> Pace:
        """Return what a match agreed; ``per_turn`` in seconds. Raises BadPace."""
        return Pace(
            per_turn=_span(per_turn),
            bank=_span(document.get("bank")),
            increment=_span(document.get("increment")) or NONE,
            reminders=tuple(_given(document.get("reminders", ()))),
            grace=_span(document.get("grace")) or NONE,
            days_off=frozenset(document.get("days_off", ())),
            late=document.get("late", "wait"),
            bot=document.get("bot"),
        )


def read_late(text: str) -> tuple[str, str | None]:
    """Return what happens to a seat out of time, and the bot: ``wait``, ``bot``, ``bot:greedy``.

    Raises ValueError with what would be right.
    """
    late, _, bot = text.strip().lower().partition(":")
    if late not in LATE or (bot and late != "bot"):
        raise ValueError(f"{text}: one of {', '.join(LATE)}, or bot:NAME")
    return late, (bot or DEFAULT_BOT) if late == "bot" else None


NO_LIMIT: Final = Pace()
"""The terms of a match in which turns never run out."""


def _given(seconds: Iterable[int]) -> Iterable[timedelta]:
    return (timedelta(seconds=each) for each in seconds)


def _span(seconds: int | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=seconds)


def _seconds(span: timedelta | None) -> int | None:
    return None if span is None else span.days * 86_400 + span.seconds
