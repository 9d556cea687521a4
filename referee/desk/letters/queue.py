"""The queue of kept letters for several daemons; each takes the next free one.

What is done with a letter is no matter of this file; it says whose turn a letter is, and one daemon
alone needs none of it. Letters of different matches and senders are handled at once. A lane is a
match or a sender that a letter may touch, and letters which share any keep their order; one whose
lanes are not known has the whole road to itself. A reader keeps a letter back until its lanes are
found, and it stays in the hands of the daemon that took it until the matches it touched have come
to rest.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection

from referee.desk import players as desk_players
from referee.desk.desk import Desk, carried_through
from referee.desk.letters import inbox, intake
from referee.desk.letters.claims import carried_codes
from referee.desk.matches import broken
from referee.mail.codes import codes_in
from referee.mail.incoming import letter as incoming_letter
from referee.store.people import players, questions
from referee.store.play import matches
from referee.store.post import claims
from referee.store.post.claims import MATCH
from referee.store.tables.post import LetterRow

log = logging.getLogger(__name__)

MOST_CODES_ASKED: Final = 500
"""Words of a letter that are looked up as codes; what lies beyond stands for no order."""

PLAYER: Final = "p"

SENDER: Final = "s"
"""The beginnings of lanes of a sender: a player's number, or the hash of an unknown address."""


def sort_letters(desk: Desk, reader: str) -> None:
    """Find the lanes of letters kept back, and let others have them."""
    while True:
        known: dict[int, str | None] = {}
        with desk.store.reading() as connection:
            for number, raw in claims.unsorted_letters(connection, reader):
                try:
                    known[number] = lanes_of(desk, connection, raw)
                # Its handling will fail as well, and tell; until then it has the road to itself.
                except Exception as fault:
                    if broken.is_machine_fault(fault, inside=True):
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
    player = None if letter.sender is None else players.by_address(connection, letter.sender)
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
        # Not the address itself: erasing a person would have to reach it here.
        hashed = hashlib.sha256((letter.sender or "").encode("utf-8", "surrogatepass")).hexdigest()
        sender = f"{SENDER}{hashed[:16]}"
    return " ".join([sender, *(f"{MATCH}{match_id}" for match_id in sorted(touched))])


def handle_free(
    desk: Desk,
    worker: str,
    follow: Callable[[LetterRow], object],
    goes_on: Callable[[], bool] = lambda: True,
) -> int:
    """Handle letters while one is free and ``goes_on`` says so; return how many.

    It raises what ``inbox.handle_letter`` does.
    """
    handled = 0
    while goes_on():
        taken = carried_through(lambda: _take_next(desk, worker))
        if taken is None:
            break
        row, raw = taken
        inbox.handle_letter(desk, row, follow, raw)
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
