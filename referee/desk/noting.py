"""What a player notes for himself: sealed in his seat's private chain, shown in his reports."""

from __future__ import annotations

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

MOST_SHOWN: Final = 20
"""Notes shown in a report: the latest."""


def note(case: Case, claim: Claim, command: Command) -> None:
    """Keep a note of the seat, or take all away."""
    row, seat = claim.match, claim.seat.seat
    if row.header is None:
        answers.send(case, "match-not-begun", {}, claim)
        return
    sitting = ledger.load(case.desk, case.connection, row)
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


def notes_of(connection: Connection, sitting: Sitting, seat: Seat) -> tuple[str, ...]:
    """Return the notes of whoever holds a seat, the latest last."""
    holder, digests = sitting.seat(seat).player_id, list[str]()
    for each in standing.chain_of(connection, sitting, seat):
        if each.kind == private.CLEARED:
            digests.clear()
        elif each.kind == private.REMARK and each.details["player"] == holder:
            digests.append(str(each.details["hash"]))
    texts = (reasons.text_of(connection, sitting.row, each) for each in digests[-MOST_SHOWN:])
    return tuple(text for text in texts if text)
