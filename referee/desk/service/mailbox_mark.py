"""The mark in a mailbox that names the installation reading it.

A second installation on the same mailbox would answer the same letters; the mark stops it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.desk.desk import Desk
from referee.desk.health import HEADER
from referee.errors import RefereeError
from referee.mail import addressing
from referee.mail.composing import Outgoing, compose
from referee.mail.incoming import mime
from referee.mail.transport.mailbox import Folders, Mailbox
from referee.store import notes
from referee.store.post import letters

WORD: Final = "installation"

TEXT: Final = """\
This message belongs to the referee that reads this mailbox. Please leave it where it is:
it keeps a second referee from reading the same mailbox by mistake.
"""


class MailboxTaken(RefereeError):
    """Another installation reads this mailbox."""


@dataclass(frozen=True, slots=True)
class MailboxMark:
    """A message in a mailbox that names its installation; with its date."""

    installation: str
    date: str


def leave_mark(desk: Desk, mailbox: Mailbox, folders: Folders, *, take_over: bool = False) -> None:
    """Leave our mark in a mailbox without one; with ``take_over`` in any.

    Raises MailboxTaken if the newest mark is another installation's.
    """
    newest = _newest(desk, mailbox, folders)
    if newest is not None and newest.installation == _installation(desk):
        return
    if newest is not None and not take_over:
        raise MailboxTaken(_taken(desk, newest))
    mailbox.put(folders.handled, _compose(desk, _installation(desk)))


def check_mark(desk: Desk, mailbox: Mailbox, folders: Folders) -> None:
    """Raise MailboxTaken as ``leave_mark`` would, but leave no mark."""
    newest = _newest(desk, mailbox, folders)
    if newest is not None and newest.installation != _installation(desk):
        raise MailboxTaken(_taken(desk, newest))


def _taken(desk: Desk, mark: MailboxMark) -> str:
    return (
        f"the mailbox of {desk.address} belongs to another installation of the referee "
        f"({mark.date}); if that one is given up: referee run --take-over"
    )


def _installation(desk: Desk) -> str:
    with desk.store.reading() as connection:
        found = notes.INSTALLATION.read(connection)
    if found is None:
        raise RefereeError("the database does not say which installation it is: restore a backup")
    return found


def _newest(desk: Desk, mailbox: Mailbox, folders: Folders) -> MailboxMark | None:
    # The newest counts: a mailbox may have been taken over.
    for raw in reversed(mailbox.find(folders.handled, HEADER, WORD)):
        headers = mime.parse_tree(raw, most_parts=1, deepest=0, header_bytes=65_536).headers
        installation = headers.get(HEADER.lower()).removeprefix(WORD).strip()
        if installation and not _came_by_mail(desk, headers.get("message-id")):
            return MailboxMark(installation, headers.text("date")[:40])
    return None


def _came_by_mail(desk: Desk, message_id: str) -> bool:
    """Return whether a message is a letter, and so no mark.

    Anybody can write such headers into a letter.
    """
    ids = addressing.message_ids(message_id)
    if not ids:
        return True
    with desk.store.reading() as connection:
        return letters.letter_by_message_id(connection, ids[0]) is not None


def _compose(desk: Desk, installation: str) -> bytes:
    return compose(
        Outgoing(
            sender=desk.address,
            sender_name=desk.name,
            recipient=desk.address,
            subject="The referee's mark on this mailbox",
            text=TEXT,
            message_id=addressing.new_message_id(desk.domain),
            date=desk.now(),
            headers={HEADER: f"{WORD} {installation}"},
        )
    )
