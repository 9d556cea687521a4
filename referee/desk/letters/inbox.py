"""The inbox: letters fetched, kept, handled one by one, and only then filed.

The order matters: a letter is in the store before anything changes on the server, and filed there
only after its transaction is safe on disk. A crash at any point loses nothing.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from itertools import groupby
from typing import Final

from sqlalchemy.exc import OperationalError

from referee.desk import agenda, health
from referee.desk import desk as desk_desk
from referee.desk.desk import Change, Desk, carried_through
from referee.desk.letters import intake, reply
from referee.desk.letters.case import Case
from referee.desk.matches import broken
from referee.desk.matches.time import stoppages
from referee.errors import RefereeError
from referee.mail.incoming import letter as incoming_letter
from referee.mail.transport.client import MailboxRefused
from referee.mail.transport.mailbox import Fetched, Folders, Mailbox
from referee.render.answers import answer
from referee.store.people import players
from referee.store.post import claims, letters
from referee.store.store import StoreError
from referee.store.tables.post import LetterRow

log = logging.getLogger(__name__)

MOST_ATTEMPTS: Final = 3
"""Attempts at a letter that fails by itself before it is set aside."""

MOST_KILLS: Final = 10
"""Attempts at a letter during which the process was killed before it is set aside.

More than ``MOST_ATTEMPTS``: the kill may have had other reasons.
"""

ASIDE_IN_A_ROW: Final = 3
"""Different letters set aside in a row that mean a bad day, not bad letters."""

CHUNK: Final = 50
"""Letters fetched, kept or handled together."""

BATCH_BYTES: Final = 1_000_000
"""Bytes up to which letters are kept together."""

UNFETCHED: Final = "the mail server does not give it"
"""The reason of a letter that is set aside because it cannot be fetched."""

AGAIN: Final = timedelta(hours=1)
"""Time between two attempts to fetch it."""

HEAD_BYTES: Final = intake.STRANGERS_BYTES


class IntakeStopped(RefereeError):
    """Several letters in a row failed; the organiser must look."""


def fetch_and_keep(
    desk: Desk, mailbox: Mailbox, folders: Folders, reader: str | None = None
) -> int:
    """Keep every letter of the inbox that is new to the store; return how many.

    Nothing changes on the server. Letters are kept in the sequence of their UIDs; those of a
    ``reader`` stay in its hands until their lanes are found.
    """
    gone = list[LetterRow]()

    def known(uidvalidity: int, uids: Sequence[int]) -> set[int]:
        with desk.store.reading() as connection:
            aside = letters.unfetched_letters(connection)
            here = {row.uid for row in aside if row.uidvalidity == uidvalidity} & {*uids}
            gone.extend(row for row in aside if row.uid not in here)
            due = {row.uid for row in aside if row.kept_at + row.attempts * AGAIN <= desk.now()}
            found = letters.known_uids(
                connection, folders.inbox, uidvalidity, uids, desk.settings.address
            )
        return found - (due & here)

    mailbox.select()
    uids = mailbox.new(known)
    if gone:
        _keep_some(desk, [], again=False, reader=reader, gone=gone)
    kept = 0
    for start in range(0, len(uids), CHUNK):
        kept += keep_letters(desk, mailbox, uids[start : start + CHUNK], reader=reader)
    return kept


def comes_from_player(desk: Desk, head: bytes) -> bool:
    """Return whether a letter comes from a player, to be fetched whole."""
    with desk.store.reading() as connection:
        return intake.names_player(connection, head)


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
    kept, group = 0, list[Fetched]()
    most, known = desk.settings.letter_bytes, partial(comes_from_player, desk)
    for letter in mailbox.fetch(uids, most, HEAD_BYTES, known):
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
                letters.set_unfetched(connection, row, UNFETCHED)
                for sender in incoming_letter.senders_of(letter.raw)[:1]:
                    player = players.by_address(connection, sender)
                    letters.set_sender(connection, row.id, sender, player.id if player else None)
            elif row is not None:
                kept.append(row.id)
        if reader is not None:
            claims.keep_back(connection, kept, reader)
        if aside or len(kept) < len(fetched):
            stoppages.wait_for_unfetched(change, {row.player_id for row in aside.values()})
    return len(kept)


def recover_letters(desk: Desk) -> None:
    """Count the letters in work when the process was killed; a daemon does so when it starts."""
    with desk.store.writing() as connection:
        for row in letters.interrupted_letters(connection):
            letters.count_kill(connection, row.id)
            log.warning("letter %d was being handled when the referee was stopped", row.id)


def has_waiting(desk: Desk) -> bool:
    """Return whether a kept letter waits to be handled."""
    with desk.store.reading() as connection:
        return bool(letters.waiting_letters(connection, 1))


def handle_waiting(desk: Desk, follow: Callable[[LetterRow], object] = lambda _: None) -> int:
    """Handle every kept letter, oldest first; return how many.

    It raises what ``handle_letter`` does.
    """
    handled = 0
    while True:
        with desk.store.reading() as connection:
            waiting = letters.waiting_letters(connection, CHUNK)
        for row in waiting:
            handle_letter(desk, row, follow)
        handled += len(waiting)
        if len(waiting) < CHUNK:
            return handled


def handle_letter(
    desk: Desk, row: LetterRow, follow: Callable[[LetterRow], object], begun: bytes | None = None
) -> None:
    """Handle a letter at its time; ``begun``: its first attempt is noted, and here are its bytes.

    ``follow`` brings matches to rest after it, before the next one is judged: so it makes no
    difference whether they came together or one by one. Raises IntakeStopped after several letters
    in a row were set aside, and passes on whatever keeps the store or the machine from working.
    """
    agenda.catch_up(desk, row.arrived)
    state = settle_letter(desk, row, begun)
    follow(row)
    if state != "quarantined":
        return
    # Those before a restart count too. Letters about a match that is broken do not: they say
    # nothing about the others.
    with desk.store.reading() as connection:
        since = health.intake_since(connection)
        aside = letters.aside_in_a_row(connection, since, ASIDE_IN_A_ROW, broken.ASIDE)
    if aside >= ASIDE_IN_A_ROW:
        raise IntakeStopped(
            f"{aside} letters in a row could not be handled: see `referee letter list "
            "--state quarantined`, then restart the daemon"
        )


def settle_letter(desk: Desk, row: LetterRow, begun: bytes | None = None) -> str:
    """Handle a letter, again if it fails, and return its state.

    So letters are handled in the sequence they came in, and only letters that came in a row are set
    aside in a row. ``begun`` are the bytes of a letter whose first attempt counts as begun.
    """
    while (state := _handle(desk, row, begun)) == "kept":
        begun = None
        with desk.store.reading() as connection:
            row = letters.get_letter(connection, row.id)
    return state


def _handle(desk: Desk, row: LetterRow, begun: bytes | None) -> str:
    if row.kills >= MOST_KILLS:
        return _set_aside_unread(desk, row)
    if begun is None:
        # The count serves when the process is killed; after a loss of power it is of no use, so the
        # disk is not waited for.
        with desk.store.writing(lasting=False) as connection:
            begun = letters.begin_attempt(connection, row.id)
    raw = begun
    try:
        return carried_through(lambda: intake.take_letter(desk, row, raw)).state
    except broken.MACHINE_FAULTS:
        # The machine's trouble must not count against the letter.
        with contextlib.suppress(StoreError), desk.store.writing() as connection:
            letters.forget_attempt(connection, row.id)
        raise
    except Exception as fault:
        extra = {"action": "intake", "letter": row.id}
        log.exception("letter %d could not be handled", row.id, extra=extra)
        # Trying again cannot help: the match has to be mended first.
        if isinstance(fault, (broken.BrokenMatch, desk_desk.NotInstalled)):
            return _set_aside(desk, row, f"{broken.ASIDE}{fault}")
        if row.attempts + 1 >= MOST_ATTEMPTS:
            return _set_aside(desk, row, f"{type(fault).__name__} while handling it")
        with desk.store.writing() as connection:
            # Taken for dead meanwhile, this daemon has nothing to say of it any more.
            if (state := letters.lock_letter(connection, row.id).state) != "kept":
                return state
            letters.end_attempt(connection, row.id, type(fault).__name__)
            # So that copies of it are recognised as repeats, if it can be read at all.
            try:
                letter = incoming_letter.read_letter(intake.heeded_bytes(connection, raw))
                with connection.begin_nested():
                    intake.identify_letter(connection, row, letter)
            except (*broken.MACHINE_FAULTS, OperationalError):
                raise
            except Exception:
                log.debug("letter %d cannot be read", row.id, exc_info=True)
        return "kept"


def _set_aside_unread(desk: Desk, row: LetterRow) -> str:
    """Set aside a letter that may be deadly to read; only then look whom to tell."""
    reason = "the referee was stopped each time it read this letter"
    with desk.store.writing() as connection:
        if (state := letters.lock_letter(connection, row.id).state) != "kept":
            return state
        letters.finish_letter(connection, row.id, "quarantined", reason, desk.now())
    with desk.writing() as change:
        _tell_sender(change, row)
    return "quarantined"


def _set_aside(desk: Desk, row: LetterRow, reason: str) -> str:
    with desk.writing() as change:
        if (state := letters.lock_letter(change.connection, row.id).state) != "kept":
            return state
        letters.finish_letter(change.connection, row.id, "quarantined", reason, desk.now())
        _tell_sender(change, row)
    return "quarantined"


def _tell_sender(change: Change, row: LetterRow) -> None:
    """Tell a known sender that the letter lies with the organiser.

    The sender's clocks stop, for the delay is not their fault. A stranger hears nothing.
    """
    try:
        raw = letters.raw_letter(change.connection, row.id)
        letter = incoming_letter.read_letter(intake.heeded_bytes(change.connection, raw))
        # A letter that broke its handling may break this, too; the verdict has to stay.
        with change.connection.begin_nested():
            intake.identify_letter(change.connection, row, letter)
            player = players.by_address(change.connection, letter.sender) if letter.sender else None
            if player is not None and not letter.automatic:
                case = Case(change, row, letter, player)
                reply.send_answer(case, answer("quarantined"))
                case.reply.send(case)
                stoppages.stop_clocks(change, player.id)
    # Inside the block the store has not yet said in its own words that the database is lost.
    except (*broken.MACHINE_FAULTS, OperationalError):
        raise
    except Exception:
        log.exception(
            "letter %d cannot be answered", row.id, extra={"action": "quarantine", "letter": row.id}
        )


def file_away(
    desk: Desk, mailbox: Mailbox, folders: Folders, source: str | None = None
) -> str | None:
    """Move handled letters out of a folder, by default the inbox; return why some have to stay.

    Only under the UIDVALIDITY they were read with: UIDs of another one name other letters.
    """
    source = source or folders.inbox
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
            refusal = _file_some(desk, mailbox, list(group), getattr(folders, target)) or refusal


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
