"""The calendar entry of a deadline (RFC 5545): added, moved, and cancelled."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from icalendar import Calendar, Event, vCalAddress
from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.matches.ledger import LoadedMatch
from referee.mail.composing import Attachment
from referee.render.moments import moment_text
from referee.render.wording import Wording
from referee.store.people.players import PlayerRow
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.play.seats import SeatRow
from referee.store.post import reports

NAME: Final = "deadline.ics"
CONTENT_TYPE: Final = 'text/calendar; charset="utf-8"; method="PUBLISH"'
PRODUCT: Final = "-//referee//deadlines//EN"

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]+")

MAILED: Final = "mailed"
"""The key, in a match's clock, of the mails sent to a seat before the match moved here."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A calendar entry: its identity, its revision, and its text.

    ``uid`` is the same for a seat throughout its match and ``sequence`` rises, so that calendars
    update the entry. ``over``: nothing is left to do, and the entry is cancelled.
    """

    uid: str
    sequence: int
    written: datetime
    due: datetime
    summary: str
    text: str
    address: str
    name: str
    over: bool = False


def calendar_file(deadlines: Iterable[Deadline]) -> bytes:
    """Return entries as a published calendar (RFC 5546 section 3.2.1), in UTC.

    The bytes depend on the entries alone.
    """
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    for each in deadlines:
        calendar.add_component(_event(each))
    return bytes(calendar.to_ical())


def _event(deadline: Deadline) -> Event:
    event = Event()
    event.add("uid", _plain(deadline.uid))
    event.add("sequence", deadline.sequence)
    event.add("dtstamp", _whole(deadline.written))
    event.add("dtstart", _whole(deadline.due))
    event.add("summary", _plain(deadline.summary))
    event.add("description", "\n".join(map(_plain, deadline.text.splitlines())))
    event.add("status", "CANCELLED" if deadline.over else "CONFIRMED")
    # A deadline does not make anybody busy.
    event.add("transp", "TRANSPARENT")
    organizer = vCalAddress(f"MAILTO:{_plain(deadline.address)}")
    organizer.params["CN"] = _plain(deadline.name)
    event.add("organizer", organizer)
    return event


def _whole(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)


def _plain(text: str) -> str:
    """Return text without anything that could end a line of the file."""
    return _CONTROL.sub(" ", text)


def most_mails(connection: Connection, row: MatchRow) -> int:
    """Return the highest number of mails sent to any one seat.

    Mails sent before the match moved here count. Sequences of entries begin beyond it, or calendars
    would take a new entry for an old one.
    """
    seats = matches.seats(connection, row.id)
    most = max(reports.written_to(connection, row.id, each.seat) for each in seats)
    before: int = json.loads(row.clock).get(MAILED, 0)
    return before + most + 1


def deadline_entry(
    change: Change, loaded: LoadedMatch, seat: SeatRow, player: PlayerRow
) -> Attachment | None:
    """Return a seat's deadline as a calendar file; None without one.

    A seat that has acted since its last report is sent the entry once more, as cancelled.
    """
    row = loaded.row
    if player.no_calendar:
        return None
    if loaded.live.turn.seat == seat.seat:
        if row.due is None:
            return None
        return _attached([_deadline(change, row, seat, player, row.due, over=False)])
    before = matches.turn_at(change.connection, row.id, seat.reported_seq)
    # The last report was not about a turn of its own, so no entry came with it.
    if before is None or before.seat != seat.seat or before.due is None:
        return None
    return _attached([_deadline(change, row, seat, player, before.due, over=True)])


def changed_entry(
    change: Change,
    row: MatchRow,
    seat: SeatRow,
    player: PlayerRow,
    *,
    holds: bool = True,
) -> Attachment | None:
    """Return the calendar entry after a deadline was moved or ended.

    ``holds``: the player still has the seat. None if the player's calendar has no entry.
    """
    if player.no_calendar:
        return None
    if holds and row.to_act == seat.seat and row.due is not None:
        return _attached([_deadline(change, row, seat, player, row.due, over=False)])
    turns = matches.turns(change.connection, row.id)
    # Only an entry that was mailed can be cancelled.
    told = [each.due for each in turns if each.seat == seat.seat and each.due is not None]
    return _attached([_deadline(change, row, seat, player, told[-1], over=True)]) if told else None


def moved_entries(change: Change, player: PlayerRow) -> tuple[Attachment, ...]:
    """Return the deadlines of a player's turns in one file.

    It goes with the answer to whatever moved them in several matches at once.
    """
    if player.no_calendar:
        return ()
    found = []
    for seat in matches.seats_of_player(change.connection, player.id):
        row = matches.get_match(change.connection, seat.match_id)
        if row.state == "running" and row.to_act == seat.seat and row.due is not None:
            found.append(_deadline(change, row, seat, player, row.due, over=False))
    return (_attached(found),) if found else ()


def _attached(deadlines: Iterable[Deadline]) -> Attachment:
    return Attachment(NAME, CONTENT_TYPE, calendar_file(deadlines))


def _deadline(
    change: Change,
    row: MatchRow,
    seat: SeatRow,
    player: PlayerRow,
    due: datetime,
    *,
    over: bool,
) -> Deadline:
    wording = Wording(change.desk.find_game(row.game, row.edition), player.language)
    say = wording.catalogue.say
    fields = {"match": row.name, "game": wording.word("game", "name")}
    fields |= {"seat": wording.seat(seat.seat), "turn": str(row.turn)}
    due_text = moment_text(due, player.zone, wording.catalogue)
    # Neither number ever falls, whatever the clock does, and each mail raises the last one:
    # calendars ignore a lower sequence.
    before = json.loads(row.clock).get(MAILED, 0)
    sequence = row.seq + before + reports.written_to(change.connection, row.id, seat.seat)
    return Deadline(
        # The same for all turns, so that an entry moves instead of multiplying.
        uid=f"{row.name}-{seat.seat}@{change.desk.domain}",
        sequence=sequence,
        written=change.desk.now(),
        due=due,
        summary=say("clock.entry", **fields),
        text=say("clock.entry_over" if over else "clock.entry_text", due=due_text, **fields),
        address=change.desk.address,
        name=change.desk.name,
        over=over,
    )
