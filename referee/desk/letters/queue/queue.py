"""The queue of kept letters for several daemons; each takes the next free one.

A reader keeps a letter back until its lanes are found. A letter stays in the hands of the daemon
that took it until the matches it touched have come to rest.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from referee.desk import agenda
from referee.desk.desk import Desk, carried_through
from referee.desk.letters import inbox
from referee.desk.letters.queue import lanes
from referee.desk.matches import broken
from referee.store.post import claims
from referee.store.tables.post import LetterRow

log = logging.getLogger(__name__)


def sort_letters(desk: Desk, reader: str) -> None:
    """Find the lanes of letters kept back, and let others have them."""
    while True:
        known: dict[int, str | None] = {}
        with desk.store.reading() as connection:
            for number, raw in claims.unsorted_letters(connection, reader):
                try:
                    known[number] = lanes.lanes_of(desk, connection, raw)
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


def handle_free(
    desk: Desk,
    worker: str,
    follow: Callable[[LetterRow], object],
    goes_on: Callable[[], bool] = lambda: True,
) -> int:
    """Handle letters while one is free and ``goes_on`` says so; return how many.

    ``follow`` brings matches to rest after each. Raises IntakeStopped as ``handle_waiting`` does,
    and passes on whatever keeps the store or the machine from working.
    """
    handled = 0
    while goes_on():
        taken = carried_through(lambda: _take_next(desk, worker))
        if taken is None:
            break
        row, raw = taken
        agenda.catch_up(desk, row.arrived)
        state = inbox.settle_letter(desk, row, raw)
        handled += 1
        follow(row)
        if state == "quarantined":
            inbox.stop_on_a_bad_day(desk)
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
