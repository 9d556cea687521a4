"""What a player notes for himself: sealed in his seat's private chain, shown in his reports."""

from __future__ import annotations

from datetime import timedelta
from itertools import islice, takewhile
from typing import Final

from sqlalchemy import Connection

from referee.desk import answers, ledger, standing
from referee.desk.case import Case
from referee.desk.claims import Claim
from referee.desk.commands import Command
from referee.desk.ledger import Sitting
from referee.desk.mending import reasons
from referee.games.game import Document, Seat
from referee.matches import private

CLEAR: Final = frozenset({"clear", "löschen", "loeschen"})
"""What takes all notes away."""

DAY: Final = timedelta(days=1)

MOST_A_DAY: Final = 50
"""Notes a seat may write or take away in a day."""

MOST_SHOWN: Final = 20
"""Notes shown in a report: the latest."""


def note(case: Case, claim: Claim, command: Command) -> None:
    """Keep a note of the seat, or take all away."""
    row, seat = claim.match, claim.seat.seat
    if row.header is None:
        answers.send(case, "match-not-begun", {}, claim)
        return
    sitting = ledger.load(case.desk, case.connection, row)
    if _written_since(case, sitting, seat) >= MOST_A_DAY:
        answers.send(case, "note-many", {"most": MOST_A_DAY}, claim)
        return
    if command.text.strip().rstrip(".!").casefold() in CLEAR:
        standing.write_private(case.desk, case.connection, sitting, seat, private.CLEARED, {})
        answers.send(case, "note-cleared", {}, claim)
        return
    digest = reasons.keep(
        case.desk, case.connection, row, command.text, seat=seat, recipients=[seat]
    )
    details: Document = {"hash": digest, "player": case.player.id}
    standing.write_private(case.desk, case.connection, sitting, seat, private.REMARK, details)
    answers.send(case, "note-kept", {"lines": [command.text]}, claim)


def _written_since(case: Case, sitting: Sitting, seat: Seat) -> int:
    """Return how many notes a seat wrote or took away within a day, as far as that matters."""
    since, count = ledger.stamp(case.desk.now() - DAY), 0
    for kind in (private.REMARK, private.CLEARED):
        latest = standing.entries_of(case.connection, sitting, seat, kind)
        recent = takewhile(lambda each: each.moment > since, latest)
        count += sum(1 for _ in islice(recent, MOST_A_DAY))
    return count


def notes_of(connection: Connection, sitting: Sitting, seat: Seat) -> tuple[str, ...]:
    """Return the notes of whoever holds a seat, the latest last."""
    holder = sitting.seat(seat).player_id
    cleared = next(standing.entries_of(connection, sitting, seat, private.CLEARED), None)
    since = 0 if cleared is None else cleared.seq
    latest = standing.entries_of(connection, sitting, seat, private.REMARK)
    stand = takewhile(lambda each: each.seq > since, latest)
    mine = (str(each.details["hash"]) for each in stand if each.details["player"] == holder)
    shown = [*islice(mine, MOST_SHOWN)][::-1]
    texts = (reasons.text_of(connection, sitting.row, each) for each in shown)
    return tuple(text for text in texts if text)
