"""The calendar entry that goes with a report: added, moved, and cancelled (RFC 5545)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.matches.ledger import LoadedMatch
from referee.games.play import canonical_json
from referee.mail.composing import Attachment
from referee.render.words.moments import moment_text
from referee.render.words.wording import Wording
from referee.store.people.players import PlayerRow
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.play.seats import SeatRow
from referee.store.post import reports

if TYPE_CHECKING:
    from icalendar import Component

NAME: Final = "deadline.ics"
CONTENT_TYPE: Final = 'text/calendar; charset="utf-8"; method="PUBLISH"'

PRODUCT: Final = "-//referee//deadlines//EN"

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]+")

MAILED: Final = "mailed"
"""The key, in a match's clock, of mails that count beside those sent to a seat.

Such mails are answers with entries that belong to no seat.
"""


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


def calendar_file(*deadlines: Deadline) -> bytes:
    """Return entries as a published calendar (RFC 5546 section 3.2.1), in UTC."""
    # It costs 80 ms of start-up, which commands that write no mail should not pay.
    from icalendar import Calendar  # noqa: PLC0415

    calendar = Calendar()
    for name, value in (("version", "2.0"), ("prodid", PRODUCT), ("method", "PUBLISH")):
        calendar.add(name, value)
    for each in deadlines:
        calendar.add_component(_event(each))
    # In the order given: so the bytes follow from the entries alone.
    written: bytes = calendar.to_ical(sorted=False)
    return written


def _event(deadline: Deadline) -> Component:
    from icalendar import Event, vCalAddress, vText  # noqa: PLC0415 - as above

    event = Event()
    event.add("uid", _plain(deadline.uid))
    event.add("sequence", deadline.sequence)
    event.add("dtstamp", _moment(deadline.written))
    event.add("dtstart", _moment(deadline.due))
    event.add("summary", _plain(deadline.summary))
    event.add("description", "\n".join(map(_plain, deadline.text.splitlines())))
    event.add("status", "CANCELLED" if deadline.over else "CONFIRMED")
    # A deadline does not make anybody busy.
    event.add("transp", "TRANSPARENT")
    organiser = vCalAddress(f"MAILTO:{_plain(deadline.address)}")
    organiser.params["CN"] = vText(_plain(deadline.name))
    event["organizer"] = organiser
    return event


def _moment(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)


def _plain(value: str) -> str:
    """Return a text without line breaks and other control characters."""
    return _CONTROL.sub(" ", value)


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
        return _file(_deadline(change, row, seat, player, row.due))
    before = matches.turn_at(change.connection, row.id, seat.reported_seq)
    # The last report was not about a turn of its own, so no entry came with it.
    if before is None or before.seat != seat.seat or before.due is None:
        return None
    return _file(_deadline(change, row, seat, player, before.due, over=True))


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
        return _file(_deadline(change, row, seat, player, row.due))
    turns = matches.turns(change.connection, row.id)
    # Only an entry that was mailed can be cancelled.
    told = [each.due for each in turns if each.seat == seat.seat and each.due is not None]
    return _file(_deadline(change, row, seat, player, told[-1], over=True)) if told else None


def moved_entries(
    change: Change, player: PlayerRow, before: Mapping[int, datetime | None]
) -> tuple[Attachment, ...]:
    """Return a player's entries whose deadlines were others before, in one file.

    ``before`` holds the ends of their turns by match; without any moved there is no file.
    """
    if player.no_calendar:
        return ()
    moved = []
    for match_id, due in before.items():
        row = matches.get_match(change.connection, match_id)
        if (now_due := row.due) is not None and now_due != due:
            seats = matches.seats(change.connection, match_id)
            seat = next(each for each in seats if each.seat == row.to_act)
            row = _counted(change.connection, row)
            moved.append(_deadline(change, row, seat, player, now_due))
    return (_file(*moved),) if moved else ()


def _counted(connection: Connection, row: MatchRow) -> MatchRow:
    """Count a mail that belongs to no seat of its match; return the match.

    Without it the next such mail would have the same sequence.
    """
    known = json.loads(row.clock)
    text = canonical_json(known | {MAILED: known.get(MAILED, 0) + 1})
    matches.change_match(connection, row.id, clock=text)
    return replace(row, clock=text)


def _file(*deadlines: Deadline) -> Attachment:
    return Attachment(NAME, CONTENT_TYPE, calendar_file(*deadlines))


def _deadline(
    change: Change,
    row: MatchRow,
    seat: SeatRow,
    player: PlayerRow,
    due: datetime,
    *,
    over: bool = False,
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
