"""Health of the daemon, kept in the store: polls, trouble, alarms, a restore."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change, Desk, stamp
from referee.store import leases, notes
from referee.store.notes import NoteKey, Trouble
from referee.store.post import letters

log = logging.getLogger(__name__)

FULL_MAILBOX: Final = (
    "the mailbox has hardly any room left by its quota, so letters may bounce: delete old ones in "
    "Handled and Ignored, or have the quota raised"
)

UNFILED: Final = (
    "handled letters stay in the inbox ({}): make room, or let the referee write to its folders; "
    "it tries again every ten minutes, and referee doctor tells more"
)

_UNFETCHED: Final = (
    "the mail server does not give a letter to the referee ({}): look at it in a mail program, "
    "have its sender write again, and move it out of the inbox"
)


def note_poll(
    desk: Desk, began: datetime, *, crowded: bool = False, unfiled: str | None = None
) -> None:
    """Note a successful poll of the mailbox, and what is wrong with it all the same.

    It is ``crowded``, or handled letters stay ``unfiled`` for a reason, or some are not given to
    us. ``began`` is when it began, since a letter may arrive while it runs. It is ignored if the
    system clock was set back meanwhile: a poll from the future would let deadlines act too early.
    """
    if began > desk.now():
        return
    with desk.writing() as change:
        leases.note_polled(change.connection, began)
        notes.LAST_POLL.write(change.connection, desk.now().replace(microsecond=0))
        over = _end(change, NoteKey.READING_TROUBLE)
        unfetched = letters.unfetched_letters(change.connection)[:5]
        named = ", ".join(f"UID {row.uid} from {row.sender or 'somebody'}" for row in unfetched)
        troubles = {
            NoteKey.QUOTA: FULL_MAILBOX if crowded else None,
            NoteKey.FILING: UNFILED.format(unfiled) if unfiled else None,
            NoteKey.UNFETCHED: _UNFETCHED.format(named) if named else None,
        }
        for place, text in troubles.items():
            if text is not None:
                _note(change, place, text)
            else:
                _end(change, place)
    _tell_end(over)


def all_letters_known(change: Change, ended: datetime) -> bool:
    """Return whether all letters before a moment are handled, after a poll that began later."""
    served = leases.find_lease(change.connection)
    polled = served.polled_at if served else None
    if polled is None or not ended < polled <= change.desk.now():
        return False
    return not letters.waiting_before(change.connection, ended)


def is_settled(change: Change, moment: datetime) -> bool:
    """Return whether a moment has passed, with every letter before it known."""
    if moment > change.desk.now() or is_rereading_asked(change.connection):
        return False
    return all_letters_known(change, moment)


def note_trouble(desk: Desk, place: str, text: str) -> None:
    """Note why a part of the daemon cannot work, and since when."""
    with desk.writing() as change:
        _note(change, place, text)


def end_trouble(desk: Desk, place: str) -> None:
    """Forget the trouble a part was in."""
    with desk.writing() as change:
        over = _end(change, place)
    _tell_end(over)


def raise_alarm(desk: Desk, text: str) -> None:
    """Note a fault only the organiser can end; intake rests until then."""
    log.critical("%s", text, extra={"action": "alarm"})
    with desk.writing() as change:
        _note(change, NoteKey.ALARM, text)


def is_alarmed(desk: Desk) -> bool:
    """Return whether intake rests because of an alarm."""
    with desk.store.reading() as connection:
        return notes.TROUBLES[NoteKey.ALARM].read(connection) is not None


def end_alarm(desk: Desk) -> None:
    """End the alarm, because the daemon was started again as it asks."""
    with desk.writing() as change:
        if _end(change, NoteKey.ALARM) is not None:
            notes.INTAKE_SINCE.write(change.connection, desk.now())


def intake_since(connection: Connection) -> datetime:
    """Return when an alarm last ended; faults before it are settled."""
    return notes.INTAKE_SINCE.read(connection) or datetime.min.replace(tzinfo=UTC)


def _note(change: Change, place: str, text: str) -> None:
    """Keep a text with the moment it was first noted."""
    note = notes.TROUBLES[place]
    known = note.read(change.connection)
    if known is None or known.text != text:
        note.write(change.connection, Trouble(change.desk.now(), text))


def _end(change: Change, place: str) -> Trouble | None:
    """Forget a trouble; return it if there was one."""
    note = notes.TROUBLES[place]
    if (trouble := note.read(change.connection)) is not None:
        note.remove(change.connection)
    return trouble


def _tell_end(over: Trouble | None) -> None:
    """Log that a trouble is over, since the log has told of it; only once that is kept."""
    if over is not None:
        said = "trouble since %s is over: %s"
        log.info(said, stamp(over.since), over.text, extra={"action": "trouble"})


def ask_rereading(connection: Connection, now: datetime) -> None:
    """Ask the next daemon to read the folders again before anything else."""
    if not is_rereading_asked(connection):
        notes.REREAD.write(connection, now.replace(microsecond=0))


def is_rereading_asked(connection: Connection) -> bool:
    """Return whether the folders wait to be read again; deadlines rest meanwhile."""
    return notes.REREAD.read(connection) is not None


HEADER: Final = "X-Referee-Installation"
"""The header of the message that marks a mailbox as this installation's."""
