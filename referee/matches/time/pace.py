"""Pace: the agreed time of a match, and its end's effect."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from referee.games.game import Document
from referee.matches.time.calendar import NONE
from referee.matches.time.moments import DAY, SECOND, format_duration
from referee.value import Value

LATE: Final = ("wait", "idle", "bot", "resign")
"""The possible fates of a seat out of time."""

LONGEST: Final = timedelta(days=3650)
"""The most time for a turn, in a bank or as leeway. More is a slip of the pen."""

MOST_TALK: Final = timedelta(hours=12)
"""How long orders with talk around them may be held: those of the evening until the morning."""

MOST_GRACE: Final = DAY
"""How long orders may be held at most, since the other players wait meanwhile."""

DEFAULT_BOT: Final = "greedy"
"""The bot for a seat out of time or given up, unless another is named."""


_APART: Final = re.compile(r"(?<=[a-z])\s+(?=[0-9])", re.IGNORECASE)

SPANS: Final = ("bank", "increment", "leeway", "grace", "talk")
"""The terms that are spans, in seconds in JSON."""


class BadPace(ValueError):
    """Terms of time contradict each other, or ``term`` is too long; says how to correct them."""

    def __init__(self, message: str, term: str = "") -> None:
        super().__init__(message)
        self.term = term


class Pace(Value):
    """The terms of a match about time.

    Either ``per_turn`` is each turn's time, or ``bank`` each seat's for the whole match, which
    grows by ``increment`` with every turn that begins; with neither there is no limit.
    ``reminders``: the times left at which the player is reminded. ``leeway`` passes after the end
    before ``late`` happens; ``bot`` then plays. ``days_off`` are words of
    ``calendar.parse_days_off``. Orders are held for ``grace``, so that they can be withdrawn, and
    those with talk around them for ``talk`` (None: as the organiser says).
    """

    per_turn: timedelta | None = None
    bank: timedelta | None = None
    increment: timedelta = NONE
    reminders: tuple[timedelta, ...] = ()
    leeway: timedelta = NONE
    grace: timedelta = NONE
    talk: timedelta | None = None
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
        spans = (self.per_turn, self.bank, self.increment, self.leeway, *self.reminders)
        if too_long := [span for span in spans if span is not None and span > LONGEST]:
            raise BadPace(f"{format_duration(max(too_long))} is longer than ten years")
        if self.grace > MOST_GRACE:
            raise BadPace(f"orders are held for at most {format_duration(MOST_GRACE)}", "grace")
        if self.talk is not None and self.talk > MOST_TALK:
            most = format_duration(MOST_TALK)
            raise BadPace(f"orders with talk are held for at most {most}", "talk")

    @property
    def limited(self) -> bool:
        """Whether turns run out at all."""
        return self.per_turn is not None or self.bank is not None

    @property
    def turn_seconds(self) -> int | None:
        """The time per turn in seconds."""
        return _seconds(self.per_turn)

    def document(self) -> Document:
        """Return the terms as JSON, without the time per turn and what is nought or nobody's."""
        values: Document = {key: _seconds(getattr(self, key)) for key in SPANS}
        values |= {
            "reminders": [left // SECOND for left in sorted(self.reminders, reverse=True)],
            "days_off": [*sorted(self.days_off)],
            "late": self.late,
            "bot": self.bot,
        }
        # No time at all for talk is an agreement, too.
        talk: Document = {} if self.talk is None else {"talk": values["talk"]}
        return {key: value for key, value in values.items() if value not in (None, 0, [])} | talk

    @staticmethod
    def from_document(per_turn: int | None, document: Mapping[str, Any]) -> Pace:
        """Return the terms of a match from JSON. ``per_turn`` is in seconds. Raises BadPace."""
        return Pace(
            per_turn=None if per_turn is None else timedelta(seconds=per_turn),
            reminders=tuple(timedelta(seconds=left) for left in document.get("reminders", ())),
            days_off=frozenset(document.get("days_off", ())),
            late=document.get("late", "wait"),
            bot=document.get("bot"),
            **{
                key: timedelta(seconds=document[key])
                for key in SPANS
                if document.get(key) is not None
            },
        )


def is_nothing(text: str) -> bool:
    """Return whether a term of time is given as ``none``."""
    return text.strip().lower() == "none"


def split_reminders(text: str) -> tuple[str, ...]:
    """Return the times of reminders, which have commas between them; ``none`` is no reminder.

    Raises ValueError for a space, which may stand in one time or between two.
    """
    for span in text.split(","):
        if apart := _APART.search(span.strip()):
            two, one = (_APART.sub(put, apart.string) for put in (", ", ""))
            raise ValueError(f"write {two} for several reminders, {one} for one")
    return tuple(span for span in text.split(",") if span.strip() and not is_nothing(span))


def read_late(text: str) -> tuple[str, str | None]:
    """Return the fate of a seat out of time, and the bot, from a text like ``bot:greedy``.

    Raises ValueError that says how to correct it.
    """
    late, _, bot = text.strip().lower().partition(":")
    if late not in LATE or (bot and late != "bot"):
        raise ValueError(f"{text}: one of {', '.join(LATE)}, or bot:NAME")
    return late, (bot or DEFAULT_BOT) if late == "bot" else None


def _seconds(span: timedelta | None) -> int | None:
    return None if span is None else span // SECOND
