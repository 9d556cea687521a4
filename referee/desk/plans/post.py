"""Mails held and sent again, letters tried again or dropped.

Only a letter that is dropped changes matches: their clocks waited for it. So that is a plan, the
act ``Drop``; nothing else here needs one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.mails import post as mails_post
from referee.desk.matches import told
from referee.desk.matches.time import stoppages
from referee.desk.work import Refused
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters, outbox, reports
from referee.store.states import OutboxState
from referee.store.tables.post import LetterRow, OutboxRow

_GONE: Final = "is kept no more: its days are over (keep_days), or it was erased or pruned"


def require_mail(connection: Connection, number: int) -> OutboxRow:
    """Return a mail. Raises Refused."""
    try:
        return outbox.get_mail(connection, number)
    except KeyError:
        raise Refused(f"there is no mail {number}: see referee outbox list") from None


def require_letter(connection: Connection, number: int) -> LetterRow:
    """Return a letter. Raises Refused."""
    try:
        return letters.get_letter(connection, number)
    except KeyError:
        raise Refused(f"there is no letter {number}: see referee letter list") from None


def bytes_of(connection: Connection, number: int) -> bytes:
    """Return a letter's bytes. Raises Refused if they are gone."""
    require_letter(connection, number)
    try:
        return letters.raw_letter(connection, number)
    except KeyError:
        raise Refused(f"letter {number} {_GONE}") from None


def answers_to(connection: Connection, number: int) -> list[dict[str, object]]:
    """Return the mails that answer a letter, each with the match and seat it is about.

    Raises Refused.
    """
    require_letter(connection, number)
    return [
        {
            "mail": mail.id,
            "match": mail.match_id and matches.get_match(connection, mail.match_id).name,
            "seat": mail.seat,
            "state": mail.state,
        }
        for mail in outbox.answers_to(connection, number)
    ]


def retry_mail(change: Change, number: int) -> int:
    """Make a mail due now; return its number.

    Mails before it for the same recipient become due, too. Its bytes and Message-ID stay, but for
    one that was refused or is uncertain while its player has another address now: that is written
    anew, to there.
    Raises Refused if it has left, was replaced, or its bytes are gone.
    """
    row = require_mail(change.connection, number)
    if newer := reports.newer_report(change.connection, row):
        raise Refused(f"mail {number} is an old report: mail {newer} took its place")
    state: OutboxState = "uncertain" if row.state == "uncertain" else "waiting"
    to = row.recipient
    # What belongs to no match is for one address, as the question whether it is the player's.
    if row.state in {"failed", "uncertain"} and row.match_id and row.player_id:
        to = players.address_for(change.connection, row.player_id) or to
    _change(change, row, ("waiting", "uncertain", "failed", "held"), state)
    try:
        outbox.raw_mail(change.connection, number)
        if to != row.recipient:
            row = mails_post.send_anew(change, row, to)
    except KeyError:
        raise Refused(f"mail {number} {_GONE}") from None
    # Mails to one recipient leave in order, so the earlier ones stand in its way.
    outbox.hasten_earlier(change.connection, row, change.desk.now())
    return row.id


def hold_mail(change: Change, number: int) -> int:
    """Hold back a waiting mail; return its number. Raises Refused."""
    _change(change, require_mail(change.connection, number), ("waiting",), "held")
    return number


def drop_mail(change: Change, number: int) -> int:
    """End a mail that was refused, is held or uncertain; return its number. Raises Refused."""
    row = require_mail(change.connection, number)
    told_of = matches.get_match(change.connection, row.match_id) if row.match_id else None
    # Without it the turn would never be told, and its clock never run.
    instead = {"held": "release", "uncertain": "retry"}.get(row.state)
    if instead and row.kind == "report" and told_of and told_of.to_act == row.seat:
        raise Refused(f"mail {number} tells {row.seat} of their turn: {instead} it instead")
    _change(change, row, ("failed", "held", "uncertain"), "superseded")
    # What it may not have told is told by the next, as with one that was refused.
    told.settle_marks(change, row, left=False)
    reports.give_back_replies(change.connection, row)
    return number


def release_mail(change: Change, number: int) -> int:
    """Release a held mail; return its number. Raises Refused."""
    _change(change, require_mail(change.connection, number), ("held",), "waiting")
    return number


def _change(
    change: Change, row: OutboxRow, those: Sequence[OutboxState], state: OutboxState
) -> None:
    if not outbox.move_mail(change.connection, row.id, those, state, change.desk.now()):
        wanted = " or ".join(those)
        raise Refused(f"mail {row.id} is {row.state}: this is for mails that are {wanted}")


def retry_letter(connection: Connection, number: int) -> None:
    """Have a letter in quarantine handled again. Raises Refused."""
    row = _aside(connection, number)
    bytes_of(connection, number)
    if row.handled_at is None:
        # The server did not give it, and is asked again at the next poll.
        letters.change_letter(connection, number, attempts=0)
    else:
        letters.reset_letter(connection, number)


def drop_letter(change: Change, number: int) -> None:
    """End a letter in quarantine unheard. Raises Refused."""
    row = _aside(change.connection, number)
    why = "dropped by the organiser"
    letters.finish_letter(change.connection, number, "ignored", why, change.desk.now())
    # The sender's clocks waited for this letter, and for any other that lies aside.
    sender = players.by_address(change.connection, row.sender)
    if sender is not None and not letters.any_aside(change.connection, sender.id):
        stoppages.resume_clocks(change, sender.id)


def _aside(connection: Connection, number: int) -> LetterRow:
    row = require_letter(connection, number)
    if row.state != "quarantined":
        only = "only letters in quarantine can be retried or dropped"
        raise Refused(f"letter {number} is {row.state}; {only}")
    return row
