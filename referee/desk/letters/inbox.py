"""The inbox: letters fetched, kept, filed once they are handled, and read again after a restore.

The order matters: a letter is in the store before anything changes on the server, and filed there
only after its transaction is safe on disk. A crash at any point loses nothing.

After a restore all folders are read again, and unknown letters are handled once more. The server
kept the time of each letter's arrival when it was filed. By it the letters are handled in the
sequence they came in, so that matches come to stand where they stood.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Final

from referee.desk import health
from referee.desk.desk import Desk
from referee.desk.letters import intake
from referee.desk.matches.time import stoppages
from referee.mail import addressing
from referee.mail.incoming import letter as incoming_letter
from referee.mail.transport.mailbox import Fetched, Mailbox, MailboxLost, MailboxRefused
from referee.store import leases, notes
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import claims, letters
from referee.store.tables.post import LetterRow

log = logging.getLogger(__name__)

CHUNK: Final = 50
"""Letters fetched or kept together."""

BATCH_BYTES: Final = 1_000_000
"""Bytes up to which letters are kept together."""

UNFETCHED: Final = "the mail server does not give it"
"""The reason of a letter that is set aside because it cannot be fetched."""

AGAIN: Final = timedelta(hours=1)
"""Time between two attempts to fetch it."""

HEADERS: Final = ("MESSAGE-ID", "FROM", health.HEADER)
"""The headers that tell one letter from another, and letters from our own mark."""


def fetch_and_keep(
    desk: Desk,
    mailbox: Mailbox,
    reader: str | None = None,
    goes_on: Callable[[], bool] = lambda: True,
) -> int:
    """Keep the letters of the inbox that are new to the store while ``goes_on`` says so.

    Return how many. Nothing changes on the server. Letters are kept in the sequence of their UIDs;
    those of a ``reader`` stay in its hands until their lanes are found.
    """
    gone = list[LetterRow]()

    def known(uidvalidity: int, uids: Sequence[int]) -> set[int]:
        with desk.store.reading() as connection:
            aside = letters.unfetched_letters(connection)
            here = {row.uid for row in aside if row.uidvalidity == uidvalidity} & {*uids}
            gone.extend(
                row for row in aside if row.uidvalidity != uidvalidity or row.uid not in here
            )
            due = {row.uid for row in aside if row.kept_at + row.attempts * AGAIN <= desk.now()}
            found = letters.known_uids(
                connection, mailbox.folders.inbox, uidvalidity, uids, desk.settings.address
            )
        return found - (due & here)

    mailbox.select()
    uids = mailbox.new(known)
    if gone:
        _keep_some(desk, [], again=False, reader=reader, gone=gone)
    kept = 0
    for start in range(0, len(uids), CHUNK):
        if not goes_on():
            break
        kept += keep_letters(desk, mailbox, uids[start : start + CHUNK], reader=reader)
    return kept


def keep_letters(
    desk: Desk,
    mailbox: Mailbox,
    uids: Sequence[int],
    *,
    again: bool = False,
    reader: str | None = None,
) -> int:
    """Fetch letters of the selected folder and keep them; return how many were new.

    ``again``: they were filed before, so the same bytes elsewhere are the same letter.
    """

    def known(head: bytes) -> bool:
        # What comes from a player is fetched whole.
        with desk.store.reading() as connection:
            return intake.names_player(connection, head)

    kept, group = 0, list[Fetched]()
    for letter in mailbox.fetch(uids, desk.settings.letter_bytes, intake.STRANGERS_BYTES, known):
        group.append(letter)
        # Each group is complete before its transaction begins, since the server may stall.
        if len(group) >= CHUNK or sum(len(held.raw) for held in group) >= BATCH_BYTES:
            kept += _keep_some(desk, group, again=again, reader=reader)
            group = []
    return kept + (_keep_some(desk, group, again=again, reader=reader) if group else 0)


def _keep_some(
    desk: Desk,
    fetched: Sequence[Fetched],
    *,
    again: bool,
    reader: str | None,
    gone: Sequence[LetterRow] = (),
) -> int:
    kept = []
    with desk.writing() as change:
        connection = change.connection
        aside = {
            (row.folder, row.uidvalidity, row.uid): row
            for row in letters.unfetched_letters(connection)
        }
        for lost in gone:
            letters.drop_unfetched(connection, lost.id)
        for letter in fetched:
            # Its UID is new, since it was filed; its bytes are not.
            if again and (letter.missing or letters.was_kept(connection, letter.raw)):
                continue
            before = aside.get((letter.folder, letter.uidvalidity, letter.uid))
            if before is not None and letter.missing:
                letters.end_attempt(connection, before.id, UNFETCHED)
            elif before is not None:
                letters.drop_unfetched(connection, before.id)
            row = letters.keep_letter(
                connection,
                folder=letter.folder,
                uidvalidity=letter.uidvalidity,
                uid=letter.uid,
                arrived=letter.arrived,
                size=letter.size,
                truncated=letter.truncated,
                raw=letter.raw,
                mailbox=desk.settings.address,
                now=desk.now(),
            )
            if row is not None and letter.missing:
                # It stays where it is.
                letters.change_letter(
                    connection,
                    row.id,
                    state="quarantined",
                    reason=UNFETCHED,
                    filed=True,
                    attempts=1,
                )
                for sender in incoming_letter.senders_of(letter.raw)[:1]:
                    player = players.by_address(connection, sender)
                    whose = player.id if player else None
                    letters.change_letter(connection, row.id, sender=sender, player_id=whose)
            elif row is not None:
                kept.append(row.id)
        if reader is not None:
            claims.keep_back(connection, kept, reader)
        if aside or len(kept) < len(fetched):
            stoppages.wait_for_unfetched(change, {row.player_id for row in aside.values()})
    return len(kept)


def file_away(desk: Desk, mailbox: Mailbox, source: str | None = None) -> str | None:
    """Move handled letters out of a folder, by default the inbox; return why some have to stay.

    Only under the UIDVALIDITY they were read with: UIDs of another one name other letters.
    """
    source = source or mailbox.folders.inbox
    uidvalidity = mailbox.select(source)
    refusal, last = None, 0
    while True:
        with desk.store.reading() as connection:
            unfiled = letters.unfiled_letters(
                connection, source, uidvalidity, desk.settings.address, last
            )
        if not unfiled:
            return refusal
        last = unfiled[-1].id
        for target, group in groupby(sorted(unfiled, key=_target), key=_target):
            # Handling did not wait for the disk; before the server forgets the letter, it must.
            desk.store.flush()
            goal = getattr(mailbox.folders, target)
            refusal = _file_some(desk, mailbox, list(group), goal) or refusal


def _file_some(desk: Desk, mailbox: Mailbox, rows: Sequence[LetterRow], goal: str) -> str | None:
    """Move letters together, or where that is refused one by one; return why some have to stay."""
    refusal = None
    copied, filed = {row.uid for row in rows if row.target is not None}, set[int]()

    def move(uids: Sequence[int]) -> None:
        here = rows[0]
        if goal == here.folder or mailbox.move(uids, goal, here.uidvalidity, copied):
            filed.update(uids)

    try:
        move([row.uid for row in rows])
    except MailboxRefused as refused:
        refusal = str(refused)
        for row in rows:
            with contextlib.suppress(MailboxRefused):
                move([row.uid])
    finally:
        with desk.store.writing() as connection:
            for uids, done in ((copied - filed, False), (filed, True)):
                ids = [row.id for row in rows if row.uid in uids]
                letters.mark_filed(connection, ids, _target(rows[0]), filed=done)
    return refusal if len(filed) < len(rows) else None


def _target(row: LetterRow) -> str:
    """Return the role of the folder that a letter is filed in."""
    return {"quarantined": "quarantine", "ignored": "ignored"}.get(row.state, "handled")


def is_rereading_due(desk: Desk) -> bool:
    """Return whether the folders wait to be read again."""
    with desk.store.reading() as connection:
        return health.is_rereading_asked(connection)


def keep_unknown(desk: Desk, mailbox: Mailbox) -> int:
    """Keep the unknown letters of the folders, by arrival; return how many.

    Nothing is handled before all are kept, and nothing changes on the server: an interrupted run
    begins again.
    """
    unknown: list[Fetched] = []
    for folder in mailbox.folders.filed:
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
        kept += keep_letters(desk, mailbox, uids, again=True)
    if kept:
        log.info("letters that are handled again: %d", kept, extra={"action": "reread"})
    return kept


def finish_rereading(desk: Desk, mailbox: Mailbox) -> None:
    """File the letters where they now belong, and wake all clocks."""
    for folder in mailbox.folders.filed:
        file_away(desk, mailbox, folder)
    with desk.store.writing() as connection:
        notes.REREAD.remove(connection)
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


def _is_mark(desk: Desk, lying: Fetched) -> bool:
    """Return whether it is our own message that marks the mailbox."""
    sender = addressing.addresses(lying.headers.get("from"))
    return bool(lying.headers.get(health.HEADER.lower())) and sender == (desk.settings.address,)
