"""The rereading of all folders after a restore: unknown letters are handled again.

The server kept the time of each letter's arrival when it was filed. By it the letters are handled
in the sequence they came in, so that matches come to stand where they stood.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from referee.desk import health
from referee.desk.desk import Desk
from referee.desk.letters import inbox
from referee.mail import addressing
from referee.mail.transport.client import MailboxLost, MailboxRefused
from referee.mail.transport.mailbox import Fetched, Folders, Mailbox
from referee.store import leases
from referee.store.play import matches
from referee.store.post import letters

log = logging.getLogger(__name__)

HEADERS: Final = ("MESSAGE-ID", "FROM", health.HEADER)
"""The headers that tell one letter from another, and letters from our own mark."""


def is_rereading_due(desk: Desk) -> bool:
    """Return whether the folders wait to be read again."""
    with desk.store.reading() as connection:
        return health.is_rereading_asked(connection)


def keep_unknown(desk: Desk, mailbox: Mailbox, folders: Folders) -> int:
    """Keep the unknown letters of the folders, by arrival; return how many.

    Nothing is handled before all are kept, and nothing changes on the server: an interrupted run
    begins again.
    """
    unknown: list[Fetched] = []
    for folder in _folders(folders):
        uidvalidity = mailbox.select(folder)
        listed = [lying for lying in mailbox.overview(HEADERS) if not _is_mark(desk, lying)]
        with desk.store.reading() as connection:
            uids = [lying.uid for lying in listed]
            known = letters.known_uids(connection, folder, uidvalidity, uids, desk.settings.address)
            for lying in listed:
                ids = addressing.message_ids(lying.headers.get("message-id"))
                # A move gives a letter a new UID; the store knows it by Message-ID, arrival and
                # size.
                again = ids and letters.is_listed(connection, ids[0], lying.arrived, lying.size)
                if lying.uid not in known and not again:
                    unknown.append(lying)
    unknown.sort(key=lambda lying: lying.arrived)
    kept = 0
    by_folder = groupby(unknown, lambda lying: (lying.folder, lying.uidvalidity))
    for (folder, uidvalidity), group in by_folder:
        uids = [lying.uid for lying in group]
        # In a folder made anew the UIDs name other letters.
        if mailbox.select(folder) != uidvalidity:
            raise MailboxLost(f"{folder} was made anew while it was read")
        kept += inbox.keep_letters(desk, mailbox, uids, again=True)
    log.warning("%d letters are handled again", kept, extra={"action": "reread"})
    return kept


def finish_rereading(desk: Desk, mailbox: Mailbox, folders: Folders) -> None:
    """File the letters where they now belong, and wake all clocks."""
    for folder in _folders(folders):
        inbox.file_away(desk, mailbox, folders, folder)
    with desk.store.writing() as connection:
        health.end_rereading(connection)
        # Deadlines rested until every letter was known.
        matches.wake_running(connection, desk.now())


def lacks_letters(desk: Desk, mailbox: Mailbox) -> bool:
    """Return whether letters lie handled that came after our last poll and that we do not know."""
    with desk.store.reading() as connection:
        served = leases.find_lease(connection)
        if served is None or served.polled_at is None:
            return False
        try:
            mailbox.select(mailbox.folders.handled)
        except MailboxRefused:
            return False
        # The last few are enough to tell a copy that goes on elsewhere.
        for lying in mailbox.overview(HEADERS, newest=20):
            ids = addressing.message_ids(lying.headers.get("message-id"))
            # One that came before may have been laid there by hand, from among the junk.
            late = lying.arrived > served.polled_at and not _is_mark(desk, lying)
            if late and ids and letters.letter_by_message_id(connection, ids[0]) is None:
                return True
    mailbox.select()
    return False


def _folders(folders: Folders) -> Sequence[str]:
    return (folders.handled, folders.ignored, folders.quarantine)


def _is_mark(desk: Desk, lying: Fetched) -> bool:
    """Return whether it is our own message that marks the mailbox."""
    sender = addressing.addresses(lying.headers.get("from"))
    return bool(lying.headers.get(health.HEADER.lower())) and sender == (desk.settings.address,)
