"""What the daemon leaves in the store about itself, for ``status`` to show."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.store import leases, notes
from referee.store.notes import Key, Trouble
from referee.store.post import letters

log = logging.getLogger(__name__)

PLACES: Final = (Key.READING_TROUBLE, Key.SENDING_TROUBLE)
"""The parts that can be in trouble by themselves."""


def note_poll(desk: Desk, began: datetime) -> None:
    """Note that a poll of the mailbox that began at a moment succeeded; it ends any trouble.

    One that a clock says will begin later, as it was put back meanwhile, is not noted.
    """
    if began > desk.now():
        return
    with desk.store.writing() as connection:
        leases.polled(connection, desk.address, began)
        notes.LAST_POLL.write(connection, desk.now().replace(microsecond=0))
        notes.TROUBLES[Key.READING_TROUBLE].remove(connection)


def all_letters_known(desk: Desk, connection: Connection, ended: datetime) -> bool:
    """Tell whether the mailbox was read after a moment, and all that came before it is handled."""
    served = leases.lease(connection, desk.address)
    polled = served.polled_at if served else None
    if polled is None or not ended < polled <= desk.now():
        return False
    return not letters.waiting_before(connection, ended)


def note_trouble(desk: Desk, place: str, text: str) -> None:
    """Note what keeps a part of the daemon from working, and since when."""
    with desk.store.writing() as connection:
        _note(desk, connection, place, text)


def end_trouble(desk: Desk, place: str) -> None:
    """Forget the trouble a part was in."""
    with desk.store.writing() as connection:
        notes.TROUBLES[place].remove(connection)


def raise_alarm(desk: Desk, text: str) -> None:
    """Note what only the organiser can end; intake rests until he does."""
    log.critical("%s", text, extra={"action": "alarm"})
    with desk.store.writing() as connection:
        _note(desk, connection, Key.ALARM, text)


def end_alarm(desk: Desk) -> None:
    """Forget the alarm: the daemon was started again, which is what it asked for."""
    with desk.store.writing() as connection:
        alarm = notes.TROUBLES[Key.ALARM]
        if alarm.read(connection) is not None:
            alarm.remove(connection)
            notes.INTAKE_SINCE.write(connection, desk.now())


def intake_since(connection: Connection) -> datetime:
    """Return when an alarm was last ended; what was before does not stop intake again."""
    return notes.INTAKE_SINCE.read(connection) or datetime.min.replace(tzinfo=UTC)


def _note(desk: Desk, connection: Connection, place: str, text: str) -> None:
    """Remember a text with the moment it was first noted."""
    note = notes.TROUBLES[place]
    known = note.read(connection)
    if known is None or known.text != text:
        note.write(connection, Trouble(desk.now(), text))


def ask(connection: Connection, now: datetime) -> None:
    """Have the folders read again by the next daemon, before it does anything else."""
    if not is_asked(connection):
        notes.REREAD.write(connection, now.replace(microsecond=0))


def is_asked(connection: Connection) -> bool:
    """Return whether the folders wait to be read again: until then no deadline acts."""
    return notes.REREAD.read(connection) is not None


def done(connection: Connection) -> None:
    """Note that all that the folders hold is known again."""
    notes.REREAD.remove(connection)


HEADER: Final = "X-Referee-Installation"
