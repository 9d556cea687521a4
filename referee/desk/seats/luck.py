"""Promised words for chance: asked for when all have agreed.

A player who keeps them back loses them, not the match its beginning.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from referee.desk.desk import Change
from referee.desk.health import all_letters_known
from referee.desk.matches import broken
from referee.desk.seats import setup
from referee.store.play import matches
from referee.store.play.matches import MatchRow

log = logging.getLogger(__name__)

AGAIN: Final = timedelta(days=1)
"""How long a match whose words are due, but which cannot begin, is left alone."""


def overdue_promises(change: Change) -> list[int]:
    """Return the matches whose time for promised words is up.

    No letter under way may still bring any.
    """
    rows = matches.select_matches(change.connection, "invited")
    return [row.id for row in rows if _is_over(change, row.due)]


def _is_over(change: Change, until: datetime | None) -> bool:
    return until is not None and until <= change.desk.now() and all_letters_known(change, until)


def begin_overdue(change: Change) -> None:
    """Begin the matches whose promised words are overdue, without those words."""
    for match_id in overdue_promises(change):
        row: MatchRow = matches.lock_match(change.connection, match_id)
        # It may have begun, or ended, while the lock was waited for.
        if row.state != "invited" or not _is_over(change, row.due):
            continue
        try:
            # A savepoint: what one match has written by then must not spoil the others.
            with change.connection.begin_nested(), broken.faults_as_broken(row):
                setup.begin_told(change, row)
        except (setup.BadMatch, broken.BrokenMatch) as fault:
            # A seat is open again, or somebody has declined or not agreed yet: filling it lets the
            # match begin. Or its game is not installed; the other matches must not wait for that.
            told = {"action": "begin", "match": row.name}
            log.warning("%s does not begin: %s", row.name, fault, extra=told)
            matches.change_match(change.connection, row.id, due=change.desk.now() + AGAIN)
