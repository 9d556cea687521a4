"""The organiser's daily mail: news that needs attention; no news, no mail."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection

from referee.desk.desk import Change, Desk
from referee.desk.mails import post
from referee.desk.matches import broken
from referee.desk.matches.time import clock, outages
from referee.games.game import Seat
from referee.mail import addressing
from referee.render.summaries import summary_content
from referee.render.words.moments import moment_text
from referee.render.words.wording import Catalogue, Wording
from referee.store import notes
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters, outbox, strangers
from referee.store.tables.play import MatchRow
from referee.value import Value, replace

log = logging.getLogger(__name__)

HOUR: Final = 6
"""The hour, in the installation's zone, from which the day's summary is written."""

ADDRESS: Final = "address"
"""The beginning of a failing address's mark among the news told."""

LASTING: Final = timedelta(hours=1)
"""How long trouble must last to be told; the rest passes by itself."""

_MOST: Final = 1000
"""Letters and mails listed at most."""


class Told(Value):
    """The news told to the organiser before.

    ``day`` is the day of the last summary, ``strangers`` the first day whose strangers are still
    to be told, both ISO dates; ``shown`` holds the marks of what lasts.
    """

    day: str = ""
    strangers: str = ""
    shown: tuple[str, ...] = ()


TOLD: Final = notes.json_note(notes.NoteKey.SUMMARY, Told)
"""What the last summary told."""

Item: TypeAlias = tuple[str, Mapping[str, Any], str | None]
"""A piece of news: its part of the mail, its fields, and a mark by which news that lasts is known.

So that it is told once. News of a day has no mark: it never comes twice by itself.
"""


def write_if_due(desk: Desk) -> bool:
    """Write the day's summary if due; return whether one was written."""
    settings = desk.settings
    organiser = addressing.valid_address(settings.organiser) if settings.organiser else None
    local = desk.now().astimezone(settings.zone)
    if organiser is None or local.hour < HOUR:
        return False
    day = local.date().isoformat()
    # Most calls end here, without a lock.
    with desk.store.reading() as connection:
        if (TOLD.read(connection) or Told()).day == day:
            return False
    with desk.writing() as change:
        told = TOLD.lock(change.connection) or Told()
        # A daemon that led until just now may have written it since the look without a lock.
        if told.day == day:
            return False
        items = list(_items(change, told.strangers))
        parts: dict[str, list[Mapping[str, Any]]] = {}
        for part, fields, mark in items:
            if mark not in told.shown:
                parts.setdefault(part, []).append(fields)
        if parts:
            content = summary_content(Catalogue(settings.language), parts, post.BARE_FRAMING)
            post.send(change, post.Mail("organiser", content), None, organiser)
        # Trouble that has ended is forgotten, and is news if it comes back.
        lasting = sorted(mark for _, _, mark in items if mark is not None)
        TOLD.write(change.connection, Told(day, strangers.day_of(desk.now()), tuple(lasting)))
        new = sum(map(len, parts.values()))
        log.info("summary of %s: %d new", day, new, extra={"action": "summary"})
        return bool(new)


def forget_addresses(connection: Connection, addresses: Iterable[str]) -> None:
    """Forget that addresses were ever mentioned: somebody who is erased is named nowhere."""
    gone = {f"{ADDRESS} {address}" for address in addresses}
    told = TOLD.lock(connection) or Told()
    left = tuple(known for known in told.shown if known not in gone)
    if len(left) < len(told.shown):
        TOLD.write(connection, replace(told, shown=left))


def _items(change: Change, strangers_from: str) -> Iterator[Item]:
    """Yield the news of now, and take out the items kept for this summary."""
    if (jump := outages.lasting_outage(change.connection)) is not None:
        yield "alarms", {"text": outages.jump_line(jump)}, f"clock {jump.number}"
    for place, note in notes.TROUBLES.items():
        trouble = note.read(change.connection)
        if trouble is None:
            continue
        # An alarm at once, and trouble once it has lasted.
        if place is notes.NoteKey.ALARM or change.desk.now() - trouble.since >= LASTING:
            yield "alarms", {"text": str(trouble)}, f"{place} {trouble}"
    if (rival := notes.RIVAL.read(change.connection)) is not None:
        yield "alarms", {"text": rival.text}, f"rival {rival}"
    settings = change.desk.settings
    catalogue = Catalogue(settings.language)
    unknown = catalogue.say("summary.unknown")
    fields: Mapping[str, Any]
    for letter in letters.latest_letters(change.connection, "quarantined", _MOST):
        fields = {"id": letter.id, "sender": letter.sender or unknown, "reason": letter.reason}
        yield "letters", fields, f"letter {letter.id}"
    for mail in outbox.latest_mails(change.connection, "failed", _MOST):
        # A summary that could not be delivered would be news in the next one, day by day.
        if mail.kind != "organiser":
            fields = {"id": mail.id, "recipient": mail.recipient, "reason": mail.answer or ""}
            yield "mails", fields, f"mail {mail.id}"
    for failing in players.failing_addresses(change.connection):
        name = players.get_player(change.connection, failing.player_id).name
        fields = {"address": failing.address, "name": name, "reason": failing.reason or ""}
        yield "addresses", fields, f"{ADDRESS} {failing.address}"
    for line in broken.broken_lines(change).values():
        yield "broken", {"text": line}, line
    for row in matches.select_matches(change.connection, "running"):
        if row.due is not None and clock.is_late(change, row):
            seat = _seat(change.desk, row, row.to_act) if row.to_act else ""
            until = moment_text(row.due, settings.zone.key, catalogue)
            fields = {"match": row.name, "seat": seat, "due": until}
            yield "matches", fields, f"match {row.name} turn {row.turn}"
    for declined in matches.invitations(change.connection, "no"):
        row, name = matches.get_match(change.connection, declined.match_id), declined.name
        fields = {"match": row.name, "name": name, "seat": _seat(change.desk, row, declined.seat)}
        # The mark is kept, also when the player is erased.
        yield "declined", fields, f"declined {row.name} {declined.seat} {declined.player_id}"
    news = NEWS.lock(change.connection) or ()
    NEWS.remove(change.connection)
    # An item of an earlier version does not say whether a player who resigned was late.
    yield from ((item.part, {"late": False, **item.fields}, None) for item in news)
    # Strangers of the days that are over, the most eager first.
    counts: dict[str, int] = {}
    answered: set[str] = set()
    today = strangers.day_of(change.desk.now())
    for stranger in strangers.strangers_between(change.connection, strangers_from, today):
        counts[stranger.address] = counts.get(stranger.address, 0) + stranger.count
        if stranger.answered:
            answered.add(stranger.address)
    for address in sorted(counts, key=lambda address: (-counts[address], address)):
        fields = {"address": address, "n": counts[address], "answered": address in answered}
        player = players.by_address(change.connection, address)
        if player is not None and player.blocked:
            yield "blocked", {**fields, "name": player.name}, None
        else:
            yield "strangers", fields, None


def _seat(desk: Desk, row: MatchRow, seat: Seat) -> str:
    """Return a seat's worded name; its plain name without the game."""
    try:
        with broken.faults_as_broken(row):
            return Wording(desk.find_game(row.game, row.edition), desk.settings.language).seat(seat)
    except broken.BrokenMatch:
        return seat


class News(Value):
    """An item kept for the next summary: its part, and its sentence's fields."""

    part: str
    fields: Mapping[str, Any]


NEWS: Final = notes.json_note(notes.NoteKey.NEWS, list[News])
"""The items kept for the next summary, in order."""

MOST_NEWS: Final = 200
"""Items kept; beyond that the oldest go."""


def note_news(connection: Connection, part: str, fields: Mapping[str, Any]) -> None:
    """Keep an item for the next summary: its part and fields, ``player`` whom it is about."""
    kept = [*(NEWS.lock(connection) or ()), News(part, fields)]
    NEWS.write(connection, kept[-MOST_NEWS:])


def forget_news_about(connection: Connection, player_id: int) -> None:
    """Drop the kept items about a player, under whatever name."""
    kept = NEWS.lock(connection) or ()
    NEWS.write(connection, [item for item in kept if not _is_about(item, player_id)])


def follow_merge(connection: Connection, old: int, into: int) -> None:
    """Let the kept items about a player be about the one that the player becomes."""
    kept = NEWS.lock(connection) or []
    for at, item in enumerate(kept):
        if _is_about(item, old):
            kept[at] = replace(item, fields={**item.fields, "player": into})
    NEWS.write(connection, kept)


def _is_about(item: News, player_id: int) -> bool:
    return item.fields.get("player") == player_id
