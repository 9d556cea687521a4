"""A match of two in which time runs: begun, answered, and its clock and banks read."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from support.club import Club, Mail

from referee.desk import health
from referee.desk.matches.time import clock, outages
from referee.store.play import matches

ALICE: Final = "alice@example.test"
BOB: Final = "bob@example.test"
SEATS: Final = (f"red={ALICE}", f"blue={BOB}")
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
MATCH: Final = "pebbles-1"


def begin(club: Club, **agreed: Any) -> None:
    """Begin a match whose first report has left."""
    club.new_match("pebbles", *SEATS, **agreed)
    club.work()
    leave(club)


def leave(club: Club) -> None:
    """Let the mails that wait leave without taking them."""
    club.mails("nobody@example.test")


def left(club: Club) -> timedelta | None:
    """Return what is left of the turn."""
    with club.desk.reading() as change:
        return clock.clock_of(change, club.match(MATCH)).left


def bank(club: Club, seat: str) -> int | None:
    """Return what a seat has in its bank, in seconds."""
    with club.desk.store.reading() as connection:
        found = matches.find_seat(connection, club.match(MATCH).id, seat)
    assert found is not None
    return found.bank


def play(club: Club, sender: str, report: Mail | None = None) -> None:
    """Let a player answer a report, by default his last, with the first order that is legal."""
    report = report or club.last(sender, "report")
    club.answer(report, report.turn_file["legal"][0], sender)


def poll(club: Club) -> None:
    """Let a poll succeed, as the daemon notes it."""
    outages.note_outage(club.desk, club.desk.now())
    health.note_poll(club.desk, club.desk.now())
    club.work()
