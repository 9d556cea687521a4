"""The queue of kept letters, handled one after another; of several daemons each takes a free one.

What a letter does is the matter of ``intake``; one that fails there is tried again, then set aside.

One daemon alone needs no lanes. For several, which handle letters of different matches and senders
at once, a lane is a match or a sender that a letter may touch. Letters which share any keep their
order; one whose lanes are not known has the whole road to itself. A reader keeps a letter back
until its lanes are found, and it stays in the hands of the daemon that took it until the matches it
touched have come to rest.
"""

from __future__ import annotations

import contextlib
import hmac
import logging
from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from referee.desk import agenda, health
from referee.desk import players as desk_players
from referee.desk.desk import Change, Desk, NotInstalled, carried_through
from referee.desk.letters import intake
from referee.desk.letters.case import Case
from referee.desk.letters.claims import carried_codes
from referee.desk.letters.sender import shows_proof
from referee.desk.matches import broken
from referee.desk.matches.time import stoppages
from referee.errors import RefereeError
from referee.mail.codes import codes_in
from referee.mail.incoming import letter as incoming_letter
from referee.render.answers import answer
from referee.store.database.errors import StoreError
from referee.store.people import players, questions
from referee.store.play import matches
from referee.store.post import claims, letters
from referee.store.post.claims import MATCH
from referee.store.states import ENDED
from referee.store.tables.play import MatchRow
from referee.store.tables.post import LetterRow

log = logging.getLogger(__name__)

MOST_CODES_ASKED: Final = 500
"""Words of a letter that are looked up as codes.

Beyond them its lanes may be incomplete, which the locks of its matches make good.
"""

PLAYER: Final = "p"
"""The beginning of a player's lane, before their number."""

SENDER: Final = "s"
"""That of the lane of an unknown address, before a hash of it."""

_BATCH: Final = 50
"""Waiting letters looked up together."""

MOST_ATTEMPTS: Final = 3
"""Attempts at a letter that fails by itself before it is set aside."""

OUTAGES: Final = (StoreError, OSError)
"""Faults of database, disk or network, which say nothing about a letter.

Memory is none of them: a letter that takes all there is would hold up those behind it for ever.
"""

MOST_KILLS: Final = 10
"""Attempts at a letter during which the process was killed before it is set aside.

More than ``MOST_ATTEMPTS``: the kill may have had other reasons.
"""

ASIDE_IN_A_ROW: Final = 3
"""Different letters set aside in a row that mean a bad day, not bad letters."""


class IntakeStopped(RefereeError):
    """Several letters in a row failed; the organiser must look."""


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


def handle_waiting(
    desk: Desk,
    follow: Callable[[LetterRow], object] = lambda _: None,
    goes_on: Callable[[], bool] = lambda: True,
) -> int:
    """Handle the kept letters, oldest first, while ``goes_on`` says so; return how many."""
    handled = 0
    while True:
        with desk.store.reading() as connection:
            waiting = letters.waiting_letters(connection, _BATCH)
        for row in waiting:
            if not goes_on():
                return handled
            handle_letter(desk, row, follow)
            handled += 1
        if len(waiting) < _BATCH:
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
    # Again at once if it fails: so letters are handled in the sequence they came in, and only those
    # that came in a row are set aside in a row.
    while (state := handle_once(desk, row, begun)) == "kept":
        begun = None
        with desk.store.reading() as connection:
            row = letters.get_letter(connection, row.id)
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


def handle_once(desk: Desk, row: LetterRow, begun: bytes | None = None) -> str:
    """Handle a letter once, and return its state: ``kept`` if that failed and is to be repeated."""
    if row.kills >= MOST_KILLS:
        # It may be deadly to read, so only then it is looked whom to tell.
        reason = "the referee was stopped each time it read this letter"
        return _set_aside(desk, row, reason, unread=True)
    if begun is None:
        # The count serves when the process is killed; after a loss of power it is of no use, so the
        # disk is not waited for.
        with desk.store.writing(lasting=False) as connection:
            begun = letters.begin_attempt(connection, row.id)
    raw = begun
    try:
        return carried_through(lambda: intake.take_letter(desk, row, raw)).state
    except OUTAGES:
        # The machine's trouble must not count against the letter.
        with contextlib.suppress(StoreError, KeyError), desk.store.writing() as connection:
            letters.change_letter(connection, row.id, attempting=False)
        raise
    except Exception as fault:
        extra = {"action": "intake", "letter": row.id}
        log.exception("letter %d could not be handled", row.id, extra=extra)
        # Trying again cannot help: the match has to be mended first.
        if isinstance(fault, (broken.BrokenMatch, NotInstalled)):
            why = broken.reason_aside(fault)
            # One that has ended needs no mending, so nothing is said of going on.
            over = fault.match if isinstance(fault, broken.BrokenMatch) else None
            over = None if over is None or over.state in ENDED else over
            return _set_aside(desk, row, why, over=over)
        if row.attempts + 1 >= MOST_ATTEMPTS:
            why = f"{type(fault).__name__} while handling it"
            # Reading it to tell its sender may take as much again.
            unread = isinstance(fault, MemoryError)
            return _set_aside(desk, row, why, unread=unread)
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
            except (*OUTAGES, OperationalError):
                raise
            except Exception:
                log.debug("letter %d cannot be read", row.id, exc_info=True)
        return "kept"


def _set_aside(
    desk: Desk, row: LetterRow, reason: str, *, unread: bool = False, over: MatchRow | None = None
) -> str:
    """Set a letter aside and tell its sender; one ``unread`` is safely aside before it is read.

    ``over`` is the broken match that it speaks for, if that is why.
    """

    def keep_aside() -> tuple[str, bool]:
        with desk.writing() as change:
            if (state := letters.lock_letter(change.connection, row.id).state) != "kept":
                return state, False
            letters.finish_letter(change.connection, row.id, "quarantined", reason, desk.now())
            if not unread:
                _tell_sender(change, row, over)
            # Its next step finds it broken as well: that stops its clock and tells the organiser.
            if over is not None:
                matches.set_agenda(change.connection, over.id, desk.now())
        return "quarantined", unread

    def tell() -> None:
        with desk.writing() as change:
            _tell_sender(change, row)

    state, to_tell = carried_through(keep_aside)
    if to_tell:
        carried_through(tell)
    return state


def _tell_sender(change: Change, row: LetterRow, over: MatchRow | None = None) -> None:
    """Tell a known sender that the letter lies with the organiser.

    The sender's clocks stop, for the delay is not their fault; a letter that proves no sender stops
    none, as it starts none. A stranger hears nothing.
    """
    try:
        raw = letters.raw_letter(change.connection, row.id)
        letter = incoming_letter.read_letter(intake.heeded_bytes(change.connection, raw))
        # A letter that broke its handling may break this, too; the verdict has to stay.
        with change.connection.begin_nested():
            intake.identify_letter(change.connection, row, letter)
            player = players.by_address(change.connection, letter.sender)
            if player is not None and not letter.automatic:
                case = Case(change, row, letter, player)
                case.tell(answer("quarantined", match=over.name if over else ""))
                case.reply.send(case)
                if shows_proof(change, letter, player):
                    stoppages.stop_clocks(change, player.id)
    # Inside the block the store has not yet said in its own words that the database is lost.
    except (*OUTAGES, OperationalError):
        raise
    except Exception:
        log.exception(
            "letter %d cannot be answered", row.id, extra={"action": "quarantine", "letter": row.id}
        )


def sort_letters(desk: Desk, reader: str) -> None:
    """Find the lanes of letters kept back, and let others have them."""
    while True:
        known: dict[int, str | None] = {}
        with desk.store.reading() as connection:
            for number, raw in claims.unsorted_letters(connection, reader).items():
                try:
                    known[number] = lanes_of(desk, connection, raw) if raw else None
                # Its handling will fail as well, and tell; until then it has the road to itself.
                except Exception as fault:
                    outage = broken.is_machine_fault(fault, inside=True)
                    if outage and not isinstance(fault, MemoryError):
                        raise
                    unknown = "the lanes of letter %d are unknown"
                    log.exception(unknown, number, extra={"letter": number})
                    known[number] = None
        if not known:
            break
        with desk.store.writing(lasting=False) as connection:
            for number, lane in known.items():
                claims.sort_letter(connection, number, lane, reader)


def lanes_of(desk: Desk, connection: Connection, raw: bytes) -> str:
    """Return the lanes of a letter, separated by spaces.

    They are its sender and the matches of all codes it holds. Without a code it may be about any of
    the sender's matches.
    """
    letter = incoming_letter.read_letter(intake.heeded_bytes(connection, raw))
    player = players.by_address(connection, letter.sender)
    said = [*letter.blocks, *(str(document.value) for document in letter.json)]
    carried = [*carried_codes(connection, letter, desk.settings.address), *letter.boxed]
    words = (code for text in said for code in codes_in(text))
    codes = [*dict.fromkeys([*carried, *words])][:MOST_CODES_ASKED]
    rows = matches.find_codes(connection, codes)
    touched = {row.match_id for row in rows.values() if row is not None}
    asked = [code for code, row in rows.items() if row is None]
    for code in questions.codes_of_questions(connection, asked):
        question = questions.find_question(connection, code)
        if question is not None and question.match_id is not None:
            touched.add(question.match_id)
    if player is not None:
        sender = f"{PLAYER}{player.id}"
        touched = touched or {row.id for row in desk_players.matches_of(connection, player.id)}
    else:
        # Not the address itself, nor what it can be found out from.
        address = (letter.sender or "").encode("utf-8", "surrogatepass")
        sender = f"{SENDER}{hmac.digest(desk.settings.key, address, 'sha256').hex()[:16]}"
    return " ".join([sender, *(f"{MATCH}{match_id}" for match_id in sorted(touched))])


def handle_free(
    desk: Desk,
    worker: str,
    follow: Callable[[LetterRow], object],
    goes_on: Callable[[], bool] = lambda: True,
) -> int:
    """Handle letters while one is free and ``goes_on`` says so; return how many."""
    handled = 0
    while goes_on():
        taken = carried_through(lambda: _take_next(desk, worker))
        if taken is None:
            break
        row, raw = taken
        handle_letter(desk, row, follow, raw)
        handled += 1
    else:
        # Others would wait for the letter just handled until this daemon counts as dead.
        with desk.store.writing(lasting=False) as connection:
            claims.release_letters(connection, worker)
    return handled


def _take_next(desk: Desk, worker: str) -> tuple[LetterRow, bytes] | None:
    """Give up the letter before, and take the next free one."""
    with desk.store.writing(lasting=False) as connection:
        claims.release_letters(connection, worker)
        theirs = list[int]()
        while (free := claims.next_free(connection, theirs)) is not None:
            taken = claims.claim_letter(connection, free, worker)
            if taken is not None:
                return taken
            # Another was faster: then it is in somebody's hands.
            theirs.append(free)
    return None
