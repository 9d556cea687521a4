"""A letter's way through the inbox: fetched, kept, handled, and only then filed on the server."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from types import MappingProxyType
from typing import Final

from sqlalchemy import Connection

from referee.desk import desk as desk_desk
from referee.desk import health
from referee.desk.desk import Desk
from referee.desk.letters import intake, reply
from referee.desk.letters.case import Case
from referee.desk.matches import broken, stoppages
from referee.desk.seats import standins
from referee.errors import RefereeError
from referee.mail.incoming import letter as incoming_letter
from referee.mail.transport.mailbox import Fetched, Folders, Mailbox
from referee.store.people import players
from referee.store.post import letters
from referee.store.post.letters import LetterRow
from referee.store.store import StoreError

log = logging.getLogger(__name__)

MOST_ATTEMPTS: Final = 3
"""A letter whose handling fails by itself is tried so often, then set aside."""

MOST_KILLS: Final = 10
"""A letter during which the process was killed is tried so often, then set aside."""

ASIDE_IN_A_ROW: Final = 3
"""So many different letters set aside one after the other mean a bad day, not bad letters."""

CHUNK: Final = 50

BATCH_BYTES: Final = 1_000_000
"""Letters are kept together up to so many bytes."""

TARGETS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "handled": "handled",
        "repeat": "handled",
        "ignored": "ignored",
        "quarantined": "quarantine",
    }
)
"""Which of the folders a letter goes to, by what became of it."""

OUR_OWN_TROUBLE: Final = (StoreError, OSError, MemoryError)
"""Faults of database, disk, memory or network: they say nothing about the letter."""

HEAD_BYTES: Final = intake.STRANGERS_BYTES


class IntakeStopped(RefereeError):
    """Several letters in a row could not be handled; the organiser must look."""


@dataclass(frozen=True, slots=True)
class Caps:
    """How much of a letter is fetched: above ``letter`` bytes only headers and ``head`` bytes.

    Of a stranger's never more than these.
    """

    letter: int = 1_000_000
    head: int = HEAD_BYTES


def fetch_and_keep(desk: Desk, mailbox: Mailbox, folders: Folders, caps: Caps) -> int:
    """Keep every letter of the inbox that the store does not know; return how many.

    Nothing changes on the server. Letters are kept in the sequence of their UIDs.
    """

    def known(uidvalidity: int, uids: Sequence[int]) -> set[int]:
        with desk.store.reading() as connection:
            return letters.known(connection, folders.inbox, uidvalidity, uids, desk.address)

    mailbox.select()
    uids = mailbox.new(known)
    kept = 0
    for start in range(0, len(uids), CHUNK):
        some = uids[start : start + CHUNK]
        kept += keep(desk, mailbox.fetch(some, caps.letter, caps.head, partial(is_known, desk)))
    return kept


def is_known(desk: Desk, head: bytes) -> bool:
    """Tell whether a letter comes from a player's address, so that it is fetched whole."""
    with desk.store.reading() as connection:
        return intake.is_known(connection, head)


def keep(desk: Desk, fetched: Iterable[Fetched], *, again: bool = False) -> int:
    """Keep letters as they are fetched; return how many were not known.

    ``again``: they were filed before, so the same bytes elsewhere are the same letter.
    """
    return sum(_keep_some(desk, some, again=again) for some in _batches(fetched))


def _batches(fetched: Iterable[Fetched]) -> Iterator[list[Fetched]]:
    """Yield letters in groups that are kept together, once they are there: the server may stall."""
    group: list[Fetched] = []
    for each in fetched:
        group.append(each)
        if len(group) >= CHUNK or sum(len(letter.raw) for letter in group) >= BATCH_BYTES:
            yield group
            group = []
    if group:
        yield group


def _keep_some(desk: Desk, some: Iterable[Fetched], *, again: bool) -> int:
    kept = 0
    with desk.store.writing() as connection:
        for each in some:
            if again and letters.is_known(connection, each.raw):
                continue
            row = letters.keep(
                connection,
                folder=each.folder,
                uidvalidity=each.uidvalidity,
                uid=each.uid,
                arrived=each.arrived,
                size=each.size,
                truncated=each.truncated,
                raw=each.raw,
                mailbox=desk.address,
                now=desk.now(),
            )
            kept += row is not None
    return kept


def recover(desk: Desk) -> None:
    """Count letters a killed process was at, once, when a daemon starts."""
    with desk.store.writing() as connection:
        for row in letters.interrupted(connection):
            letters.count_kill(connection, row.id)
            log.warning("letter %d was being handled when the referee was stopped", row.id)


def has_waiting(desk: Desk) -> bool:
    """Return whether a letter is kept and not handled yet."""
    with desk.store.reading() as connection:
        return bool(letters.waiting(connection, 1))


def handle_waiting(desk: Desk, follow: Callable[[int], object] = lambda _: None) -> int:
    """Handle every kept letter, oldest first; return how many were handled or set aside.

    ``follow`` does what follows from a letter, named by its id, before the next one is judged: so
    it makes no difference whether they came together or one by one. Raises IntakeStopped after
    several letters in a row had to be set aside, and whatever keeps the store or the machine from
    working.
    """
    handled = 0
    while True:
        with desk.store.reading() as connection:
            waiting = letters.waiting(connection, CHUNK)
        if not waiting:
            return handled
        for row in waiting:
            standins.catch_up(desk, row.arrived)
            state = _settle(desk, row)
            handled += 1
            follow(row.id)
            if state == "quarantined":
                _stop_on_a_bad_day(desk)


def _settle(desk: Desk, row: LetterRow) -> str:
    """Handle a letter and return its state; what fails is tried again before the next letter.

    So letters are handled as they came, and only what came in a row is set aside in a row.
    """
    while (state := _handle(desk, row)) == "kept":
        with desk.store.reading() as connection:
            row = letters.get(connection, row.id)
    return state


def _stop_on_a_bad_day(desk: Desk) -> None:
    """Raise IntakeStopped if the last letters, before a restart too, were all set aside.

    Those about a match that cannot go on by itself say nothing of the others.
    """
    with desk.store.reading() as connection:
        since = health.intake_since(connection)
        aside = letters.aside_in_a_row(connection, since, ASIDE_IN_A_ROW, broken.ASIDE)
    if aside >= ASIDE_IN_A_ROW:
        raise IntakeStopped(
            f"{aside} letters in a row could not be handled: see `referee letter list "
            "--state quarantined`, then restart the daemon"
        )


def _handle(desk: Desk, row: LetterRow) -> str:
    if row.kills >= MOST_KILLS:
        return _set_aside_unread(desk, row)
    # It is there for a process that is killed: that a loss of power is counted is of no use.
    with desk.store.writing(lasting=False) as connection:
        letters.begin_attempt(connection, row.id)
        raw = letters.raw(connection, row.id)
    try:
        return intake.take(desk, row, raw).state
    except OUR_OWN_TROUBLE:
        with contextlib.suppress(StoreError), desk.store.writing() as connection:
            letters.forget_attempt(connection, row.id)
        raise
    except (broken.BrokenMatch, desk_desk.NotInstalled) as fault:
        log.exception("letter %d could not be handled", row.id, extra={"action": "intake"})
        return _set_aside(desk, row, f"{broken.ASIDE}{fault}")
    except Exception as fault:
        log.exception("letter %d could not be handled", row.id, extra={"action": "intake"})
        if row.attempts + 1 >= MOST_ATTEMPTS:
            return _set_aside(desk, row, f"{type(fault).__name__} while handling it")
        with desk.store.writing() as connection:
            letters.end_attempt(connection, row.id, type(fault).__name__)
            _identify(connection, row, raw)
        return "kept"


def _identify(connection: Connection, row: LetterRow, raw: bytes) -> None:
    """Let copies of a letter that failed be known as repeats, if it can be read at all."""
    with contextlib.suppress(Exception):
        intake.identify(connection, row, incoming_letter.read(intake.heeded(connection, raw)))


def _set_aside_unread(desk: Desk, row: LetterRow) -> str:
    """Set a letter aside that may be deadly to read; only then look whom to tell."""
    reason = "the referee was stopped each time it read this letter"
    with desk.store.writing() as connection:
        letters.finish(connection, row.id, "quarantined", reason, desk.now())
    with desk.store.writing() as connection:
        _tell_sender(desk, connection, row)
    return "quarantined"


def _set_aside(desk: Desk, row: LetterRow, reason: str) -> str:
    with desk.store.writing() as connection:
        letters.finish(connection, row.id, "quarantined", reason, desk.now())
        _tell_sender(desk, connection, row)
    return "quarantined"


def _tell_sender(desk: Desk, connection: Connection, row: LetterRow) -> None:
    """Tell a known sender that his letter lies with the organiser; a stranger hears nothing."""
    try:
        raw = letters.raw(connection, row.id)
        letter = incoming_letter.read(intake.heeded(connection, raw))
        with connection.begin_nested():
            intake.identify(connection, row, letter)
            player = players.by_address(connection, letter.sender) if letter.sender else None
            if player is not None and not letter.automatic:
                case = Case(desk, connection, row, letter, player)
                reply.send(case, "quarantined", {})
                case.tray.send(case)
                stoppages.stop_clocks(desk, connection, player.id)
    except OUR_OWN_TROUBLE:
        raise
    except Exception:
        log.exception("letter %d cannot be answered", row.id, extra={"action": "quarantine"})


def file_away(desk: Desk, mailbox: Mailbox, folders: Folders, source: str | None = None) -> int:
    """Move handled letters out of a folder, the inbox if none is named; return how many.

    Only under the UIDVALIDITY they were read with.
    """
    source = source or folders.inbox
    uidvalidity = mailbox.select(source)
    filed = 0
    while True:
        with desk.store.reading() as connection:
            unfiled = letters.unfiled(connection, source, uidvalidity, mailbox=desk.address)
        if not unfiled:
            return filed
        for target, group in groupby(sorted(unfiled, key=_target), key=_target):
            rows = list(group)
            goal = folders.of(target)
            # Only what no loss of power can undo may change anything on the server.
            desk.store.flush()
            if goal != source and not mailbox.move([row.uid for row in rows], goal, uidvalidity):
                return filed
            with desk.store.writing() as connection:
                letters.mark_filed(connection, [row.id for row in rows], target)
        filed += len(unfiled)


def _target(row: LetterRow) -> str:
    return TARGETS[row.state]
