"""The mark in a mailbox that names the installation reading it, and its last start.

A second installation on the same mailbox would answer the same letters; the mark stops it. A copy
of an installation bears the same name, so the mark also has a number that grows with each start and
stands in the database too: a database behind its mark was left behind when its copy went on.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import ClassVar, Final

from referee import resources
from referee.desk import health
from referee.desk.desk import Desk
from referee.desk.health import HEADER
from referee.desk.letters import inbox
from referee.errors import UNFIT, RefereeError
from referee.mail import addressing
from referee.mail.composing import Outgoing, compose
from referee.mail.transport.mailbox import Mailbox, MailboxError, MailboxRefused
from referee.store import notes
from referee.store.notes import Trouble
from referee.store.post import letters
from referee.value import Value

WORD: Final = "installation"

_START: Final = "X-Referee-Start"
"""The header with the number of a start, a word by which two of one number differ, and the host."""

REFUSED: Final = "refused"
"""Stands in place of number and word where a second installation says that it was."""

SUBJECT: Final = "The referee's mark on this mailbox"

TEXT: Final = """\
This message belongs to the referee that reads this mailbox. Please leave it where it is:
it keeps a second referee from reading the same mailbox by mistake.
"""

SEE: Final = f"see {resources.page('organisers/moving.md')}"


class MailboxTaken(RefereeError):
    """Another installation reads this mailbox, or a copy of this one does."""

    status: ClassVar[int] = UNFIT


class MailboxMark(Value):
    """A message in a mailbox that names its installation; with its date.

    ``start`` is what the database knows as well, ``REFUSED``, or empty in a mark without number.
    """

    uid: int
    installation: str
    start: str
    host: str
    date: str


def leave_mark(desk: Desk, mailbox: Mailbox, *, take_over: bool) -> None:
    """Leave the mark of a new start in a mailbox that is ours; with ``take_over`` in any.

    Raises MailboxTaken as ``watch_mark``, and if the letters handled last are not known.
    """
    marks = watch_mark(desk, mailbox, begins=True, take_over=take_over)
    ours = [mark for mark in marks if mark.installation == _installation(desk)]
    with desk.store.writing() as connection:
        known = notes.START.lock(connection) or ""
        number = max(map(_number, (known, *(mark.start for mark in ours)))) + 1
        # Written before the mark: a database ahead of its mailbox locks nobody out.
        start = f"{number} {secrets.token_hex(4)}"
        notes.START.write(connection, start)
    try:
        mailbox.put(mailbox.folders.handled, _compose(desk, _installation(desk), start))
        mailbox.remove(mailbox.folders.handled, [mark.uid for mark in ours])
    except MailboxRefused:
        # A mailbox that takes no mark, as over its quota, is read on if it was read before.
        if not known:
            raise


def watch_mark(
    desk: Desk, mailbox: Mailbox, *, begins: bool = False, take_over: bool = False
) -> list[MailboxMark]:
    """Return the marks that came since the last look with this connection, newest first.

    Who was refused the mailbox meanwhile is noted for the organiser, and forgotten by a start that
    says whose mailbox it is. Raises MailboxTaken if the mailbox is not ours to read, and leaves
    word of that for the installation that reads it.
    """
    found = _marks(desk, mailbox)
    marks = [mark for mark in found if mark.start != REFUSED]
    refusals = [mark for mark in found if mark.start == REFUSED]
    try:
        _judge(desk, mailbox, marks, begins=begins, take_over=take_over)
    except MailboxTaken:
        if not refusals:
            owner = marks[0].installation if marks else _installation(desk)
            with suppress(MailboxError):
                mailbox.put(mailbox.folders.handled, _compose(desk, owner, REFUSED))
        raise
    settled = begins and (take_over or inbox.is_rereading_due(desk))
    if settled or refusals:
        with desk.store.writing() as connection:
            if settled:
                # Whoever was refused before is mostly we ourselves.
                notes.RIVAL.remove(connection)
            else:
                host, date = refusals[0].host, refusals[0].date
                text = f"a second referee, on {host}, was refused this mailbox ({date})"
                notes.RIVAL.write(connection, Trouble(desk.now(), f"{text}: stop it; {SEE}"))
    with suppress(MailboxRefused):
        mailbox.remove(mailbox.folders.handled, [mark.uid for mark in refusals])
    return marks


def check_mark(desk: Desk, mailbox: Mailbox) -> None:
    """Raise MailboxTaken as ``leave_mark`` would, but change nothing."""
    marks = [mark for mark in _marks(desk, mailbox) if mark.start != REFUSED]
    _judge(desk, mailbox, marks, begins=True, take_over=False)


def _judge(
    desk: Desk, mailbox: Mailbox, marks: list[MailboxMark], *, begins: bool, take_over: bool
) -> None:
    # The newest counts: a mailbox may have been taken over.
    newest = marks[0] if marks else None
    if newest is not None and newest.installation != _installation(desk):
        if take_over:
            return
        raise MailboxTaken(
            f"the mailbox of {desk.settings.address} belongs to another installation of the "
            f"referee ({newest.date}); if that one is given up: referee run --take-over"
        )
    with desk.store.reading() as connection:
        known = notes.START.read(connection) or ""
        # Whoever puts an older database in place on purpose has its letters read again.
        if health.is_rereading_asked(connection):
            return
    if newest and newest.start != known and _number(newest.start) >= _number(known):
        why = f"was read by a copy of this database, on {newest.host}, {newest.date}"
    elif begins and inbox.lacks_letters(desk, mailbox):
        why = f"holds letters in {mailbox.folders.handled} that this database does not know"
    else:
        return
    advice = f"if no other referee shall read it: referee run --reread ({SEE})"
    raise MailboxTaken(f"the mailbox of {desk.settings.address} {why}; {advice}")


def _number(start: str) -> int:
    # Alone it is what stands behind a number, of which all signs may be digits.
    number, apart, _ = start.partition(" ")
    return int(number[:12]) if apart and number.isascii() and number.isdecimal() else 0


def _installation(desk: Desk) -> str:
    with desk.store.reading() as connection:
        name = notes.INSTALLATION.read(connection)
    if name is None:
        raise RefereeError("the database does not say which installation it is: restore a backup")
    return name


def _marks(desk: Desk, mailbox: Mailbox) -> list[MailboxMark]:
    marks = []
    try:
        messages = mailbox.find(mailbox.folders.handled, SUBJECT)
    except MailboxRefused:
        # Without its folder a mailbox is read on, if it was read before.
        with desk.store.reading() as connection:
            if notes.START.read(connection) is None:
                raise
        messages = []
    for lying in reversed(messages):
        headers = lying.headers
        installation = headers.get(HEADER.lower()).removeprefix(WORD).strip()
        ids = addressing.message_ids(headers.get("message-id"))
        if not installation or not ids:
            continue
        # Anybody can write such headers into a letter.
        with desk.store.reading() as connection:
            by_mail = letters.letter_by_message_id(connection, ids[0]) is not None
        if not by_mail:
            start, _, host = headers.get(_START.lower()).strip().rpartition(" ")
            date = headers.text("date")[:40]
            marks.append(MailboxMark(lying.uid, installation, start, host or "another host", date))
    return marks


def _compose(desk: Desk, installation: str, start: str) -> bytes:
    headers = {HEADER: f"{WORD} {installation}", _START: f"{start} {socket.gethostname()}"}
    return letter_of_ours(desk, desk.settings.address, SUBJECT, TEXT, headers)


def letter_of_ours(
    desk: Desk, recipient: str, subject: str, text: str, headers: Mapping[str, str] | None = None
) -> bytes:
    """Return a letter that the referee writes to its own mailbox."""
    return compose(
        Outgoing(
            sender=desk.settings.address,
            sender_name=desk.settings.name,
            recipient=recipient,
            subject=subject,
            text=text,
            message_id=addressing.new_message_id(desk.settings.domain),
            date=desk.now(),
            headers=headers or {},
        )
    )
