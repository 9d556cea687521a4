"""Departure: when a mail may leave for a player, and whether it is one of its own.

Whoever writes a mail or plans a reminder asks here, in this order.

1. `way_of`: does the news get a mail, stand in the digest, or come with the next report? The end of
   a match always gets a mail. A turn waits for a daily digest that leaves enough of its time.
2. `leaves_at`: when does the mail leave? Quiet hours hold all that answers no letter.
3. `before_quiet`: when is a player reminded whose turn ends in quiet hours?

No clock stands for any of this (`desk/matches/time/clock.py: start_unread`): hours in which a
player wants no mail would be time given to them.

`read_reminders`, `read_quiet` and `read_digest` read those hours as players write them, in lower
case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal

from referee.desk.desk import Change
from referee.matches.time.moments import DAY, parse_duration
from referee.render.words.moments import zone_of
from referee.resources import keywords, pattern_for
from referee.store import notes
from referee.store.states import OutboxKind
from referee.store.tables.people import PlayerRow

News = Literal["turn", "match", "watched", "message", "end"]
"""News for a player: their own turn, that of another in their match or in one they watch, a message
to them, the end of a match."""

Way = Literal["mail", "digest", "report"]
"""How news come: in a mail at once, in the digest, or in the report of the player's next turn."""

URGENT: Final = timedelta(hours=6)
"""The least time a digest leaves of a turn it tells of; any shorter turn is reported at once."""

MAY_WAIT: Final[frozenset[OutboxKind]] = frozenset({"report", "notice", "invitation"})
"""Kinds of mails that wait for the end of quiet hours, unless they answer a letter."""

VALUES: Final[Mapping[str, str]] = keywords("value")
"""What every word for a setting's value means, in all languages."""

MOST_REMINDERS: Final = 5
"""Reminders of a turn that a player may ask for."""

_LEAST_LEFT: Final = timedelta(minutes=10)
MOST_LEFT: Final = timedelta(days=30)
"""Bounds of the time left at a reminder: later is of no use, earlier is no reminder."""

LONGEST_QUIET: Final = timedelta(hours=16)
"""Quiet hours of a day; some hours must remain in which mail arrives."""

DAY_MINUTES: Final = 24 * 60

_UNITS: Final[Mapping[str, str]] = keywords("span")

LONGEST_SPANS: Final = 120
"""Characters of the times of all reminders; more are none."""

_PART: Final = re.compile(r"([0-9]{1,4})\s*+([^\W\d_]++)")

_SPAN: Final = re.compile(r"(?:[0-9]{1,4}\s*+[^\W\d_]++)++")

_SPANS: Final = re.compile(rf"(?:\s*+(?:(?:,|{pattern_for('and')})\s*+)?{_SPAN.pattern})+")

_CLOCK: Final = rf"([0-9]{{1,2}})(?:[:.]([0-9]{{2}}))?(?:\s*{pattern_for('oclock')})?"

_TIME: Final = re.compile(rf"(?:{pattern_for('at')}\s+)?{_CLOCK}")

_WINDOW: Final = re.compile(
    rf"(?:{pattern_for('from')}\s+)?{_CLOCK}\s*{pattern_for('to')}\s*{_CLOCK}"
)


def way_of(change: Change, player: PlayerRow, news: News, due: datetime | None = None) -> Way:
    """Return how news come to a player; ``due`` is when their own turn runs out."""
    match news:
        case "turn" if player.digest == "daily" and due is not None:
            written = notes.DIGEST_DAY.read(change.connection, player.id)
            moment = next_digest(player, change.desk.now(), written)
            leaves = leaves_at(player, "report", moment) or moment
            return "digest" if due >= leaves + URGENT else "mail"
        case "turn" | "message":
            return "digest" if player.digest == "daily" else "mail"
        case "match" if player.mails == "turns":
            return "report"
        case "match" | "watched":
            return "digest" if player.gathers else "mail"
        case "end":
            return "mail"


def leaves_at(player: PlayerRow, kind: OutboxKind, written: datetime) -> datetime | None:
    """Return when a mail leaves that answers no letter; None if as soon as it is written."""
    quiet = _quiet(player, written) if kind in MAY_WAIT else None
    return None if quiet is None else quiet[1]


def reminders_of(player: PlayerRow) -> tuple[timedelta, ...] | None:
    """Return the times left a player set for reminders; None: those of the match."""
    if player.reminders is None:
        return None
    return tuple(map(parse_duration, player.reminders.removeprefix("off").split()))


def before_quiet(player: PlayerRow, moment: datetime, due: datetime) -> datetime:
    """Return when to remind a player instead of at a moment.

    If that and ``due``, the end of the turn, lie in the same quiet hours, it is just before those
    begin.
    """
    quiet = _quiet(player, moment)
    if quiet is None or due > quiet[1]:
        return moment
    return quiet[0] - timedelta(minutes=1)


def digest_today(player: PlayerRow, now: datetime) -> tuple[date, datetime]:
    """Return a player's day, and the moment of its digest."""
    local = now.astimezone(zone_of(player.zone))
    return local.date(), _at(player, local.date(), player.digest_at)


def next_digest(player: PlayerRow, now: datetime, written: str | None = None) -> datetime:
    """Return when a player's next digest after ``now`` is written; quiet hours may hold it then.

    ``written`` is the day, as an ISO date, on which the last one was written: each day has one.
    """
    today, moment = digest_today(player, now)
    if moment <= now or written == today.isoformat():
        return _at(player, today + DAY, player.digest_at)
    return moment


def _quiet(player: PlayerRow, moment: datetime) -> tuple[datetime, datetime] | None:
    """Return begin and end of the quiet hours around a moment; None outside of them."""
    if player.quiet is None:
        return None
    begins, _, ends = player.quiet.partition("-")
    today = moment.astimezone(zone_of(player.zone)).date()
    for day in (today - DAY, today):
        last = day if begins < ends else day + DAY
        window = (_at(player, day, begins), _at(player, last, ends))
        if window[0] <= moment < window[1]:
            return window
    return None


def _at(player: PlayerRow, day: date, clock: str) -> datetime:
    """Return a time of day where a player lives."""
    local = datetime.combine(day, time.fromisoformat(clock), zone_of(player.zone))
    return local.astimezone(UTC)


def read_reminders(word: str) -> str | None:
    """Return times left as they are kept, the longest first: ``24h 2h``; None if they are none."""
    if len(word) > LONGEST_SPANS or not _SPANS.fullmatch(word):
        return None
    spans = {read_span(span) for span in _SPAN.findall(word)}
    good = [span for span in spans if span and _LEAST_LEFT <= span <= MOST_LEFT]
    if len(spans) > MOST_REMINDERS or len(good) < len(spans):
        return None
    written = []
    for span in sorted(good, reverse=True):
        days, rest = divmod(span, DAY)
        hours, minutes = divmod(span // timedelta(minutes=1), 60)
        # ``24h`` stays as players write it.
        if days > 2 and not rest:
            written.append(f"{days}d")
        else:
            written.append((f"{hours}h" if hours else "") + (f"{minutes}m" if minutes else ""))
    return " ".join(written)


def read_span(text: str) -> timedelta | None:
    """Return a span in any language's units: ``10 minutes``; None if it is none."""
    try:
        return parse_duration(
            _PART.sub(lambda part: f"{part[1]}{_UNITS.get(part[2], '?')}", text.casefold())
        )
    except ValueError:
        return None


def read_quiet(word: str) -> str | None:
    """Return quiet hours as they are kept: ``22:00-07:00``; None if they are none."""
    window = _WINDOW.fullmatch(word)
    if window is None:
        return None
    begins, ends = _clock(window[1], window[2]), _clock(window[3], window[4])
    if begins is None or ends is None or begins == ends:
        return None
    if timedelta(minutes=(ends - begins) % DAY_MINUTES) > LONGEST_QUIET:
        return None
    return f"{_shown(begins)}-{_shown(ends)}"


def read_digest(word: str) -> str | None:
    """Return ``daily`` or ``daily 18:00``; None if it is none of these."""
    first, _, rest = word.partition(" ")
    on = VALUES.get(first) in {"on", "daily"}
    if on and not rest:
        return "daily"
    hour = _TIME.fullmatch(rest.strip() if on else word)
    minutes = _clock(*hour.groups()) if hour else None
    return None if minutes is None else f"daily {_shown(minutes)}"


def _clock(hour: str, minute: str | None) -> int | None:
    """Return a time of day in minutes; None if no clock shows it."""
    minutes = int(hour) * 60 + int(minute or 0)
    return minutes % DAY_MINUTES if minutes <= DAY_MINUTES and int(minute or 0) < 60 else None


def _shown(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
