"""What an organiser may do with mails that wait and letters that were set aside, and what not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.desk.matches import stoppages
from referee.errors import RefereeError
from referee.store.post import letters, outbox
from referee.store.post.letters import LetterRow
from referee.store.post.outbox import OutboxRow
from referee.store.states import OutboxState

DROPPED: Final = "dropped by the organiser"


class BadMail(RefereeError):
    """Nothing can be done with a mail as asked."""


class BadLetter(RefereeError):
    """Nothing can be done with a letter as asked."""


def find_mail(connection: Connection, number: int) -> OutboxRow:
    """Return a mail. Raises BadMail."""
    try:
        return outbox.get(connection, number)
    except KeyError:
        raise BadMail(f"there is no mail {number}: see referee outbox list") from None


def find_letter(connection: Connection, number: int) -> LetterRow:
    """Return a letter. Raises BadLetter."""
    try:
        return letters.get(connection, number)
    except KeyError:
        raise BadLetter(f"there is no letter {number}: see referee letter list") from None


def bytes_of(connection: Connection, number: int) -> bytes:
    """Return a letter as it came. Raises BadLetter when it was never there or is kept no more."""
    find_letter(connection, number)
    try:
        return letters.raw(connection, number)
    except KeyError:
        raise BadLetter(f"letter {number} is kept no more: it was erased or pruned") from None


def retry_mail(desk: Desk, connection: Connection, number: int) -> OutboxRow:
    """Make a mail due now, and what waits before it for the same recipient; return it as it was.

    Its bytes and Message-ID stay. Raises BadMail for one that left, whose place was taken,
    or whose bytes are gone.
    """
    row = find_mail(connection, number)
    if newer := outbox.newer_report(connection, row):
        raise BadMail(f"mail {number} is an old report: mail {newer} took its place")
    state: OutboxState = "uncertain" if row.state == "uncertain" else "waiting"
    _change(desk, connection, row, ("waiting", "uncertain", "failed", "held"), state)
    try:
        outbox.raw(connection, number)
    except KeyError:
        raise BadMail(f"mail {number} is kept no more: it was erased or pruned") from None
    outbox.hasten_earlier(connection, row, desk.now())
    return row


def hold_mail(desk: Desk, connection: Connection, number: int) -> OutboxRow:
    """Keep a waiting mail back until it is let go; return it as it was. Raises BadMail."""
    row = find_mail(connection, number)
    _change(desk, connection, row, ("waiting",), "held")
    return row


def release_mail(desk: Desk, connection: Connection, number: int) -> OutboxRow:
    """Let a held mail go; return it as it was. Raises BadMail."""
    row = find_mail(connection, number)
    _change(desk, connection, row, ("held",), "waiting")
    return row


def _change(
    desk: Desk,
    connection: Connection,
    row: OutboxRow,
    those: Sequence[OutboxState],
    state: OutboxState,
) -> None:
    if not outbox.change(connection, row.id, those, state, desk.now()):
        wanted = " or ".join(those)
        raise BadMail(f"mail {row.id} is {row.state}: this is for mails that are {wanted}")


def retry_letter(connection: Connection, number: int) -> LetterRow:
    """Let a letter in quarantine be handled again, as if it came now; return it as it was.

    Raises BadLetter.
    """
    row = _aside(connection, number)
    bytes_of(connection, number)
    letters.retry(connection, number)
    return row


def drop_letter(desk: Desk, connection: Connection, number: int) -> LetterRow:
    """End a letter in quarantine unheard; return it as it was. Raises BadLetter."""
    row = _aside(connection, number)
    letters.finish(connection, number, "ignored", DROPPED, desk.now())
    stoppages.go_on_for(desk, connection, row.sender)
    return row


def _aside(connection: Connection, number: int) -> LetterRow:
    row = find_letter(connection, number)
    if row.state != "quarantined":
        raise BadLetter(f"letter {number} is {row.state}: this is for letters in quarantine")
    return row
