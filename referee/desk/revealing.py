"""Words that were promised by their hash: asked for when all have agreed, and told in time."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk import answers, broken, ledger, opening
from referee.desk.case import Case
from referee.desk.claims import Claim
from referee.desk.commands import MOST_LUCK, Command
from referee.desk.desk import Desk
from referee.desk.health import all_letters_known
from referee.matches.luck import Luck
from referee.store import matches as tables
from referee.store.matches import MatchRow

log = logging.getLogger(__name__)

AGAIN: Final = timedelta(days=1)
"""After this a match is looked at again whose words are due, and which cannot begin."""


def note(case: Case, claim: Claim, command: Command) -> None:
    """Note what a seat gives for chance: words, their hash, or the words it has promised."""
    row, seat, text = claim.match, claim.seat.seat, command.text[:MOST_LUCK]
    luck = Luck.from_text(row.words)
    if row.state != "invited":
        answers.send(case, "luck-too-late", {}, claim)
    elif row.due is not None:
        _told(case, claim, luck, text)
    else:
        given = luck.given(seat, text)
        tables.set_words(case.connection, row.id, given.to_text())
        if promise := given.promised.get(seat):
            answers.send(case, "luck-promised", {"hash": promise}, claim)
        else:
            answers.send(case, "luck-noted", {"words": command.text}, claim)


def _told(case: Case, claim: Claim, luck: Luck, text: str) -> None:
    """Note the words a seat has promised; the last of them begin the match."""
    row, seat = claim.match, claim.seat.seat
    if seat not in luck.promised:
        answers.send(case, "luck-closed", {}, claim)
        return
    if seat in luck.words:
        answers.send(case, "luck-told", {"words": luck.words[seat]}, claim)
        return
    if row.due is not None and case.row.arrived > row.due:
        answers.send(case, "luck-forfeited", {}, claim)
        return
    told = luck.told(seat, text)
    if told is None:
        answers.send(case, "luck-unfit", {"words": text, "hash": luck.promised[seat]}, claim)
        return
    tables.set_words(case.connection, row.id, told.to_text())
    answers.send(case, "luck-told", {"words": told.words[seat]}, claim)
    if not told.pending:
        opening.begin(case.desk, case.connection, tables.by_id(case.connection, row.id))


def due(desk: Desk, connection: Connection) -> list[int]:
    """Return the matches whose time for promised words is up; no letter may still bring any."""
    rows = tables.list_matches(connection, "invited")
    return [row.id for row in rows if _is_over(desk, connection, row.due)]


def _is_over(desk: Desk, connection: Connection, until: datetime | None) -> bool:
    return (
        until is not None
        and until <= desk.now()
        and all_letters_known(desk, connection, until)
    )


def lapse(desk: Desk, connection: Connection) -> None:
    """Begin each match whose time for promised words is up, without those that were not told."""
    for match_id in due(desk, connection):
        row: MatchRow = tables.hold(connection, match_id)
        try:
            with connection.begin_nested(), broken.known(row):
                opening.begin(desk, connection, row)
        except (opening.BadMatch, broken.BrokenMatch) as fault:
            # A seat is open again, or somebody has declined: whoever fills it lets it begin.
            # Or its game is not installed: the others must not wait for that.
            log.warning("%s does not begin: %s", row.name, fault, extra={"action": "begin"})
            tables.change(connection, row.id, due=desk.now() + AGAIN)


def asked_until(row: MatchRow) -> str | None:
    """Return until when promised words are awaited, as the log writes moments."""
    waits = row.state == "invited" and row.due is not None
    return ledger.stamp(row.due) if waits and row.due else None
